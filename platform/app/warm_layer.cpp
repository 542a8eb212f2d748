#include "warm_layer.h"

#include <utility>

#include "dve/core/core.h"
#include "layer_run.h"
#include "report.h"
#include "session.h"

namespace dve::app {
namespace {

// Everything of a configuration that may change a program.
std::string plan_key(const config::Config& settings) {
  std::string text;
  for (const config::Key& key : config::keys()) {
    for (const char* prefix : {"generation", "numerics.", "place.", "dma."}) {
      if (key.name.rfind(prefix, 0) == 0) text += config::to_string(key.get(settings)) + ";";
    }
  }
  return text;
}

}  // namespace

WarmLayer::WarmLayer(const WarmRequest& request, const config::Config& settings)
    : request_(request),
      source_([folder = request.layer](const layer::LayerOptions& o) { return layer::load_layer(folder, o); }),
      layer_(std::make_shared<const layer::Layer>(source_(options(settings)))) {
  if (request_.data) converted_with_ = settings.numerics.narrow_overflow;
}

WarmLayer::WarmLayer(const WarmRequest& request, LayerSource source) : request_(request), source_(std::move(source)) {
  layer::LayerOptions shapes = options({});
  shapes.contents = false;
  layer_ = std::make_shared<const layer::Layer>(source_(shapes));
}

layer::LayerOptions WarmLayer::options(const config::Config& settings) const {
  layer::LayerOptions options;
  options.dtype = request_.dtype;
  options.loss_scale = request_.loss_scale;
  options.device_statistics = request_.device_statistics || request_.step == runtime::Step::full;
  options.contents = request_.data;
  options.switches = settings.numerics;
  return options;
}

void WarmLayer::prepare(const config::Config& settings) { program_for(settings); }

void WarmLayer::announce(const config::Config& settings) {
  if (!announced_.insert(plan_key(settings)).second) prepare(settings);
}

std::shared_ptr<const runtime::Program> WarmLayer::program_for(const config::Config& settings) {
  auto& program = programs_[plan_key(settings)];
  if (program) return program;
  runtime::PlanRequest request = plan_request(*layer_, settings);
  request.step = request_.step;
  request.microbatches = request_.microbatches;
  request.eps = request_.eps;
  program = std::make_shared<const runtime::Program>(runtime::plan(request));
  return program;
}

std::string WarmLayer::report(const config::Effective& point) {
  if (request_.data && point.config.numerics.narrow_overflow != converted_with_)
    layer_ = std::make_shared<const layer::Layer>(source_(options(point.config)));
  const auto program = program_for(point.config);
  LayerRun run(layer_, program, {request_.eps}, request_.data);
  CommonOptions silent;  // no traces, no progress bar of its own
  silent.quiet = true;
  silent.no_data = !request_.data;
  silent.max_cycles = request_.max_cycles;
  Session session(point, silent, run.tasks(), program->words.size() * isa::kWordBytes);
  const RunOutcome outcome = session.run();
  std::vector<layer::TensorComparison> comparisons;
  layer::Outputs nothing;
  if (outcome.status == RunStatus::ok) comparisons = run.collect(session.host(), OutputFolder(""), nothing);
  return session_report(point, outcome, session, layer_.get(), comparisons, !layer::all_match(comparisons), {});
}

}  // namespace dve::app
