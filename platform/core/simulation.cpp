#include "simulation.h"

#include <fmt/format.h>

namespace dve {
namespace {

std::string last_change(const SyncState& state, const WaitCondition& condition) {
  const auto change = state.last_change(condition);
  if (!change) return "never changed";
  return fmt::format("last changed by {} at {} ns", change->who, static_cast<double>(change->femtoseconds) / 1e6);
}

std::string value_of(const SyncState& state, const WaitCondition& condition) {
  if (isa::waits_on_event(condition.mode)) return state.event(isa::EventIndex{condition.index}) ? "set" : "clear";
  return fmt::format("{}", state.semaphore(isa::SemaphoreIndex{condition.index}));
}

std::string who_waits(const NeuronCore& core, const Host& host) {
  const SyncState& state = core.sync.state();
  const bool sequencer_waits = core.seq.state() == Sequencer::State::waiting;
  const WaitCondition condition =
      sequencer_waits
          ? core.seq.blocked_on()
          : WaitCondition{isa::WaitMode::sem_ge_imm, static_cast<std::uint8_t>(number(runtime::kStepRequest)),
                          static_cast<std::int32_t>(host.next_step())};
  const std::string who =
      sequencer_waits ? fmt::format("dve word {} (pc {:#x})", core.seq.current_word(), core.seq.program_counter())
                      : fmt::format("host step {}", host.next_step());
  const bool on_host = isa::waits_on_semaphore(condition.mode) && condition.index == number(runtime::kStepDone);
  return fmt::format("{} waits for {}, which is {} ({}){}", who, to_string(condition), value_of(state, condition),
                     last_change(state, condition), on_host ? "; the host's steps bring it about" : "");
}

RunStatus status_of(const NeuronCore& core, const Host& host) {
  switch (core.seq.state()) {
    case Sequencer::State::fault:
      return RunStatus::fault;
    case Sequencer::State::timeout:
      return RunStatus::timeout;
    case Sequencer::State::stopped:
      return RunStatus::interrupted;
    case Sequencer::State::done:
      return host.steps_finished() ? RunStatus::ok : RunStatus::deadlock;
    default:
      return RunStatus::deadlock;
  }
}

}  // namespace

RunOutcome simulate(NeuronCore& core, Host& host) {
  sc_core::sc_start();
  if (host.error()) std::rethrow_exception(host.error());
  RunOutcome outcome;
  outcome.status = status_of(core, host);
  outcome.cycles = core.seq.cycles();
  outcome.femtoseconds = timing::Clock(core.settings().timing.clock_hz).femtoseconds(outcome.cycles);
  if (outcome.status == RunStatus::deadlock) outcome.waiting = who_waits(core, host);
  return outcome;
}

}  // namespace dve
