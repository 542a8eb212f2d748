#include "leap.h"

#include <algorithm>
#include <limits>

namespace dve::contention {
namespace {

// Of one flow, with its streams' banks and paths and its throttles.
constexpr std::size_t kMostWords = 4 + Streams::kMost * 2 + Streams::kMost * 3 + 4;
// Without a step of the pacemaker in this many cycles, another flow's steps are watched.
constexpr std::int64_t kSilence = 24;

constexpr std::uint64_t kNoEvent = std::numeric_limits<std::int64_t>::max();

std::uint64_t fits(std::uint64_t room, std::uint64_t growth) { return growth == 0 ? kNoEvent : room / growth; }

}  // namespace

std::uint64_t periods_of_steps(const Rhythm& rhythm, std::uint64_t steps_left, std::uint64_t steps,
                               std::uint64_t burst_passed) {
  const std::uint64_t most = fits(steps_left - 1, steps);
  if (rhythm.burst_steps <= kLongInterval) return most;
  if (burst_passed != steps) return 0;  // a burst ended in between
  return std::min(most, fits(rhythm.burst_left - 1, steps));
}

std::uint64_t periods_of_stream(const StreamGrowth& s, std::uint64_t steps) {
  std::uint64_t most = kNoEvent;
  if (s.granted != 0) most = std::min(most, fits(s.run_left - 1, s.granted));
  if (s.moved != 0) most = std::min(most, fits(s.unmoved - (s.unmoved != 0 ? 1 : 0), s.moved));
  if (s.every <= kLongInterval || steps == 0) return most;
  return s.moved != 0 ? 0 : std::min(most, fits(s.every - 1 - s.phase, steps));
}

// A pattern that repeats does so after a step of any flow in it: the moments after the steps of one are enough.
bool Leap::worth_a_look(std::int64_t cycle, const std::vector<Flow*>& flows) {
  pacemaker_ = pacemaker_ < flows.size() ? pacemaker_ : 0;
  const bool first = last_look_ < 0;
  if (!first && flows[pacemaker_]->step() == last_step_) {
    if (cycle - last_look_ < kSilence) return false;
    pacemaker_ = (pacemaker_ + 1) % flows.size();
  }
  last_look_ = cycle;
  last_step_ = flows[pacemaker_]->step();
  return true;
}

bool Leap::found(std::int64_t cycle, const std::vector<Flow*>& flows, Arbiter& arbiter, Period& period) {
  if (!worth_a_look(cycle, flows)) return false;
  take_state(cycle, flows, arbiter);
  if (!watching_) {
    watching_ = true;
    looks_ = 0;
    patience_ = 1;
    taken_ = 0;
    take_snapshot(cycle, flows, arbiter);
    return false;
  }
  for (std::size_t k = 0; k < std::min(taken_, snapshots_.size()); ++k) {
    if (!(state_ == snapshots_[k].state) || !fill_in(cycle, flows, arbiter, snapshots_[k], period)) continue;
    watching_ = false;
    return period.repeats > 0;
  }
  if (++looks_ < patience_) return false;
  looks_ = 0;
  patience_ *= 2;
  take_snapshot(cycle, flows, arbiter);
  return false;
}

void Leap::take_state(std::int64_t cycle, const std::vector<Flow*>& flows, Arbiter& arbiter) {
  state_.begin(flows.size() * kMostWords);
  for (const Flow* flow : flows) append_state(cycle, *flow, state_);
  arbiter.append_state(cycle, flows, state_);
}

void Leap::take_snapshot(std::int64_t cycle, const std::vector<Flow*>& flows, const Arbiter& arbiter) {
  Snapshot& now = snapshots_[taken_++ % snapshots_.size()];
  std::swap(now.state, state_);
  now.since = cycle;
  now.counts.clear();
  now.conflicts.clear();
  for (const Flow* flow : flows) {
    now.counts.push_back(counts(*flow));
    for (const Stream& s : flow->streams()) {
      const auto same = [&](const auto& entry) { return entry.first == s.bank; };
      if (std::none_of(now.conflicts.begin(), now.conflicts.end(), same))
        now.conflicts.emplace_back(s.bank, arbiter.conflicts(s.bank));
    }
  }
}

// False: what grew does not fit a pattern after all.
bool Leap::fill_in(std::int64_t cycle, const std::vector<Flow*>& flows, const Arbiter& arbiter,
                   const Snapshot& snapshot, Period& period) {
  period.cycles = cycle - snapshot.since;
  period.repeats = std::numeric_limits<std::int64_t>::max();
  period.growth.clear();
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const FlowCounts now = counts(*flows[i]);
    const FlowCounts& then = snapshot.counts[i];
    FlowCounts growth;
    growth.step = now.step - then.step;
    growth.burst_left = then.burst_left - now.burst_left;
    growth.stalls.bank = now.stalls.bank - then.stalls.bank;
    growth.stalls.operand = now.stalls.operand - then.stalls.operand;
    growth.stalls.write = now.stalls.write - then.stalls.write;
    for (std::size_t s = 0; s < growth.granted.size(); ++s) {
      growth.granted[s] = now.granted[s] - then.granted[s];
      growth.moved[s] = now.moved[s] - then.moved[s];
    }
    period.repeats = std::min(period.repeats, repeats(cycle, period.cycles, *flows[i], growth));
    period.growth.push_back(growth);
  }
  period.conflicts.clear();
  for (const auto& [bank, then] : snapshot.conflicts) {
    if (arbiter.conflicts(bank) != then) period.conflicts.emplace_back(bank, arbiter.conflicts(bank) - then);
  }
  return true;
}

bool Leap::asleep(std::int64_t cycle, const Flow& flow) {
  if (flow.stepped_out() || flow.due_cycle() - cycle <= kSleep) return false;
  return flow.wanted() == 0;
}

void Leap::append_state(std::int64_t cycle, const Flow& flow, StateWords& state) {
  if (asleep(cycle, flow)) {
    state.push_back(0xFFFFFFFF);
  } else if (flow.stepped_out()) {
    state.push_back(0xFFFFFFFE);
  } else {
    state.push_back(static_cast<std::uint32_t>(flow.rhythm_.due.cycle - cycle));
    state.push_back(static_cast<std::uint32_t>(flow.rhythm_.due.fraction));
    state.push_back(static_cast<std::uint32_t>(static_cast<std::uint64_t>(flow.rhythm_.due.fraction) >> 32));
  }
  if (flow.rhythm_.burst_steps <= kLongInterval) state.push_back(static_cast<std::uint32_t>(flow.rhythm_.burst_left));
  for (const Stream& s : flow.streams_) {
    const std::uint64_t level = s.write ? s.moved - s.granted : s.granted - s.moved;
    state.push_back(static_cast<std::uint32_t>(level) << 1 | (s.granted == s.beats ? 1 : 0));
    if (s.every <= kLongInterval) state.push_back(static_cast<std::uint32_t>(s.phase));
  }
}

FlowCounts Leap::counts(const Flow& flow) {
  FlowCounts c;
  c.step = flow.step_;
  c.burst_left = flow.rhythm_.burst_left;
  c.stalls = flow.stalls_;
  for (std::size_t s = 0; s < flow.streams_.size(); ++s) {
    c.granted[s] = flow.streams_[s].granted;
    c.moved[s] = flow.streams_[s].moved;
  }
  return c;
}

// How often the growth fits before the flow meets an event, or wakes up.
std::int64_t Leap::repeats(std::int64_t cycle, std::int64_t period, const Flow& flow, const FlowCounts& growth) {
  std::uint64_t most = kNoEvent;
  if (asleep(cycle, flow)) {
    if (growth.step != 0) return 0;
    most = static_cast<std::uint64_t>((flow.due_cycle() - cycle) / period);
  }
  most = std::min(most, periods_of_steps(flow.rhythm_, flow.job_.steps - flow.step_, growth.step, growth.burst_left));
  for (std::size_t i = 0; i < flow.streams_.size(); ++i) {
    const Stream& s = flow.streams_[i];
    const StreamGrowth of_stream{growth.granted[i], growth.moved[i], s.run_left, s.beats - s.moved, s.every, s.phase};
    most = std::min(most, periods_of_stream(of_stream, growth.step));
  }
  return static_cast<std::int64_t>(most);
}

void Leap::apply(const Period& period, std::int64_t repeats, std::int64_t cycle, const std::vector<Flow*>& flows,
                 Arbiter& arbiter) {
  for (std::size_t i = 0; i < flows.size(); ++i)
    advance(*flows[i], period.growth[i], period.cycles, repeats, asleep(cycle, *flows[i]));
  arbiter.pass(period.cycles * repeats, flows);
  for (const auto& [bank, growth] : period.conflicts)
    arbiter.add_conflicts(bank, growth * static_cast<std::uint64_t>(repeats));
}

void Leap::advance(Flow& flow, const FlowCounts& growth, std::int64_t period, std::int64_t repeats, bool asleep) {
  const auto times = static_cast<std::uint64_t>(repeats);
  const std::int64_t passed = period * repeats;
  flow.step_ += growth.step * times;
  if (!asleep) flow.rhythm_.due.cycle += passed;
  if (flow.rhythm_.burst_steps > kLongInterval) flow.rhythm_.burst_left -= growth.step * times;
  flow.stalls_.bank += growth.stalls.bank * times;
  flow.stalls_.operand += growth.stalls.operand * times;
  flow.stalls_.write += growth.stalls.write * times;
  for (std::size_t i = 0; i < flow.streams_.size(); ++i) {
    Stream& s = flow.streams_[i];
    s.granted += growth.granted[i] * times;
    s.run_left -= growth.granted[i] * times;
    s.moved += growth.moved[i] * times;
    if (s.every > kLongInterval) s.phase += growth.step * times;
    if (s.write) flow.pending_writes_ -= growth.granted[i] * times;
  }
  flow.find_wanted();
}

}  // namespace dve::contention
