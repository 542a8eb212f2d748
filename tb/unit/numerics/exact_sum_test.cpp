// ExactSum against integers in units of 2^-149.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "dve/numerics/numerics.h"
#include "oracle.h"

namespace exact_sum_test {

using dve::numerics::ExactSum;
using oracle::bits;
using oracle::from_bits;

constexpr float kMax = std::numeric_limits<float>::max();
constexpr float kTiny = std::numeric_limits<float>::denorm_min();
constexpr float kInf = std::numeric_limits<float>::infinity();

float sum(const std::vector<float>& values) {
  ExactSum total;
  for (const float value : values) total.add(value);
  return total.round();
}

void check(const std::vector<float>& values) { ASSERT_EQ(bits(sum(values)), bits(oracle::exact_sum(values))); }

TEST(ExactSum, EmptyAndZeroSumsArePlusZero) {
  EXPECT_EQ(bits(sum({})), 0U);
  EXPECT_EQ(bits(sum({-0.0F})), 0U);
  EXPECT_EQ(bits(sum({-0.0F, 0.0F, -0.0F})), 0U);
  EXPECT_EQ(bits(sum({kMax, 1.0F, -kMax, -1.0F})), 0U);
  EXPECT_EQ(bits(sum({-kTiny, kTiny})), 0U);
}

TEST(ExactSum, OneTermComesBack) {
  std::mt19937 rng(1);
  for (int i = 0; i < 20000; ++i) {
    const float value = oracle::random_finite(rng);
    if (value == 0) continue;
    ASSERT_EQ(bits(sum({value})), bits(value));
  }
  // Every power of two: each bit position of the register that a value can start at.
  for (int exponent = -149; exponent <= 127; ++exponent) {
    const float power = std::ldexp(1.0F, exponent);
    ASSERT_EQ(sum({power}), power) << exponent;
    ASSERT_EQ(sum({-power}), -power) << exponent;
  }
}

TEST(ExactSum, RoundsOnceToNearestEven) {
  EXPECT_EQ(sum({16777216.0F, 1.0F}), 16777216.0F);          // tie, even below
  EXPECT_EQ(sum({16777218.0F, 1.0F}), 16777220.0F);          // tie, even above
  EXPECT_EQ(sum({16777216.0F, 1.0F, kTiny}), 16777218.0F);   // just above the tie
  EXPECT_EQ(sum({16777218.0F, 1.0F, -kTiny}), 16777218.0F);  // just below
  EXPECT_EQ(sum({16777216.0F, 1.0F, 1.0F, 1.0F, 1.0F}), 16777220.0F);
  EXPECT_EQ(sum({-16777216.0F, -1.0F, -kTiny}), -16777218.0F);
  EXPECT_EQ(sum({1.0F, 1e30F, -1e30F}), 1.0F);
}

TEST(ExactSum, OverflowOnlyAtTheEnd) {
  EXPECT_EQ(sum({kMax, kMax}), kInf);
  EXPECT_EQ(sum({-kMax, -kMax}), -kInf);
  EXPECT_EQ(sum({kMax, kMax, -kMax}), kMax);
  const float half_unit = std::ldexp(1.0F, 103);  // kMax + this is the tie with 2^128
  EXPECT_EQ(sum({kMax, half_unit}), kInf);
  EXPECT_EQ(sum({kMax, half_unit, -kTiny}), kMax);
}

TEST(ExactSum, InfinityAndNanFollowIeee) {
  EXPECT_EQ(sum({1.0F, kInf, -kMax}), kInf);
  EXPECT_EQ(sum({-kInf, -kInf, kMax}), -kInf);
  EXPECT_EQ(bits(sum({kInf, 1.0F, -kInf})), oracle::kNan);
  EXPECT_EQ(bits(sum({from_bits(0xFF812345), 1.0F})), oracle::kNan);
  EXPECT_EQ(bits(sum({kInf, from_bits(0x7FFFFFFF)})), oracle::kNan);
}

TEST(ExactSum, RandomSequences) {
  std::mt19937 rng(2);
  for (int round = 0; round < 400; ++round) {
    std::vector<float> values(1 + rng() % 60);
    for (float& value : values) {
      value = oracle::random_finite(rng);
      if (round % 4 == 1) value = from_bits(bits(value) & 0x80FFFFFFU);  // subnormals and smallest normals
      if (round % 4 == 2) value = from_bits((bits(value) & 0x83FFFFFFU) | 0x3C000000U);  // within a few binades
    }
    if (round % 4 == 3) {  // cancellation: everything but a few survivors, in random order
      const std::size_t n = values.size();
      for (std::size_t i = 1; i < n; ++i) values.push_back(-values[i]);
      values.push_back(from_bits(static_cast<std::uint32_t>(rng()) & 0x80FFFFFFU));
      std::shuffle(values.begin(), values.end(), rng);
    }
    SCOPED_TRACE(round);
    ASSERT_NO_FATAL_FAILURE(check(values));
  }
}

TEST(ExactSum, OrderDoesNotMatter) {
  std::mt19937 rng(3);
  std::vector<float> values(500);
  for (float& value : values) value = oracle::random_finite(rng);
  const float expected = sum(values);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(values.begin(), values.end(), rng);
    ASSERT_EQ(bits(sum(values)), bits(expected));
  }
}

TEST(ExactSum, MillionTerms) {
  std::mt19937 rng(4);
  std::vector<float> values(1000000);
  for (float& value : values) value = oracle::random_in(rng, -1.0F, 1.0F);
  check(values);
  // A million times the largest value and back: far past binary32, inside the register.
  ExactSum total;
  for (int i = 0; i < 1000000; ++i) total.add(kMax);
  EXPECT_EQ(total.round(), kInf);
  for (int i = 0; i < 1000000; ++i) total.add(-kMax);
  total.add(-kTiny);
  EXPECT_EQ(total.round(), -kTiny);
}

}  // namespace exact_sum_test
