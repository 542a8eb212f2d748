#include "bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "exit_codes.h"
#include "interrupt.h"
#include "progress.h"
#include "report.h"
#include "say.h"
#include "session.h"

namespace dve::app {

namespace {

// In a child process: how the run ended, and its cycles.
std::string run_point(const config::Effective& effective, const CommonOptions& common, const HostTasks& tasks,
                      std::uint64_t host_memory_bytes) {
  CommonOptions silent;  // no report, no traces, no progress bar of its own
  silent.quiet = true;
  silent.max_cycles = common.max_cycles;
  silent.no_data = common.no_data;
  Session session(effective, silent, tasks, host_memory_bytes);
  const RunOutcome outcome = session.run();
  return fmt::format("{} {}", static_cast<int>(outcome.status), outcome.cycles.value);
}

// "timing.pool.min_ii" matters only to programs with words for POOL, "dma.start_ns" to those that keep something in
// HBM; what belongs to nobody always does.
bool concerns(const config::Key& key, const HostTasks& tasks) {
  if (key.name.rfind("dma.", 0) == 0) return tasks.hbm_bytes != 0;
  for (const isa::Engine engine : isa::kEngines) {
    if (key.name.rfind(fmt::format("timing.{}.", isa::to_string(engine)), 0) != 0) continue;
    if (tasks.streams.empty()) return engine == isa::Engine::dve;
    return std::any_of(tasks.streams.begin(), tasks.streams.end(),
                       [engine](const runtime::Stream& s) { return s.engine == engine && s.count != 0; });
  }
  return true;
}

}  // namespace

std::uint64_t Bound::effect() const {
  const auto [least, most] = std::minmax({low.cycles, normal.cycles, high.cycles});
  return most - least;
}

BoundsStudy::BoundsStudy(const config::Effective& effective, const CommonOptions& common, const HostTasks& tasks,
                         std::uint64_t host_memory_bytes)
    : wanted_(true) {
  if (effective.config.abstraction == config::Abstraction::functional)
    throw UsageError("--bounds needs time: abstraction is functional, expected one with time");
  for (const config::Key& key : config::keys()) {
    const auto range = effective.ranges.find(key.name);
    if (range == effective.ranges.end() || !concerns(key, tasks)) continue;
    keys_.push_back({&key, key.get(effective.config), range->second});
    points_.push_back({&key, range->second.low, 0});
    points_.push_back({&key, range->second.high, 0});
  }
  Progress progress(common.progress, points_.size(), "runs");
  const auto work = [&](std::size_t k) {
    config::Effective changed = effective;
    points_[k].key->set(changed.config, points_[k].value);
    return run_point(changed, common, tasks, host_memory_bytes);
  };
  const auto stop = [this] { return failure_.has_value() || interrupted(); };
  warm::ChildPool({}, work, stop).run(points_.size(), [&](std::size_t k, const warm::ChildEnd& end) {
    progress.advance();
    if (end.how != warm::ChildEnd::How::stopped) keep(points_[k], end, effective.config);
  });
  if (interrupted() && !failure_) failure_ = Failure{"--bounds: interrupted", kInterrupted};
}

void BoundsStudy::keep(Point& point, const warm::ChildEnd& end, const config::Config& normal) {
  int status = 0;
  const bool answered = end.how == warm::ChildEnd::How::answered;
  if (answered) std::istringstream(end.text) >> status >> point.cycles;
  const auto run_status = static_cast<RunStatus>(status);
  if (failure_ || (answered && run_status == RunStatus::ok)) return;
  const std::string how = answered                                 ? "ended with " + status_name(run_status, false)
                          : end.how == warm::ChildEnd::How::failed ? "failed: " + end.text
                                                                   : end.text;
  failure_ = Failure{fmt::format("--bounds: the run with {} = {} {}, expected ok as with {}", point.key->name,
                                 config::to_string(point.value), how, config::to_string(point.key->get(normal))),
                     answered ? exit_code(run_status) : static_cast<int>(kInternal)};
}

std::vector<Bound> BoundsStudy::around(isa::Cycles normal) const {
  std::vector<Bound> bounds;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const Point &low = points_[2 * k], &high = points_[2 * k + 1];
    bounds.push_back({keys_[k].key,
                      {low.value, low.cycles},
                      {keys_[k].normal, normal.value},
                      {high.value, high.cycles},
                      keys_[k].range.source});
  }
  return bounds;
}

int BoundsStudy::explain() const {
  if (!failure_) return kOk;
  say(stderr, "dve-sim: {}\n", failure_->text);
  return failure_->code;
}

}  // namespace dve::app
