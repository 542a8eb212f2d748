#include "simulation.h"

#include <algorithm>

namespace dve {
namespace {

bool any_engine(const NeuronCore& core, Sequencer::State state) {
  return std::any_of(isa::kEngines.begin(), isa::kEngines.end(),
                     [&](isa::Engine engine) { return core.seq(engine).state() == state; });
}

RunStatus status_of(const NeuronCore& core, const Host& host) {
  if (any_engine(core, Sequencer::State::fault) || !core.dma.faults().empty()) return RunStatus::fault;
  if (any_engine(core, Sequencer::State::timeout)) return RunStatus::timeout;
  if (any_engine(core, Sequencer::State::stopped)) return RunStatus::interrupted;
  const bool waits = any_engine(core, Sequencer::State::waiting) || any_engine(core, Sequencer::State::running);
  return waits || core.dma.busy() || !host.steps_finished() ? RunStatus::deadlock : RunStatus::ok;
}

// Simulates until nothing is left to do, a stop is requested, or the limit has passed; the last two while something is
// still going on. Words look at both when they start; this is for what happens inside a word, and for neighbours.
enum class End { quiet, stopped, limit };
End advance(const NeuronCore& core) {
  const sc_core::sc_time slice(100, sc_core::SC_US);
  sc_core::sc_start(slice, sc_core::SC_EXIT_ON_STARVATION);
  while (sc_core::sc_pending_activity()) {
    if (core.stop_requested && core.stop_requested()) return End::stopped;
    if (core.limit_femtoseconds != 0 && now_femtoseconds() > core.limit_femtoseconds) return End::limit;
    sc_core::sc_start(std::max(slice, sc_core::sc_time_to_pending_activity()), sc_core::SC_EXIT_ON_STARVATION);
  }
  return End::quiet;
}

RunStatus status_of(const NeuronCore& core, const Host& host, End end) {
  const RunStatus status = status_of(core, host);
  if (end == End::quiet || status == RunStatus::fault || status == RunStatus::timeout) return status;
  if (end == End::stopped) return RunStatus::interrupted;
  return any_engine(core, Sequencer::State::running) || core.dma.busy() ? RunStatus::timeout : status;
}

}  // namespace

RunOutcome simulate(NeuronCore& core, Host& host) {
  const End end = advance(core);
  if (host.error()) std::rethrow_exception(host.error());
  RunOutcome outcome;
  outcome.status = status_of(core, host, end);
  for (const isa::Engine engine : isa::kEngines) {
    const Sequencer& seq = core.seq(engine);
    outcome.femtoseconds = std::max(outcome.femtoseconds, seq.clock().femtoseconds(seq.cycles()));
  }
  for (const auto& ring : core.dma.rings)
    outcome.femtoseconds = std::max(outcome.femtoseconds, ring->last_completion_fs());
  const timing::Clock dve_clock(core.settings().timing.clock_hz);
  outcome.cycles = dve_clock.cycles_at_or_after(outcome.femtoseconds);
  if (outcome.status == RunStatus::deadlock) outcome.deadlock = explain_deadlock(core, host);
  return outcome;
}

std::vector<WordFinding> faults_of(const NeuronCore& core) {
  std::vector<WordFinding> faults;
  for (const isa::Engine engine : isa::kEngines) {
    const auto& own = core.seq(engine).faults();
    faults.insert(faults.end(), own.begin(), own.end());
  }
  return faults;
}

std::uint64_t executed_words(const NeuronCore& core) {
  std::uint64_t words = 0;
  for (const isa::Engine engine : isa::kEngines) words += core.seq(engine).executed();
  return words;
}

}  // namespace dve
