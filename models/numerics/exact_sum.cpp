#include "exact_sum.h"

#include <algorithm>
#include <cstddef>

#include "convert.h"
#include "float_format.h"

namespace dve::numerics {

namespace {

using Limbs = std::array<std::uint64_t, 6>;

constexpr unsigned kLimbBits = 64;

// Adds `low + 2^64 * high`, weighed 2^(64 * first), to the register; carries run to the top and wrap there.
void add_at(Limbs& limbs, std::size_t first, std::uint64_t low, std::uint64_t high) {
  std::uint64_t carry = 0;
  for (std::size_t i = first; i < limbs.size(); ++i) {
    const std::uint64_t addend = i == first ? low : (i == first + 1 ? high : 0);
    const std::uint64_t partial = limbs[i] + addend;
    const std::uint64_t sum = partial + carry;
    carry = (partial < addend || sum < partial) ? 1 : 0;
    limbs[i] = sum;
  }
}

void negate(Limbs& limbs) {
  for (std::uint64_t& limb : limbs) limb = ~limb;
  add_at(limbs, 0, 1, 0);
}

// Index of the highest set bit, or -1 for zero.
int highest_bit(const Limbs& limbs) {
  for (std::size_t i = limbs.size(); i-- > 0;) {
    for (unsigned b = kLimbBits; b-- > 0;) {
      if ((limbs[i] >> b) & 1U) return static_cast<int>(i * kLimbBits + b);
    }
  }
  return -1;
}

// The 32 bits from `position` up.
std::uint32_t bits_from(const Limbs& limbs, unsigned position) {
  const std::size_t i = position / kLimbBits;
  const unsigned shift = position % kLimbBits;
  std::uint64_t value = limbs[i] >> shift;
  if (shift > 0 && i + 1 < limbs.size()) value |= limbs[i + 1] << (kLimbBits - shift);
  return static_cast<std::uint32_t>(value);
}

bool any_bit_below(const Limbs& limbs, unsigned position) {
  const std::size_t i = position / kLimbBits;
  const std::uint64_t mask = (std::uint64_t{1} << (position % kLimbBits)) - 1U;
  return (limbs[i] & mask) != 0 || std::any_of(limbs.begin(), limbs.begin() + static_cast<std::ptrdiff_t>(i),
                                               [](std::uint64_t limb) { return limb != 0; });
}

// Bits of the binary32 nearest to magnitude * 2^-149.
std::uint32_t round_magnitude(const Limbs& magnitude) {
  constexpr std::uint64_t kInfinity = 0x7F800000;
  const int top = highest_bit(magnitude);
  if (top < 24) return bits_from(magnitude, 0);  // fits the significand: exact, and subnormals are their own encoding

  // Keep 24 bits and one more; the rest only says whether anything is left.
  const unsigned dropped = static_cast<unsigned>(top) - 23U;
  const std::uint32_t kept = bits_from(magnitude, dropped - 1U) & 0x1FFFFFFU;
  const std::uint32_t sticky = any_bit_below(magnitude, dropped - 1U) ? 1U : 0U;
  const std::uint64_t rounded = shift_right_nearest_even((kept << 1U) | sticky, 2);
  // The hidden bit and a carry out of the rounding each add one to the exponent field.
  return static_cast<std::uint32_t>(std::min(rounded + (std::uint64_t{dropped} << 23U), kInfinity));
}

}  // namespace

void ExactSum::add(float value) {
  const std::uint32_t bits = bits_of(value);
  const bool negative = (bits >> 31U) != 0;
  const std::uint32_t field = (bits >> 23U) & 0xFFU;
  const std::uint32_t fraction = bits & 0x7FFFFFU;
  if (field == 0xFF) {
    nan_ = nan_ || fraction != 0;
    positive_infinity_ = positive_infinity_ || (fraction == 0 && !negative);
    negative_infinity_ = negative_infinity_ || (fraction == 0 && negative);
    return;
  }

  const std::uint64_t significand = field == 0 ? fraction : fraction | 0x800000U;
  const unsigned position = field == 0 ? 0U : field - 1U;  // weight of the significand's bit 0, above 2^-149
  const unsigned shift = position % kLimbBits;
  const std::uint64_t low = significand << shift;
  const std::uint64_t high = shift == 0 ? 0 : significand >> (kLimbBits - shift);
  if (!negative) {
    add_at(limbs_, position / kLimbBits, low, high);
  } else {
    // a - b = ~(~a + b)
    for (std::uint64_t& limb : limbs_) limb = ~limb;
    add_at(limbs_, position / kLimbBits, low, high);
    for (std::uint64_t& limb : limbs_) limb = ~limb;
  }
}

float ExactSum::round() const {
  if (nan_ || (positive_infinity_ && negative_infinity_)) return float_from_bits(kCanonicalNan32);
  if (positive_infinity_) return float_from_bits(0x7F800000);
  if (negative_infinity_) return float_from_bits(0xFF800000);

  Limbs magnitude = limbs_;
  const bool negative = (limbs_.back() >> 63U) != 0;
  if (negative) negate(magnitude);
  return float_from_bits(round_magnitude(magnitude) | (negative ? 0x80000000U : 0U));
}

}  // namespace dve::numerics
