// Floating-point conversions against the list of representable values of each format.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "dve/numerics/numerics.h"
#include "oracle.h"

namespace float_convert_test {

using namespace dve::numerics;
using dve::isa::Dtype;
using oracle::bits;
using oracle::from_bits;

struct Target {
  oracle::Format format;
  Dtype dtype;
  E4m3Variant variant = E4m3Variant::ieee;

  unsigned bytes() const { return format.exponent_bits + format.mantissa_bits == 7 ? 1U : 2U; }

  std::uint32_t narrow(float value, NarrowOverflow overflow) const {
    Switches switches;
    switches.narrow_overflow = overflow;
    switches.e4m3_variant = variant;
    std::array<std::uint8_t, 2> out{};
    from_fp32(&value, dtype, 1, out.data(), switches);
    return out[0] | (std::uint32_t{out[1]} << 8U);
  }
  float widen(std::uint32_t code) const {
    Switches switches;
    switches.e4m3_variant = variant;
    const std::array<std::uint8_t, 2> in{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(code >> 8U)};
    float out = 0;
    to_fp32(in.data(), dtype, 1, &out, switches);
    return out;
  }
};

const std::array<Target, 6> kTargets{{
    {{"bf16", 8, 7}, Dtype::bf16},
    {{"fp16", 5, 10}, Dtype::fp16},
    {{"e3m4", 3, 4}, Dtype::fp8_e3m4},
    {{"e4m3 ieee", 4, 3}, Dtype::fp8_e4m3},
    {{"e4m3 fn", 4, 3, false}, Dtype::fp8_e4m3, E4m3Variant::fn},
    {{"e5m2", 5, 2}, Dtype::fp8_e5m2},
}};

TEST(FloatConvert, EveryCodeWidensToItsValue) {
  for (const Target& target : kTargets) {
    const oracle::Format& f = target.format;
    for (std::uint32_t code = 0; code < 2 * f.sign(); ++code) {
      SCOPED_TRACE(testing::Message() << f.name << " code 0x" << std::hex << code);
      const std::uint32_t magnitude = code & (f.sign() - 1U);
      const bool negative = (code & f.sign()) != 0;
      const float wide = target.widen(code);
      if (magnitude < f.first_special()) {
        const double expected = oracle::value_of(f, magnitude);
        ASSERT_EQ(static_cast<double>(wide), negative ? -expected : expected);
        ASSERT_EQ(std::signbit(wide), negative);
      } else if (f.ieee && magnitude == f.first_special()) {
        ASSERT_EQ(bits(wide), negative ? 0xFF800000U : 0x7F800000U);
      } else {
        ASSERT_EQ(bits(wide), oracle::kNan);
      }
    }
  }
}

TEST(FloatConvert, EveryCodeComesBack) {
  for (const Target& target : kTargets) {
    const oracle::Format& f = target.format;
    for (std::uint32_t code = 0; code < 2 * f.sign(); ++code) {
      const std::uint32_t magnitude = code & (f.sign() - 1U);
      const bool is_nan = f.ieee ? magnitude > f.first_special() : magnitude == f.first_special();
      ASSERT_EQ(target.narrow(target.widen(code), NarrowOverflow::inf), is_nan ? f.canonical_nan() : code)
          << f.name << " code 0x" << std::hex << code;
    }
  }
}

// Checks one input, and its negative, against the oracle in both overflow modes.
void check_narrowing(const Target& target, const oracle::Narrower& expected, float value) {
  for (const float signed_value : {value, -value}) {
    for (const bool saturate : {false, true}) {
      ASSERT_EQ(target.narrow(signed_value, saturate ? NarrowOverflow::saturate : NarrowOverflow::inf),
                expected(signed_value, saturate))
          << target.format.name << " from 0x" << std::hex << bits(signed_value) << (saturate ? " saturating" : "");
    }
  }
}

TEST(FloatConvert, NarrowingAtEveryValueAndEveryMidpoint) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Target& target : kTargets) {
    const oracle::Narrower expected(target.format);
    const auto& values = expected.values();
    for (std::size_t code = 0; code + 1 < values.size(); ++code) {
      const double midpoint = (values[code] + values[code + 1]) / 2;
      for (const double exact : {values[code], midpoint}) {
        const float point = static_cast<float>(exact);
        ASSERT_EQ(static_cast<double>(point), exact);  // the grid of half units is a binary32 grid
        ASSERT_NO_FATAL_FAILURE(check_narrowing(target, expected, point));
        ASSERT_NO_FATAL_FAILURE(check_narrowing(target, expected, std::nextafter(point, infinity)));
        ASSERT_NO_FATAL_FAILURE(check_narrowing(target, expected, std::nextafter(point, -infinity)));
      }
    }
    for (const std::uint32_t special : {0x7F7FFFFFU, 0x7F800000U, 0x7F800001U, 0x7FC00000U, 0x7FFFFFFFU, 1U, 0U}) {
      ASSERT_NO_FATAL_FAILURE(check_narrowing(target, expected, from_bits(special)));
    }
  }
}

TEST(FloatConvert, NarrowingRandomPatterns) {
  std::mt19937 rng(1);
  for (const Target& target : kTargets) {
    const oracle::Narrower expected(target.format);
    const float largest = static_cast<float>(expected.values().back());
    for (int i = 0; i < 50000; ++i) {
      ASSERT_NO_FATAL_FAILURE(check_narrowing(target, expected, oracle::random_pattern(rng)));
      ASSERT_NO_FATAL_FAILURE(check_narrowing(target, expected, oracle::random_in(rng, 0.0F, largest)));
    }
  }
}

TEST(FloatConvert, OverflowThresholds) {
  struct Row {
    std::size_t target;
    float largest;    // largest finite value
    float threshold;  // smallest value that rounds past it; `under` is the value just below
    bool tie_stays;   // the midpoint itself rounds down (even code) in the fn variant
  };
  const std::array<Row, 5> rows{{{1, 65504, 65520, false},
                                 {2, 15.5F, 15.75F, false},
                                 {3, 240, 248, false},
                                 {4, 448, 464, true},
                                 {5, 57344, 61440, false}}};
  for (const Row& row : rows) {
    const Target& target = kTargets[row.target];
    SCOPED_TRACE(target.format.name);
    const float over = row.tie_stays ? std::nextafter(row.threshold, 1e30F) : row.threshold;
    const float under = row.tie_stays ? row.threshold : std::nextafter(row.threshold, 0.0F);
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(target.widen(target.narrow(under, NarrowOverflow::inf)), row.largest);
    EXPECT_EQ(target.widen(target.narrow(over, NarrowOverflow::saturate)), row.largest);
    EXPECT_EQ(target.widen(target.narrow(-infinity, NarrowOverflow::saturate)), -row.largest);
    const float overflowed = target.widen(target.narrow(over, NarrowOverflow::inf));
    if (target.format.ieee) {
      EXPECT_EQ(overflowed, infinity);
    } else {
      EXPECT_EQ(bits(overflowed), oracle::kNan);
    }
  }
}

TEST(FloatConvert, CanonicalNans) {
  const float nan = from_bits(0xFFABCDEF);
  EXPECT_EQ(fp32_to_bf16(nan), 0x7FC0);
  EXPECT_EQ(fp32_to_fp16(nan), 0x7E00);
  EXPECT_EQ(fp32_to_fp8(nan, Dtype::fp8_e3m4), 0x78);
  EXPECT_EQ(fp32_to_fp8(nan, Dtype::fp8_e4m3), 0x7C);
  EXPECT_EQ(fp32_to_fp8(nan, Dtype::fp8_e4m3, NarrowOverflow::inf, E4m3Variant::fn), 0x7F);
  EXPECT_EQ(fp32_to_fp8(nan, Dtype::fp8_e5m2), 0x7E);
  EXPECT_EQ(fp32_to_fp32r(nan, 13), 0x7FC00000U);
  EXPECT_EQ(bits(canonical(nan)), 0x7FC00000U);
  EXPECT_EQ(bits(canonical(-0.0F)), 0x80000000U);
}

TEST(FloatConvert, Fp32MovesBitsButForNan) {
  for (const Dtype dtype : {Dtype::fp32, Dtype::fp32r}) {
    for (const std::uint32_t pattern :
         {0U, 0x80000000U, 1U, 0x807FFFFFU, 0x3F800001U, 0x7F7FFFFFU, 0xFF800000U, 0x7F800001U, 0xFFC12345U}) {
      const bool is_nan = (pattern & 0x7FFFFFFFU) > 0x7F800000U;
      const std::array<std::uint8_t, 4> in{static_cast<std::uint8_t>(pattern), static_cast<std::uint8_t>(pattern >> 8U),
                                           static_cast<std::uint8_t>(pattern >> 16U),
                                           static_cast<std::uint8_t>(pattern >> 24U)};
      float wide = 0;
      to_fp32(in.data(), dtype, 1, &wide, {});
      EXPECT_EQ(bits(wide), is_nan ? oracle::kNan : pattern);
      if (dtype == Dtype::fp32r) continue;
      std::array<std::uint8_t, 4> out{};
      const float raw = from_bits(pattern);
      from_fp32(&raw, dtype, 1, out.data(), {});
      EXPECT_EQ(out, is_nan ? (std::array<std::uint8_t, 4>{0, 0, 0xC0, 0x7F}) : in);
    }
  }
}

// Rounding to a multiple of the unit of the value's binade, by the C library.
float fp32r_oracle(float value, int width) {
  if (std::isnan(value)) return from_bits(oracle::kNan);
  if (value == 0 || std::isinf(value)) return value;
  const int exponent = std::max(std::ilogb(value), -126);
  const double unit = std::ldexp(1.0, exponent - width);
  const double rounded = std::nearbyint(static_cast<double>(value) / unit) * unit;
  return std::fabs(rounded) >= std::ldexp(1.0, 128) ? std::copysign(std::numeric_limits<float>::infinity(), value)
                                                    : static_cast<float>(rounded);
}

TEST(FloatConvert, Fp32rWidths) {
  std::mt19937 rng(2);
  for (unsigned width = 1; width <= 23; ++width) {
    for (int i = 0; i < 20000; ++i) {
      std::uint32_t pattern = bits(oracle::random_pattern(rng));
      if (i % 4 == 0) pattern &= 0x807FFFFFU;                                             // subnormal
      if (i % 4 == 1 && width < 23) pattern = (pattern >> (22 - width)) << (22 - width);  // value or exact tie
      const float value = from_bits(pattern);
      const std::uint32_t rounded = fp32_to_fp32r(value, width);
      ASSERT_EQ(rounded, bits(fp32r_oracle(value, static_cast<int>(width))))
          << "width " << width << " from 0x" << std::hex << pattern;
      ASSERT_EQ(rounded & ((1U << (23 - width)) - 1U), 0U);
    }
  }
  EXPECT_EQ(fp32_to_fp32r(std::numeric_limits<float>::max(), 13), 0x7F800000U);
  EXPECT_EQ(fp32_to_fp32r(std::numeric_limits<float>::max(), 13, NarrowOverflow::saturate), 0x7F7FFC00U);
}

TEST(FloatConvert, Fp32rWidthIsTheSwitch) {
  const float value = from_bits(0x3FFFF123);
  for (const unsigned width : {7U, 13U, 20U}) {
    Switches switches;
    switches.fp32r_mantissa = width;
    std::array<std::uint8_t, 4> out{};
    from_fp32(&value, Dtype::fp32r, 1, out.data(), switches);
    const std::uint32_t got =
        out[0] | (std::uint32_t{out[1]} << 8U) | (std::uint32_t{out[2]} << 16U) | (std::uint32_t{out[3]} << 24U);
    EXPECT_EQ(got, bits(fp32r_oracle(value, static_cast<int>(width))));
  }
  EXPECT_THROW(fp32_to_fp32r(1.0F, 0), std::invalid_argument);
  EXPECT_THROW(fp32_to_fp32r(1.0F, 24), std::invalid_argument);
}

TEST(FloatConvert, OnlyArithmeticDtypesConvert) {
  const std::set<int> arithmetic{1, 2, 3, 4, 5, 6, 7, 8, 9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF};
  std::array<std::uint8_t, 8> bytes{};
  float value = 1;
  for (int code = 0; code < 256; ++code) {
    const Dtype dtype = static_cast<Dtype>(code);
    SCOPED_TRACE(code);
    EXPECT_EQ(is_arithmetic(dtype), arithmetic.count(code) == 1);
    if (is_arithmetic(dtype)) {
      EXPECT_NO_THROW(to_fp32(bytes.data(), dtype, 1, &value, {}));
      EXPECT_NO_THROW(from_fp32(&value, dtype, 1, bytes.data(), {}));
    } else {
      EXPECT_THROW(to_fp32(bytes.data(), dtype, 1, &value, {}), std::invalid_argument);
      EXPECT_THROW(from_fp32(&value, dtype, 1, bytes.data(), {}), std::invalid_argument);
    }
  }
  EXPECT_THROW(fp8_to_fp32(0, Dtype::bf16), std::invalid_argument);
  try {
    fp32_to_fp8(0, Dtype::fp4_e2m1);
    FAIL() << "fp4 accepted as fp8";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "fp32_to_fp8: dtype code 0x10, expected fp8_e3m4, fp8_e4m3 or fp8_e5m2");
  }
}

}  // namespace float_convert_test
