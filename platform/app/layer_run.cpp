#include "layer_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "exit_codes.h"
#include "report.h"
#include "say.h"
#include "summary.h"

namespace dve::app {

std::string bundled_layer() { return (std::filesystem::path(config::data_directory()) / "digits_cnn" / "7").string(); }

LayerRun::LayerRun(std::shared_ptr<const layer::Layer> layer, std::shared_ptr<const runtime::Program> program,
                   const runtime::HostOptions& options, bool data)
    : layer_(std::move(layer)), program_(std::move(program)), options_(options) {
  if (data)
    runtime_.emplace(*layer_, *program_, options);
  else
    runtime::check_layer(*layer_, *program_, options);
}

HostTasks LayerRun::tasks() {
  HostTasks tasks;
  tasks.program = program_->words;
  tasks.streams = program_->streams;
  tasks.transfers = program_->transfers;
  tasks.hbm_bytes = program_->hbm_bytes;
  tasks.steps = program_->steps.size();
  tasks.step = [](std::size_t, Host&) {};
  if (!runtime_) return tasks;
  tasks.before = [this](Host& host) { runtime_->perform_initial(host); };
  tasks.step = [this](std::size_t k, Host& host) { runtime_->perform_step(k, host); };
  return tasks;
}

std::vector<layer::TensorComparison> LayerRun::collect(Host& host, const OutputFolder& out, layer::Outputs& outputs) {
  if (!runtime_) return {};
  runtime_->perform_final(host);
  const layer::Results results = runtime_->results();
  outputs.attempt([&] { out.write_results(*layer_, results); });
  layer::CompareRequest request;
  request.device_statistics = !layer_->statistics_given;
  request.longest_stream = runtime::longest_stream(*program_);
  request.triples = runtime::triples_per_channel(*program_);
  request.normalised_source = runtime::takes_normalised_source(program_->request.switches);
  return layer::compare(*layer_, results, request);
}

void LayerRun::keep_partial(const OutputFolder& out, layer::Outputs& outputs) const {
  if (runtime_ && runtime_->has_stored()) outputs.attempt([&] { out.write_partial(*layer_, runtime_->results()); });
}

int conclude(const CommonOptions& common, const config::Effective& effective, const RunOutcome& outcome,
             const Session& session, const layer::Layer* layer, const std::vector<layer::TensorComparison>& comparisons,
             const OutputFolder& out, layer::Outputs& outputs, const BoundsStudy& study) {
  const bool ok = outcome.status == RunStatus::ok;
  const std::vector<Bound> bounds = ok && study.complete() ? study.around(outcome.cycles) : std::vector<Bound>();
  const bool matches = layer::all_match(comparisons);
  if (!common.quiet) {
    say(stdout, "{}", execution_summary(effective, outcome, session.statistics()));
    if (session.rtl() != nullptr && ok) say(stdout, "{}", rtl_summary(*session.rtl()));
    if (!bounds.empty()) say(stdout, "{}", bounds_summary(bounds));
    if (!comparisons.empty()) say(stdout, "{}", comparison_summary(comparisons));
    for (const auto& c : comparisons) {
      if (c.non_finite != 0) say(stdout, "note          {}: {} results are infinite or NaN\n", c.name, c.non_finite);
    }
    say(stdout, "result        {}\n", status_name(outcome.status, !matches));
  }
  session.explain(outcome);
  outputs.attempt([&] { out.write_report(effective, outcome, session, layer, comparisons, !matches, bounds); });
  outputs.attempt([&] { session.write_profile(); });
  outputs.finish();
  if (!ok) return exit_code(outcome.status);
  if (matches) return study.explain();
  const auto worst =
      std::find_if(comparisons.begin(), comparisons.end(), [](const auto& c) { return c.mismatches != 0; });
  say(stderr, "dve-sim: comparison failed: {} differs in {} of its values; {}\n", worst->name, worst->mismatches,
      layer::to_string(worst->first_mismatch));
  return kCompareFailed;
}

}  // namespace dve::app
