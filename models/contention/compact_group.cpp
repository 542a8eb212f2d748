#include "compact_group.h"

#include <algorithm>
#include <limits>

#include "leap.h"

namespace dve::contention {
bool CompactGroup::possible(const std::vector<Flow*>& flows, const Arbiter& arbiter) {
  if (flows.size() > kMostFlows || arbiter.wheel_.strict()) return false;
  UserMask users = 0;
  for (const Flow* flow : flows) {
    const bool twice = (users & contention::bit(flow->user())) != 0;
    if (twice || flow->elder() != nullptr || flow->stepped_out() || arbiter.throttled(flow->user())) return false;
    users |= contention::bit(flow->user());
    for (const Stream& s : flow->streams()) {
      if (s.path == Path::sbuf_exclusive || s.path == Path::psum_exclusive) return false;
    }
  }
  return true;
}

void CompactGroup::load(const std::vector<Flow*>& flows, Arbiter& arbiter) {
  flow_count_ = flows.size();
  lane_count_ = bank_count_ = 0;
  requests_ = shared_paths_ = active_banks_ = watched_ = 0;
  on_time_ = (1U << flow_count_) - 1;
  next_due_ = std::numeric_limits<std::int64_t>::min();
  for (PathSlot& path : paths_) path.users = 0, path.owner = SharedPath::kNobody;
  arbiter_ = &arbiter;
  buffer_ = flows[0]->buffer();
  path_policy_ = arbiter.parameters_.sbuf_shared;
  UserMask users = 0;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const Flow& flow = *flows[f];
    Slot& slot = flows_[f];
    slot.rhythm = flow.rhythm_;
    slot.steps_left = flow.job_.steps - flow.step_;
    slot.stalls = flow.stalls_;
    slot.waits_for = -1;
    slot.user = static_cast<std::uint32_t>(index_of(flow.user()));
    slot.last_step = flow.last_step_;
    slot.first_lane = static_cast<std::uint8_t>(lane_count_);
    flow_of_[slot.user] = static_cast<std::uint8_t>(f);
    users |= UserMask{1} << slot.user;
    for (const Stream& s : flow.streams()) load_lane(flow, s, f, arbiter);
    slot.end_lane = static_cast<std::uint8_t>(lane_count_);
  }
  both_sides_ = arbiter.wheel_.active() && (users & kDmaMask) != 0 && (users & ~kDmaMask) != 0;
  const auto priority = [&](std::size_t f) { return arbiter.parameters_.users[flows_[f].user].priority; };
  plain_turns_ = (users & kPeMask) == 0;
  for (std::size_t f = 1; f < flow_count_; ++f) plain_turns_ = plain_turns_ && priority(f) == priority(0);
  taken_ = 0;
  last_look_ = -1;
}

std::uint8_t CompactGroup::bank_slot(std::uint16_t number, const Arbiter& arbiter) {
  for (std::size_t b = 0; b < bank_count_; ++b) {
    if (banks_[b].number == number) return static_cast<std::uint8_t>(b);
  }
  Bank& bank = banks_[bank_count_];
  bank.users = 0;
  bank.lanes = {};
  bank.number = number;
  bank.count = 0;
  bank.conflicts = 0;
  bank.state = arbiter.banks_[number];
  return static_cast<std::uint8_t>(bank_count_++);
}

void CompactGroup::load_lane(const Flow& flow, const Stream& s, std::size_t slot, const Arbiter& arbiter) {
  Lane& lane = lanes_[lane_count_++];
  lane.run_left = s.run_left;
  lane.left = s.beats - s.granted;
  lane.to_move = s.beats - s.moved;
  lane.every = s.every;
  lane.phase = s.phase;
  lane.granted_at = lane.lost_at = -1;
  lane.level = static_cast<std::uint32_t>(s.write ? s.moved - s.granted : s.granted - s.moved);
  lane.flow = static_cast<std::uint8_t>(slot);
  // What has no beats left is nobody's business: others may use its bank and its path meanwhile.
  lane.bank = lane.left == 0 ? 0 : bank_slot(s.bank, arbiter);
  lane.path = lane.left == 0 ? 0 : static_cast<std::uint8_t>(s.path);
  lane.bit = static_cast<std::uint8_t>(1U << (&s - flow.streams().begin()));
  lane.write = s.write;
  lane.wanted = false;
  lane.long_interval = s.every > kLongInterval;
  if (lane.path != 0 && (shared_paths_ >> lane.path & 1) == 0) {
    shared_paths_ |= 1U << lane.path;
    paths_[lane.path].shared = arbiter.paths_[lane.path];
  }
  if (flow.wants(s)) want(lane);
}

void CompactGroup::unload(const std::vector<Flow*>& flows, Arbiter& arbiter, std::int64_t cycle) {
  for (std::size_t f = 0; f < flow_count_; ++f) {
    Flow& flow = *flows[f];
    Slot& slot = flows_[f];
    if (slot.waits_for >= 0) settle(slot, cycle);
    flow.rhythm_ = slot.rhythm;
    flow.step_ = flow.job_.steps - slot.steps_left;
    flow.stalls_ = slot.stalls;
    flow.last_step_ = slot.last_step;
    flow.missing_ = 0;
    flow.pending_writes_ = 0;
    for (std::size_t k = 0; k < flow.streams_.size(); ++k) {
      const Lane& lane = lanes_[slot.first_lane + k];
      Stream& s = flow.streams_[k];
      s.granted = s.beats - lane.left;
      s.moved = s.beats - lane.to_move;
      s.phase = lane.phase;
      s.run_left = lane.run_left;
      if (lane.write) flow.pending_writes_ += lane.left;
      if (s.run_left == 0) flow.next_run(s);
    }
    flow.find_wanted();
  }
  for (std::size_t b = 0; b < bank_count_; ++b) {
    arbiter.banks_[banks_[b].number] = banks_[b].state;
    arbiter.conflicts_[banks_[b].number] += banks_[b].conflicts;
  }
  for (std::uint32_t rest = shared_paths_; rest != 0; rest &= rest - 1)
    arbiter.paths_[lowest(rest)] = paths_[lowest(rest)].shared;
}

std::uint64_t CompactGroup::conflicts(std::uint32_t bank) const {
  for (std::size_t b = 0; b < bank_count_; ++b) {
    if (banks_[b].number == bank) return banks_[b].conflicts;
  }
  return 0;
}

bool CompactGroup::step(std::int64_t cycle) {
  run_ended_ = false;
  used_paths_ = 0;
  if (shared_paths_ != 0) choose_paths();
  const bool dma_slot = both_sides_ && arbiter_->wheel_.dma_slot(cycle);
  woken_ = 0;
  for (std::uint32_t rest = active_banks_; rest != 0; rest &= rest - 1) {
    Bank& bank = banks_[lowest(rest)];
    bank.conflicts += bank.count - 1;
    grant(bank, winner(bank, dma_slot), cycle);
  }
  if (used_paths_ != 0) give_on_paths(used_paths_, cycle);
  std::uint32_t todo = woken_ | watched_;
  if (cycle >= next_due_) todo |= due_flows(cycle);
  bool done = false;
  for (; todo != 0; todo &= todo - 1) done = advance(lowest(todo), cycle) || done;
  return done || run_ended_;
}

// Flows whose next step is due, one bit each.
std::uint32_t CompactGroup::due_flows(std::int64_t cycle) {
  std::uint32_t due = 0;
  next_due_ = std::numeric_limits<std::int64_t>::max();
  for (std::uint32_t rest = on_time_; rest != 0; rest &= rest - 1) {
    const std::int64_t when = flows_[lowest(rest)].rhythm.due_cycle();
    if (when <= cycle)
      due |= rest & (~rest + 1);
    else
      next_due_ = std::min(next_due_, when);
  }
  return due;
}

// Whose lanes compete through each shared path in this cycle.
void CompactGroup::choose_paths() {
  for (std::uint32_t rest = shared_paths_; rest != 0; rest &= rest - 1) {
    PathSlot& path = paths_[lowest(rest)];
    if (path.users == 0 || (path.owner != SharedPath::kNobody && path.shared.holder != SharedPath::kNobody)) continue;
    const std::uint8_t owner = flow_of_[path.shared.choose(path.users, path_policy_)];
    if (owner == path.owner) continue;
    release(static_cast<std::uint8_t>(lowest(rest)), -1);
    path.owner = owner;
    for (std::size_t k = flows_[owner].first_lane; k < flows_[owner].end_lane; ++k) {
      if (lanes_[k].path == lowest(rest) && lanes_[k].wanted) compete(lanes_[k]);
    }
  }
}

// Nobody's lanes compete through the path any more; those that did in this cycle have lost their bank.
void CompactGroup::release(std::uint8_t number, std::int64_t competed_at) {
  PathSlot& path = paths_[number];
  if (path.owner == SharedPath::kNobody) return;
  const Slot& slot = flows_[path.owner];
  for (std::size_t k = slot.first_lane; k < slot.end_lane; ++k) {
    Lane& lane = lanes_[k];
    if (lane.path != number) continue;
    if ((banks_[lane.bank].lanes[lane.flow] & lane.bit) != 0) lane.lost_at = competed_at;
    withdraw(lane);
  }
  path.owner = SharedPath::kNobody;
}

std::uint32_t CompactGroup::winner(Bank& bank, bool dma_slot) {
  UserMask users = bank.users;
  if (both_sides_) {
    const UserMask own = dma_slot ? users & kDmaMask : users & ~kDmaMask;
    users = own != 0 ? own : users;
  }
  if (!plain_turns_) return arbiter_->pick(bank.state, users);
  RoundRobin& turns = arbiter_->wheel_.active() && (users & ~kDmaMask) == 0 ? bank.state.dma : bank.state.compute;
  return turns.choose(users, [this](std::uint32_t user) { return arbiter_->weights_[user]; });
}

// All of the winner's lanes that compete for the bank.
void CompactGroup::grant(Bank& bank, std::uint32_t user, std::int64_t cycle) {
  const Slot& slot = flows_[flow_of_[user]];
  for (std::uint32_t rest = bank.lanes[flow_of_[user]]; rest != 0; rest &= rest - 1) {
    Lane& lane = lanes_[slot.first_lane + lowest(rest)];
    lane.granted_at = cycle;
    if (slot.waits_for == static_cast<int>(&lane - lanes_.data())) woken_ |= 1U << lane.flow;
    --lane.left;
    --lane.run_left;
    lane.level += lane.write ? ~std::uint32_t{0} : 1;
    if (lane.path != 0) used_paths_ |= 1U << lane.path;
    if (lane.run_left == 0) run_ended_ = true;
    const bool more = lane.run_left != 0 && (lane.write ? lane.level != 0 : lane.level < buffer_);
    if (more) continue;
    withdraw(lane);
    lane.wanted = false;
    --requests_;
    if (lane.path == 0) continue;
    bool others = false;
    for (std::size_t k = slot.first_lane; k < slot.end_lane; ++k)
      others = others || (lanes_[k].wanted && lanes_[k].path == lane.path);
    if (!others) paths_[lane.path].users &= ~(UserMask{1} << user);
  }
}

// Paths that have been used are given on once all banks of the cycle have been decided.
void CompactGroup::give_on_paths(std::uint32_t used, std::int64_t cycle) {
  for (; used != 0; used &= used - 1) {
    const auto path = static_cast<std::uint8_t>(lowest(used));
    paths_[path].shared.granted(path_policy_);
    release(path, cycle);
  }
}

void CompactGroup::want(Lane& lane) {
  lane.wanted = true;
  ++requests_;
  if (lane.path == 0) return compete(lane);
  PathSlot& path = paths_[lane.path];
  path.users |= UserMask{1} << flows_[lane.flow].user;
  if (path.owner == lane.flow) compete(lane);
}

void CompactGroup::compete(Lane& lane) {
  Bank& bank = banks_[lane.bank];
  if (bank.lanes[lane.flow] == 0) {
    active_banks_ |= 1U << lane.bank;
    bank.users |= UserMask{1} << flows_[lane.flow].user;
    ++bank.count;
  }
  bank.lanes[lane.flow] |= lane.bit;
}

void CompactGroup::withdraw(Lane& lane) {
  Bank& bank = banks_[lane.bank];
  if ((bank.lanes[lane.flow] & lane.bit) == 0) return;
  bank.lanes[lane.flow] = static_cast<std::uint8_t>(bank.lanes[lane.flow] & ~lane.bit);
  if (bank.lanes[lane.flow] != 0) return;
  bank.users &= ~(UserMask{1} << flows_[lane.flow].user);
  if (--bank.count == 0) active_banks_ &= ~(1U << lane.bank);
}

// The lane that the next step waits for, and why; -1: none.
int CompactGroup::missing_lane(const Slot& slot, std::int64_t cycle, Cause& cause) const {
  for (std::size_t k = slot.first_lane; k < slot.end_lane; ++k) {
    const Lane& lane = lanes_[k];
    if (lane.write || lane.to_move == 0 || lane.level != 0) continue;
    const bool competed = (banks_[lane.bank].lanes[lane.flow] & lane.bit) != 0 || lane.lost_at == cycle;
    cause = competed ? Cause::bank : Cause::operand;
    return static_cast<int>(k);
  }
  const bool last = slot.steps_left == 1;
  for (std::size_t k = slot.first_lane; k < slot.end_lane; ++k) {
    const Lane& lane = lanes_[k];
    if (!lane.write || lane.level == 0) continue;
    const bool produces = lane.phase + 1 == lane.every && lane.to_move != 1;
    if (!last && !(produces && lane.level >= buffer_)) continue;
    cause = Cause::write;
    return static_cast<int>(k);
  }
  return -1;
}

// Counts the lateness up to this cycle, which is late or the one of the step.
void CompactGroup::settle(Slot& slot, std::int64_t cycle) {
  const std::int64_t late = cycle - slot.late_since;
  slot.rhythm.due.cycle += late;
  (slot.cause == Cause::bank      ? slot.stalls.bank
   : slot.cause == Cause::operand ? slot.stalls.operand
                                  : slot.stalls.write) += static_cast<std::uint64_t>(late);
  slot.late_since = cycle;
}

bool CompactGroup::advance(std::size_t flow, std::int64_t cycle) {
  Slot& slot = flows_[flow];
  const std::uint32_t own = 1U << flow;
  if (slot.waits_for >= 0) {
    settle(slot, cycle);
    slot.waits_for = -1;
    watched_ &= ~own;
    on_time_ |= own;
  }
  Cause cause = Cause::bank;
  const int missing = missing_lane(slot, cycle, cause);
  if (missing < 0) {
    const bool last = take_step(slot, cycle);
    if (last) on_time_ &= ~own;
    next_due_ = std::min(next_due_, last ? next_due_ : slot.rhythm.due_cycle());
    return last;
  }
  slot.waits_for = static_cast<std::int8_t>(missing);
  slot.late_since = cycle;
  slot.cause = cause;
  on_time_ &= ~own;
  const Lane& lane = lanes_[static_cast<std::size_t>(missing)];
  // Without a shared path the cause stays what it is until the lane's next grant.
  if (lane.path != 0 && !lane.write) watched_ |= own;
  return false;
}

bool CompactGroup::take_step(Slot& slot, std::int64_t cycle) {
  const bool last = --slot.steps_left == 0;
  for (std::size_t k = slot.first_lane; k < slot.end_lane; ++k) {
    Lane& lane = lanes_[k];
    if (lane.write && last) {
      lane.level += static_cast<std::uint32_t>(lane.to_move);
      lane.to_move = 0;
    } else if (++lane.phase == lane.every) {
      lane.phase = 0;
      if (lane.to_move > (lane.write ? 1U : 0U)) {
        --lane.to_move;
        lane.level += lane.write ? 1 : ~std::uint32_t{0};
      }
    }
    const bool wants = lane.write ? lane.level != 0 : lane.left != 0 && lane.level < buffer_;
    if (wants && !lane.wanted && lane.run_left != 0) want(lane);
  }
  if (last) slot.last_step = cycle;
  slot.rhythm.next();
  if (!last) slot.stalls.operand += slot.rhythm.one_a_cycle(cycle);
  return last;
}

}  // namespace dve::contention
