// Types of pins, and their values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <systemc>
#include <type_traits>

#include "dve/pin_protocol/pin_protocol.h"

namespace dve::pins {

// Pins as `verilator --sc` gives them (verilator 5.006): bool, 32 and 64 bits, sc_bv above. A port of a verilated model
// and one of these bind to the same signal.
struct TwoState {
  template <unsigned Bits>
  using Pin = std::conditional_t<
      Bits == 1, bool,
      std::conditional_t<Bits <= 32, std::uint32_t,
                         std::conditional_t<Bits <= 64, std::uint64_t, sc_dt::sc_bv<static_cast<int>(Bits)>>>>;
};

// Pins of simulators that know X and Z.
struct FourState {
  template <unsigned Bits>
  using Pin = std::conditional_t<Bits == 1, sc_dt::sc_logic, sc_dt::sc_lv<static_cast<int>(Bits)>>;
};

// A template argument for bundles of signals, beside sc_in and sc_out.
template <class T>
using Signal = sc_core::sc_signal<T>;

// ---- Values of pins. Bits that are X or Z count as 0.
inline bool is_unknown(bool) { return false; }
inline bool is_unknown(std::uint32_t) { return false; }
inline bool is_unknown(std::uint64_t) { return false; }
inline bool is_unknown(const sc_dt::sc_bv_base&) { return false; }
inline bool is_unknown(const sc_dt::sc_logic& value) { return !value.is_01(); }
inline bool is_unknown(const sc_dt::sc_lv_base& value) { return !value.is_01(); }

inline std::uint64_t to_integer(bool value) { return value ? 1 : 0; }
inline std::uint64_t to_integer(std::uint32_t value) { return value; }
inline std::uint64_t to_integer(std::uint64_t value) { return value; }
inline std::uint64_t to_integer(const sc_dt::sc_logic& value) { return value == sc_dt::SC_LOGIC_1 ? 1 : 0; }
// The lowest 64 bits.
template <class Vector>
std::uint64_t vector_to_integer(const Vector& value) {
  std::uint64_t result = 0;
  for (int i = std::min(value.length(), 64) - 1; i >= 0; --i) {
    result = result << 1 | (value.get_bit(i) == sc_dt::Log_1 ? 1U : 0U);
  }
  return result;
}
inline std::uint64_t to_integer(const sc_dt::sc_bv_base& value) { return vector_to_integer(value); }
inline std::uint64_t to_integer(const sc_dt::sc_lv_base& value) { return vector_to_integer(value); }

template <class T>
bool to_bool(const T& value) {
  return to_integer(value) != 0;
}

template <class Value>
std::enable_if_t<std::is_integral_v<Value>, BusWord> to_word(Value value) {
  BusWord word;
  for (std::size_t i = 0; i < sizeof value; ++i) word.bytes[i] = static_cast<std::uint8_t>(to_integer(value) >> 8 * i);
  return word;
}
inline BusWord to_word(const sc_dt::sc_bv_base& value) {
  BusWord word;
  for (std::size_t i = 0; i < kMostBusBytes && static_cast<int>(8 * i) < value.length(); ++i) {
    word.bytes[i] = static_cast<std::uint8_t>(value.get_word(static_cast<int>(i / 4)) >> 8 * (i % 4));
  }
  return word;
}
inline BusWord to_word(const sc_dt::sc_logic& value) { return to_word(to_bool(value)); }
inline BusWord to_word(const sc_dt::sc_lv_base& value) {
  BusWord word;
  for (std::size_t i = 0; i < kMostBusBytes && static_cast<int>(8 * i) < value.length(); ++i) {
    const int at = static_cast<int>(i / 4);
    word.bytes[i] = static_cast<std::uint8_t>((value.get_word(at) & ~value.get_cword(at)) >> 8 * (i % 4));
  }
  return word;
}

// The value of a pin from a word, bit for bit.
template <class T>
T from_word(const BusWord& word) {
  if constexpr (std::is_same_v<T, bool>) {
    return (word.bytes[0] & 1U) != 0;
  } else if constexpr (std::is_integral_v<T>) {
    T value = 0;
    for (std::size_t i = sizeof value; i > 0; --i) value = static_cast<T>(value << 8 | word.bytes[i - 1]);
    return value;
  } else {
    T value;
    for (int i = 0; i < (value.length() + 31) / 32; ++i) {
      const auto byte = [&](int n) {
        return static_cast<std::uint32_t>(word.bytes[static_cast<std::size_t>(4 * i + n)]);
      };
      value.set_word(i, byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24);
    }
    return value;
  }
}

// Bytes of which a bit is X or Z.
template <class T>
ByteMask unknown_bytes(const T& value) {
  ByteMask mask;
  if constexpr (std::is_same_v<T, sc_dt::sc_logic>) {
    mask[0] = is_unknown(value);
  } else if constexpr (std::is_base_of_v<sc_dt::sc_lv_base, T>) {
    for (int bit = 0; bit < value.length(); ++bit) {
      if (value.get_bit(bit) > sc_dt::Log_1) mask.set(static_cast<std::size_t>(bit / 8));
    }
  }
  return mask;
}

// Pins of which each stands for a byte.
template <class T>
ByteMask to_mask(const T& value) {
  const BusWord word = to_word(value);
  ByteMask mask;
  for (std::size_t bit = 0; bit < kMostBusBytes; ++bit) mask[bit] = (word.bytes[bit / 8] >> bit % 8 & 1) != 0;
  return mask;
}
template <class T>
T from_mask(const ByteMask& mask) {
  BusWord word;
  for (std::size_t bit = 0; bit < kMostBusBytes; ++bit) {
    if (mask[bit]) word.bytes[bit / 8] = static_cast<std::uint8_t>(word.bytes[bit / 8] | 1U << bit % 8);
  }
  return from_word<T>(word);
}
template <class T>
T from_integer(std::uint64_t value) {
  return from_word<T>(to_word(value));
}

}  // namespace dve::pins
