#include "layer_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exit_codes.h"
#include "report.h"
#include "summary.h"

namespace dve::app {

LayerRun::LayerRun(layer::Layer layer, runtime::Program program, const runtime::HostOptions& options)
    : layer_(std::move(layer)), program_(std::move(program)), options_(options), runtime_(layer_, program_, options) {}

HostTasks LayerRun::tasks() {
  HostTasks tasks;
  tasks.program = program_.words;
  tasks.before = [this](Host& host) { runtime_.perform_initial(host); };
  tasks.steps = runtime_.steps();
  tasks.step = [this](std::size_t k, Host& host) { runtime_.perform_step(k, host); };
  return tasks;
}

std::vector<layer::TensorComparison> LayerRun::collect(Host& host, const OutputFolder& out) {
  runtime_.perform_final(host);
  const layer::Results results = runtime_.results();
  out.write_results(layer_, results);
  return layer::compare(
      layer_, results,
      {!layer_.statistics_given, runtime::longest_stream(program_), runtime::triples_per_channel(program_)});
}

int conclude(const CommonOptions& common, const config::Effective& effective, const RunOutcome& outcome,
             const Session& session, const std::vector<layer::TensorComparison>& comparisons, const OutputFolder& out) {
  const bool matches = layer::all_match(comparisons);
  out.write_report(effective, outcome, session, comparisons, !matches);
  session.write_profile();
  if (!common.quiet) {
    fmt::print("{}", execution_summary(effective, outcome, session.statistics()));
    if (!comparisons.empty()) fmt::print("{}", comparison_summary(comparisons));
    fmt::print("result        {}\n", status_name(outcome.status, !matches));
  }
  session.explain(outcome);
  if (outcome.status != RunStatus::ok || matches) return exit_code(outcome.status);
  const auto worst =
      std::find_if(comparisons.begin(), comparisons.end(), [](const auto& c) { return c.mismatches != 0; });
  fmt::print(stderr,
             "dve-sim: comparison failed: {} has {} values outside the tolerance {:.3e} (largest difference {:.3e})\n",
             worst->name, worst->mismatches, worst->tolerance, worst->max_abs);
  return kCompareFailed;
}

}  // namespace dve::app
