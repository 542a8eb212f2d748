#include "value.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "text.h"

namespace dve::config {
namespace {

template <class T>
std::optional<T> parse_all(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool one_of(const std::vector<std::string>& choices, const std::string& name) {
  return std::find(choices.begin(), choices.end(), name) != choices.end();
}

std::optional<Value> parse_as(Type type, std::string_view text) {
  switch (type) {
    case Type::boolean:
      if (text == "true") return true;
      if (text == "false") return false;
      return std::nullopt;
    case Type::integer:
      if (const auto value = parse_all<std::uint64_t>(text)) return *value;
      return std::nullopt;
    case Type::number:
      if (const auto value = parse_all<double>(text)) return *value;
      return std::nullopt;
    case Type::choice:
      return std::string(text);
  }
  return std::nullopt;
}

}  // namespace

std::string to_string(const Value& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

std::string to_string(const Range& range) { return to_string(range.low) + ".." + to_string(range.high); }

bool Domain::contains(const Value& value) const {
  if (value.index() != static_cast<std::size_t>(type)) return false;
  switch (type) {
    case Type::boolean:
      return true;
    case Type::integer:
      return std::get<std::uint64_t>(value) >= integer_min && std::get<std::uint64_t>(value) <= integer_max;
    case Type::number: {
      const double number = std::get<double>(value);
      const bool in_range = number >= number_min && number <= number_max;  // false for NaN
      return in_range && (choices.empty() || one_of(choices, to_string(value)));
    }
    case Type::choice:
      return one_of(choices, std::get<std::string>(value));
  }
  return false;
}

std::string Domain::allowed() const {
  const std::string suffix = unit.empty() ? "" : " " + unit;
  if (!choices.empty()) return fmt::format("{}{}{}", choices.size() > 1 ? "one of " : "", join(choices), suffix);
  switch (type) {
    case Type::integer:
      return fmt::format("an integer from {} to {}{}", integer_min, integer_max, suffix);
    case Type::number:
      return fmt::format("a number from {} to {}{}", number_min, number_max, suffix);
    default:
      return "true or false";
  }
}

std::optional<Value> Domain::parse(std::string_view text) const {
  const std::optional<Value> value = parse_as(type, text);
  return value && contains(*value) ? value : std::nullopt;
}

}  // namespace dve::config
