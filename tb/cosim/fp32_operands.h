// Operands for the binary32 units: every class of value, and pairs that meet where rounding decides.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace dve::cosim {

using Rng = std::mt19937_64;

// Classes of binary32 operands; the sign is not part of it.
enum class OperandClass : std::uint8_t {
  zero,
  smallest_subnormal,
  subnormal,
  largest_subnormal,
  smallest_normal,
  normal,
  largest_normal,
  infinity,
  quiet_nan,
  signalling_nan
};
inline constexpr std::size_t kOperandClasses = 10;
const char* name(OperandClass operand_class);
OperandClass class_of(std::uint32_t bits);

// A member of the class with a random sign and, where the class has several, random bits.
std::uint32_t random_member(OperandClass operand_class, Rng& random);

// The values that every unit must take against each other: members of all classes, powers of two around the ends of the
// exponent range and around one, and significands at which a carry runs through.
std::vector<std::uint32_t> directed_operands();

using Pair = std::pair<std::uint32_t, std::uint32_t>;

// What a random pair aims at.
enum class PairKind : std::uint8_t {
  any_bits,         // both uniform over all bit patterns
  classes,          // one of each of two random classes
  product_tie,      // a product of 25 significant bits
  product_borders,  // a product next to the largest normal, the smallest normal, or half the smallest subnormal
  near_exponents,   // exponents at most 27 apart: the sum rounds
  sum_tie,          // the smaller ends in exactly half a unit of the larger
  cancellation,     // a sum that is left with a few bits
  sum_borders       // a sum next to the largest normal
};
inline constexpr std::size_t kPairKinds = 8;
Pair random_pair(PairKind kind, Rng& random);

}  // namespace dve::cosim
