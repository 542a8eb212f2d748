#include "compact_group.h"

#include <algorithm>

namespace dve::contention {
namespace {

// Which of the four 16-bit fields are zero, one bit each. The highest bit of a field is never set.
constexpr std::uint32_t empty_fields(std::uint64_t fields) {
  constexpr std::uint64_t kHighest = 0x8000800080008000, kLowest = 0x0001000100010001;
  const std::uint64_t zero = ~((fields | kHighest) - kLowest) & kHighest;
  return static_cast<std::uint32_t>((zero >> 15 | zero >> 30 | zero >> 45 | zero >> 60) & 0xF);
}

}  // namespace

std::uint64_t CompactGroup::conflicts(std::uint32_t bank) const {
  for (std::size_t b = 0; b < bank_count_; ++b) {
    if (banks_[b].number == bank) return banks_[b].conflicts;
  }
  return 0;
}

// The next cycle in which anything happens, while nobody competes for a beat.
std::int64_t CompactGroup::next_event(std::int64_t cycle) const {
  if (due_now_ != 0) return cycle;
  return std::max(cycle, want_ != 0 ? std::min(next_due_, next_refill_) : next_due_);
}

inline bool CompactGroup::dma_slot(std::int64_t cycle) {
  if (cycle - turn_began_ >= slots_) turn_began_ = cycle - cycle % slots_;
  return cycle - turn_began_ >= dma_from_;
}

// Those that use no shared path, or whose flow has it in this cycle.
inline CompactGroup::Lanes CompactGroup::on_their_paths(Lanes competing) {
  for (std::uint32_t rest = shared_paths_; rest != 0; rest &= rest - 1) {
    PathSlot& path = paths_[lowest(rest)];
    const Lanes lanes = competing & path.lanes;
    if (lanes == 0) continue;
    const FlowSet flows = flows_with(lanes);
    SharedPath& shared = path.shared;
    FlowSet owner = shared.holder == SharedPath::kNobody ? 0 : flows & of_user_[shared.holder];
    if (owner == 0) {
      const FlowSet above = flows & above_user_[shared.last];
      owner = above != 0 ? above : flows;
      shared.last = flows_[lowest(owner) >> kShift].user;
      shared.holder = path_policy_ == SharedPort::rotate ? SharedPath::kNobody : shared.last;
    }
    competing &= ~path.lanes | lanes_of(lowest(owner) >> kShift);
  }
  return competing;
}

inline CompactGroup::FlowSet CompactGroup::highest(FlowSet flows) const {
  if (!ranked_ || (flows & (flows - 1)) == 0) return flows;
  FlowSet best = flows;
  for (FlowSet rest = flows; rest != 0; rest &= rest - 1) {
    if ((flows & higher_[lowest(rest) >> kShift]) != 0) best &= ~(rest & (~rest + 1));
  }
  return best;
}

inline std::size_t CompactGroup::next_turn(RoundRobin& turns, FlowSet flows) const {
  const FlowSet same = flows & of_user_[turns.last];
  if (turns.credits != 0 && same != 0) {
    --turns.credits;
    return lowest(same) >> kShift;
  }
  const FlowSet above = flows & above_user_[turns.last];
  const std::size_t chosen = lowest(above != 0 ? above : flows) >> kShift;
  turns.last = flows_[chosen].user;
  turns.credits = credits_[chosen];
  return chosen;
}

// Stage 1 chooses one of the tensor engine's clients, whose turn counts if stage 2 chooses the tensor engine.
inline std::size_t CompactGroup::pick_with_pe(Arbiter::BankState& turns, FlowSet flows) {
  RoundRobin stage1 = turns.pe;
  const std::size_t client = next_turn(stage1, highest(flows & pe_));
  flows = highest((flows & ~pe_) | flow_bit(client));
  RoundRobin& stage2 = turns.compute;
  std::size_t chosen = 0;
  const FlowSet pe = flows & flow_bit(client);
  const FlowSet same = stage2.last == kPeTurn ? pe : flows & of_user_[stage2.last];
  if (stage2.credits != 0 && same != 0) {
    --stage2.credits;
    chosen = lowest(same) >> kShift;
  } else {
    const FlowSet above = flows & above_user_[stage2.last];
    chosen = lowest(above != 0 ? above : flows) >> kShift;
    stage2.last = chosen == client ? kPeTurn : flows_[chosen].user;
    stage2.credits = chosen == client ? pe_credits_ : credits_[chosen];
  }
  if (chosen == client) turns.pe = stage1;
  return chosen;
}

inline std::size_t CompactGroup::winner(Bank& bank, FlowSet flows, bool dma_slot) {
  for (FlowSet refused = flows & (flows - 1); refused != 0; refused &= refused - 1) ++bank.conflicts;
  if (both_sides_) {
    const FlowSet own = flows & (dma_slot ? dma_ : ~dma_);
    flows = own != 0 ? own : flows;
  }
  if ((flows & pe_) != 0) return pick_with_pe(bank.turns, flows);
  return next_turn(wheel_ && (flows & ~dma_) == 0 ? bank.turns.dma : bank.turns.compute, highest(flows));
}

inline CompactGroup::Lanes CompactGroup::winning(Lanes competing, bool dma_slot) {
  Lanes granted = 0;
  for (std::size_t b = 0; b < bank_count_; ++b) {
    const Lanes lanes = competing & banks_[b].lanes;
    if (lanes != 0) granted |= lanes & lanes_of(winner(banks_[b], flows_with(lanes), dma_slot));
  }
  return granted;
}

// The grants less those for which an earlier stream of the same user took the last token.
CompactGroup::Lanes CompactGroup::with_tokens(Lanes granted, std::int64_t cycle) {
  for (std::size_t t = 0; t < throttle_count_; ++t) {
    Throttle& throttle = throttles_[t];
    for (Lanes rest = granted & throttle.lanes; rest != 0; rest &= rest - 1) {
      if (throttle.bucket.tokens(cycle) != 0)
        throttle.bucket.spend();
      else
        granted &= ~(rest & (~rest + 1));
    }
    if (throttle.bucket.tokens(cycle) != 0) continue;
    throttled_ |= throttle.lanes;
    next_refill_ = std::min(next_refill_, throttle.bucket.window_end());
  }
  return granted;
}

void CompactGroup::refill(std::int64_t cycle) {
  throttled_ = 0;
  next_refill_ = kForever;
  for (std::size_t t = 0; t < throttle_count_; ++t) {
    Throttle& throttle = throttles_[t];
    if (throttle.bucket.tokens(cycle) != 0) continue;
    throttled_ |= throttle.lanes;
    next_refill_ = std::min(next_refill_, throttle.bucket.window_end());
  }
}

inline void CompactGroup::take_grants(Lanes granted) {
  empty_ &= ~granted;
  Lanes done = 0;
  for (Lanes rest = granted; rest != 0; rest &= rest - 1) {
    const std::size_t lane = lowest(rest), flow = lane >> kShift;
    const std::uint64_t levels = levels_[flow] + grant_[lane];
    levels_[flow] = levels;
    if (static_cast<std::uint16_t>((levels ^ stops_[flow]) >> shift_of(lane)) == 0) done |= rest & (~rest + 1);
    if (--run_left_[lane] == 0) {
      done |= rest & (~rest + 1);
      run_ended_ = true;
    }
  }
  want_ &= ~done;
  if (path_policy_ != SharedPort::hold) return;
  for (std::uint32_t rest = shared_paths_; rest != 0; rest &= rest - 1) {
    PathSlot& path = paths_[lowest(rest)];
    if ((granted & path.lanes) != 0) path.shared.granted(path_policy_);
  }
}

// Flows whose next step is due, and when the next of the others will be.
inline void CompactGroup::find_due(std::int64_t cycle) {
  next_due_ = kForever;
  for (std::size_t f = 0; f < flow_count_; ++f) {
    if (due_[f] <= cycle)
      due_now_ |= flow_bit(f);
    else
      next_due_ = std::min(next_due_, due_[f]);
  }
}

void CompactGroup::add_stalls(const Slot& slot, std::int64_t late, Stalls& stalls) {
  if (slot.cause == Cause::write) {
    stalls.write += static_cast<std::uint64_t>(late);
  } else {
    stalls.bank += slot.lost;
    stalls.operand += static_cast<std::uint64_t>(late) - slot.lost;
  }
}

// Counts the lateness up to this cycle, which is late or the one of the step.
inline void CompactGroup::settle(Slot& slot, std::int64_t cycle) {
  const std::int64_t late = cycle - slot.late_since;
  slot.rhythm.due.cycle += late;
  add_stalls(slot, late, slot.stalls);
  slot.late_since = cycle;
  slot.lost = 0;
}

inline void CompactGroup::start_waiting(std::size_t flow, std::size_t lane, Cause cause, std::int64_t cycle) {
  Slot& slot = flows_[flow];
  waiting_ |= Lanes{1} << lane;
  slot.late_since = cycle;
  slot.lost = competed_ >> lane & 1;
  slot.cause = cause;
  due_[flow] = kForever;
}

// The next step produces a beat that the buffer has no room for; the last step waits until it is empty.
inline bool CompactGroup::no_room(const Slot& slot) const {
  const std::size_t lane = slot.write_lane;
  const std::uint16_t level = this->level(lane);
  if (level < buffer_) return level != 0 && slot.steps_left == 1;
  if (slot.steps_left == 1 || (producing_ >> lane & 1) != 0) return true;
  return phase_[lane] + 1 == every_[lane] && to_make_[lane] != 1;
}

void CompactGroup::sparse_step(std::size_t lane) {
  if (++phase_[lane] != every_[lane]) return;
  phase_[lane] = 0;
  const Lanes own = Lanes{1} << lane;
  const bool read = (reads_ & own) != 0;
  if (read ? level(lane) == 0 : to_make_[lane] <= 1) return;
  if (!read) --to_make_[lane];
  levels_[lane >> kShift] -= grant_[lane];
  if (read && level(lane) == 0 && left(lane) != 0) empty_ |= own;
  if (run_left_[lane] != 0) want_ |= own;
}

// What every step does until regular_to steps are left: uses up a beat of each read, and produces one of each write
// but the last, which belongs to the last step.
void CompactGroup::find_regular_step(std::size_t flow) {
  Slot& slot = flows_[flow];
  steps_[flow] = slot.regular_to = 0;
  moves_[flow] = 0;
  for (std::size_t lane = slot.first_lane; lane < slot.end_lane; ++lane) {
    const Lanes own = Lanes{1} << lane;
    const bool read = (reads_ & own) != 0;
    if ((sparse_ & own) != 0) continue;
    std::uint64_t steps = kForever;  // until the lane drops out
    if (!read) {
      steps = to_make(lane) - std::min<std::uint64_t>(to_make(lane), 1);
    } else if (left(lane) == 0) {
      steps = level(lane);
    }
    if (!read && (producing_ & own) != 0) to_make_[lane] = to_make(lane);
    producing_ &= ~own;
    if (steps == 0) continue;
    if (!read) {
      producing_ |= own;
      to_make_[lane] -= slot.steps_left;
    }
    steps_[flow] -= grant_[lane];
    if (run_left_[lane] != 0) moves_[flow] |= own;
    if (steps < slot.steps_left) slot.regular_to = std::max(slot.regular_to, slot.steps_left - steps);
  }
}

inline void CompactGroup::take_step(std::size_t flow, std::int64_t cycle) {
  Slot& slot = flows_[flow];
  --slot.steps_left;
  const std::uint64_t levels = levels_[flow] + steps_[flow];
  levels_[flow] = levels;
  want_ |= moves_[flow];
  empty_ |= moves_[flow] & reads_ & empty_fields(levels) << (flow << kShift);
  for (Lanes rest = sparse_ & lanes_of(flow); rest != 0; rest &= rest - 1) sparse_step(lowest(rest));
  if (slot.steps_left == slot.regular_to) find_regular_step(flow);
  slot.rhythm.next();
  slot.stalls.operand += slot.rhythm.one_a_cycle(cycle);
  due_[flow] = slot.rhythm.due_cycle();
  if (due_[flow] == cycle + 1)
    due_now_ |= flow_bit(flow);
  else
    next_due_ = std::min(next_due_, due_[flow]);
}

// What all beats of its streams come to: reads are used up, the rest of the result is produced.
void CompactGroup::take_last_step(std::size_t flow, std::int64_t cycle) {
  Slot& slot = flows_[flow];
  for (std::size_t lane = slot.first_lane; lane < slot.end_lane; ++lane) {
    const Lanes own = Lanes{1} << lane;
    if ((reads_ & own) == 0) {
      if (level(lane) + to_make(lane) != 0 && run_left_[lane] != 0) want_ |= own;
      producing_ &= ~own;
      to_make_[lane] = 0;
    } else if ((sparse_ & own) != 0) {
      sparse_step(lane);
    } else if (level(lane) != 0) {
      levels_[flow] -= grant_[lane];
      if (run_left_[lane] != 0) want_ |= own;
    }
  }
  slot.steps_left = 0;
  slot.rhythm.next();
  slot.last_step = cycle;
  due_[flow] = kForever;
}

// True: it was the flow's last step.
inline bool CompactGroup::advance(std::size_t flow, std::int64_t cycle) {
  const Slot& slot = flows_[flow];
  const Lanes missing = empty_ & lanes_of(flow);
  if (missing != 0) {
    start_waiting(flow, lowest(missing), Cause::read, cycle);
  } else if (slot.write_lane != kNone && no_room(slot)) {
    start_waiting(flow, slot.write_lane, Cause::write, cycle);
  } else if (slot.steps_left == 1) {
    take_last_step(flow, cycle);
    return true;
  } else {
    take_step(flow, cycle);
  }
  return false;
}

// Requests, grants, steps, in this order. True: a run has ended, or a flow has done its last step.
inline bool CompactGroup::execute(std::int64_t cycle) {
  run_ended_ = false;
  if (cycle >= next_refill_) refill(cycle);
  Lanes competing = want_ & ~throttled_;
  if (shared_paths_ != 0) competing = on_their_paths(competing);
  Lanes granted = competing != 0 ? winning(competing, both_sides_ && dma_slot(cycle)) : 0;
  competed_ = competing & ~granted;
  if ((granted & throttles_of_) != 0) granted = with_tokens(granted, cycle);
  take_grants(granted);
  const Lanes woken = granted & waiting_;
  waiting_ &= ~granted;
  for (Lanes rest = competed_ & waiting_; rest != 0; rest &= rest - 1) ++flows_[lowest(rest) >> kShift].lost;
  for (Lanes rest = woken; rest != 0; rest &= rest - 1) settle(flows_[lowest(rest) >> kShift], cycle);
  if (cycle >= next_due_) find_due(cycle);
  FlowSet todo = flows_with(woken) | due_now_;
  due_now_ = 0;
  bool done = run_ended_;
  for (; todo != 0; todo &= todo - 1) done = advance(lowest(todo) >> kShift, cycle) || done;
  return done;
}

CompactGroup::Stopped CompactGroup::run(std::int64_t& cycle, std::int64_t limit, std::int64_t interval) {
  while (cycle < limit) {
    if (interval != 0 && worth_a_look(cycle) && (interval == 1 || cycle % interval == 0) && look(cycle))
      return Stopped::pattern;
    ++stepped_;
    if (execute(cycle++)) return Stopped::event;
    if ((want_ & ~throttled_) == 0) cycle = std::min(limit, next_event(cycle));
  }
  return Stopped::limit;
}

}  // namespace dve::contention
