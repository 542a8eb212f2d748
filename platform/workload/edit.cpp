#include "edit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "dve/layer/layer.h"

namespace dve::workload {
namespace {

using json::Json;

const std::vector<std::string> kOfAll = {"batch", "dtype", "place", "tile_elements", "statistics", "seed"};
const std::vector<std::string> kOfOne = {"nchw", "repeat", "place", "dtype", "tile_elements", "statistics", "data"};
constexpr std::string_view kLayers = "layers.";

bool among(const std::vector<std::string>& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

Json* layer_named(Json& document, const std::string& name) {
  for (Json& layer : document["layers"])
    if (layer["name"] == name) return &layer;
  return nullptr;
}

}  // namespace

void replace(Json& document, const std::string& key, const Json& value, const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& expected) {
    throw layer::InputError(fmt::format("{}: no key {} in this workload, expected {}", file.string(), key, expected));
  };
  if (key.compare(0, kLayers.size(), kLayers) == 0) {
    const std::size_t dot = key.find('.', kLayers.size());
    const std::string field = dot == std::string::npos ? "" : key.substr(dot + 1);
    Json* layer = layer_named(document, key.substr(kLayers.size(), dot - kLayers.size()));
    if (layer == nullptr || !among(kOfOne, field))
      refuse(fmt::format("layers.NAME.KEY with the name of a layer and one of {}", fmt::join(kOfOne, ", ")));
    (*layer)[field] = value;
    return;
  }
  if (!among(kOfAll, key)) refuse(fmt::format("{} or layers.NAME.KEY", fmt::join(kOfAll, ", ")));
  document[key] = value;
  if (key != "batch") return;
  for (Json& layer : document["layers"]) layer["nchw"][0] = value;
}

}  // namespace dve::workload
