// A layer's backward step as run and `exec --host-steps` share it: host tasks before, results and comparison after.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bounds.h"
#include "dve/layer/layer.h"
#include "dve/runtime/runtime.h"
#include "output_folder.h"
#include "session.h"

namespace dve::app {

// Folder of the layer that runs when none is named.
std::string bundled_layer();

class LayerRun {
 public:
  // `data` false: the layer has no contents, and the host's steps take their time but do nothing.
  LayerRun(std::shared_ptr<const layer::Layer> layer, std::shared_ptr<const runtime::Program> program,
           const runtime::HostOptions& options, bool data);
  LayerRun(const LayerRun&) = delete;
  LayerRun& operator=(const LayerRun&) = delete;

  const layer::Layer& layer() const { return *layer_; }
  const runtime::Program& program() const { return *program_; }
  const runtime::HostOptions& options() const { return options_; }

  // The tasks refer to this object.
  HostTasks tasks();

  // After a run that ended ok: reads the results back, writes them to the folder, compares them. Nothing without data.
  std::vector<layer::TensorComparison> collect(Host& host, const OutputFolder& out, layer::Outputs& outputs);

  // After a run that ended early: what the host had stored by then goes to the folder's `partial` (NaN where nothing
  // was).
  void keep_partial(const OutputFolder& out, layer::Outputs& outputs) const;

 private:
  std::shared_ptr<const layer::Layer> layer_;
  std::shared_ptr<const runtime::Program> program_;
  runtime::HostOptions options_;
  std::optional<runtime::HostRuntime> runtime_;  // empty without data
};

// What is left to do once the simulation has ended: summary, report, profile, errors. Returns the exit code, or throws
// the first error of `outputs`. A run of `study` that failed is an error when everything else went well.
int conclude(const CommonOptions& common, const config::Effective& effective, const RunOutcome& outcome,
             const Session& session, const layer::Layer* layer, const std::vector<layer::TensorComparison>& comparisons,
             const OutputFolder& out, layer::Outputs& outputs, const BoundsStudy& study);

}  // namespace dve::app
