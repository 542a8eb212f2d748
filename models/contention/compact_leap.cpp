// Looking back from a compact group: the pattern that repeats, and advancing by whole periods. See Leap, which does the
// same for groups in their general form.
#include <algorithm>

#include "compact_group.h"
#include "leap.h"

namespace dve::contention {
namespace {

bool operator==(const RoundRobin& a, const RoundRobin& b) { return a.last == b.last && a.credits == b.credits; }

}  // namespace

Stalls CompactGroup::stalls_at(std::size_t flow, std::int64_t cycle) const {
  Stalls stalls = flows_[flow].stalls;
  if (waits(flow)) add_stalls(flows_[flow], cycle - flows_[flow].late_since, stalls);
  return stalls;
}

bool CompactGroup::asleep(std::size_t flow, std::int64_t cycle) const {
  return flows_[flow].steps_left != 0 && !waits(flow) && due_[flow] - cycle > kSleep && (want_ & lanes_of(flow)) == 0;
}

// When the next step is due, from this cycle on; of a flow that waits, had it not become later since.
std::int64_t CompactGroup::relative_due(std::size_t flow, std::int64_t cycle) const {
  const Slot& slot = flows_[flow];
  if (slot.steps_left == 0 || asleep(flow, cycle)) return kForever;
  return slot.rhythm.due.cycle - (waits(flow) ? slot.late_since : cycle);
}

void CompactGroup::take_snapshot(std::int64_t cycle) {
  Snapshot& now = snapshots_[taken_++ % snapshots_.size()];
  now.cycle = cycle;
  now.want = want_;
  now.waiting = waiting_;
  now.levels = levels_;
  for (std::size_t f = 0; f < flow_count_; ++f) {
    const Slot& slot = flows_[f];
    now.due[f] = relative_due(f, cycle);
    now.fraction[f] = slot.rhythm.due.fraction;
    now.bursts[f] = slot.rhythm.burst_left;
    now.steps[f] = slot.steps_left;
    now.stalls[f] = stalls_at(f, cycle);
    for (std::size_t lane = slot.first_lane; lane < slot.end_lane; ++lane) {
      now.run_left[lane] = run_left_[lane];
      now.to_make[lane] = to_make(lane);
      now.phase[lane] = phase_[lane];
    }
  }
  for (std::size_t b = 0; b < bank_count_; ++b) {
    now.turns[b] = banks_[b].turns;
    now.conflicts[b] = banks_[b].conflicts;
  }
  for (std::uint32_t rest = shared_paths_; rest != 0; rest &= rest - 1)
    now.paths[lowest(rest)] = paths_[lowest(rest)].shared;
  for (std::size_t t = 0; t < throttle_count_; ++t) now.tokens[t] = throttles_[t].bucket.state(cycle);
}

// True: found_ is a pattern that can be repeated.
bool CompactGroup::look(std::int64_t cycle) {
  if (flows_[pacemaker_].steps_left == last_step_) pacemaker_ = (pacemaker_ + 1) % flow_count_;
  last_look_ = cycle;
  last_step_ = flows_[pacemaker_].steps_left;
  for (std::size_t k = 0; k < std::min(taken_, snapshots_.size()); ++k) {
    if (!repeats(snapshots_[k], cycle)) continue;
    pattern_ = k;
    found_ = {cycle - snapshots_[k].cycle, repeats_of(snapshots_[k], cycle)};
    if (found_.repeats != 0) return true;
    look_anew(cycle + found_.period);
    return false;
  }
  if (taken_ != 0 && ++looks_ < patience_) return false;
  patience_ = taken_ == 0 ? 1 : patience_ + (patience_ + 1) / 2;
  looks_ = 0;
  take_snapshot(cycle);
  return false;
}

// After an event that the last pattern does not contain.
void CompactGroup::look_anew(std::int64_t cycle) {
  next_look_ = cycle;
  taken_ = 0;
}

// What decides about future grants and steps is what it was then. The cheapest comparisons that tell states apart come
// first.
bool CompactGroup::repeats(const Snapshot& then, std::int64_t cycle) const {
  if (want_ != then.want || waiting_ != then.waiting) return false;
  if (!std::equal(levels_.begin(), levels_.begin() + flow_count_, then.levels.begin())) return false;
  for (std::size_t f = 0; f < flow_count_; ++f) {
    if (!same_flow(f, then, cycle)) return false;
  }
  return same_arbitration(then, cycle);
}

bool CompactGroup::same_flow(std::size_t flow, const Snapshot& then, std::int64_t cycle) const {
  const Slot& slot = flows_[flow];
  const std::int64_t due = relative_due(flow, cycle);
  if (due != then.due[flow]) return false;
  if (due != kForever && slot.rhythm.due.fraction != then.fraction[flow]) return false;
  if (slot.rhythm.burst_steps <= kLongInterval && slot.rhythm.burst_left != then.bursts[flow]) return false;
  for (Lanes rest = sparse_ & lanes_of(flow); rest != 0; rest &= rest - 1) {
    const std::size_t lane = lowest(rest);
    if (every_[lane] <= kLongInterval && phase_[lane] != then.phase[lane]) return false;
  }
  return true;
}

bool CompactGroup::same_arbitration(const Snapshot& then, std::int64_t cycle) const {
  for (std::size_t b = 0; b < bank_count_; ++b) {
    const Arbiter::BankState &now = banks_[b].turns, &before = then.turns[b];
    if (!(now.compute == before.compute && now.dma == before.dma && now.pe == before.pe)) return false;
  }
  for (std::uint32_t rest = shared_paths_; rest != 0; rest &= rest - 1) {
    const SharedPath &now = paths_[lowest(rest)].shared, &before = then.paths[lowest(rest)];
    if (now.holder != before.holder || now.last != before.last) return false;
  }
  for (std::size_t t = 0; t < throttle_count_; ++t) {
    TokenBucket bucket = throttles_[t].bucket;
    if (!(bucket.state(cycle) == then.tokens[t])) return false;
  }
  return true;
}

std::int64_t CompactGroup::repeats_of(const Snapshot& then, std::int64_t cycle) const {
  std::int64_t most = kForever;
  for (std::size_t f = 0; f < flow_count_; ++f) most = std::min(most, repeats_of(f, then, cycle));
  return most;
}

// How often the growth since then fits before the flow meets an event (see Leap::repeats).
std::int64_t CompactGroup::repeats_of(std::size_t f, const Snapshot& then, std::int64_t cycle) const {
  const Slot& slot = flows_[f];
  const std::uint64_t steps = then.steps[f] - slot.steps_left;
  std::uint64_t most = static_cast<std::uint64_t>(kForever);
  if (asleep(f, cycle)) {
    if (steps != 0) return 0;
    most = static_cast<std::uint64_t>((due_[f] - cycle) / (cycle - then.cycle));
  }
  most = std::min(most, periods_of_steps(slot.rhythm, slot.steps_left, steps, then.bursts[f] - slot.rhythm.burst_left));
  for (std::size_t lane = slot.first_lane; lane < slot.end_lane; ++lane) {
    const std::uint64_t granted = then.run_left[lane] - run_left_[lane];
    const bool read = (reads_ >> lane & 1) != 0;
    // The level is what it was: a read has used up what it was granted.
    const StreamGrowth growth{granted,         read ? granted : then.to_make[lane] - to_make(lane),
                              run_left_[lane], read ? left(lane) + level(lane) : to_make(lane),
                              every_[lane],    phase_[lane]};
    most = std::min(most, periods_of_stream(growth, steps));
  }
  return static_cast<std::int64_t>(most);
}

void CompactGroup::leap(std::int64_t repeats, std::int64_t cycle) {
  const Snapshot& then = snapshots_[pattern_];
  const auto times = static_cast<std::uint64_t>(repeats);
  const std::int64_t period = cycle - then.cycle, passed = period * repeats;
  due_now_ = 0;
  next_due_ = cycle + passed;  // at the latest: found anew
  for (std::size_t f = 0; f < flow_count_; ++f) {
    Slot& slot = flows_[f];
    const std::uint64_t steps = then.steps[f] - slot.steps_left;
    const Stalls now = stalls_at(f, cycle);
    slot.stalls.bank += (now.bank - then.stalls[f].bank) * times;
    slot.stalls.operand += (now.operand - then.stalls[f].operand) * times;
    slot.stalls.write += (now.write - then.stalls[f].write) * times;
    if (waits(f)) {
      slot.rhythm.due.cycle += passed;
      slot.late_since += passed;
    } else if (slot.steps_left != 0 && !asleep(f, cycle)) {
      slot.rhythm.due.cycle += passed;
      due_[f] += passed;
    }
    if (slot.rhythm.burst_steps > kLongInterval) slot.rhythm.burst_left -= steps * times;
    for (std::size_t lane = slot.first_lane; lane < slot.end_lane; ++lane) {
      run_left_[lane] -= (then.run_left[lane] - run_left_[lane]) * times;
      if ((producing_ >> lane & 1) == 0) to_make_[lane] -= (then.to_make[lane] - to_make_[lane]) * times;
      if (every_[lane] > kLongInterval) phase_[lane] += steps * times;
    }
    slot.steps_left -= steps * times;
    find_regular_step(f);
  }
  for (std::size_t b = 0; b < bank_count_; ++b)
    banks_[b].conflicts += (banks_[b].conflicts - then.conflicts[b]) * times;
  for (std::size_t t = 0; t < throttle_count_; ++t) throttles_[t].bucket.pass(passed);
  if (next_refill_ != kForever) next_refill_ += passed;
  look_anew(cycle + passed + period);
}

}  // namespace dve::contention
