// A layer's training step that runs again and again with other configurations.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "dve/config/config.h"
#include "dve/layer/layer.h"
#include "dve/runtime/runtime.h"

namespace dve::app {

// What all points share: the options of `dve-sim run` that are no configuration keys.
struct WarmRequest {
  std::filesystem::path layer;
  std::optional<isa::Dtype> dtype;
  float loss_scale = 1;
  bool device_statistics = false;
  runtime::Step step = runtime::Step::backward;
  std::uint64_t microbatches = 1;
  double eps = 1e-5;
  bool data = true;              // false: as --no-data
  std::uint64_t max_cycles = 0;  // 0: no limit
};

// Where a layer comes from, in place of a folder.
using LayerSource = std::function<layer::Layer(const layer::LayerOptions& options)>;

// Lives in a parent process, which loads the layer and plans the programs, and is used by its forked children
// (warm::ChildPool), which run a point each:
//
//   WarmLayer layer(request, base.config);
//   for (const config::Effective& point : points) layer.prepare(point.config);
//   warm::ChildPool pool(limits, [&](std::size_t k) { return layer.report(points[k]); }, interrupted);
//   pool.run(points.size(), [&](std::size_t k, const warm::ChildEnd& end) { ... });
class WarmLayer {
 public:
  // Loads the layer. layer::InputError as load_layer().
  WarmLayer(const WarmRequest& request, const config::Config& settings);
  // A layer from `source`, whose contents are made in each child: those of a whole network would fill the parent.
  WarmLayer(const WarmRequest& request, LayerSource source);

  const layer::Layer& layer() const { return *layer_; }

  // Plans the program of a point now rather than in its child; equal programs are planned once. runtime::PlanError: no
  // program has this configuration.
  void prepare(const config::Config& settings);

  // Announces a point: the second one with the same program has it planned, so that the parent plans what several
  // children need, and no more. runtime::PlanError: as prepare().
  void announce(const config::Config& settings);

  // In a child, once: elaborates, runs, compares (with data), and returns the text of report.json, whatever the status.
  // Exceptions of `dve-sim run` for what keeps a run from starting.
  std::string report(const config::Effective& point);

  std::size_t programs() const { return programs_.size(); }

 private:
  std::shared_ptr<const runtime::Program> program_for(const config::Config& settings);
  layer::LayerOptions options(const config::Config& settings) const;

  WarmRequest request_;
  LayerSource source_;
  std::optional<numerics::NarrowOverflow> converted_with_;  // the contents of layer_; empty: it has none
  std::shared_ptr<const layer::Layer> layer_;
  std::map<std::string, std::shared_ptr<const runtime::Program>> programs_;  // by the keys that a plan depends on
  std::set<std::string> announced_;
};

}  // namespace dve::app
