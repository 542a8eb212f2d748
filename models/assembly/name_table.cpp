#include "name_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dve::assembly {
namespace {

constexpr std::size_t kLongestName = 48;

// Optimal string alignment distance of two texts no longer than kLongestName.
std::size_t edits(std::string_view a, std::string_view b) {
  using Row = std::array<std::size_t, kLongestName + 1>;
  Row before{}, last{}, row{};
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

void NameTable::add(std::string_view name, std::uint32_t number) {
  if (numbers_.emplace(name, number).second) names_.push_back(name);
}

std::optional<std::uint32_t> NameTable::find(std::string_view name) const {
  const auto at = numbers_.find(name);
  if (at == numbers_.end()) return std::nullopt;
  return at->second;
}

std::string_view NameTable::nearest(std::string_view text) const {
  if (text.empty() || text.size() > kLongestName) return {};
  std::size_t fewest = std::max<std::size_t>(1, text.size() / 3) + 1;
  std::string_view best;
  for (const std::string_view name : names_) {
    if (name.size() > kLongestName) continue;
    const std::size_t distance = edits(text, name);
    if (distance < fewest) {
      fewest = distance;
      best = name;
    }
  }
  if (!best.empty()) return best;
  for (const std::string_view name : names_) {
    if (name.substr(0, text.size()) == text) return name;
  }
  return {};
}

std::string did_you_mean(const NameTable& table, std::string_view text) {
  const std::string_view name = table.nearest(text);
  return name.empty() ? std::string() : fmt::format(" (did you mean `{}`?)", name);
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kShown = 40;
  return text.size() <= kShown ? std::string(text) : fmt::format("{}...", text.substr(0, kShown));
}

std::string quoted(std::string_view text) { return fmt::format("`{}`", shortened(text)); }

}  // namespace dve::assembly
