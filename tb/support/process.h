// Running dve-sim, or any shell command, and looking at what came out.
#pragma once

#include <filesystem>
#include <string>

namespace dve::testing_support {

struct ProcessResult {
  int code = -1;  // exit code; 128 + signal when killed
  std::string out, err;
};

// Runs a shell command to its end.
ProcessResult shell(const std::string& command);

// `dve-sim arguments`.
ProcessResult dve_sim(const std::string& arguments);

std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text);

// A fresh folder, removed at the end of the test.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace dve::testing_support
