// What the data pins of a bus carry in one cycle.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>

namespace dve::pins {

inline constexpr std::size_t kMostBusBytes = 128;  // 1024 bits, the widest bus of AXI4

// Byte i stands for bits 8 i to 8 i + 7. Bytes above the bus are 0.
struct BusWord {
  std::array<std::uint8_t, kMostBusBytes> bytes{};
  friend bool operator==(const BusWord& a, const BusWord& b) { return a.bytes == b.bytes; }
  friend bool operator!=(const BusWord& a, const BusWord& b) { return !(a == b); }
};

// One bit a byte of the word.
using ByteMask = std::bitset<kMostBusBytes>;

// Bytes [first, end) of a word.
inline ByteMask bytes_between(std::size_t first, std::size_t end) {
  ByteMask mask;
  for (std::size_t byte = first; byte < end && byte < kMostBusBytes; ++byte) mask.set(byte);
  return mask;
}

}  // namespace dve::pins
