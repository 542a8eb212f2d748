// How much time hangs on each axis. Expected values are worked out on logarithms of powers of two.
#include <gtest/gtest.h>

#include <cmath>

#include "tables.h"

namespace dve::page {
namespace sensitivity_test {
namespace {

using tables::PointText;
using tables::table;

// log2 of the times: a adds 0 or 2, b adds 0 or 1.
SweepTable additive() { return table("a,b", {{"1,u", "1", ""}, {"1,v", "2", ""}, {"2,u", "4", ""}, {"2,v", "8", ""}}); }

TEST(Sensitivity, OfAxesThatAddUp) {
  const std::vector<Sensitivity> list = sensitivities(additive());
  ASSERT_EQ(list.size(), 2u);
  // log2: 0 1 2 3, mean 1.5, total 5. a: means 0.5 and 2.5, between 4. b: means 1 and 2, between 1. Adjusted for two
  // levels of four points: 1 - (1 - raw) * 3 / 2.
  EXPECT_EQ(list[0].axis, 0u);
  EXPECT_NEAR(list[0].share, 1 - (1 - 4.0 / 5) * 1.5, 1e-12);
  EXPECT_EQ(list[1].axis, 1u);
  EXPECT_EQ(list[1].share, 0) << "1 - (1 - 1/5) * 3/2 is below 0";
  // Pairs that differ in one axis alone: variance 1 of 5/4 for a, 1/4 of 5/4 for b.
  EXPECT_NEAR(list[0].with_others.value(), 0.8, 1e-12);
  EXPECT_NEAR(list[1].with_others.value(), 0.2, 1e-12);
  EXPECT_NEAR(list[0].ratio, 4, 1e-12);
  EXPECT_NEAR(list[1].ratio, 2, 1e-12);
  EXPECT_EQ(list[0].levels[0].label, "1");
  EXPECT_NEAR(list[0].levels[1].mean_ns, std::sqrt(32), 1e-12);
  EXPECT_EQ(list[0].levels[1].fastest_ns, 4);
  EXPECT_EQ(list[0].levels[1].slowest_ns, 8);
  EXPECT_EQ(fastest(list[1]).label, "u");
  EXPECT_EQ(slowest(list[1]).label, "v");
}

TEST(Sensitivity, OfAxesThatOnlyMatterTogether) {
  const std::vector<Sensitivity> list =
      sensitivities(table("a,b", {{"1,u", "1", ""}, {"1,v", "2", ""}, {"2,u", "2", ""}, {"2,v", "1", ""}}));
  for (const Sensitivity& s : list) {
    EXPECT_EQ(s.share, 0);
    EXPECT_NEAR(s.with_others.value(), 1, 1e-12);
    EXPECT_NEAR(s.ratio, 1, 1e-12);
  }
}

TEST(Sensitivity, FailedPointsDoNotCount) {
  SweepTable with_failures = table("a,b", {{"1,u", "1", ""},
                                           {"1,v", "2", ""},
                                           {"2,u", "4", ""},
                                           {"2,v", "8", ""},
                                           {"3,u", "", "", "error", "no"},
                                           {"9,u", "5000", "", "timeout"}});
  EXPECT_EQ(sensitivities(with_failures)[0].levels.size(), 2u);
  EXPECT_NEAR(sensitivities(with_failures)[0].share, sensitivities(additive())[0].share, 1e-12);
}

TEST(Sensitivity, ManyValuesOfANumberAreTakenTogetherByRank) {
  std::vector<PointText> points;
  for (int k = 0; k < 80; ++k) points.push_back({std::to_string(79 - k), std::to_string(100 + 79 - k), ""});
  const std::vector<Sensitivity> list = sensitivities(table("a", points));
  ASSERT_EQ(list[0].levels.size(), kMostLevels);
  EXPECT_EQ(list[0].levels[0].label, "0 to 9");
  EXPECT_EQ(list[0].levels[7].label, "70 to 79");
  for (const Level& level : list[0].levels) EXPECT_EQ(level.points, 10u);
  EXPECT_GT(list[0].share, 0.95);
  EXPECT_FALSE(list[0].with_others.has_value()) << "there is no other axis";
}

TEST(Sensitivity, ValuesAreNumbersAndNotTexts) {
  const std::vector<Sensitivity> list = sensitivities(table("a", {{"100", "3", ""}, {"20", "2", ""}, {"3", "1", ""}}));
  EXPECT_EQ(list[0].levels[0].label, "3");
  EXPECT_EQ(list[0].levels[2].label, "100");
  EXPECT_EQ(list[0].share, 1) << "every level is one point: nothing is left to adjust";
}

TEST(Sensitivity, AxesThatChangeTogetherAreNamed) {
  const std::vector<Sensitivity> list =
      sensitivities(table("a,b,c", {{"1,u,x", "1", ""}, {"1,u,y", "2", ""}, {"2,v,x", "4", ""}, {"2,v,y", "8", ""}}));
  const auto of = [&](std::size_t axis) {
    return *std::find_if(list.begin(), list.end(), [&](const Sensitivity& s) { return s.axis == axis; });
  };
  EXPECT_EQ(of(0).same_as, std::vector<std::size_t>{1});
  EXPECT_EQ(of(1).same_as, std::vector<std::size_t>{0});
  EXPECT_TRUE(of(2).same_as.empty());
}

TEST(Sensitivity, OfEqualTimesIsNone) {
  for (const Sensitivity& s :
       sensitivities(table("a,b", {{"1,u", "0.3", ""}, {"1,v", "0.3", ""}, {"2,u", "0.3", ""}, {"2,v", "0.3", ""}}))) {
    EXPECT_EQ(s.share, 0);
    EXPECT_EQ(s.with_others.value(), 0);
  }
}

TEST(Sensitivity, NeedsTwoPointsWithATime) {
  EXPECT_TRUE(sensitivities(table("a", {{"1", "5", ""}, {"2", "", "", "error", "no"}})).empty());
}

}  // namespace
}  // namespace sensitivity_test
}  // namespace dve::page
