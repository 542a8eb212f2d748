// How much of a sweep's spread in time each axis accounts for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sweep_table.h"

namespace dve::page {

// The points with one value of an axis, or, when a numeric axis has more than kMostLevels values, with values that lie
// beside each other, about as many points a level.
struct Level {
  std::string label;  // "960", "65 to 144"
  double low = 0;     // numeric axes: smallest value
  std::size_t points = 0;
  double mean_ns = 0;  // geometric mean of the points' times
  double fastest_ns = 0, slowest_ns = 0;
};

// Stands for: the first-order effect of one axis on the logarithm of time, averaged over whatever the other axes do. In
// a product of axes the shares of all axes add up to 1 less their interplay; in a random sweep chance adds a little.
struct Sensitivity {
  std::size_t axis = 0;
  std::vector<Level> levels;  // numeric axes: ascending; others: as they first occur
  // Part of the variance that differs between levels, adjusted for their number (epsilon squared): 0 to 1. Unadjusted
  // when every level is a single point.
  double share = 0;
  // Part of the variance that is left between points that differ in nothing but this axis: its own effect and its
  // interplay with the others (total effect, averaged over the points that have such partners). None when fewer than
  // half of the points have one, as in a random sweep.
  std::optional<double> with_others;
  double ratio = 1;  // mean of the slowest level over that of the fastest
  // Another axis that changes when and only when this one does, so that neither can be told from the other; or none.
  std::vector<std::size_t> same_as;
};

inline constexpr std::size_t kMostLevels = 8;

// Of the points with a time; the largest effect first, the larger of share and with_others. Empty when fewer than two
// points have one. An axis with one value has one level and share 0.
std::vector<Sensitivity> sensitivities(const SweepTable& table);

const Level& fastest(const Sensitivity& s);
const Level& slowest(const Sensitivity& s);

}  // namespace dve::page
