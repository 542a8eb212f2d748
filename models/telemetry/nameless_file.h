// A temporary file for what does not fit memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace dve::telemetry {

// Writes all of it; errno of the failure, else 0.
int write_all(int descriptor, const void* data, std::size_t size);

// A file without a name: gone when closed, however the program ends. Made at the first append.
class NamelessFile {
 public:
  explicit NamelessFile(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  // Where what will become `file` may wait: beside it, which has room for it; for a device or a pipe, where temporary
  // files go.
  static std::filesystem::path folder_for(const std::filesystem::path& file);

  // After the first failure pieces are discarded.
  void append(const void* data, std::size_t size);
  // errno of the first failure of append(), else 0.
  int error() const { return error_; }
  // Bytes from `offset` on, which have been appended; errno of the failure, else 0.
  int read(std::uint64_t offset, void* data, std::size_t size) const;

 private:
  void open();
  std::filesystem::path folder_;
  int descriptor_ = -1;
  int error_ = 0;
};

}  // namespace dve::telemetry
