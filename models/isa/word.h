// The raw instruction word and little-endian access to its bytes (isa.md 1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace dve::isa {

inline constexpr std::size_t kWordBytes = 64;

// 64 bytes, always; a program is a flat array of them, whatever inst_word_len says (isa.md 1).
struct Word {
  std::array<std::uint8_t, kWordBytes> bytes{};

  std::uint8_t opcode_byte() const { return bytes[0]; }

  // Little-endian value of T at a byte offset of the word. Offsets are those of isa.md section 8.
  template <class T>
  T get(std::size_t offset) const {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
  template <class T>
  void put(std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  }
  friend bool operator==(const Word& a, const Word& b) { return a.bytes == b.bytes; }
  friend bool operator!=(const Word& a, const Word& b) { return !(a == b); }
};
static_assert(sizeof(Word) == kWordBytes);

}  // namespace dve::isa
