#include "sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace dve::page {
namespace {

using Points = std::vector<std::size_t>;

constexpr double kNoVariance = 1e-18;  // what rounding leaves of equal times in the logarithm's last bits

// Points by value, in the order of the values.
std::vector<Points> by_value(const Column& axis, const Points& points) {
  std::vector<Points> groups;
  std::map<std::string, std::size_t> group_of;
  for (const std::size_t p : points) {
    const auto [found, fresh] = group_of.try_emplace(axis.cells[p], groups.size());
    if (fresh) groups.emplace_back();
    groups[found->second].push_back(p);
  }
  if (axis.numeric)
    std::stable_sort(groups.begin(), groups.end(), [&](const Points& a, const Points& b) {
      return axis.numbers[a.front()] < axis.numbers[b.front()];
    });
  return groups;
}

// Neighbouring groups together, until there are kMostLevels of about one size; a value is never split.
std::vector<Points> merged(const std::vector<Points>& groups, std::size_t points) {
  std::vector<Points> levels(1);
  std::size_t placed = 0;
  for (const Points& group : groups) {
    if (!levels.back().empty() && placed >= levels.size() * points / kMostLevels) levels.emplace_back();
    levels.back().insert(levels.back().end(), group.begin(), group.end());
    placed += group.size();
  }
  return levels;
}

std::vector<Points> levels_of(const Column& axis, const Points& points) {
  std::vector<Points> groups = by_value(axis, points);
  return axis.numeric && groups.size() > kMostLevels ? merged(groups, points.size()) : groups;
}

double log_time(const SweepTable& table, std::size_t point) { return std::log(table.column("time_ns").numbers[point]); }

double mean_log(const SweepTable& table, const Points& points) {
  const double sum = std::accumulate(points.begin(), points.end(), 0.0,
                                     [&](double before, std::size_t p) { return before + log_time(table, p); });
  return sum / static_cast<double>(points.size());
}

Level level_of(const SweepTable& table, const Column& axis, const Points& points) {
  Level level;
  const std::string& first = axis.cells[points.front()];
  const std::string& last = axis.cells[points.back()];
  level.label = first == last ? first : fmt::format("{} to {}", first, last);
  if (axis.numeric) level.low = axis.numbers[points.front()];
  level.points = points.size();
  level.mean_ns = std::exp(mean_log(table, points));
  const std::vector<double>& time = table.column("time_ns").numbers;
  const auto [least, most] = std::minmax_element(points.begin(), points.end(),
                                                 [&](std::size_t a, std::size_t b) { return time[a] < time[b]; });
  level.fastest_ns = time[*least];
  level.slowest_ns = time[*most];
  return level;
}

double share_of(const SweepTable& table, const std::vector<Points>& levels, const Points& points) {
  const double mean = mean_log(table, points);
  double between = 0, total = 0;
  for (const Points& level : levels)
    between += static_cast<double>(level.size()) * std::pow(mean_log(table, level) - mean, 2);
  for (const std::size_t p : points) total += std::pow(log_time(table, p) - mean, 2);
  if (total < kNoVariance * static_cast<double>(points.size())) return 0;
  const double raw = std::min(1.0, between / total);
  if (levels.size() >= points.size()) return raw;
  const double freedom = static_cast<double>(points.size() - 1) / static_cast<double>(points.size() - levels.size());
  return std::max(0.0, 1 - (1 - raw) * freedom);
}

// Points with equal values of all axes but one.
std::vector<Points> partners(const SweepTable& table, std::size_t axis, const Points& points) {
  std::map<std::vector<std::string>, Points> groups;
  for (const std::size_t p : points) {
    std::vector<std::string> others;
    for (std::size_t a = 0; a < table.axes; ++a)
      if (a != axis) others.push_back(table.axis(a).cells[p]);
    groups[others].push_back(p);
  }
  std::vector<Points> list;
  for (auto& [others, group] : groups)
    if (group.size() > 1) list.push_back(std::move(group));
  return list;
}

double variance(const SweepTable& table, const Points& points) {
  const double mean = mean_log(table, points);
  double sum = 0;
  for (const std::size_t p : points) sum += std::pow(log_time(table, p) - mean, 2);
  return sum / static_cast<double>(points.size());
}

std::optional<double> with_others(const SweepTable& table, std::size_t axis, const Points& points) {
  const double total = variance(table, points);
  double within = 0;
  std::size_t count = 0;
  for (const Points& group : partners(table, axis, points)) {
    within += static_cast<double>(group.size()) * variance(table, group);
    count += group.size();
  }
  if (table.axes < 2 || 2 * count < points.size()) return std::nullopt;
  if (total < kNoVariance) return 0;
  return std::min(1.0, within / static_cast<double>(count) / total);
}

double effect(const Sensitivity& s) { return std::max(s.share, s.with_others.value_or(0)); }

bool move_together(const std::vector<Points>& a, const std::vector<Points>& b) {
  if (a.size() < 2 || a.size() != b.size()) return false;
  const auto sorted = [](std::vector<Points> groups) {
    for (Points& group : groups) std::sort(group.begin(), group.end());
    std::sort(groups.begin(), groups.end());
    return groups;
  };
  return sorted(a) == sorted(b);
}

}  // namespace

std::vector<Sensitivity> sensitivities(const SweepTable& table) {
  Points points;
  for (std::size_t p = 0; p < table.points(); ++p)
    if (table.timed(p)) points.push_back(p);
  std::vector<Sensitivity> list;
  if (points.size() < 2) return list;
  std::vector<std::vector<Points>> all;
  for (std::size_t a = 0; a < table.axes; ++a) all.push_back(levels_of(table.axis(a), points));
  for (std::size_t a = 0; a < table.axes; ++a) {
    const std::vector<Points>& levels = all[a];
    Sensitivity s;
    s.axis = a;
    for (const Points& level : levels) s.levels.push_back(level_of(table, table.axis(a), level));
    s.share = levels.size() < 2 ? 0 : share_of(table, levels, points);
    s.with_others = with_others(table, a, points);
    s.ratio = slowest(s).mean_ns / fastest(s).mean_ns;
    for (std::size_t b = 0; b < table.axes; ++b)
      if (a != b && move_together(all[a], all[b])) s.same_as.push_back(b);
    list.push_back(std::move(s));
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Sensitivity& x, const Sensitivity& y) { return effect(x) > effect(y); });
  return list;
}

const Level& fastest(const Sensitivity& s) {
  return *std::min_element(s.levels.begin(), s.levels.end(),
                           [](const Level& a, const Level& b) { return a.mean_ns < b.mean_ns; });
}

const Level& slowest(const Sensitivity& s) {
  return *std::max_element(s.levels.begin(), s.levels.end(),
                           [](const Level& a, const Level& b) { return a.mean_ns < b.mean_ns; });
}

}  // namespace dve::page
