#include "cosim/coverage.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace dve::cosim {
namespace {

Coverage small() {
  Coverage coverage(
      {{"colour", {"red", "green"}, true}, {"size", {"small", "large"}, true}, {"edge", {"round", "sharp"}, true}});
  coverage.exclude("colour", "red", "edge", "sharp");
  return coverage;
}

TEST(Coverage, NamesThePairsAndCrossesThatWereNotSeen) {
  Coverage coverage = small();
  for (const Point& point : {Point{0, 0, 0}, Point{0, 1, 0}, Point{1, 0, 0}, Point{1, 0, 1}, Point{1, 1, 0}})
    coverage.sample(point);
  EXPECT_EQ(coverage.missing_pairs(), std::vector<std::string>{"size=large edge=sharp"});
  EXPECT_EQ(coverage.missing_crosses(), std::vector<std::string>{"colour=green size=large edge=sharp"});
  const std::string report = coverage.report("Toys");
  EXPECT_NE(report.find("| colour | green | 3 |"), std::string::npos) << report;
  EXPECT_NE(report.find("All pairs of values: 10 of 11 seen.\n- hole: size=large edge=sharp\n"), std::string::npos)
      << report;
  EXPECT_NE(report.find("Cross of colour x size x edge: 5 of 6 seen.\n- hole: colour=green size=large edge=sharp\n"),
            std::string::npos)
      << report;
  coverage.sample({1, 1, 1});
  EXPECT_TRUE(coverage.missing_pairs().empty());
  EXPECT_TRUE(coverage.missing_crosses().empty());
}

TEST(Coverage, RefusesPointsAndNamesThatAreNone) {
  Coverage coverage = small();
  EXPECT_THROW(coverage.sample({0, 0}), std::out_of_range);
  EXPECT_THROW(coverage.sample({0, 2, 0}), std::out_of_range);
  EXPECT_THROW(coverage.exclude("colour", "blue", "edge", "sharp"), std::out_of_range);
  EXPECT_THROW(coverage.exclude("weight", "red", "edge", "sharp"), std::out_of_range);
  EXPECT_EQ(coverage.samples(), 0U);
}

}  // namespace
}  // namespace dve::cosim
