#include "system/child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <exception>

namespace dve::testing_support {
namespace {

void write_all(int end, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(end, text.data() + at, text.size() - at);
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

std::string read_all(int end) {
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(end, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  return text;
}

[[noreturn]] void answer(int end, const std::function<std::string()>& body) {
  std::string text;
  try {
    text = body();
  } catch (const std::exception& error) {
    text = std::string("threw ") + error.what();
  }
  write_all(end, text);
  _exit(0);
}

}  // namespace

std::string in_child(const std::function<std::string()>& body) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child < 0) return "no process";
  if (child == 0) answer(ends[1], body);
  close(ends[1]);
  std::string text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? text : text + "\nended with status " + std::to_string(status);
}

}  // namespace dve::testing_support
