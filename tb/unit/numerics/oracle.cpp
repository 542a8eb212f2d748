#include "oracle.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace oracle {

std::uint32_t bits(float value) {
  std::uint32_t result = 0;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

float from_bits(std::uint32_t pattern) {
  float result = 0;
  std::memcpy(&result, &pattern, sizeof result);
  return result;
}

float random_pattern(std::mt19937& rng) { return from_bits(static_cast<std::uint32_t>(rng())); }

float random_finite(std::mt19937& rng) {
  for (;;) {
    const float value = random_pattern(rng);
    if (std::isfinite(value)) return value;
  }
}

float random_in(std::mt19937& rng, float low, float high) {
  const double unit = static_cast<double>(static_cast<std::uint32_t>(rng()) >> 8U) / 16777216.0;
  return static_cast<float>(static_cast<double>(low) + (static_cast<double>(high) - static_cast<double>(low)) * unit);
}

std::vector<float> random_vector(std::mt19937& rng, std::size_t n, float low, float high) {
  std::vector<float> result(n);
  for (float& value : result) value = random_in(rng, low, high);
  return result;
}

cpp_int units(float value) {
  int exponent = 0;
  const float fraction = std::frexp(value, &exponent);  // value = fraction * 2^exponent, fraction a multiple of 2^-24
  const cpp_int integer = static_cast<std::int64_t>(std::ldexp(fraction, 24));
  const int shift = exponent - 24 + 149;
  return shift >= 0 ? cpp_int(integer << static_cast<unsigned>(shift))
                    : cpp_int(integer / (cpp_int(1) << static_cast<unsigned>(-shift)));
}

float nearest_float(const cpp_int& value) {
  if (value == 0) return 0.0F;
  cpp_int magnitude = value < 0 ? cpp_int(-value) : value;
  int exponent = -149;
  const unsigned top = static_cast<unsigned>(msb(magnitude));
  if (top >= 24) {
    const unsigned drop = top - 23;
    const cpp_int quotient = magnitude >> drop;
    const cpp_int twice_rest = (magnitude - (quotient << drop)) * 2;
    const cpp_int unit = cpp_int(1) << drop;
    const bool up = twice_rest > unit || (twice_rest == unit && (quotient & 1) != 0);
    magnitude = quotient + (up ? 1 : 0);
    exponent += static_cast<int>(drop);
  }
  // At most 25 bits: exact in double, and exact in float or an overflow.
  const double result = std::ldexp(magnitude.convert_to<double>(), exponent);
  const float rounded = result > static_cast<double>(std::numeric_limits<float>::max())
                            ? std::numeric_limits<float>::infinity()
                            : static_cast<float>(result);
  return value < 0 ? -rounded : rounded;
}

float exact_sum(const std::vector<float>& values) {
  cpp_int total = 0;
  for (const float value : values) total += units(value);
  return nearest_float(total);
}

std::uint32_t Format::first_special() const {
  const std::uint32_t all_ones = sign() - 1U;
  return ieee ? all_ones - ((1U << mantissa_bits) - 1U) : all_ones;
}

std::uint32_t Format::canonical_nan() const {
  return ieee ? first_special() + (1U << (mantissa_bits - 1)) : sign() - 1U;
}

double value_of(const Format& format, std::uint32_t code) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int field = static_cast<int>(code >> format.mantissa_bits);
  const double fraction =
      static_cast<double>(code & ((1U << format.mantissa_bits) - 1U)) / static_cast<double>(1U << format.mantissa_bits);
  return field == 0 ? fraction * std::pow(2.0, 1 - bias) : (1.0 + fraction) * std::pow(2.0, field - bias);
}

Narrower::Narrower(const Format& format) : format_(format) {
  for (std::uint32_t code = 0; code <= format.first_special(); ++code) values_.push_back(value_of(format, code));
}

std::uint32_t Narrower::operator()(float value, bool saturate) const {
  if (std::isnan(value)) return format_.canonical_nan();
  const std::uint32_t sign = std::signbit(value) ? format_.sign() : 0U;
  const double x = std::fabs(static_cast<double>(value));

  const auto above = std::upper_bound(values_.begin(), values_.end(), x);
  std::uint32_t code = static_cast<std::uint32_t>(above - values_.begin());  // of the first value above x
  if (above != values_.end()) {
    const std::uint32_t below = code - 1;               // values_[0] is 0, so one exists
    const double sum = values_[below] + values_[code];  // exact: neighbours
    if (2 * x < sum || (2 * x == sum && below % 2 == 0)) code = below;
  }
  if (code >= format_.first_special()) {
    if (saturate) return sign | (format_.first_special() - 1U);
    return format_.ieee ? sign | format_.first_special() : format_.canonical_nan();
  }
  return sign | code;
}

}  // namespace oracle
