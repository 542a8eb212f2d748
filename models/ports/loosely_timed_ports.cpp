#include "loosely_timed_ports.h"

#include <algorithm>
#include <vector>

#include "dve/tlm/tlm.h"

namespace dve {
namespace {

// All ports of the simulation. The first one advances them all: each waits for a moment in which nobody else has
// anything left to do, and several that wait for each other would never see one.
std::vector<LooselyTimedPorts*>& all_ports() {
  static std::vector<LooselyTimedPorts*> all;
  return all;
}

}  // namespace

LooselyTimedPorts::LooselyTimedPorts(sc_core::sc_module_name name, const contention::Parameters& parameters)
    : sc_module(name), clock_(parameters.clock_hz), engine_(parameters) {
  SC_HAS_PROCESS(LooselyTimedPorts);
  SC_METHOD(pump);
  sensitive << wake_;
  dont_initialize();
  all_ports().push_back(this);
}

LooselyTimedPorts::~LooselyTimedPorts() { all_ports().erase(std::find(all_ports().begin(), all_ports().end(), this)); }

contention::Outcome LooselyTimedPorts::stream(const contention::Job& job, bool synchronise) {
  const std::int64_t first = contention::first_cycle(job);
  if (waiting_ == 0 && !engine_.idle()) catch_up(std::min(first, undisturbed_until()));
  restore_tail(first);
  const std::int64_t last_beat = contention::last_beat_alone(job);
  if (const auto outcome = alone(job, last_beat)) {
    if (last_beat > outcome->last_cycle) {
      tail_ = job;
      tail_end_ = last_beat;
    }
    if (synchronise) wait_until(clock_, outcome->last_cycle + 1);
    return *outcome;
  }
  wait_until(clock_, first);
  catch_up(first);
  Waiter& waiter = waiters_[contention::index_of(job.user)];
  waiter.outcome.reset();
  waiter.job = engine_.add(job);
  ++waiting_;
  all_ports().front()->wake_.notify(sc_core::SC_ZERO_TIME);
  while (!waiter.outcome) wait(waiter.ended);
  --waiting_;
  return *waiter.outcome;
}

std::uint64_t LooselyTimedPorts::conflicts(isa::Space space, std::uint32_t bank) const {
  // The last beats of jobs that have ended, unless somebody can still meet them.
  if (waiting_ == 0 && !engine_.idle()) engine_.run(undisturbed_until());
  return engine_.conflicts(contention::bank_number(space, bank));
}

// A job that starts before the last beats of one that was computed in closed form have been written: that one is
// computed again, with its last beats on the ports.
void LooselyTimedPorts::restore_tail(std::int64_t first) {
  if (first <= tail_end_ && engine_.idle()) {
    engine_.add(tail_);
    catch_up(std::min(first, undisturbed_until()));
  }
  tail_end_ = kNoTail;
}

// In closed form, when nobody can act before the job's last beat.
std::optional<contention::Outcome> LooselyTimedPorts::alone(const contention::Job& job, std::int64_t last_beat) {
  if (!engine_.idle()) return std::nullopt;
  return last_beat < undisturbed_until() ? engine_.alone(job) : std::nullopt;
}

// The first memory cycle in which somebody else could put a job on the ports.
std::int64_t LooselyTimedPorts::undisturbed_until() const {
  if (sc_core::sc_pending_activity_at_current_time()) return cycle_of(now_femtoseconds());
  if (!sc_core::sc_pending_activity()) return contention::kForever;
  return cycle_of(now_femtoseconds() + sc_core::sc_time_to_pending_activity().value());
}

std::int64_t LooselyTimedPorts::cycle_of(std::uint64_t femtoseconds) const {
  return static_cast<std::int64_t>(clock_.cycles_at_or_after(femtoseconds).value);
}

// Executes the cycles before this one.
void LooselyTimedPorts::catch_up(std::int64_t cycle) {
  while (const auto ended = engine_.run(cycle)) report(*ended);
}

// Wakes the initiator of a job after the cycle of its last step.
void LooselyTimedPorts::report(const contention::Engine::Ended& ended) {
  const auto waiter =
      std::find_if(waiters_.begin(), waiters_.end(), [&](const Waiter& w) { return w.job == ended.id && !w.outcome; });
  if (waiter == waiters_.end()) return;  // of a job that has returned already
  waiter->outcome = ended.outcome;
  const isa::Cycles last(static_cast<std::uint64_t>(ended.outcome.last_cycle));
  waiter->ended.notify(until_femtoseconds(clock_.femtoseconds(last) + 1));
}

void LooselyTimedPorts::pump() {
  const auto waiting = [](const LooselyTimedPorts* ports) { return ports->waiting_ != 0; };
  if (std::none_of(all_ports().begin(), all_ports().end(), waiting)) return;
  if (sc_core::sc_pending_activity_at_current_time()) return next_trigger(sc_core::SC_ZERO_TIME);
  for (LooselyTimedPorts* ports : all_ports()) ports->advance();
  if (sc_core::sc_pending_activity()) next_trigger(sc_core::sc_time_to_pending_activity());
}

// As far as nobody can interfere, or to the end of a job.
void LooselyTimedPorts::advance() {
  if (waiting_ == 0) return;
  if (const auto ended = engine_.run(undisturbed_until())) report(*ended);
}

}  // namespace dve
