#include "settings.h"

#include <filesystem>
#include <utility>

namespace dve::sweep {
namespace {

using json::Json;

const std::string kGeneration = "generation=";
constexpr std::size_t kPrefix = sizeof "workload." - 1;

}  // namespace

std::string Settings::path_of(const std::string& text) const {
  std::error_code error;
  const std::filesystem::path beside = spec_.file.parent_path() / text;
  return std::filesystem::exists(beside, error) ? beside.string() : text;
}

config::Effective Settings::configuration(const Point& point) {
  std::string generation;
  std::vector<std::string> sets;
  const auto take = [&](const std::string& set) {
    if (set.compare(0, kGeneration.size(), kGeneration) == 0)
      generation = set;
    else
      sets.push_back(set);
  };
  for (const std::string& set : spec_.sets) take(set);
  for (std::size_t a = 0; a < spec_.axes.size(); ++a)
    if (spec_.axes[a].kind == AxisKind::configuration) take(spec_.axes[a].name + "=" + value_text(point[a]));
  const std::pair<std::string, std::string> wanted{options(point).config, generation};
  auto base = bases_.find(wanted);
  if (base == bases_.end()) {
    std::vector<std::string> only;
    if (!generation.empty()) only.push_back(generation);
    base = bases_.emplace(wanted, config::load(wanted.first, only)).first;
  }
  return config::with_sets(base->second, sets);
}

Options Settings::options(const Point& point) const {
  Options options = spec_.base;
  for (std::size_t a = 0; a < spec_.axes.size(); ++a) {
    const Axis& axis = spec_.axes[a];
    if (axis.kind != AxisKind::option) continue;
    if (axis.name == "layer") options.workload.clear();
    if (axis.name == "workload") options.layer.clear();
    set_option(options, axis.name, json::JsonNode(point[a], spec_.file, "axes." + axis.name));
  }
  if (!options.config.empty() && !isa::generation_from_string(options.config)) options.config = path_of(options.config);
  if (!options.layer.empty()) options.layer = path_of(options.layer);
  std::error_code error;
  if (!options.workload.empty() && std::filesystem::is_directory(path_of(options.workload), error))
    options.layer = path_of(std::exchange(options.workload, ""));
  return options;
}

std::vector<std::pair<std::string, Json>> Settings::workload_changes(const Point& point) const {
  std::vector<std::pair<std::string, Json>> changes;
  for (std::size_t a = 0; a < spec_.axes.size(); ++a)
    if (spec_.axes[a].kind == AxisKind::workload) changes.emplace_back(spec_.axes[a].name.substr(kPrefix), point[a]);
  return changes;
}

std::string Settings::subject(const Point& point) const {
  std::string text;
  for (std::size_t a = 0; a < spec_.axes.size(); ++a)
    if (spec_.axes[a].kind != AxisKind::configuration) text += spec_.axes[a].name + "=" + point[a].dump() + ";";
  return text;
}

}  // namespace dve::sweep
