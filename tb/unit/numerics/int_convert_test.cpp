// Integer conversions against exact integers.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "dve/isa/isa.h"
#include "dve/numerics/numerics.h"
#include "oracle.h"

namespace int_convert_test {

using namespace dve::numerics;
using dve::isa::Dtype;
using oracle::bits;
using oracle::cpp_int;

template <typename Int>
void put_little_endian(Int value, std::uint8_t* out) {
  for (std::size_t i = 0; i < sizeof(Int); ++i) {
    out[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8U * i));
  }
}

template <typename Int>
Int get_little_endian(const std::uint8_t* in) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Int); ++i) value |= std::uint64_t{in[i]} << (8U * i);
  return static_cast<Int>(value);
}

template <typename Int>
float widen(Int value, Dtype dtype) {
  std::array<std::uint8_t, 9> bytes{};  // one past the start: any alignment is allowed
  put_little_endian(value, bytes.data() + 1);
  float result = 0;
  to_fp32(bytes.data() + 1, dtype, 1, &result, {});
  return result;
}

template <typename Int>
Int narrow(float value, Dtype dtype) {
  std::array<std::uint8_t, 10> bytes{};
  bytes.fill(0xA5);
  from_fp32(&value, dtype, 1, bytes.data() + 1, {});
  EXPECT_EQ(bytes[0], 0xA5);
  EXPECT_EQ(bytes[1 + sizeof(Int)], 0xA5) << "wrote past the element";
  return get_little_endian<Int>(bytes.data() + 1);
}

template <typename Int>
float widen_oracle(Int value) {
  return oracle::nearest_float(cpp_int(value) << 149U);
}

template <typename Int>
Int narrow_oracle(float value) {
  using Limits = std::numeric_limits<Int>;
  if (std::isnan(value)) return 0;
  if (std::isinf(value)) return value > 0 ? Limits::max() : Limits::min();
  const cpp_int truncated = oracle::units(value) / (cpp_int(1) << 149U);  // division of cpp_int truncates toward zero
  if (truncated > cpp_int(Limits::max())) return Limits::max();
  if (truncated < cpp_int(Limits::min())) return Limits::min();
  return truncated.convert_to<Int>();
}

template <typename Int>
void check_widening(Int value, Dtype dtype) {
  ASSERT_EQ(bits(widen(value, dtype)), bits(widen_oracle(value)))
      << "dtype " << int{dve::isa::code(dtype)} << " of " << +value;
}

template <typename Int>
void check_narrowing(float value, Dtype dtype) {
  ASSERT_EQ(+narrow<Int>(value, dtype), +narrow_oracle<Int>(value))
      << "dtype " << int{dve::isa::code(dtype)} << " from " << value << " 0x" << std::hex << bits(value);
}

template <typename Int>
void check_all_values(Dtype dtype) {
  using Limits = std::numeric_limits<Int>;
  for (int value = Limits::min(); value <= Limits::max(); ++value) {
    const float wide = widen(static_cast<Int>(value), dtype);
    ASSERT_EQ(static_cast<double>(wide), static_cast<double>(value));
    ASSERT_EQ(narrow<Int>(wide, dtype), value);
  }
}

TEST(IntConvert, EveryShortInteger) {
  check_all_values<std::int8_t>(Dtype::int8);
  check_all_values<std::uint8_t>(Dtype::uint8);
  check_all_values<std::int16_t>(Dtype::int16);
  check_all_values<std::uint16_t>(Dtype::uint16);
}

template <typename Int>
void check_long_widening(Dtype dtype, unsigned seed) {
  using Limits = std::numeric_limits<Int>;
  for (const Int edge : {Limits::min(), Limits::max(), Int{0}, Int{1}, Int{16777216}, Int{16777217}, Int{16777218},
                         Int{16777219}, Int{33554434}, Int{33554435}, Int{33554438}}) {
    check_widening(edge, dtype);
    check_widening(static_cast<Int>(std::uint64_t{0} - static_cast<std::uint64_t>(edge)), dtype);
  }
  std::mt19937_64 rng(seed);
  for (int i = 0; i < 50000; ++i) {
    const std::uint64_t random = rng();
    const Int any_size = static_cast<Int>(static_cast<Int>(random) >> (rng() % (8 * sizeof(Int))));
    ASSERT_NO_FATAL_FAILURE(check_widening(any_size, dtype));
    // A tie of the 24-bit significand, and its neighbours: bit pattern 1 x..x 1 0..0.
    const unsigned low = static_cast<unsigned>(rng() % (Limits::digits - 25));
    const std::uint64_t tie = ((random & 0xFFFFFFU) | 0x800000U) << 1U | 1U;
    for (const int offset : {-1, 0, 1}) {
      const std::uint64_t near = (tie << low) + static_cast<std::uint64_t>(offset);
      ASSERT_NO_FATAL_FAILURE(check_widening(static_cast<Int>(near), dtype));
    }
  }
}

TEST(IntConvert, LongIntegersRoundToNearestEven) {
  check_long_widening<std::int32_t>(Dtype::int32, 1);
  check_long_widening<std::uint32_t>(Dtype::uint32, 2);
  check_long_widening<std::int64_t>(Dtype::int64, 3);
  check_long_widening<std::uint64_t>(Dtype::uint64, 4);
}

template <typename Int>
void check_truncation(Dtype dtype) {
  // Every sign, exponent and leading mantissa bits, infinities and NaN included.
  for (std::uint32_t high = 0; high < 0x10000; ++high) {
    ASSERT_NO_FATAL_FAILURE(check_narrowing<Int>(oracle::from_bits(high << 16U), dtype));
  }
  for (const double limit : {static_cast<double>(std::numeric_limits<Int>::max()),
                             static_cast<double>(std::numeric_limits<Int>::min()), 0.0, 1.0, -1.0}) {
    float value = static_cast<float>(limit);
    for (int i = 0; i < 3; ++i) value = std::nextafter(value, -std::numeric_limits<float>::infinity());
    for (int i = 0; i < 7; ++i) {
      ASSERT_NO_FATAL_FAILURE(check_narrowing<Int>(value, dtype));
      ASSERT_NO_FATAL_FAILURE(check_narrowing<Int>(value + 0.5F, dtype));
      ASSERT_NO_FATAL_FAILURE(check_narrowing<Int>(value - 0.5F, dtype));
      value = std::nextafter(value, std::numeric_limits<float>::infinity());
    }
  }
  std::mt19937 rng(5);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_NO_FATAL_FAILURE(check_narrowing<Int>(oracle::random_in(rng, -70000.0F, 70000.0F), dtype));
    ASSERT_NO_FATAL_FAILURE(check_narrowing<Int>(oracle::random_pattern(rng), dtype));
  }
}

TEST(IntConvert, NarrowingTruncatesAndSaturates) {
  check_truncation<std::int8_t>(Dtype::int8);
  check_truncation<std::uint8_t>(Dtype::uint8);
  check_truncation<std::int16_t>(Dtype::int16);
  check_truncation<std::uint16_t>(Dtype::uint16);
  check_truncation<std::int32_t>(Dtype::int32);
  check_truncation<std::uint32_t>(Dtype::uint32);
  check_truncation<std::int64_t>(Dtype::int64);
  check_truncation<std::uint64_t>(Dtype::uint64);
}

TEST(IntConvert, LiteralExamples) {
  EXPECT_EQ(narrow<std::int8_t>(-1.99F, Dtype::int8), -1);
  EXPECT_EQ(narrow<std::int8_t>(127.99F, Dtype::int8), 127);
  EXPECT_EQ(narrow<std::int8_t>(-128.99F, Dtype::int8), -128);
  EXPECT_EQ(narrow<std::uint8_t>(-0.99F, Dtype::uint8), 0);
  EXPECT_EQ(narrow<std::int32_t>(2147483648.0F, Dtype::int32), 2147483647);
  EXPECT_EQ(narrow<std::uint32_t>(oracle::from_bits(oracle::kNan), Dtype::uint32), 0U);
  EXPECT_EQ(widen<std::int32_t>(16777217, Dtype::int32), 16777216.0F);
  EXPECT_EQ(widen<std::uint64_t>(~std::uint64_t{0}, Dtype::uint64), 18446744073709551616.0F);
}

TEST(IntConvert, StreamsKeepOrder) {
  const std::array<std::uint8_t, 8> source{0x01, 0x00, 0xFE, 0xFF, 0x00, 0x80, 0xFF, 0x7F};
  std::array<float, 4> wide{};
  to_fp32(source.data(), Dtype::int16, 4, wide.data(), {});
  EXPECT_EQ(wide, (std::array<float, 4>{1, -2, -32768, 32767}));
  std::array<std::uint8_t, 8> back{};
  from_fp32(wide.data(), Dtype::int16, 4, back.data(), {});
  EXPECT_EQ(back, source);
  to_fp32(source.data(), Dtype::int16, 0, nullptr, {});  // nothing is touched
}

}  // namespace int_convert_test
