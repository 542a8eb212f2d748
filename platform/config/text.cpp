#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace dve::config {
namespace {

constexpr std::size_t kLongestKey = 80;  // bounds the work of nearest()

// Levenshtein distance: insertions, deletions and replacements that turn one into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string join(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result;
}

std::string printable(std::string_view text, std::size_t limit) {
  return one_line(text.substr(0, limit)) + (text.size() > limit ? "..." : "");
}

std::string nearest(std::string_view text, const std::vector<std::string>& candidates) {
  text = text.substr(0, kLongestKey);
  const auto distance = [text](const std::string& candidate) {
    const std::string_view last = std::string_view(candidate).substr(candidate.rfind('.') + 1);
    return std::min(edit_distance(text, candidate), edit_distance(text, last) + 1);
  };
  return *std::min_element(candidates.begin(), candidates.end(),
                           [&](const std::string& a, const std::string& b) { return distance(a) < distance(b); });
}

}  // namespace dve::config
