#include "point_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "dve/layer/layer.h"

namespace dve::sweep {
namespace {

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::vector<std::size_t> parse_points(const std::string& text, std::size_t count, const std::string& where) {
  std::vector<std::size_t> points;
  std::vector<bool> seen(count);
  const auto fail = [&](std::string_view item, const std::string& expected) {
    throw layer::InputError(fmt::format("{} has '{}', expected {}", where, item, expected));
  };
  const std::string_view all = text;
  for (std::size_t begin = 0; (begin = all.find_first_not_of(", \t\r\n", begin)) != std::string_view::npos;) {
    const std::size_t end = std::min(all.find_first_of(", \t\r\n", begin), all.size());
    const std::string_view item = all.substr(begin, end - begin);
    const std::size_t colon = item.find(':');
    const auto first = number(item.substr(0, colon));
    const auto last = colon == std::string_view::npos ? first : number(item.substr(colon + 1));
    if (!first || !last) fail(item, "numbers of points and ranges A:B");
    const std::size_t past = colon == std::string_view::npos ? *first + 1 : *last;
    if (*first >= past || past > count) fail(item, fmt::format("points from 0 to {}", count - 1));
    for (std::size_t point = *first; point < past; ++point) {
      if (seen[point]) fail(item, fmt::format("every point once, {} is there before", point));
      seen[point] = true;
      points.push_back(point);
    }
    begin = end;
  }
  if (points.empty()) fail("", "at least one point");
  return points;
}

std::string points_text(const std::vector<std::size_t>& points) {
  std::string text;
  for (const std::size_t point : points) text += fmt::format("{}\n", point);
  return text;
}

}  // namespace dve::sweep
