#include "dve/sweep/sweep.h"

#include <algorithm>

#include "dve/layer/layer.h"
#include "memory_file.h"
#include "targets.h"

namespace dve::fuzz {
namespace sweep_target {

constexpr std::uint64_t kMany = 1000, kRun = 3;

// An upper bound of the number of points.
std::uint64_t most_points(const sweep::Spec& spec) {
  if (spec.mode == sweep::Mode::random) return spec.points;
  std::uint64_t count = 1;
  for (const sweep::Axis& axis : spec.axes) count = std::min(kMany + 1, count * axis.values.size());
  return count;
}

void run_points(const sweep::Spec& spec) {
  sweep::Settings settings(spec);
  const std::vector<sweep::Point> points = sweep::points_of(spec, settings);
  require(!points.empty(), "a sweep has points");
  const json::Json report = json::Json::parse(sweep::failure_report("error", "none"));
  for (std::size_t k = 0; k < std::min<std::size_t>(kRun, points.size()); ++k) {
    require(points[k].size() == spec.axes.size(), "a point has a value of each axis");
    const std::string row = sweep::table_row(spec, k, points[k], report);
    require(std::count(row.begin(), row.end(), '\n') == 1, "a row is a line");
    settings.options(points[k]);
    settings.workload_changes(points[k]);
    try {
      settings.configuration(points[k]);
    } catch (const config::Error&) {
    }
  }
}

}  // namespace sweep_target

void sweep(const std::uint8_t* data, std::size_t size) {
  static MemoryFile file;
  file.replace(data, size);
  try {
    const sweep::Spec spec = sweep::read_spec(file.path());
    if (sweep_target::most_points(spec) <= sweep_target::kMany) sweep_target::run_points(spec);
  } catch (const layer::InputError& error) {
    const std::string_view message = error.what();
    require(!message.empty() && message.find('\n') == std::string_view::npos, "an error is one line");
  }
}

}  // namespace dve::fuzz
