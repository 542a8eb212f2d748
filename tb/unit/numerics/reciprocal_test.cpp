// The reciprocal table, its index rule and the divider.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dve/numerics/numerics.h"
#include "oracle.h"

namespace reciprocal_test {

using namespace dve::numerics;
using oracle::bits;

constexpr float kInf = std::numeric_limits<float>::infinity();

// Correct rounding of 1/d by exact integers: |x - 1/d| <= half the distance to either neighbour, i.e. (for x, d > 0)
// (x + below)*d <= 2 <= (x + above)*d. 24 by 24 bits plus one fit a long double; cpp_int keeps it plainly exact.
bool is_nearest_reciprocal(float x, float d) {
  const oracle::cpp_int two = oracle::cpp_int(1) << (2 * 149 + 1);
  const oracle::cpp_int unit_d = oracle::units(d);
  const oracle::cpp_int low = (oracle::units(x) + oracle::units(std::nextafter(x, 0.0F))) * unit_d;
  const oracle::cpp_int high = (oracle::units(x) + oracle::units(std::nextafter(x, kInf))) * unit_d;
  return low <= two && two <= high;
}

TEST(Reciprocal, TableHoldsRoundedReciprocals) {
  const ParamTable from_one = reciprocal_table(ParamRamIndex::i_plus_1);
  const ParamTable from_zero = reciprocal_table(ParamRamIndex::i);
  for (std::size_t k = 1; k <= 256; ++k) {
    EXPECT_TRUE(is_nearest_reciprocal(from_one[k - 1], static_cast<float>(k))) << k;
    if (k == 256) continue;
    EXPECT_EQ(bits(from_zero[k]), bits(from_one[k - 1])) << k;
  }
  EXPECT_EQ(from_zero[0], 1.0F);
  EXPECT_EQ(from_one[0], 1.0F);
  EXPECT_EQ(bits(from_one[2]), 0x3EAAAAABU);    // 1/3
  EXPECT_EQ(bits(from_one[255]), 0x3B800000U);  // 1/256
}

TEST(Reciprocal, EntryOfACount) {
  EXPECT_EQ(table_entry(0, ParamRamIndex::i_plus_1), -1);
  EXPECT_EQ(table_entry(1, ParamRamIndex::i_plus_1), 0);
  EXPECT_EQ(table_entry(256, ParamRamIndex::i_plus_1), 255);
  EXPECT_EQ(table_entry(257, ParamRamIndex::i_plus_1), -1);
  EXPECT_EQ(table_entry(0, ParamRamIndex::i), -1);
  EXPECT_EQ(table_entry(1, ParamRamIndex::i), 1);
  EXPECT_EQ(table_entry(255, ParamRamIndex::i), 255);
  EXPECT_EQ(table_entry(256, ParamRamIndex::i), -1);
  EXPECT_EQ(table_entry(~std::uint64_t{0}, ParamRamIndex::i), -1);
}

TEST(Reciprocal, ExactDividerRoundsCorrectly) {
  std::mt19937 rng(1);
  for (int i = 0; i < 20000; ++i) {
    const float d = std::fabs(oracle::random_finite(rng));
    if (d < 1e-38F) continue;  // reciprocal near or past the largest finite value
    ASSERT_TRUE(is_nearest_reciprocal(divide_reciprocal(d, Divide::exact), d)) << d;
    ASSERT_EQ(divide_reciprocal(-d, Divide::exact), -divide_reciprocal(d, Divide::exact));
  }
}

// The documented steps, with binary16 rounding of a value in [1/2, 1] as rounding to multiples of 2^-11.
float newton_by_hand(float s) {
  const float quotient = 1.0F / s;
  float x = static_cast<float>(std::nearbyint(static_cast<double>(quotient) * 2048.0) / 2048.0);
  for (int step = 0; step < 2; ++step) {
    const float product = s * x;
    const float correction = 2.0F - product;
    x = x * correction;
  }
  return x;
}

TEST(Reciprocal, NewtonFollowsItsDefinitionWithinTwoUlp) {
  std::mt19937 rng(2);
  int inexact = 0;
  for (int i = 0; i < 200000; ++i) {
    const float s = oracle::from_bits(0x3F800000U | (static_cast<std::uint32_t>(rng()) & 0x7FFFFFU));
    const float x = divide_reciprocal(s, Divide::newton);
    ASSERT_EQ(bits(x), bits(newton_by_hand(s))) << s;
    const double ulp = x >= 1.0F ? std::ldexp(1.0, -23) : std::ldexp(1.0, -24);
    ASSERT_LE(std::fabs(static_cast<double>(x) - 1.0 / static_cast<double>(s)), 2 * ulp) << s;
    inexact += x != 1.0F / s ? 1 : 0;
  }
  EXPECT_GT(inexact, 0) << "newton is indistinguishable from exact";
}

TEST(Reciprocal, NewtonKeepsItsAccuracyAtEveryScale) {
  const float base = divide_reciprocal(1.37F, Divide::newton);
  for (int exponent = -126; exponent <= 125; ++exponent) {
    const float d = std::ldexp(1.37F, exponent);
    EXPECT_EQ(divide_reciprocal(d, Divide::newton), std::ldexp(base, -exponent)) << exponent;
    EXPECT_EQ(divide_reciprocal(-d, Divide::newton), -std::ldexp(base, -exponent)) << exponent;
    EXPECT_EQ(divide_reciprocal(std::ldexp(1.0F, exponent), Divide::newton), std::ldexp(1.0F, -exponent)) << exponent;
  }
}

TEST(Reciprocal, SpecialDivisors) {
  for (const Divide divide : {Divide::exact, Divide::newton}) {
    EXPECT_EQ(divide_reciprocal(0.0F, divide), kInf);
    EXPECT_EQ(divide_reciprocal(-0.0F, divide), -kInf);
    EXPECT_EQ(bits(divide_reciprocal(kInf, divide)), 0U);
    EXPECT_EQ(bits(divide_reciprocal(-kInf, divide)), 0x80000000U);
    EXPECT_EQ(bits(divide_reciprocal(oracle::from_bits(0xFFC00001), divide)), oracle::kNan);
    EXPECT_EQ(divide_reciprocal(std::numeric_limits<float>::denorm_min(), divide), kInf);
    EXPECT_EQ(divide_reciprocal(std::ldexp(1.0F, 127), divide), std::ldexp(1.0F, -127));
  }
}

}  // namespace reciprocal_test
