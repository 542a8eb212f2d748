// Values of configuration keys in uniform form, and what a key allows.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dve::config {

// Boolean, integer, number or the name of a choice: the alternatives in the order of Type.
using Value = std::variant<bool, std::uint64_t, double, std::string>;
enum class Type : std::uint8_t { boolean, integer, number, choice };

// Value as it stands in `--set`, in tables and (choices in quotes) in JSON. Numbers are the shortest text that reads
// back to the same value.
std::string to_string(const Value& value);

// Between what bounds a number that no source fixes may lie, low <= value <= high.
struct Range {
  Value low, high;
  std::string source;  // what value and bounds are based on
};
std::string to_string(const Range& range);  // "64..75"

// What a key allows.
struct Domain {
  Type type = Type::boolean;
  std::vector<std::string> choices;  // choice: the names. number: the only values allowed, unless empty
  std::uint64_t integer_min = 0;     // inclusive
  std::uint64_t integer_max = 0;
  double number_min = 0;  // inclusive
  double number_max = 0;
  std::string unit;  // "cycles", "ns", "MHz"; empty: none

  bool contains(const Value& value) const;  // type, range and choices
  std::string allowed() const;              // "an integer from 0 to 1000000 cycles"
  // The value that the text of a `--set` means here; empty when it is not in the domain.
  std::optional<Value> parse(std::string_view text) const;
};

}  // namespace dve::config
