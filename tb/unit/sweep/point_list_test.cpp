// Some points of a sweep by number.
#include <gtest/gtest.h>

#include "dve/layer/layer.h"
#include "dve/sweep/sweep.h"

namespace dve::sweep {
namespace point_list_test {
namespace {

using Numbers = std::vector<std::size_t>;

TEST(PointList, NumbersAndRangesInTheirOrder) {
  EXPECT_EQ(parse_points("3", 4, ""), Numbers({3}));
  EXPECT_EQ(parse_points("7,0:3,5", 8, ""), Numbers({7, 0, 1, 2, 5}));
  EXPECT_EQ(parse_points("\n4\n2\n", 8, ""), Numbers({4, 2}));
  EXPECT_EQ(parse_points(points_text({9, 1, 5}), 10, ""), Numbers({9, 1, 5}));
}

TEST(PointList, EverythingElseIsNamed) {
  const auto refused = [](const char* text, const std::string& message) {
    try {
      parse_points(text, 8, "--points");
      FAIL() << text;
    } catch (const layer::InputError& error) {
      EXPECT_EQ(error.what(), message);
    }
  };
  refused("", "--points has '', expected at least one point");
  refused(" ,", "--points has '', expected at least one point");
  refused("x", "--points has 'x', expected numbers of points and ranges A:B");
  refused("-1", "--points has '-1', expected numbers of points and ranges A:B");
  refused("1:", "--points has '1:', expected numbers of points and ranges A:B");
  refused("1:2:3", "--points has '1:2:3', expected numbers of points and ranges A:B");
  refused("99999999999999999999", "--points has '99999999999999999999', expected numbers of points and ranges A:B");
  refused("8", "--points has '8', expected points from 0 to 7");
  refused("18446744073709551615", "--points has '18446744073709551615', expected points from 0 to 7");
  refused("3:3", "--points has '3:3', expected points from 0 to 7");
  refused("5:9", "--points has '5:9', expected points from 0 to 7");
  refused("1,0:2", "--points has '0:2', expected every point once, 1 is there before");
}

}  // namespace
}  // namespace point_list_test
}  // namespace dve::sweep
