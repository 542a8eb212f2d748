// Storage whose never-written bytes read as noise.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace dve {

// Stands for: the unknown contents of a memory after power-up. Byte `offset` starts as a function of (seed, offset)
// alone, whatever the order of accesses. Noise is laid down page by page at the first touch, so that a large memory
// costs nothing until it is used.
class PoisonedBytes {
 public:
  // Throws std::runtime_error that names `owner` when the host has not enough memory.
  PoisonedBytes(const char* owner, std::uint64_t size, std::uint64_t seed);
  // Host address of byte `offset`, with [offset, offset + length) ready to be read and written. The range lies inside
  // the size; the pointers of neighbouring offsets are neighbours for the life of the object.
  std::uint8_t* touch(std::uint64_t offset, std::uint64_t length);
  std::uint64_t size() const { return size_; }

 private:
  void fill(std::uint64_t page);

  struct Free {
    void operator()(std::uint8_t* bytes) const;
  };
  std::uint64_t size_;
  std::uint64_t start_;  // of the noise sequence
  std::unique_ptr<std::uint8_t[], Free> bytes_;
  std::vector<bool> filled_;  // by page
};

}  // namespace dve
