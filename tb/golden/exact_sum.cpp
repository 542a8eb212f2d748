#include "exact_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "formats.h"

namespace golden {
namespace {

constexpr int kLowest = -149;  // exponent of the smallest subnormal

// Binary digits, lowest first, of sign * the counters' total in units of 2^kLowest; empty if that is negative. Every
// counter keeps its last bit and hands the rest to the next.
std::vector<int> digits(const std::array<std::int64_t, 254>& mantissas, std::int64_t sign) {
  std::vector<int> bits;
  std::int64_t carry = 0;
  for (std::size_t e = 0; e < mantissas.size() + 64; ++e) {
    carry += e < mantissas.size() ? sign * mantissas[e] : 0;
    const std::int64_t bit = carry % 2 == 0 ? 0 : 1;
    bits.push_back(static_cast<int>(bit));
    carry = (carry - bit) / 2;
  }
  if (carry < 0) bits.clear();
  return bits;
}

float nearest(const std::vector<int>& bits) {
  std::size_t length = bits.size();
  while (length > 0 && bits[length - 1] == 0) --length;
  const std::size_t dropped = length > 24 ? length - 24 : 0;
  std::int64_t mantissa = 0;
  for (std::size_t i = length; i > dropped; --i) mantissa = mantissa * 2 + bits[i - 1];
  if (dropped > 0 && bits[dropped - 1] == 1) {  // at least half of the last place
    const bool more = std::find(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(dropped) - 1, 1) !=
                      bits.begin() + static_cast<std::ptrdiff_t>(dropped) - 1;
    if (more || mantissa % 2 == 1) mantissa += 1;
  }
  // Up to 2^24 times a power of two: exact in binary64, and in binary32 unless it is past the largest finite value.
  const double magnitude = std::ldexp(static_cast<double>(mantissa), static_cast<int>(dropped) + kLowest);
  const float largest = std::numeric_limits<float>::max();
  if (magnitude > static_cast<double>(largest)) return std::numeric_limits<float>::infinity();
  return static_cast<float>(magnitude);
}

}  // namespace

void ExactSum::add(float value) {
  nan_ = nan_ || std::isnan(value);
  if (std::isinf(value)) (value > 0 ? plus_infinity_ : minus_infinity_) = true;
  if (!std::isfinite(value) || value == 0) return;
  int exponent = 0;
  std::frexp(value, &exponent);
  exponent = std::max(exponent - 24, kLowest);
  const double mantissa = std::ldexp(static_cast<double>(value), -exponent);
  mantissas_[static_cast<std::size_t>(exponent - kLowest)] += static_cast<std::int64_t>(mantissa);
}

float ExactSum::result() const {
  const float infinity = std::numeric_limits<float>::infinity();
  if (nan_ || (plus_infinity_ && minus_infinity_)) return float_of_bits(0x7FC00000);
  if (plus_infinity_) return infinity;
  if (minus_infinity_) return -infinity;

  std::vector<int> bits = digits(mantissas_, 1);
  const bool negative = bits.empty();
  if (negative) bits = digits(mantissas_, -1);
  const float rounded = nearest(bits);
  return negative ? -rounded : rounded;
}

}  // namespace golden
