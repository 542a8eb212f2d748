// One key of a workload file replaced: the axes of a sweep (interfaces.md 6).
#pragma once

#include <filesystem>
#include <string>

#include "dve/json/json.h"

namespace dve::workload {

// `key`: batch, dtype, place, tile_elements, statistics or seed of the document, or layers.NAME.KEY with a key of that
// layer. A new batch is the N of every layer. layer::InputError when there is no such key or layer; whether the value
// is allowed is for workload_of() to say.
void replace(json::Json& document, const std::string& key, const json::Json& value, const std::filesystem::path& file);

}  // namespace dve::workload
