// Binary floating-point formats narrower than binary32, described by their field widths. Private to this block.
#pragma once

#include <cstdint>

#include "switches.h"

namespace dve::numerics {

// Sign, exponent and stored mantissa, most significant first; the exponent bias is 2^(exponent_bits-1) - 1. Widths
// reach at most those of binary32 (8, 23). Exponent all ones means infinity and NaN, or, without infinities, only the
// all-ones code is NaN and the rest of that binade is finite (the "fn" variant).
struct FloatFormat {
  unsigned exponent_bits;
  unsigned mantissa_bits;
  bool has_infinity = true;

  constexpr std::uint32_t infinity() const { return ((1U << exponent_bits) - 1U) << mantissa_bits; }
  constexpr std::uint32_t magnitude_mask() const { return (1U << (exponent_bits + mantissa_bits)) - 1U; }
  constexpr std::uint32_t sign_bit() const { return magnitude_mask() + 1U; }
  // The positive quiet NaN without payload: every NaN of the format that we write.
  constexpr std::uint32_t quiet_nan() const {
    return has_infinity ? infinity() | (1U << (mantissa_bits - 1U)) : magnitude_mask();
  }
  constexpr std::uint32_t largest_finite() const { return (has_infinity ? infinity() : magnitude_mask()) - 1U; }
  constexpr int bias() const { return (1 << (exponent_bits - 1U)) - 1; }
  constexpr bool is_nan(std::uint32_t magnitude) const {
    return has_infinity ? magnitude > infinity() : magnitude == magnitude_mask();
  }
};

// `significand` / 2^dropped rounded to nearest, ties to even. Any number of dropped bits.
std::uint32_t shift_right_nearest_even(std::uint32_t significand, unsigned dropped);

// Exact value of `code` as binary32; any NaN becomes the canonical one.
float widen(std::uint32_t code, const FloatFormat& format);

// `value` rounded to the format, nearest-even, subnormals kept. Past the largest finite value: NarrowOverflow::inf
// gives infinity (NaN in a format without infinities), saturate the largest finite value; an infinite `value` counts as
// past it.
std::uint32_t narrow(float value, const FloatFormat& format, NarrowOverflow overflow);

}  // namespace dve::numerics
