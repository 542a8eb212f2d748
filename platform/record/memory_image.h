// What a run found in memory, and where it wrote.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace dve::record {

// Bytes that follow each other.
struct Run {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

// Keeps, byte by byte, what was read before anything wrote it, and what was written. Memory: a quarter more than the
// pages of 4 KiB that were touched.
class MemoryImage {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;

  // These bytes were read: those that are neither written nor known yet are initial contents.
  void read(std::uint64_t address, const std::uint8_t* data, std::size_t size);
  void write(std::uint64_t address, std::size_t size);

  // Ascending, as long as possible, but never across a multiple of `boundary`, which is a multiple of the page.
  std::vector<Run> initial_runs(std::uint64_t boundary) const;
  std::vector<Run> written_runs(std::uint64_t boundary) const;
  // Contents of an initial run.
  std::vector<std::uint8_t> initial(const Run& run) const;

 private:
  using Bits = std::bitset<kPageBytes>;
  struct Page {
    Bits known, written;
    std::array<std::uint8_t, kPageBytes> bytes{};
  };
  Page& page(std::uint64_t address);
  std::vector<Run> runs(Bits Page::*bits, std::uint64_t boundary) const;

  std::map<std::uint64_t, std::unique_ptr<Page>> pages_;  // by number
  std::uint64_t last_number_ = 0;
  Page* last_ = nullptr;
};

}  // namespace dve::record
