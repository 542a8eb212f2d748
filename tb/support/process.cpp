#include "process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace dve::testing_support {
namespace {

// The address sanitizer remarks in three lines, the first naming it, when an exception is thrown on a SystemC stack.
// That is not the program's output.
std::string without_sanitizer_remarks(const std::string& text) {
  std::string kept;
  std::istringstream lines(text);
  int skip = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("WARNING: ASan is ignoring requested __asan_handle_no_return") != std::string::npos) skip = 3;
    if (skip > 0)
      --skip;
    else
      kept += line + "\n";
  }
  return kept;
}

}  // namespace

ProcessResult shell(const std::string& command) {
  const ScratchFolder scratch;
  const std::string out = scratch / "stdout", err = scratch / "stderr";
  const int status = std::system(("( " + command + "\n) >" + out + " 2>" + err).c_str());
  ProcessResult result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_text(out);
  result.err = without_sanitizer_remarks(read_text(err));
  return result;
}

ProcessResult dve_sim(const std::string& arguments) { return shell(DVE_SIM_PROGRAM " " + arguments); }

std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

ScratchFolder::ScratchFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "dve-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder at " + pattern);
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace dve::testing_support
