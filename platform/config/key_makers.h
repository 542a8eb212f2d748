// How keys are declared: one maker a type. Used where the tables of keys are made, nowhere else.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "keys.h"

namespace dve::config {

inline constexpr double kHertzPerMegahertz = 1e6;
inline constexpr std::uint64_t kMostCycles = 1'000'000;
inline constexpr double kLongestNs = 1e9;  // one second

// A field of Config, writable or read-only as the Config is.
#define DVE_FIELD(path) \
  [](auto& config) -> auto& { return config.path; }

template <class Field>
Key boolean(std::string name, Field field, std::string help, std::string source) {
  Key key{std::move(name), {}, std::move(help), std::move(source), {}, {}};
  key.domain.type = Type::boolean;
  key.get = [field](const Config& config) -> Value { return field(config); };
  key.set = [field](Config& config, const Value& value) { field(config) = std::get<bool>(value); };
  return key;
}

template <class Field>
Key integer(std::string name, Field field, std::uint64_t min, std::uint64_t max, std::string unit, std::string help,
            std::string source) {
  Key key{std::move(name), {}, std::move(help), std::move(source), {}, {}};
  key.domain.type = Type::integer;
  key.domain.integer_min = min;
  key.domain.integer_max = max;
  key.domain.unit = std::move(unit);
  key.get = [field](const Config& config) -> Value { return std::uint64_t{field(config)}; };
  key.set = [field](Config& config, const Value& value) {
    using Target = std::decay_t<decltype(field(config))>;
    field(config) = static_cast<Target>(std::get<std::uint64_t>(value));
  };
  return key;
}

template <class Field>
Key cycles(std::string name, Field field, std::string help, std::string source) {
  return integer(std::move(name), field, 0, kMostCycles, "cycles", std::move(help), std::move(source));
}

// A number whose access is still to be set.
inline Key bare_number(std::string name, double min, double max, std::string unit, std::string help,
                       std::string source) {
  Key key{std::move(name), {}, std::move(help), std::move(source), {}, {}};
  key.domain.type = Type::number;
  key.domain.number_min = min;
  key.domain.number_max = max;
  key.domain.unit = std::move(unit);
  return key;
}

template <class Field>
Key number(std::string name, Field field, double min, double max, std::string unit, std::string help,
           std::string source) {
  Key key = bare_number(std::move(name), min, max, std::move(unit), std::move(help), std::move(source));
  key.get = [field](const Config& config) -> Value { return field(config); };
  key.set = [field](Config& config, const Value& value) {
    field(config) = std::get<double>(value) + 0.0;  // turns -0 into 0
  };
  return key;
}

template <class Enum>
using Names = std::vector<std::pair<std::string, Enum>>;

template <class Enum, class Field>
Key choice(std::string name, Field field, Names<Enum> names, std::string help, std::string source) {
  Key key{std::move(name), {}, std::move(help), std::move(source), {}, {}};
  key.domain.type = Type::choice;
  for (const auto& entry : names) key.domain.choices.push_back(entry.first);
  key.get = [field, names](const Config& config) -> Value {
    for (const auto& [text, value] : names) {
      if (value == field(config)) return text;
    }
    return std::string();  // unreachable: the table names every enumerator
  };
  key.set = [field, names](Config& config, const Value& value) {
    for (const auto& [text, enumerator] : names) {
      if (text == std::get<std::string>(value)) field(config) = enumerator;
    }
  };
  return key;
}

}  // namespace dve::config
