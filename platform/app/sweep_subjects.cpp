#include "sweep_subjects.h"

#include <fmt/format.h>

#include "layer_run.h"

namespace dve::app {
namespace {

WarmRequest warm_request(const sweep::Options& options) {
  WarmRequest request;
  request.layer = options.layer.empty() ? bundled_layer() : options.layer;
  request.dtype = options.dtype;
  request.loss_scale = options.loss_scale;
  request.device_statistics = options.device_stats;
  request.step = options.step;
  request.microbatches = options.microbatches;
  request.eps = options.eps;
  request.data = !options.no_data;
  request.max_cycles = options.max_cycles;
  return request;
}

bool has_option_axis(const sweep::Spec& spec, const std::string& name) {
  for (const sweep::Axis& axis : spec.axes)
    if (axis.kind == sweep::AxisKind::option && axis.name == name) return true;
  return false;
}

}  // namespace

SweepSubjects::SweepSubjects(const sweep::Spec& spec, sweep::Settings& settings) : spec_(spec), settings_(settings) {
  check_workload_axes();
}

void SweepSubjects::check_workload_axes() const {
  if (has_option_axis(spec_, "workload") || has_option_axis(spec_, "layer")) return;
  for (const sweep::Axis& axis : spec_.axes) {
    if (axis.kind != sweep::AxisKind::workload) continue;
    if (spec_.base.workload.empty())
      throw layer::InputError(
          fmt::format("{}: axes.{} is given, expected base.workload with it", spec_.file.string(), axis.name));
    for (std::size_t k = 0; k < axis.values.size(); ++k) {
      try {
        workload_of(spec_.base, {{axis.name.substr(sizeof "workload." - 1), axis.values[k]}});
      } catch (const layer::InputError& error) {
        throw layer::InputError(fmt::format("{}: axes.{}[{}]: {}", spec_.file.string(), axis.name, k, error.what()));
      }
    }
  }
}

workload::Workload SweepSubjects::workload_of(const sweep::Options& options,
                                              const std::vector<std::pair<std::string, json::Json>>& changes) const {
  const auto file = workload::find_workload(options.workload, spec_.file.parent_path());
  json::Json document = json::parse_json(file);
  workload::workload_of(document, file);  // as it is in the file, before anything relies on its form
  for (const auto& [key, value] : changes) workload::replace(document, key, value, file);
  return workload::workload_of(document, file);
}

std::unique_ptr<Subject> SweepSubjects::make(const sweep::Point& point) {
  const sweep::Options options = settings_.options(point);
  const WarmRequest request = warm_request(options);
  const auto changes = settings_.workload_changes(point);
  if (!options.workload.empty()) return std::make_unique<Subject>(request, workload_of(options, changes));
  if (!changes.empty())
    throw layer::InputError(fmt::format("workload.{} is given, expected a workload with it", changes.front().first));
  return std::make_unique<Subject>(request, config::Config());
}

SweepSubjects::Entry& SweepSubjects::at(const sweep::Point& point) {
  const std::string key = settings_.subject(point);
  const auto found = entries_.find(key);
  if (found != entries_.end()) return found->second;
  Entry entry;
  try {
    entry.subject = make(point);
  } catch (const layer::InputError& error) {
    if (key.empty()) throw;
    entry.refusal = error.what();
  }
  return entries_.emplace(key, std::move(entry)).first->second;
}

std::set<std::filesystem::path> SweepSubjects::inputs(const sweep::Point& point) const {
  const sweep::Options options = settings_.options(point);
  std::set<std::filesystem::path> files = {std::filesystem::path(config::directory()) / "generations"};
  if (!options.config.empty() && !isa::generation_from_string(options.config)) files.insert(options.config);
  if (options.workload.empty()) {
    files.insert(options.layer.empty() ? bundled_layer() : options.layer);
    return files;
  }
  try {
    const workload::Workload workload = workload_of(options, settings_.workload_changes(point));
    files.insert(workload.file);
    for (const workload::Layer& layer : workload.layers)
      if (!layer.data.empty()) files.insert(layer.data);
  } catch (const layer::InputError&) {  // the point's own failure
  }
  return files;
}

}  // namespace dve::app
