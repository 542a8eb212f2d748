// Looking back from a compact group: the pattern that repeats, and advancing by whole periods. See Leap, which does the
// same for groups in their general form.
#include <algorithm>
#include <limits>

#include "compact_group.h"
#include "leap.h"

namespace dve::contention {
namespace {

std::uint64_t hash_of(const std::vector<std::uint64_t>& words) {
  std::uint64_t h = 0x9E3779B97F4A7C15u;
  for (const std::uint64_t w : words) h = (h ^ w) * 0xBF58476D1CE4E5B9u ^ (h >> 29);
  return h;
}

}  // namespace

Stalls CompactGroup::stalls_at(Slot slot, std::int64_t cycle) {
  if (slot.waits_for >= 0) settle(slot, cycle);
  return slot.stalls;
}

bool CompactGroup::asleep(const Slot& slot, std::int64_t cycle) const {
  if (slot.waits_for >= 0 || slot.rhythm.due_cycle() - cycle <= kSleep) return false;
  for (std::size_t k = slot.first_lane; k < slot.end_lane; ++k) {
    if (lanes_[k].wanted) return false;
  }
  return true;
}

void CompactGroup::take_state(std::int64_t cycle) {
  state_.clear();
  for (std::size_t f = 0; f < flow_count_; ++f) {
    const Slot& slot = flows_[f];
    std::uint64_t word = 0xFFFFFFFF;  // asleep
    if (!asleep(slot, cycle)) {
      const std::int64_t due = slot.rhythm.due.cycle - (slot.waits_for >= 0 ? slot.late_since : cycle);
      word = static_cast<std::uint32_t>(due + 8);
      if (slot.rhythm.denominator != 1) state_.push_back(static_cast<std::uint64_t>(slot.rhythm.due.fraction));
    }
    if (slot.rhythm.burst_steps <= kLongInterval) word |= slot.rhythm.burst_left << 32;
    state_.push_back(word);
    for (std::size_t k = slot.first_lane; k < slot.end_lane; ++k) {
      const Lane& lane = lanes_[k];
      state_.push_back(std::uint64_t{lane.level} << 8 | (lane.long_interval ? 0 : lane.phase) |
                       (lane.left == 0 ? std::uint64_t{1} << 48 : 0));
    }
  }
  const auto pack = [](const RoundRobin& r) { return std::uint64_t{r.last} | std::uint64_t{r.credits} << 8; };
  for (std::size_t b = 0; b < bank_count_; ++b) {
    const Arbiter::BankState& s = banks_[b].state;
    state_.push_back(pack(s.compute) | pack(s.dma) << 16 | pack(s.pe) << 32);
  }
  for (std::uint32_t rest = shared_paths_; rest != 0; rest &= rest - 1) {
    const SharedPath& path = paths_[static_cast<std::size_t>(__builtin_ctz(rest))].shared;
    state_.push_back(std::uint64_t{path.holder} | std::uint64_t{path.last} << 8);
  }
}

void CompactGroup::take_snapshot(std::int64_t cycle) {
  Snapshot& now = snapshots_[taken_++ % snapshots_.size()];
  now.cycle = cycle;
  now.hash = hash_of(state_);
  now.state = state_;
  for (std::size_t f = 0; f < flow_count_; ++f) {
    now.steps[f] = flows_[f].steps_left;
    now.bursts[f] = flows_[f].rhythm.burst_left;
    now.stalls[f] = stalls_at(flows_[f], cycle);
  }
  for (std::size_t k = 0; k < lane_count_; ++k) now.lanes[k] = {lanes_[k].left, lanes_[k].to_move};
  for (std::size_t b = 0; b < bank_count_; ++b) now.conflicts[b] = banks_[b].conflicts;
}

CompactGroup::Found CompactGroup::look(std::int64_t cycle) {
  if (last_look_ < 0) {
    pacemaker_ = 0;
    looks_ = 0;
    patience_ = 1;
  } else if (flows_[pacemaker_].steps_left == last_step_) {
    pacemaker_ = (pacemaker_ + 1) % flow_count_;
  }
  last_look_ = cycle;
  last_step_ = flows_[pacemaker_].steps_left;
  take_state(cycle);
  const std::uint64_t hash = hash_of(state_);
  for (std::size_t k = 0; k < std::min(taken_, snapshots_.size()); ++k) {
    if (snapshots_[k].hash != hash || snapshots_[k].state != state_) continue;
    const std::int64_t repeats = repeats_of(snapshots_[k], cycle);
    pattern_ = k;
    pattern_period_ = cycle - snapshots_[k].cycle;
    last_look_ = -1;
    taken_ = repeats > 0 ? taken_ : 0;
    return {pattern_period_, repeats};
  }
  if (++looks_ < patience_) return {};
  looks_ = 0;
  patience_ *= 2;
  take_snapshot(cycle);
  return {};
}

std::int64_t CompactGroup::repeats_of(const Snapshot& then, std::int64_t cycle) const {
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (std::size_t f = 0; f < flow_count_; ++f) most = std::min(most, repeats_of(f, then, cycle));
  return most;
}

// How often the growth since then fits before the flow meets an event (see Leap::repeats).
std::int64_t CompactGroup::repeats_of(std::size_t f, const Snapshot& then, std::int64_t cycle) const {
  const Slot& slot = flows_[f];
  const std::uint64_t steps = then.steps[f] - slot.steps_left;
  std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  if (asleep(slot, cycle)) {
    if (steps != 0) return 0;
    most = static_cast<std::uint64_t>((slot.rhythm.due_cycle() - cycle) / (cycle - then.cycle));
  }
  most = std::min(most, periods_of_steps(slot.rhythm, slot.steps_left, steps, then.bursts[f] - slot.rhythm.burst_left));
  for (std::size_t k = slot.first_lane; k < slot.end_lane; ++k) {
    const Lane& lane = lanes_[k];
    const StreamGrowth growth{then.lanes[k].left - lane.left,
                              then.lanes[k].to_move - lane.to_move,
                              lane.run_left,
                              lane.to_move,
                              lane.every,
                              lane.phase};
    most = std::min(most, periods_of_stream(growth, steps));
  }
  return static_cast<std::int64_t>(most);
}

void CompactGroup::leap(std::int64_t repeats, std::int64_t cycle) {
  const Snapshot& then = snapshots_[pattern_];
  const auto times = static_cast<std::uint64_t>(repeats);
  const std::int64_t passed = pattern_period_ * repeats;
  for (std::size_t f = 0; f < flow_count_; ++f) {
    Slot& slot = flows_[f];
    const std::uint64_t steps = then.steps[f] - slot.steps_left;
    const bool sleeps = asleep(slot, cycle);
    const Stalls now = stalls_at(slot, cycle);
    slot.stalls.bank += (now.bank - then.stalls[f].bank) * times;
    slot.stalls.operand += (now.operand - then.stalls[f].operand) * times;
    slot.stalls.write += (now.write - then.stalls[f].write) * times;
    slot.steps_left -= steps * times;
    if (!sleeps) slot.rhythm.due.cycle += passed;
    if (slot.waits_for >= 0) slot.late_since += passed;
    if (slot.rhythm.burst_steps > kLongInterval) slot.rhythm.burst_left -= steps * times;
    for (std::size_t k = slot.first_lane; k < slot.end_lane; ++k) {
      Lane& lane = lanes_[k];
      const std::uint64_t granted = then.lanes[k].left - lane.left, moved = then.lanes[k].to_move - lane.to_move;
      lane.left -= granted * times;
      lane.run_left -= granted * times;
      lane.to_move -= moved * times;
      if (lane.long_interval) lane.phase += steps * times;
    }
  }
  for (std::size_t b = 0; b < bank_count_; ++b)
    banks_[b].conflicts += (banks_[b].conflicts - then.conflicts[b]) * times;
  next_due_ = std::numeric_limits<std::int64_t>::min();  // found anew
  taken_ = 0;
  last_look_ = -1;
}

}  // namespace dve::contention
