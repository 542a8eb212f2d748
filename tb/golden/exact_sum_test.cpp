#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "golden/golden.h"

namespace golden {
namespace exact_sum_test {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();

float sum_of(const std::vector<float>& terms) {
  ExactSum sum;
  for (const float term : terms) sum.add(term);
  return sum.result();
}

TEST(GoldenExactSum, LosesNothingBetweenTheTerms) {
  EXPECT_EQ(sum_of({1e30F, 1.0F, -1e30F}), 1.0F);
  EXPECT_EQ(sum_of({kMax, kMax, -kMax, 0x1p-149F, -kMax}), 0x1p-149F);
  EXPECT_EQ(sum_of({16777216.0F, 1, 1, 1, 1}), 16777220.0F);
  EXPECT_EQ(sum_of({-0x1p-149F, -0x1p-149F, -0x1p-149F}), -0x3p-149F);
}

TEST(GoldenExactSum, RoundsOnceToNearestEven) {
  EXPECT_EQ(sum_of({16777216.0F, 1.0F}), 16777216.0F);
  EXPECT_EQ(sum_of({16777218.0F, 1.0F}), 16777220.0F);
  EXPECT_EQ(sum_of({16777216.0F, 1.0F, 0x1p-149F}), 16777218.0F);
  EXPECT_EQ(sum_of({-16777216.0F, -1.0F, -0x1p-149F}), -16777218.0F);
  EXPECT_EQ(sum_of({33554431.0F, 33554431.0F, 0.25F}), 67108864.0F);
}

TEST(GoldenExactSum, OverflowsAsIeee) {
  EXPECT_EQ(sum_of({kMax, 0x1p102F}), kMax);       // below half of the last place
  EXPECT_EQ(sum_of({kMax, 0x1p103F}), kInfinity);  // tie, away from the odd mantissa
  EXPECT_EQ(sum_of({-kMax, -kMax}), -kInfinity);
}

TEST(GoldenExactSum, TreatsZeroInfinityAndNan) {
  EXPECT_EQ(bits_of_float(sum_of({})), 0U);
  EXPECT_EQ(bits_of_float(sum_of({-0.0F, -0.0F})), 0U);
  EXPECT_EQ(bits_of_float(sum_of({3.5F, -3.5F})), 0U);
  EXPECT_EQ(sum_of({kInfinity, -kMax}), kInfinity);
  EXPECT_EQ(sum_of({-kInfinity, 1.0F}), -kInfinity);
  EXPECT_EQ(bits_of_float(sum_of({kInfinity, 1.0F, -kInfinity})), 0x7FC00000U);
  EXPECT_EQ(bits_of_float(sum_of({1.0F, float_of_bits(0xFFC00001)})), 0x7FC00000U);
}

// With exponents within 16 of each other and 1000 terms the binary64 sum is exact too.
TEST(GoldenExactSum, AgreesWithBinary64WhereThatIsExact) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    ExactSum sum;
    double expected = 0;
    for (int i = 0; i < 1000; ++i) {
      const auto mantissa = static_cast<int>(random() % 0x2000000) - 0x1000000;
      const double term = std::ldexp(mantissa, static_cast<int>(random() % 17) - 32);
      sum.add(static_cast<float>(term));
      expected += term;
    }
    ASSERT_EQ(sum.result(), static_cast<float>(expected)) << "round " << round;
  }
}

}  // namespace exact_sum_test
}  // namespace golden
