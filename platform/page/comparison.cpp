#include "comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "advice.h"
#include "dve/layer/layer.h"
#include "numbers.h"
#include "sweep_words.h"

namespace dve::page {
namespace {

std::string longer_sentence(double a, double b) {
  if (a == b) return fmt::format("A and B take the same time, {}.", time_text(a));
  if (b < a)
    return fmt::format("B is {} as fast as A: {} against {}, {} less time.", times_text(a / b), time_text(b),
                       time_text(a), percent_text(1 - b / a));
  return fmt::format("B takes {} as long as A: {} against {}, {} more time.", times_text(b / a), time_text(b),
                     time_text(a), percent_text(b / a - 1));
}

// Of the engine of that name; 0 for an engine that had nothing to do.
double bucket_ns(const Run& run, const std::string& engine, std::size_t bucket) {
  for (const EngineCycles& e : run.engines) {
    if (e.name != engine || e.cycles == 0) continue;
    const double cycles = static_cast<double>(engine == "dve" ? *run.cycles : e.cycles);
    return static_cast<double>(e.buckets[bucket]) / cycles * run.time_ns;
  }
  return 0;
}

std::string bucket_sentence(const Run& a, const Run& b) {
  const std::string engine = main_engine(a).name;
  std::size_t most = 0;
  const auto change = [&](std::size_t k) { return bucket_ns(b, engine, k) - bucket_ns(a, engine, k); };
  for (std::size_t k = 1; k < kBuckets.size(); ++k)
    if (std::abs(change(k)) > std::abs(change(most))) most = k;
  if (change(most) == 0) return "";
  return fmt::format("The largest change in {} is in {}: {} in B, {} in A.", engine, bucket_text(kBuckets[most]),
                     time_text(bucket_ns(b, engine, most)), time_text(bucket_ns(a, engine, most)));
}

std::string layer_sentence(const Run& a, const Run& b) {
  const LayerRun* largest = nullptr;
  double change = 0, before = 0, after = 0;
  for (const LayerRun& layer : a.layers) {
    const auto same =
        std::find_if(b.layers.begin(), b.layers.end(), [&](const LayerRun& l) { return l.name == layer.name; });
    if (same == b.layers.end() || std::abs(same->all_ns() - layer.all_ns()) <= change) continue;
    largest = &layer;
    before = layer.all_ns();
    after = same->all_ns();
    change = std::abs(after - before);
  }
  if (largest == nullptr) return "";
  return fmt::format("The layer that changes most is {}: {} in B, {} in A.", largest->name, time_text(after),
                     time_text(before));
}

}  // namespace

std::vector<std::string> compare_sentences(const Run& a, const Run& b) {
  if (!a.timed() || !b.timed()) return {"One of the two has no time: only their results can be compared."};
  std::vector<std::string> list = {longer_sentence(a.time_ns, b.time_ns), bucket_sentence(a, b), layer_sentence(a, b)};
  list.push_back(a.bottleneck == b.bottleneck
                     ? fmt::format("{} limits both.", bucket_text(a.bottleneck))
                     : fmt::format("{} limits A, {} limits B.", bucket_text(a.bottleneck), bucket_text(b.bottleneck)));
  list.erase(std::remove(list.begin(), list.end(), ""), list.end());
  return list;
}

std::vector<std::pair<std::size_t, std::size_t>> same_points(const SweepTable& a, const SweepTable& b,
                                                             const std::filesystem::path& file) {
  // Each axis of A as one of B.
  std::vector<std::size_t> axis_of_b;
  for (std::size_t x = 0; x < a.axes; ++x)
    for (std::size_t y = 0; y < b.axes; ++y)
      if (a.axis(x).name == b.axis(y).name) axis_of_b.push_back(y);
  if (axis_of_b.size() != a.axes || a.axes != b.axes) {
    std::string expected, found;
    for (std::size_t x = 0; x < a.axes; ++x) expected += (x == 0 ? "" : ", ") + a.axis(x).name;
    for (std::size_t y = 0; y < b.axes; ++y) found += (y == 0 ? "" : ", ") + b.axis(y).name;
    throw layer::InputError(fmt::format("{}: the axes are {}, expected {} as in the sweep to compare with",
                                        file.string(), found, expected));
  }
  std::map<std::vector<std::string>, std::size_t> in_b;
  for (std::size_t p = 0; p < b.points(); ++p) {
    std::vector<std::string> values;
    for (const std::size_t y : axis_of_b) values.push_back(b.axis(y).cells[p]);
    in_b.try_emplace(std::move(values), p);
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t p = 0; p < a.points(); ++p) {
    std::vector<std::string> values;
    for (std::size_t x = 0; x < a.axes; ++x) values.push_back(a.axis(x).cells[p]);
    const auto same = in_b.find(values);
    if (same != in_b.end()) pairs.emplace_back(p, same->second);
  }
  if (pairs.empty())
    throw layer::InputError(
        fmt::format("{}: no point has the values of one in the other sweep, expected one at least", file.string()));
  return pairs;
}

std::vector<std::string> compare_sentences(const SweepTable& a, const SweepTable& b,
                                           const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
  std::size_t timed = 0, faster = 0, slower = 0, most = 0;
  double logs = 0, largest = -1;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [p, q] = pairs[k];
    if (!a.timed(p) || !b.timed(q)) continue;
    const double log = std::log(b.column("time_ns").numbers[q] / a.column("time_ns").numbers[p]);
    ++timed;
    faster += log < 0 ? 1 : 0;
    slower += log > 0 ? 1 : 0;
    logs += log;
    if (std::abs(log) <= largest) continue;
    largest = std::abs(log);
    most = k;
  }
  if (timed == 0) return {"No point has a time in both sweeps."};
  if (faster + slower == 0)
    return {
        fmt::format("{} in both sweeps with a time, the same one each.", count_text(timed, "point is", "points are"))};
  std::vector<std::string> list = {
      fmt::format("{} in both sweeps with a time: B is faster at {}, slower at {}, the same at {}; on average it takes "
                  "{} as long as A.",
                  count_text(timed, "point is", "points are"), faster, slower, timed - faster - slower,
                  times_text(std::exp(logs / static_cast<double>(timed))))};
  if (largest > 0) {
    const auto [p, q] = pairs[most];
    list.push_back(fmt::format("The largest change is at {}: {} in B, {} in A.", values_text(a, p),
                               time_text(b.column("time_ns").numbers[q]), time_text(a.column("time_ns").numbers[p])));
  }
  return list;
}

}  // namespace dve::page
