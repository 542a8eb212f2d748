// A file that is written piece by piece through a bounded buffer.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dve::telemetry {

// A trace that cannot be written. what() is one line: file and the system's reason.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Compression { none, gzip };

// A regular file appears whole or not at all: what is written goes to a temporary file beside it that close() renames.
// Devices and pipes are written directly. Compressed files hold no time stamp and no name: the same bytes in, the same
// bytes out.
class TraceFile {
 public:
  // Throws TraceError when the file cannot be opened: a directory, write-protected, no such folder.
  TraceFile(std::filesystem::path path, Compression compression);
  ~TraceFile();  // without close(): nothing appears under the path
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Never throws: after the first failure, which close() reports, pieces are discarded.
  void write(std::string_view piece);
  bool failed() const { return error_ != 0; }
  // Writes what is buffered and gives the file its name. TraceError with the first failure; the temporary file is gone
  // then.
  void close();

 private:
  struct Compressor;
  struct CompressedSink;
  void open();
  void open_beside(const std::filesystem::path& target);
  void flush();
  void write_out(const char* data, std::size_t size);
  [[noreturn]] void fail(int error) const;

  std::filesystem::path path_;
  std::filesystem::path target_, temporary_;  // of a regular file: where it goes, where it is written; else empty
  int descriptor_ = -1;
  int error_ = 0;  // errno of the first failure
  std::string buffer_;
  std::unique_ptr<Compressor> compressor_;
};

}  // namespace dve::telemetry
