#include "fp32_operands.h"

#include <cmath>

#include "golden/golden.h"

namespace dve::cosim {

namespace {

constexpr std::uint32_t kSign = 0x80000000;

std::uint32_t below(std::uint32_t n, Rng& random) { return static_cast<std::uint32_t>(random() % n); }
std::uint32_t random_sign(Rng& random) { return (random() & 1) != 0 ? kSign : 0; }
std::uint32_t of_parts(std::uint32_t exponent, std::uint32_t fraction) {
  return exponent << 23 | (fraction & 0x7FFFFF);
}
std::uint32_t random_fraction(Rng& random) { return below(0x800000, random); }

// A normal value with a random sign and fraction. Exponents outside of the normal range are moved to its ends.
std::uint32_t normal(int exponent, Rng& random) {
  const int kept = exponent < 1 ? 1 : exponent > 254 ? 254 : exponent;
  return random_sign(random) | of_parts(static_cast<std::uint32_t>(kept), random_fraction(random));
}

// Significands of p and 25 - p bits, both odd: the product has 25 bits (or 24), the last of which is half a unit.
Pair product_tie(Rng& random) {
  const std::uint32_t bits_a = 2 + below(22, random);
  const std::uint32_t bits_b = 25 - bits_a;
  const auto value = [&](std::uint32_t bits) {
    const std::uint32_t significand = 1U << (bits - 1) | below(1U << (bits - 1), random) | 1;
    return random_sign(random) | of_parts(64 + below(127, random), significand << (24 - bits));
  };
  const std::uint32_t a = value(bits_a);
  return {a, value(bits_b)};
}

// Half of the pairs by their exponents, half within a few units in the last place of a quotient.
Pair product_borders(Rng& random) {
  constexpr int kBorders[] = {128, 127, -125, -126, -148, -149, -150};  // powers of two
  const int border = kBorders[below(7, random)];
  if ((random() & 1) != 0) {
    const int a = 1 + static_cast<int>(below(254, random));
    return {normal(a, random), normal(border + 254 - a - static_cast<int>(below(3, random)), random)};
  }
  const int reach = border / 2 + static_cast<int>(below(41, random)) - 20;
  const std::uint32_t a = normal(127 + reach, random);
  const float quotient =
      static_cast<float>(std::ldexp(1.0, border) / static_cast<double>(golden::float_of_bits(a & ~kSign)));
  return {a, random_sign(random) | (golden::bits_of_float(quotient) + below(9, random) - 4)};
}

Pair near_exponents(Rng& random) {
  const int a = 1 + static_cast<int>(below(254, random));
  return {normal(a, random), normal(a + static_cast<int>(below(55, random)) - 27, random)};
}

// The smaller operand is an odd multiple of half a unit in the last place of the larger.
Pair sum_tie(Rng& random) {
  const std::uint32_t exponent = 30 + below(220, random);
  const std::uint32_t bits = 1 + below(24, random);
  const std::uint32_t odd = 1U << (bits - 1) | below(1U << (bits - 1), random) | 1;
  const std::uint32_t small_exponent = exponent - 24 + (bits - 1);
  return {random_sign(random) | of_parts(exponent, random_fraction(random)),
          random_sign(random) | of_parts(small_exponent, odd << (24 - bits))};
}

Pair cancellation(Rng& random) {
  const std::uint32_t a = below(0x7F800000, random);
  const std::uint32_t apart = below(64, random);
  const std::uint32_t b = (random() & 1) != 0 && a >= apart ? a - apart : a ^ apart;
  const std::uint32_t sign = random_sign(random);
  return {a | sign, b | (sign ^ kSign)};
}

Pair sum_borders(Rng& random) {
  const std::uint32_t sign = random_sign(random);
  const std::uint32_t a = sign | of_parts(254, 0x7FFFFF - below(4, random));
  return {a, sign | of_parts(224 + below(31, random), (random() & 1) != 0 ? 0 : random_fraction(random))};
}

}  // namespace

const char* name(OperandClass operand_class) {
  constexpr const char* kNames[kOperandClasses] = {
      "zero",   "smallest_subnormal", "subnormal", "largest_subnormal", "smallest_normal",
      "normal", "largest_normal",     "infinity",  "quiet_nan",         "signalling_nan"};
  return kNames[static_cast<std::size_t>(operand_class)];
}

OperandClass class_of(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & ~kSign;
  if (magnitude == 0) return OperandClass::zero;
  if (magnitude == 1) return OperandClass::smallest_subnormal;
  if (magnitude < 0x007FFFFF) return OperandClass::subnormal;
  if (magnitude == 0x007FFFFF) return OperandClass::largest_subnormal;
  if (magnitude == 0x00800000) return OperandClass::smallest_normal;
  if (magnitude < 0x7F7FFFFF) return OperandClass::normal;
  if (magnitude == 0x7F7FFFFF) return OperandClass::largest_normal;
  if (magnitude == 0x7F800000) return OperandClass::infinity;
  return magnitude >= 0x7FC00000 ? OperandClass::quiet_nan : OperandClass::signalling_nan;
}

std::uint32_t random_member(OperandClass operand_class, Rng& random) {
  const std::uint32_t sign = random_sign(random);
  switch (operand_class) {
    case OperandClass::zero:
      return sign;
    case OperandClass::smallest_subnormal:
      return sign | 1;
    case OperandClass::subnormal:
      return sign | (2 + below(0x7FFFFD, random));
    case OperandClass::largest_subnormal:
      return sign | 0x007FFFFF;
    case OperandClass::smallest_normal:
      return sign | 0x00800000;
    case OperandClass::normal:
      return sign | (0x00800001 + below(0x7F7FFFFF - 0x00800001, random));
    case OperandClass::largest_normal:
      return sign | 0x7F7FFFFF;
    case OperandClass::infinity:
      return sign | 0x7F800000;
    case OperandClass::quiet_nan:
      return sign | 0x7FC00000 | below(0x400000, random);
    case OperandClass::signalling_nan:
      break;
  }
  return sign | 0x7F800000 | (1 + below(0x3FFFFF, random));
}

std::vector<std::uint32_t> directed_operands() {
  std::vector<std::uint32_t> magnitudes = {0x7F800000, 0x7F800001, 0x7FBFFFFF, 0x7FC00000, 0x7FC00001, 0x7FFFFFFF};
  for (const std::uint32_t exponent :
       {0U,   1U,   2U,   23U,  24U,  25U,  63U,  64U,  102U, 103U, 104U, 125U, 126U, 127U,
        128U, 149U, 150U, 151U, 152U, 190U, 191U, 229U, 230U, 231U, 252U, 253U, 254U}) {
    for (const std::uint32_t fraction :
         {0U, 1U, 2U, 3U, 0x000800U, 0x3FFFFFU, 0x400000U, 0x400001U, 0x555555U, 0x7FF800U, 0x7FFFFEU, 0x7FFFFFU}) {
      magnitudes.push_back(of_parts(exponent, fraction));
    }
  }
  std::vector<std::uint32_t> operands;
  for (const std::uint32_t magnitude : magnitudes) {
    operands.push_back(magnitude);
    operands.push_back(magnitude | kSign);
  }
  return operands;
}

Pair random_pair(PairKind kind, Rng& random) {
  switch (kind) {
    case PairKind::any_bits:
      break;
    case PairKind::classes: {
      const auto member = [&] {
        return random_member(static_cast<OperandClass>(below(kOperandClasses, random)), random);
      };
      const std::uint32_t a = member();
      return {a, member()};
    }
    case PairKind::product_tie:
      return product_tie(random);
    case PairKind::product_borders:
      return product_borders(random);
    case PairKind::near_exponents:
      return near_exponents(random);
    case PairKind::sum_tie:
      return sum_tie(random);
    case PairKind::cancellation:
      return cancellation(random);
    case PairKind::sum_borders:
      return sum_borders(random);
  }
  const std::uint64_t bits = random();
  return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}

}  // namespace dve::cosim
