#include "config_rows.h"

#include <string>

namespace dve::page {
namespace {

namespace fs = std::filesystem;
using json::Json;

std::string cell_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::optional<Json> read_config(const fs::path& folder) {
  const fs::path file = folder / "config.json";
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  Json document = json::parse_json(file);
  const json::JsonNode node(document, file, "");
  if (node.at("schema").value() != 1) node.at("schema").fail("1, the schema that this version reads");
  return document;
}

Json config_rows(const Json& config) {
  Json rows = Json::array();
  for (const auto& item : config.items()) {
    if (item.key() == "schema" || item.key() == "origins" || item.key() == "ranges") continue;
    const bool has_origin =
        config.contains("origins") && config["origins"].is_object() && config["origins"].contains(item.key());
    rows.push_back({item.key(), cell_text(item.value()), has_origin ? cell_text(config["origins"][item.key()]) : ""});
  }
  return rows;
}

Json config_changes(const Json& a, const Json& b) {
  Json rows = Json::array();
  const auto text_of = [](const Json& rows_of, const std::string& key) {
    for (const Json& row : rows_of)
      if (row[0] == key) return row[1].get<std::string>();
    return std::string("-");
  };
  const Json rows_a = config_rows(a), rows_b = config_rows(b);
  for (const Json& row : rows_a)
    if (const std::string other = text_of(rows_b, row[0].get<std::string>()); other != row[1].get<std::string>())
      rows.push_back({row[0], row[1], other});
  for (const Json& row : rows_b)
    if (text_of(rows_a, row[0].get<std::string>()) == "-") rows.push_back({row[0], "-", row[1]});
  return rows;
}

}  // namespace dve::page
