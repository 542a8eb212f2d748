#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "config.h"

namespace dve::config {
namespace {

std::string quoted(const std::string& text) {
  // Paths need not be UTF-8; JSON text must be.
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_value(const Value& value) {
  return std::holds_alternative<std::string>(value) ? quoted(std::get<std::string>(value)) : to_string(value);
}

std::string layer_text(const Origin& origin) {
  switch (origin.layer) {
    case Origin::Layer::default_value:
      return "default";
    case Origin::Layer::preset:
      return "preset " + origin.where;
    case Origin::Layer::file:
      return "file " + origin.where;
    case Origin::Layer::set:
      return "--set";
  }
  return {};
}

}  // namespace

std::string to_string(const Origin& origin) {
  return origin.source.empty() ? layer_text(origin) : fmt::format("{}: {}", layer_text(origin), origin.source);
}

std::string describe(const Effective& effective) {
  struct Row {
    std::string key, value, unit, range, origin;
  };
  std::vector<Row> rows = {{"key", "value", "unit", "range", "origin"}};
  std::size_t key_width = 0, value_width = 0, unit_width = 0, range_width = 0;
  for (const Key& key : keys()) {
    const auto range = effective.ranges.find(key.name);
    rows.push_back({key.name, to_string(key.get(effective.config)), key.domain.unit.empty() ? "-" : key.domain.unit,
                    range == effective.ranges.end() ? "-" : to_string(range->second),
                    to_string(effective.origins.at(key.name))});
  }
  for (const Row& row : rows) {
    key_width = std::max(key_width, row.key.size());
    value_width = std::max(value_width, row.value.size());
    unit_width = std::max(unit_width, row.unit.size());
    range_width = std::max(range_width, row.range.size());
  }
  std::string text;
  for (const Row& row : rows) {
    fmt::format_to(std::back_inserter(text), "{:<{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", row.key, key_width, row.value,
                   value_width, row.unit, unit_width, row.range, range_width, row.origin);
  }
  return text;
}

std::string to_json(const Effective& effective) {
  std::string text = fmt::format("{{\n  \"schema\": 1,\n  \"name\": {}", quoted(effective.name));
  for (const Key& key : keys()) {
    fmt::format_to(std::back_inserter(text), ",\n  {}: {}", quoted(key.name), json_value(key.get(effective.config)));
  }
  text += ",\n  \"origins\": {";
  const char* separator = "\n";
  for (const Key& key : keys()) {
    fmt::format_to(std::back_inserter(text), "{}    {}: {}", separator, quoted(key.name),
                   quoted(to_string(effective.origins.at(key.name))));
    separator = ",\n";
  }
  text += "\n  },\n  \"ranges\": {";
  separator = "\n";
  for (const auto& [name, range] : effective.ranges) {
    fmt::format_to(std::back_inserter(text), "{}    {}: {{\"low\": {}, \"high\": {}, \"source\": {}}}", separator,
                   quoted(name), json_value(range.low), json_value(range.high), quoted(range.source));
    separator = ",\n";
  }
  return text + (effective.ranges.empty() ? "}\n}\n" : "\n  }\n}\n");
}

std::string help() {
  std::string text;
  const Config defaults;
  for (const Key& key : keys()) {
    fmt::format_to(std::back_inserter(text), "{}\n    {} Default {} ({}); allowed: {}.\n", key.name, key.help,
                   to_string(key.get(defaults)), key.source, key.domain.allowed());
  }
  return text;
}

}  // namespace dve::config
