// Points that no other beats.
#include <gtest/gtest.h>

#include <cmath>

#include "dve/page/page.h"

namespace dve::page {
namespace pareto_test {
namespace {

using Indices = std::vector<std::size_t>;

TEST(Pareto, HoldsWhatNoOtherPointBeats) {
  //                     0  1  2  3  4
  EXPECT_EQ(pareto_front({5, 1, 3, 2, 4}, {1, 9, 4, 4, 5}),
            (Indices{1, 3, 0}));  // 2: 3 is as fast and smaller; 4: 3 beats it
}

TEST(Pareto, OfEqualPointsTheFirstStandsForAll) { EXPECT_EQ(pareto_front({2, 2, 1}, {3, 3, 4}), (Indices{2, 0})); }

TEST(Pareto, OnePointBeatsAll) { EXPECT_EQ(pareto_front({1, 2, 1}, {1, 1, 2}), (Indices{0})); }

TEST(Pareto, LeavesOutWhatIsNoNumber) {
  EXPECT_EQ(pareto_front({NAN, 1, INFINITY, 2}, {0, 5, 0, NAN}), (Indices{1}));
  EXPECT_EQ(pareto_front({}, {}), Indices{});
}

// Against the definition, point by point.
TEST(Pareto, IsTheDefinition) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> x, y;
    for (int k = 0; k < 40; ++k) {
      x.push_back(static_cast<double>(random() % 12));
      y.push_back(static_cast<double>(random() % 12));
    }
    const Indices front = pareto_front(x, y);
    for (std::size_t k = 0; k < x.size(); ++k) {
      bool beaten = false;
      for (std::size_t o = 0; o < x.size(); ++o) {
        const bool better = x[o] <= x[k] && y[o] <= y[k] && (x[o] < x[k] || y[o] < y[k]);
        beaten = beaten || better || (o < k && x[o] == x[k] && y[o] == y[k]);
      }
      EXPECT_EQ(std::count(front.begin(), front.end(), k), beaten ? 0 : 1) << round << " " << k;
    }
  }
}

}  // namespace
}  // namespace pareto_test
}  // namespace dve::page
