// Whole files in and out, with one clear error each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace dve::layer {

// An input file (or a value in it) that cannot be used. what() is one line: file, problem, what was expected.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An output file that cannot be written. what() is one line: file and the system's reason.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A regular file opened for reading. Devices and pipes are refused: their size is unknown and may be endless.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path path);  // InputError: missing, a directory, not regular, unreadable
  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }                   // bytes of the whole file
  std::uint64_t remaining() const { return size_ - position_; }  // bytes not read yet
  // The next `size` bytes. InputError when the file has fewer.
  std::vector<std::uint8_t> read(std::uint64_t size);

 private:
  std::filesystem::path path_;
  std::uint64_t size_ = 0;
  std::uint64_t position_ = 0;
  std::ifstream stream_;
};

// The contents of a regular file. InputError as InputFile.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path);

// Makes `path` hold exactly these bytes. A regular file appears whole or not at all: the bytes go to a temporary file
// beside it that is renamed at the end. Devices and pipes are written directly. OutputError names the path; the
// temporary file is then gone. A file-size limit (SIGXFSZ) is reported as an error, too, and does not end the process.
void write_file(const std::filesystem::path& path, const void* data, std::size_t size);
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace dve::layer
