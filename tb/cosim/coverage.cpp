#include "coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace dve::cosim {

namespace {

constexpr std::size_t kNamedHoles = 200;

std::string section(const char* what, std::size_t bins, const std::vector<std::string>& holes) {
  std::string text = fmt::format("\n{}: {} of {} seen.\n", what, bins - holes.size(), bins);
  for (std::size_t i = 0; i < std::min(holes.size(), kNamedHoles); ++i) text += fmt::format("- hole: {}\n", holes[i]);
  if (holes.size() > kNamedHoles) text += fmt::format("- and {} more\n", holes.size() - kNamedHoles);
  return text;
}

}  // namespace

std::size_t Coverage::dimension(const std::string& name) const {
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (dimensions_[d].name == name) return d;
  }
  throw std::out_of_range("no dimension " + name);
}

std::size_t Coverage::value(std::size_t dimension, const std::string& name) const {
  const std::vector<std::string>& values = dimensions_[dimension].values;
  const auto found = std::find(values.begin(), values.end(), name);
  if (found == values.end()) throw std::out_of_range("no value " + name + " of " + dimensions_[dimension].name);
  return static_cast<std::size_t>(found - values.begin());
}

void Coverage::exclude(const std::string& dimension_a, const std::string& value_a, const std::string& dimension_b,
                       const std::string& value_b) {
  const std::size_t a = dimension(dimension_a);
  const std::size_t b = dimension(dimension_b);
  excluded_.push_back({{a, value(a, value_a)}, {b, value(b, value_b)}});
}

void Coverage::sample(const Point& point) {
  if (point.size() != dimensions_.size()) throw std::out_of_range("a point needs a value of every dimension");
  Bin cross;
  for (std::size_t a = 0; a < point.size(); ++a) {
    if (point[a] >= dimensions_[a].values.size()) throw std::out_of_range("no such value of " + dimensions_[a].name);
    ++seen_[{{a, point[a]}}];
    for (std::size_t b = a + 1; b < point.size(); ++b) ++seen_[{{a, point[a]}, {b, point[b]}}];
    if (dimensions_[a].crossed) cross.emplace_back(a, point[a]);
  }
  if (cross.size() > 2) ++seen_[cross];
  ++samples_;
}

bool Coverage::possible(const Bin& bin) const {
  return std::none_of(excluded_.begin(), excluded_.end(), [&](const Bin& pair) {
    return std::all_of(pair.begin(), pair.end(),
                       [&](const auto& part) { return std::find(bin.begin(), bin.end(), part) != bin.end(); });
  });
}

std::vector<Coverage::Bin> Coverage::pairs() const {
  std::vector<Bin> bins;
  for (std::size_t a = 0; a < dimensions_.size(); ++a) {
    for (std::size_t b = a + 1; b < dimensions_.size(); ++b) {
      for (std::size_t i = 0; i < dimensions_[a].values.size(); ++i) {
        for (std::size_t j = 0; j < dimensions_[b].values.size(); ++j) bins.push_back({{a, i}, {b, j}});
      }
    }
  }
  bins.erase(std::remove_if(bins.begin(), bins.end(), [&](const Bin& bin) { return !possible(bin); }), bins.end());
  return bins;
}

std::vector<Coverage::Bin> Coverage::crosses() const {
  std::vector<Bin> bins = {{}};
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (!dimensions_[d].crossed) continue;
    std::vector<Bin> longer;
    for (const Bin& bin : bins) {
      for (std::size_t i = 0; i < dimensions_[d].values.size(); ++i) {
        longer.push_back(bin);
        longer.back().emplace_back(d, i);
      }
    }
    bins = longer;
  }
  bins.erase(std::remove_if(bins.begin(), bins.end(), [&](const Bin& bin) { return !possible(bin); }), bins.end());
  return bins;
}

std::string Coverage::text(const Bin& bin) const {
  std::string text;
  for (const auto& [d, v] : bin) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", dimensions_[d].name, dimensions_[d].values[v]);
  }
  return text;
}

std::vector<std::string> Coverage::missing(const std::vector<Bin>& bins) const {
  std::vector<std::string> holes;
  for (const Bin& bin : bins) {
    if (seen_.count(bin) == 0) holes.push_back(text(bin));
  }
  return holes;
}

std::vector<std::string> Coverage::missing_pairs() const { return missing(pairs()); }
std::vector<std::string> Coverage::missing_crosses() const { return missing(crosses()); }

std::string Coverage::report(const std::string& title) const {
  std::string text =
      fmt::format("# {}\n\n{} words.\n\n| dimension | value | words |\n|---|---|---|\n", title, samples_);
  std::string crossed;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (dimensions_[d].crossed) crossed += (crossed.empty() ? "" : " x ") + dimensions_[d].name;
    for (std::size_t v = 0; v < dimensions_[d].values.size(); ++v) {
      const auto seen = seen_.find({{d, v}});
      text += fmt::format("| {} | {} | {} |\n", dimensions_[d].name, dimensions_[d].values[v],
                          seen == seen_.end() ? 0 : seen->second);
    }
  }
  text += section("All pairs of values", pairs().size(), missing_pairs());
  return text + section(("Cross of " + crossed).c_str(), crosses().size(), missing_crosses());
}

}  // namespace dve::cosim
