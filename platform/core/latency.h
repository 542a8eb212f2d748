// How long the words of one opcode took.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace dve {

// Start to completion, in cycles of the engine.
struct Latency {
  // Class k holds latencies of 2^(k-1) to 2^k - 1 cycles; class 0 those of 0.
  static constexpr std::size_t kClasses = 65;
  std::uint64_t words = 0;
  std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t longest = 0;
  std::uint64_t sum = 0;
  std::array<std::uint64_t, kClasses> classes{};

  void add(std::uint64_t cycles) {
    ++words;
    shortest = std::min(shortest, cycles);
    longest = std::max(longest, cycles);
    sum += cycles;
    ++classes[cycles == 0 ? 0 : 64 - static_cast<std::size_t>(__builtin_clzll(cycles))];
  }
  double mean() const { return words == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(words); }
};

}  // namespace dve
