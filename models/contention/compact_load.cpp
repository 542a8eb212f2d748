// A compact group's way in and out of the flows' and the arbiter's general form.
#include <algorithm>

#include "compact_group.h"

namespace dve::contention {

bool CompactGroup::possible(const std::vector<Flow*>& flows, const Arbiter& arbiter) {
  if (flows.size() > kMostFlows || arbiter.wheel_.strict()) return false;
  UserMask users = 0;
  for (const Flow* flow : flows) {
    if ((users & contention::bit(flow->user())) != 0 || flow->elder() != nullptr) return false;
    if (flow->buffer() > kDeepest) return false;
    users |= contention::bit(flow->user());
    for (const Stream& s : flow->streams()) {
      if (s.path == Path::sbuf_exclusive || s.path == Path::psum_exclusive) return false;
      if (s.write && s.moved - s.granted > kDeepest) return false;  // what a last step has produced
    }
  }
  return true;
}

void CompactGroup::load(const std::vector<Flow*>& flows, Arbiter& arbiter, std::int64_t cycle) {
  flow_count_ = flows.size();
  bank_count_ = throttle_count_ = 0;
  want_ = empty_ = waiting_ = competed_ = producing_ = present_ = reads_ = sparse_ = throttles_of_ = 0;
  shared_paths_ = pe_ = dma_ = 0;
  for (PathSlot& path : paths_) path.lanes = 0;
  of_user_.fill(0);
  buffer_ = static_cast<std::uint16_t>(flows[0]->buffer());
  path_policy_ = arbiter.parameters_.sbuf_shared;
  for (std::size_t f = 0; f < flow_count_; ++f) load_flow(*flows[f], f, arbiter);
  load_ranks(arbiter);
  wheel_ = arbiter.wheel_.active();
  both_sides_ = wheel_ && dma_ != 0 && dma_ != flows_with(present_);
  slots_ = arbiter.wheel_.period();
  dma_from_ = slots_ - static_cast<std::int64_t>(arbiter.parameters_.tdm.dma_slots);
  turn_began_ = cycle - cycle % slots_;
  due_now_ = 0;
  next_due_ = cycle;
  stepped_ = 0;
  refill(cycle);
  taken_ = 0;
  next_look_ = last_look_ = cycle;
  pacemaker_ = slowest();
  last_step_ = ~std::uint64_t{0};
}

void CompactGroup::load_flow(const Flow& flow, std::size_t number, Arbiter& arbiter) {
  Slot& slot = flows_[number];
  slot.rhythm = flow.rhythm_;
  slot.steps_left = flow.job_.steps - flow.step_;
  slot.stalls = flow.stalls_;
  slot.last_step = flow.last_step_;
  slot.user = static_cast<std::uint8_t>(index_of(flow.user()));
  slot.first_lane = slot.end_lane = static_cast<std::uint8_t>(number << kShift);
  slot.write_lane = kNone;
  due_[number] = slot.steps_left == 0 ? kForever : slot.rhythm.due_cycle();
  of_user_[slot.user] = flow_bit(number);
  if (is_pe(flow.user())) pe_ |= flow_bit(number);
  if (is_dma(flow.user())) dma_ |= flow_bit(number);
  levels_[number] = stops_[number] = 0;
  for (const Stream& s : flow.streams()) load_lane(flow, s, slot, arbiter);
  find_regular_step(number);
  load_throttle(number, arbiter.read_tokens_[slot.user], false);
  load_throttle(number, arbiter.write_tokens_[slot.user], true);
}

void CompactGroup::load_lane(const Flow& flow, const Stream& s, Slot& slot, Arbiter& arbiter) {
  const std::size_t lane = slot.end_lane++, number = lane >> kShift;
  const Lanes own = Lanes{1} << lane;
  const std::uint64_t left = s.beats - s.granted;
  present_ |= own;
  run_left_[lane] = s.run_left;
  after_run_[lane] = left - s.run_left;
  every_[lane] = s.every;
  phase_[lane] = s.phase;
  if (s.every != 1) sparse_ |= own;
  levels_[number] |= field(lane, s.write ? s.moved - s.granted : s.granted - s.moved);
  to_make_[lane] = s.write ? s.beats - s.moved : 0;
  grant_[lane] = s.write ? ~field(lane, 1) + 1 : field(lane, 1);
  stops_[number] |= field(lane, s.write ? 0 : buffer_);
  if (s.write)
    slot.write_lane = static_cast<std::uint8_t>(lane);
  else
    reads_ |= own;
  if (!s.write && level(lane) == 0 && left != 0) empty_ |= own;
  if (flow.wants(s)) want_ |= own;
  // What has no beats left is nobody's business: others may use its bank and its path meanwhile.
  if (left == 0) return;
  bank_slot(s.bank, arbiter).lanes |= own;
  if (s.path == Path::none) return;
  const auto path = static_cast<std::size_t>(s.path);
  paths_[path].lanes |= own;
  paths_[path].shared = arbiter.paths_[path];
  shared_paths_ |= 1U << path;
}

CompactGroup::Bank& CompactGroup::bank_slot(std::uint16_t number, const Arbiter& arbiter) {
  for (std::size_t b = 0; b < bank_count_; ++b) {
    if (banks_[b].number == number) return banks_[b];
  }
  banks_[bank_count_] = {0, number, arbiter.banks_[number], 0};
  return banks_[bank_count_++];
}

void CompactGroup::load_throttle(std::size_t flow, const TokenBucket& bucket, bool write) {
  if (!bucket.active()) return;
  const Lanes lanes = present_ & lanes_of(flow) & (write ? ~reads_ : reads_);
  throttles_[throttle_count_++] = {lanes, flows_[flow].user, write, bucket};
  throttles_of_ |= lanes;
}

void CompactGroup::load_ranks(const Arbiter& arbiter) {
  const Parameters& parameters = arbiter.parameters_;
  // The tensor engine's clients have ranks among themselves, and one among others.
  const auto higher = [&](const Slot& a, const Slot& b) {
    const bool pe_a = is_pe(static_cast<User>(a.user)), pe_b = is_pe(static_cast<User>(b.user));
    const auto rank = [&](const Slot& slot, bool pe) {
      return pe && !(pe_a && pe_b) ? parameters.pe_priority : parameters.users[slot.user].priority;
    };
    return rank(a, pe_a) > rank(b, pe_b);
  };
  ranked_ = false;
  for (std::size_t f = 0; f < flow_count_; ++f) {
    higher_[f] = 0;
    for (std::size_t g = 0; arbiter.any_priority_ && g < flow_count_; ++g) {
      if (higher(flows_[g], flows_[f])) higher_[f] |= flow_bit(g);
    }
    ranked_ = ranked_ || higher_[f] != 0;
    credits_[f] = static_cast<std::uint16_t>(arbiter.weights_[flows_[f].user] - 1);
  }
  pe_credits_ = static_cast<std::uint16_t>(parameters.pe_weight - 1);
  FlowSet above = 0;
  for (std::size_t user = kUsers; user-- != 0;) {
    above_user_[user] = above;
    above |= of_user_[user];
  }
}

// Of those that have steps left, or any.
std::size_t CompactGroup::slowest() const {
  const auto pace = [&](std::size_t f) {
    const Rhythm& r = flows_[f].rhythm;
    return static_cast<double>(r.pace.cycle) +
           static_cast<double>(r.pace.fraction) / static_cast<double>(r.denominator);
  };
  std::size_t found = 0;
  for (std::size_t f = 1; f < flow_count_; ++f) {
    const bool first = flows_[found].steps_left == 0;
    if (flows_[f].steps_left != 0 && (first || pace(f) > pace(found))) found = f;
  }
  return found;
}

void CompactGroup::unload(const std::vector<Flow*>& flows, Arbiter& arbiter, std::int64_t cycle) {
  for (std::size_t f = 0; f < flow_count_; ++f) unload_flow(*flows[f], f, cycle);
  for (std::size_t b = 0; b < bank_count_; ++b) {
    arbiter.banks_[banks_[b].number] = banks_[b].turns;
    arbiter.conflicts_[banks_[b].number] += banks_[b].conflicts;
  }
  for (std::uint32_t rest = shared_paths_; rest != 0; rest &= rest - 1)
    arbiter.paths_[lowest(rest)] = paths_[lowest(rest)].shared;
  for (std::size_t t = 0; t < throttle_count_; ++t) {
    const Throttle& throttle = throttles_[t];
    (throttle.write ? arbiter.write_tokens_ : arbiter.read_tokens_)[throttle.user] = throttle.bucket;
  }
}

void CompactGroup::unload_flow(Flow& flow, std::size_t number, std::int64_t cycle) {
  Slot& slot = flows_[number];
  if (waits(number)) settle(slot, cycle);
  flow.rhythm_ = slot.rhythm;
  flow.step_ = flow.job_.steps - slot.steps_left;
  flow.stalls_ = slot.stalls;
  flow.last_step_ = slot.last_step;
  flow.missing_ = 0;
  flow.pending_writes_ = 0;
  for (std::size_t lane = slot.first_lane; lane < slot.end_lane; ++lane) {
    Stream& s = flow.streams_[lane - slot.first_lane];
    s.granted = s.beats - left(lane);
    s.moved = s.write ? s.beats - to_make(lane) : s.granted - level(lane);
    s.phase = phase_[lane];
    s.run_left = run_left_[lane];
    if (s.write) flow.pending_writes_ += left(lane);
    if (s.run_left == 0) flow.next_run(s);
  }
  flow.find_wanted();
}

}  // namespace dve::contention
