#include "float_format.h"

#include <algorithm>
#include <cmath>

#include "convert.h"

namespace dve::numerics {

namespace {

constexpr std::uint32_t kSign32 = 0x80000000;
constexpr std::uint32_t kInfinity32 = 0x7F800000;
constexpr unsigned kMantissaBits32 = 23;
constexpr int kBias32 = 127;

}  // namespace

std::uint32_t shift_right_nearest_even(std::uint32_t significand, unsigned dropped) {
  if (dropped == 0) return significand;
  if (dropped > 32) return 0;  // less than half a unit
  const std::uint64_t wide = significand;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1U);
  const std::uint64_t rest = wide & ((half << 1U) - 1U);
  const std::uint64_t kept = wide >> dropped;
  const bool up = rest > half || (rest == half && (kept & 1U) != 0);
  return static_cast<std::uint32_t>(kept + (up ? 1U : 0U));
}

float widen(std::uint32_t code, const FloatFormat& format) {
  const std::uint32_t magnitude = code & format.magnitude_mask();
  if (format.is_nan(magnitude)) return float_from_bits(kCanonicalNan32);
  const std::uint32_t sign = (code & format.sign_bit()) != 0 ? kSign32 : 0U;
  if (format.has_infinity && magnitude == format.infinity()) return float_from_bits(sign | kInfinity32);

  const std::uint32_t exponent = magnitude >> format.mantissa_bits;
  if (exponent == 0) {  // zero or subnormal: an integer times the format's smallest positive value
    const int unit = 1 - format.bias() - static_cast<int>(format.mantissa_bits);
    const float value = std::ldexp(static_cast<float>(magnitude), unit);
    return sign != 0 ? -value : value;
  }
  const std::uint32_t rebias = static_cast<std::uint32_t>(kBias32 - format.bias());
  return float_from_bits(sign |
                         ((magnitude << (kMantissaBits32 - format.mantissa_bits)) + (rebias << kMantissaBits32)));
}

std::uint32_t narrow(float value, const FloatFormat& format, NarrowOverflow overflow) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t magnitude = bits & ~kSign32;
  if (magnitude > kInfinity32) return format.quiet_nan();

  // value = significand * 2^(exponent - 127 - 23), where subnormals share the exponent of the smallest normals.
  const std::uint32_t field = magnitude >> kMantissaBits32;
  const std::uint32_t hidden = field == 0 ? 0U : 1U << kMantissaBits32;
  const std::uint32_t significand = (magnitude & 0x7FFFFFU) | hidden;
  const int exponent = static_cast<int>(std::max(field, 1U));

  // Exponent relative to the smallest normal of the target; below it the unit no longer shrinks.
  const int above = exponent - kBias32 - (1 - format.bias());
  const unsigned below = above < 0 ? static_cast<unsigned>(-above) : 0U;
  const std::uint32_t rounded = shift_right_nearest_even(significand, kMantissaBits32 - format.mantissa_bits + below);

  // The hidden bit, when present, adds one to the exponent field, and so does a carry out of the rounding.
  const std::uint32_t binades = static_cast<std::uint32_t>(std::max(above, 0));
  std::uint32_t code = rounded + (binades << format.mantissa_bits);
  if (code > format.largest_finite()) {
    if (overflow == NarrowOverflow::saturate) {
      code = format.largest_finite();
    } else if (format.has_infinity) {
      code = format.infinity();
    } else {
      return format.quiet_nan();
    }
  }
  return (bits & kSign32) != 0 ? code | format.sign_bit() : code;
}

}  // namespace dve::numerics
