// A file that never reaches a disk, for readers that ask for a path.
#pragma once

#include <cstddef>
#include <filesystem>

namespace dve::fuzz {

class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void replace(const void* data, std::size_t size);

 private:
  int descriptor_;
  std::filesystem::path path_;
};

}  // namespace dve::fuzz
