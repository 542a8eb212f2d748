// What the page's script is given: one small JSON document.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "dve/json/json.h"
#include "run.h"
#include "sensitivity.h"
#include "sweep_table.h"
#include "trade_off.h"

namespace dve::page {

// kind run, network or sweep; title; names [A, B]; summary and changes (B against A): sentences; run and other, or
// sweep and other; config: rows of key, value, origin; config_changes: rows of key, A, B. layer::InputError.
json::Json page_data(const std::filesystem::path& folder, const std::optional<std::filesystem::path>& other);

json::Json run_data(const Run& run);

// The columns: numbers as {name, n}, few different values as {name, d, i}: cell k is d[i[k]], i is null when there is
// one. unit: of configuration keys and of cycles.
json::Json columns_data(const SweepTable& table);

json::Json sensitivity_data(const std::vector<Sensitivity>& list);

}  // namespace dve::page
