#include "tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace dve::slurm {
namespace {

class Outputs {
 public:
  Outputs() {
    if (pipe2(ends_, O_CLOEXEC) != 0) throw Unavailable(fmt::format("no pipe for a command: {}", std::strerror(errno)));
  }
  ~Outputs() {
    close_write_end();
    close(ends_[0]);
  }
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;

  int write_end() const { return ends_[1]; }
  void close_write_end() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  std::string text() const {
    std::string text;
    char bytes[4096];
    for (;;) {
      const ssize_t now = read(ends_[0], bytes, sizeof bytes);
      if (now > 0) text.append(bytes, static_cast<std::size_t>(now));
      if (now == 0 || (now < 0 && errno != EINTR)) return text;
    }
  }

 private:
  int ends_[2] = {-1, -1};
};

int spawn(pid_t& process, const std::vector<std::string>& words, int output) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawnp(&process, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

}  // namespace

ToolEnd run_tool(const std::vector<std::string>& words) {
  Outputs outputs;
  pid_t process = -1;
  if (const int error = spawn(process, words, outputs.write_end()))
    throw Unavailable(
        fmt::format("{} cannot be started: {}, expected Slurm's commands in PATH", words[0], std::strerror(error)));
  outputs.close_write_end();
  ToolEnd end;
  end.output = outputs.text();
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "";
  const std::size_t before = text.find_last_of("\r\n", end);
  return text.substr(before + 1, end - before);  // npos + 1 is 0
}

}  // namespace dve::slurm
