#include "description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "dve/layer/layer.h"

namespace dve::workload {
namespace {

namespace fs = std::filesystem;
using config::TensorPlace;
using json::JsonNode;

constexpr std::uint64_t kSchema = 1;
constexpr std::uint64_t kMostRepeats = 1'000'000;
constexpr std::uint64_t kMostInAnAxis = std::uint64_t{1} << 20;

TensorPlace tensor_place(const JsonNode& node) {
  return node.one_of<TensorPlace>(
      {{"sbuf", TensorPlace::sbuf}, {"psum", TensorPlace::psum}, {"hbm", TensorPlace::hbm}});
}

Place place_of(const JsonNode& node) {
  if (node.is_text()) {
    const TensorPlace all = tensor_place(node);
    if (all == TensorPlace::psum) return {TensorPlace::psum, TensorPlace::sbuf, TensorPlace::sbuf};
    return {all, all, all};
  }
  if (!node.value().is_object()) node.fail("sbuf, psum or hbm, or an object with x, dy and dx");
  node.allow_keys({}, {"x", "dy", "dx"});
  Place place;
  if (node.has("x")) place.x = tensor_place(node.at("x"));
  if (node.has("dy")) place.dy = tensor_place(node.at("dy"));
  if (node.has("dx")) place.dx = tensor_place(node.at("dx"));
  return place;
}

// The keys that a workload and its layers share.
void read_shared(const JsonNode& node, Layer& layer) {
  if (node.has("dtype"))
    layer.dtype = node.at("dtype").one_of<isa::Dtype>(
        {{"fp32", isa::Dtype::fp32}, {"bf16", isa::Dtype::bf16}, {"fp16", isa::Dtype::fp16}});
  if (node.has("place")) layer.place = place_of(node.at("place"));
  if (node.has("tile_elements"))
    layer.tile_elements =
        node.at("tile_elements").integer(0, config::find_key("dma.tile_elements")->domain.integer_max);
  if (node.has("statistics"))
    layer.statistics_given = node.at("statistics").one_of<bool>({{"device", false}, {"given", true}});
}

std::string layer_name(const JsonNode& node) {
  const std::string name = node.text();
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  if (name.empty() || !plain) node.fail("a name of letters, digits, _ and -");
  return name;
}

Layer read_layer(const JsonNode& node, const Layer& defaults, const Workload& workload) {
  node.allow_keys({"name", "nchw"}, {"repeat", "place", "dtype", "tile_elements", "statistics", "data"});
  Layer layer = defaults;
  layer.name = layer_name(node.at("name"));
  const std::vector<JsonNode> axes = node.at("nchw").list();
  if (axes.size() != layer.nchw.size()) node.at("nchw").fail("a list of 4: N, C, H, W");
  for (std::size_t k = 0; k < axes.size(); ++k) layer.nchw[k] = axes[k].integer(1, kMostInAnAxis);
  if (layer.nchw[0] != workload.batch) axes[0].fail(fmt::format("{}, the batch", workload.batch));
  if (node.has("repeat")) layer.repeat = node.at("repeat").integer(1, kMostRepeats);
  if (node.has("data")) {
    const std::string folder = node.at("data").text();
    if (folder.empty() || folder.find('\0') != std::string::npos) node.at("data").fail("a layer folder");
    layer.data = workload.file.parent_path() / folder;
  }
  read_shared(node, layer);
  return layer;
}

std::string name_of(TensorPlace place) {
  return place == TensorPlace::hbm ? "hbm" : place == TensorPlace::psum ? "psum" : "sbuf";
}

}  // namespace

std::string to_string(const Place& place) {
  if (place.x == place.dy && place.x == place.dx) return name_of(place.x);
  if (place.x == TensorPlace::psum && place.dy == TensorPlace::sbuf && place.dx == TensorPlace::sbuf) return "psum";
  return fmt::format("x {}, dy {}, dx {}", name_of(place.x), name_of(place.dy), name_of(place.dx));
}

std::uint64_t Workload::layer_count() const {
  std::uint64_t count = 0;
  for (const Layer& layer : layers) count += layer.repeat;
  return count;
}

Workload workload_of(const json::Json& document, const fs::path& file) {
  const JsonNode root(document, file, "");
  root.allow_keys({"schema", "name", "batch", "layers"},
                  {"source", "dtype", "place", "tile_elements", "statistics", "seed"});
  root.at("schema").integer(kSchema, kSchema);
  Workload workload;
  workload.file = file;
  workload.name = root.at("name").text();
  workload.batch = root.at("batch").integer(1, kMostInAnAxis);
  if (root.has("source")) root.at("source").text();
  if (root.has("seed")) workload.seed = root.at("seed").integer(0, UINT64_MAX);
  Layer defaults;
  read_shared(root, defaults);
  std::set<std::string> names;
  for (const JsonNode& node : root.at("layers").list()) {
    workload.layers.push_back(read_layer(node, defaults, workload));
    if (!names.insert(workload.layers.back().name).second) node.at("name").fail("a name that no other layer has");
  }
  if (workload.layers.empty()) root.at("layers").fail("at least one layer");
  return workload;
}

Workload read_workload(const fs::path& file) { return workload_of(json::parse_json(file), file); }

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(fs::path(config::directory()) / "workloads", error))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

fs::path find_workload(const std::string& text, const fs::path& folder) {
  std::error_code error;
  for (const fs::path& given : {folder / text, fs::path(text)})
    if (fs::exists(given, error)) return given;
  const std::vector<std::string> names = workload_names();
  if (std::find(names.begin(), names.end(), text) != names.end())
    return fs::path(config::directory()) / "workloads" / (text + ".json");
  throw layer::InputError(
      fmt::format("{}: does not exist, expected a file, or one of {}", text, fmt::join(names, ", ")));
}

config::Effective settings_for(const Layer& layer, const config::Effective& effective) {
  config::Effective result = effective;
  const auto set = [&](const char* name, const config::Value& value) {
    config::Origin& origin = result.origins.at(name);
    if (origin.layer == config::Origin::Layer::set) return;
    config::find_key(name)->set(result.config, value);
    result.ranges.erase(name);
    origin = {config::Origin::Layer::file, "workload, layer " + layer.name, ""};
  };
  if (layer.place) {
    set("place.x", name_of(layer.place->x));
    set("place.dy", name_of(layer.place->dy));
    set("place.dx", name_of(layer.place->dx));
  }
  if (layer.tile_elements) set("dma.tile_elements", *layer.tile_elements);
  config::validate(result);
  return result;
}

}  // namespace dve::workload
