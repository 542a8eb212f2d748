#include "sweep_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "advice.h"
#include "numbers.h"

namespace dve::page {
namespace {

constexpr double kNoEffect = 0.005;  // share of the spread below which an axis is said to make no difference

std::string points_text(std::size_t count) { return count_text(count, "point", "points"); }

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

// "15 of 18 points ended well. 3 with status error (point 4: ...)."
std::string end_sentence(const SweepTable& table) {
  const Column& status = table.column("status");
  std::map<std::string, std::pair<std::size_t, std::size_t>> failed;  // by status: count, first point
  std::size_t ok = 0;
  for (std::size_t k = 0; k < table.points(); ++k) {
    if (table.ok(k))
      ++ok;
    else
      ++failed.try_emplace(status.cells[k], 0, k).first->second.first;
  }
  std::string text = ok == table.points() ? fmt::format("All {} ended well.", points_text(ok))
                                          : fmt::format("{} of {} ended well.", ok, points_text(table.points()));
  for (const auto& [name, found] : failed) {
    const std::string& reason = table.column("reason").cells[found.second];
    text += fmt::format(
        " {} with status {}{}.", found.first, bucket_text(name),
        reason.empty() ? "" : fmt::format(" (point {}: {})", table.column("point").cells[found.second], reason));
  }
  if (table.points() < table.expected)
    text += fmt::format(" {} not run: `dve-sim sweep --resume` goes on.", points_text(table.expected - table.points()));
  return text;
}

std::vector<std::size_t> by_time(const SweepTable& table) {
  std::vector<std::size_t> points;
  for (std::size_t k = 0; k < table.points(); ++k)
    if (table.timed(k)) points.push_back(k);
  const std::vector<double>& time = table.column("time_ns").numbers;
  std::stable_sort(points.begin(), points.end(), [&](std::size_t a, std::size_t b) { return time[a] < time[b]; });
  return points;
}

std::string extremes_sentence(const SweepTable& table, const std::vector<std::size_t>& points) {
  const std::vector<double>& time = table.column("time_ns").numbers;
  const std::size_t first = points.front(), last = points.back();
  const auto named = [&](std::size_t p) {
    return fmt::format("point {} ({}) with {}", table.column("point").cells[p], values_text(table, p),
                       time_text(time[p]));
  };
  const std::string best = fmt::format("Fastest is {}", named(first));
  if (time[first] == time[last])
    return best + (points.size() == 1 ? "; it is the only one with a time." : "; all others take as long.");
  return fmt::format("{}; slowest is {}, {} as long.", best, named(last), times_text(time[last] / time[first]));
}

std::string bottleneck_sentence(const SweepTable& table, const std::vector<std::size_t>& points) {
  std::map<std::string, std::size_t> counts;
  for (const std::size_t p : points) ++counts[table.column("bottleneck").cells[p]];
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const auto& [name, count] : counts) ranked.emplace_back(count, name);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> parts;
  for (const auto& [count, name] : ranked)
    parts.push_back(fmt::format("{} limits {}", bucket_text(name), points_text(count)));
  return joined(parts) + ".";
}

std::string same_text(const SweepTable& table, const Sensitivity& s) {
  std::vector<std::string> names;
  for (const std::size_t other : s.same_as) names.push_back(table.axis(other).name);
  return names.empty() ? "" : fmt::format(" (or {}, which changes with it)", joined(names));
}

double effect_of(const Sensitivity& s) { return std::max(s.share, s.with_others.value_or(0)); }

// "it explains 19 % of the spread by itself, 53 % together with what the other axes do to it"
std::string share_text(const Sensitivity& s) {
  const std::string own = fmt::format("it explains {} of the spread by itself", percent_text(s.share));
  if (s.with_others.value_or(0) <= s.share + kNoEffect) return own;
  return fmt::format("{}, {} together with what the other axes do to it", own, percent_text(*s.with_others));
}

void add_axes(const SweepTable& table, const std::vector<Sensitivity>& list, std::vector<std::string>& text) {
  const Sensitivity& first = list.front();
  if (effect_of(first) < kNoEffect) {
    text.push_back("No axis makes a difference to the time.");
    return;
  }
  text.push_back(fmt::format("Time hangs most on {}{}: {}.", table.axis(first.axis).name, same_text(table, first),
                             share_text(first)));
  const Sensitivity& most = *std::max_element(
      list.begin(), list.end(), [](const Sensitivity& a, const Sensitivity& b) { return a.ratio < b.ratio; });
  text.push_back(fmt::format("What would help most: {} at {}, on average {} less time than at {} ({} against {}).",
                             table.axis(most.axis).name, fastest(most).label,
                             percent_text(1 - fastest(most).mean_ns / slowest(most).mean_ns), slowest(most).label,
                             time_text(fastest(most).mean_ns), time_text(slowest(most).mean_ns)));
  std::vector<std::string> none;
  for (const Sensitivity& s : list)
    if (effect_of(s) < kNoEffect && s.levels.size() > 1) none.push_back(table.axis(s.axis).name);
  if (!none.empty()) text.push_back(fmt::format("Hardly any difference: {}.", joined(none)));
}

std::string front_sentence(const SweepTable& table, const std::optional<TradeOff>& trade) {
  if (!trade) return "";
  const Column& column = table.columns[trade->column];
  const bool one = trade->front.size() == 1;
  std::vector<std::string> names;
  for (const std::size_t p : trade->front)
    if (names.size() < 8) names.push_back(table.column("point").cells[p]);
  return fmt::format(
      "{} on the Pareto front of time and {} (short, and {}): {}{}.",
      one ? "One point is" : fmt::format("{} are", points_text(trade->front.size())), column.name,
      trade->smaller_is_better ? "small" : "large", joined(names),
      trade->front.size() > names.size() ? fmt::format(" and {} more", trade->front.size() - names.size()) : "");
}

}  // namespace

std::string values_text(const SweepTable& table, std::size_t point) {
  std::vector<std::string> parts;
  for (std::size_t a = 0; a < table.axes; ++a)
    parts.push_back(fmt::format("{} = {}", table.axis(a).name, table.axis(a).cells[point]));
  return joined(parts);
}

std::vector<std::string> sentences(const SweepTable& table, const std::vector<Sensitivity>& sensitivities,
                                   const std::optional<TradeOff>& trade_off) {
  std::vector<std::string> list = {end_sentence(table)};
  const std::vector<std::size_t> points = by_time(table);
  if (points.empty()) {
    list.push_back("No point has a time, so nothing can be said of what it hangs on.");
    return list;
  }
  list.push_back(extremes_sentence(table, points));
  list.push_back(bottleneck_sentence(table, points));
  if (!sensitivities.empty()) add_axes(table, sensitivities, list);
  list.push_back(front_sentence(table, trade_off));
  list.erase(std::remove(list.begin(), list.end(), ""), list.end());
  return list;
}

}  // namespace dve::page
