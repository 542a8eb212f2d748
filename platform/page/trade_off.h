// Which two values of a sweep's points to weigh against each other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sensitivity.h"
#include "sweep_table.h"

namespace dve::page {

// Time, as short as possible, against another column.
struct TradeOff {
  std::size_t column = 0;          // in SweepTable::columns
  bool smaller_is_better = true;   // of that column
  std::vector<std::size_t> front;  // the points on the Pareto front, by ascending column (descending: larger is better)
};

// The accuracy (max_rel) when the points differ in it; else the numeric axis that time hangs on most, where what makes
// the points slower is taken for the cheaper side: a lower clock, a longer latency. None without such an axis.
std::optional<TradeOff> trade_off(const SweepTable& table, const std::vector<Sensitivity>& sensitivities);

}  // namespace dve::page
