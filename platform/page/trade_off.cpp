#include "trade_off.h"

#include <cmath>
#include <limits>
#include <set>

#include "pareto.h"

namespace dve::page {
namespace {

bool differs(const SweepTable& table, const Column& column) {
  if (!column.numeric) return false;
  std::set<double> values;
  for (std::size_t k = 0; k < table.points(); ++k)
    if (table.timed(k) && std::isfinite(column.numbers[k])) values.insert(column.numbers[k]);
  return values.size() >= 2;
}

TradeOff against(const SweepTable& table, std::size_t column, bool smaller_is_better) {
  std::vector<double> x, y;
  for (std::size_t k = 0; k < table.points(); ++k) {
    const double value = table.columns[column].numbers[k];
    x.push_back(smaller_is_better ? value : -value);
    y.push_back(table.timed(k) ? table.column("time_ns").numbers[k] : std::numeric_limits<double>::quiet_NaN());
  }
  return {column, smaller_is_better, pareto_front(x, y)};
}

}  // namespace

std::optional<TradeOff> trade_off(const SweepTable& table, const std::vector<Sensitivity>& sensitivities) {
  const Column& accuracy = table.column("max_rel");
  if (differs(table, accuracy)) return against(table, static_cast<std::size_t>(&accuracy - table.columns.data()), true);
  for (const Sensitivity& s : sensitivities) {
    if (s.share <= 0 || !differs(table, table.axis(s.axis))) continue;
    const bool faster_when_larger = s.levels.back().mean_ns < s.levels.front().mean_ns;
    return against(table, SweepTable::kFirstAxis + s.axis, faster_when_larger);
  }
  return std::nullopt;
}

}  // namespace dve::page
