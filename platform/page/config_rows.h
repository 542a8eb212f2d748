// The configuration of a run as rows of texts.
#pragma once

#include <filesystem>
#include <optional>

#include "dve/json/json.h"

namespace dve::page {

// config.json of a folder; none when it has none. layer::InputError: no JSON, another schema.
std::optional<json::Json> read_config(const std::filesystem::path& folder);

// Key, value, origin of every key, in their order.
json::Json config_rows(const json::Json& config);

// Key, value in A, value in B of every key whose values differ; "-" where there is none.
json::Json config_changes(const json::Json& a, const json::Json& b);

}  // namespace dve::page
