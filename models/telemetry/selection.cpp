#include "selection.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace dve::telemetry {
namespace {

constexpr double kLatestNs = 1e13;  // 2^64 fs are 1.8e13 ns

std::optional<std::uint64_t> femtoseconds_of_ns(std::string_view text) {
  double ns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ns);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!(ns >= 0 && ns <= kLatestNs)) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(ns * 1e6));
}

}  // namespace

std::optional<Interval> Window::clip(const Interval& interval) const {
  const Interval inside{std::max(interval.start_fs, start_fs), std::min(interval.end_fs, end_fs)};
  const bool moment = interval.start_fs == interval.end_fs;
  if (moment ? !contains(interval.start_fs) : inside.start_fs >= inside.end_fs) return std::nullopt;
  return inside;
}

std::optional<Window> window_from_string(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || text.size() == 1) return std::nullopt;
  const std::string_view from = text.substr(0, colon), to = text.substr(colon + 1);
  Window window;
  if (!from.empty()) {
    const auto start = femtoseconds_of_ns(from);
    if (!start) return std::nullopt;
    window.start_fs = *start;
  }
  if (!to.empty()) {
    const auto end = femtoseconds_of_ns(to);
    if (!end) return std::nullopt;
    window.end_fs = *end;
  }
  if (window.start_fs >= window.end_fs) return std::nullopt;
  return window;
}

bool Filter::add(std::string_view name) {
  if (const auto engine = isa::engine_from_string(name)) {
    words_[isa::index_of(*engine)] = true;
    engine_named_ = true;
    return true;
  }
  if (name == "ports") return ports_ = true;
  if (name == "banks") return banks_ = true;
  if (name == "semaphores") return semaphores_ = true;
  if (name == "transfers") return transfers_ = true;
  if (name != "words") return false;
  words_.fill(true);
  return true;
}

std::optional<Filter> Filter::from_string(std::string_view text, std::string& unknown) {
  Filter filter;
  filter.all_ = false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, comma - begin);
    if (!filter.add(name)) {
      unknown = std::string(name);
      return std::nullopt;
    }
    begin = comma + 1;
  }
  return filter;
}

std::string Filter::names() {
  std::string all;
  for (const isa::Engine engine : isa::kEngines) all += std::string(isa::to_string(engine)) + ", ";
  return all + "words, ports, banks, semaphores, transfers";
}

}  // namespace dve::telemetry
