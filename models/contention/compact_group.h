// A group of flows in a form that is stepped quickly: what a cycle decides about stands in bit masks, and only what a
// grant or a step changes is touched.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arbiter.h"
#include "flow.h"

namespace dve::contention {

// The same decisions as Arbiter::step() and Flow::advance() on the group's flows, cycle by cycle; the flows and the
// arbiter hold the state again after unload(). Covers the groups that most cycles are spent on, possible() says which:
// one job a user, no strict wheel, no exclusive paths, no more than kDeepest beats in a buffer.
//
// A stream is a lane here: one bit of a mask, four bits a flow (the fourth is not used). A set of flows is a mask with
// the lowest bit of each. Flows stand in the order of their users, so that round robin is "the next bit above".
class CompactGroup {
 public:
  static constexpr std::size_t kMostFlows = 8;
  static constexpr std::uint64_t kDeepest = 0x7FFF;
  static bool possible(const std::vector<Flow*>& flows, const Arbiter& arbiter);

  void load(const std::vector<Flow*>& flows, Arbiter& arbiter, std::int64_t cycle);
  // The flows stand as they are before this cycle.
  void unload(const std::vector<Flow*>& flows, Arbiter& arbiter, std::int64_t cycle);

  enum class Stopped : std::uint8_t {
    limit,   // the cycle is the limit
    event,   // in the last cycle a stream has come to the end of a run, or a flow to its last step
    pattern  // from the cycle on the group repeats what found() tells
  };
  // Executes the cycles from `cycle` on, which is left at the next one to execute. Looks back for a pattern (see Leap)
  // at multiples of `interval`; 0: never.
  Stopped run(std::int64_t& cycle, std::int64_t limit, std::int64_t interval);

  // A repetition of the last pattern: its length and how often it fits.
  struct Found {
    std::int64_t period = 0;
    std::int64_t repeats = 0;
  };
  const Found& found() const { return found_; }
  // Advances everything by `repeats` periods of it, from `cycle` on.
  void leap(std::int64_t repeats, std::int64_t cycle);

  // Refusals at this bank, and cycles that were executed, since load().
  std::uint64_t conflicts(std::uint32_t bank) const;
  std::uint64_t stepped() const { return stepped_; }

 private:
  using Lanes = std::uint32_t;
  using FlowSet = std::uint32_t;
  static constexpr unsigned kShift = 2;  // a flow's first lane is its number shifted by this
  static constexpr std::size_t kMostLanes = kMostFlows << kShift;
  static constexpr std::uint8_t kNone = 0xFF;
  static constexpr Lanes lanes_of(std::size_t flow) { return Lanes{0xF} << (flow << kShift); }
  static constexpr FlowSet flow_bit(std::size_t flow) { return FlowSet{1} << (flow << kShift); }
  static FlowSet flows_with(Lanes lanes) {
    lanes |= lanes >> 2;
    return (lanes | lanes >> 1) & 0x11111111U;
  }

  // A flow's lanes' levels stand in one word, 16 bits each.
  static constexpr unsigned shift_of(std::size_t lane) { return 16 * static_cast<unsigned>(lane & 3); }
  static constexpr std::uint64_t field(std::size_t lane, std::uint64_t value) { return value << shift_of(lane); }
  std::uint16_t level(std::size_t lane) const {
    return static_cast<std::uint16_t>(levels_[lane >> kShift] >> shift_of(lane));
  }

  struct Throttle {  // of a user's reads, or of its writes
    Lanes lanes = 0;
    std::uint8_t user = 0;
    bool write = false;
    TokenBucket bucket;
  };
  enum class Cause : std::uint8_t { read, write };
  struct Slot {  // of a flow
    Rhythm rhythm;
    std::uint64_t steps_left = 0;
    std::uint64_t regular_to = 0;  // steps left when the lanes' part in a step changes
    std::int64_t late_since = 0;   // while it waits for a lane
    std::uint64_t lost = 0;        // cycles since then in which the lane competed for its bank in vain
    Stalls stalls;
    std::int64_t last_step = 0;
    Cause cause = Cause::read;
    std::uint8_t user = 0, first_lane = 0, end_lane = 0, write_lane = kNone;
  };
  struct Bank {
    Lanes lanes = 0;  // whose next beat lies in it
    std::uint16_t number = 0;
    Arbiter::BankState turns;
    std::uint64_t conflicts = 0;
  };
  struct PathSlot {
    Lanes lanes = 0;  // that use it
    SharedPath shared;
  };
  static constexpr std::int64_t kSilence = 24;  // cycles without a step of the pacemaker: another one is watched
  // What the pattern is compared by, and the counts that tell how much grew since.
  struct Snapshot {
    std::int64_t cycle = 0;
    Lanes want = 0, waiting = 0;
    std::array<std::uint64_t, kMostFlows> levels{};
    std::array<std::uint64_t, kMostLanes> run_left{}, to_make{}, phase{};
    std::array<std::int64_t, kMostFlows> due{}, fraction{};
    std::array<std::uint64_t, kMostFlows> bursts{}, steps{};
    std::array<Stalls, kMostFlows> stalls{};
    std::array<Arbiter::BankState, kMostLanes> turns{};
    std::array<std::uint64_t, kMostLanes> conflicts{};
    std::array<SharedPath, kPaths> paths{};
    std::array<TokenBucket::State, 2 * kMostFlows> tokens{};
  };

  // compact_load.cpp
  void load_flow(const Flow& flow, std::size_t number, Arbiter& arbiter);
  void load_lane(const Flow& flow, const Stream& stream, Slot& slot, Arbiter& arbiter);
  void load_throttle(std::size_t flow, const TokenBucket& bucket, bool write);
  void load_ranks(const Arbiter& arbiter);
  void unload_flow(Flow& flow, std::size_t number, std::int64_t cycle);
  Bank& bank_slot(std::uint16_t number, const Arbiter& arbiter);
  std::size_t slowest() const;

  bool execute(std::int64_t cycle);
  std::int64_t next_event(std::int64_t cycle) const;
  bool dma_slot(std::int64_t cycle);
  Lanes on_their_paths(Lanes competing);
  Lanes winning(Lanes competing, bool dma_slot);
  std::size_t winner(Bank& bank, FlowSet flows, bool dma_slot);
  std::size_t pick_with_pe(Arbiter::BankState& turns, FlowSet flows);
  std::size_t next_turn(RoundRobin& turns, FlowSet flows) const;
  FlowSet highest(FlowSet flows) const;
  Lanes with_tokens(Lanes granted, std::int64_t cycle);
  void refill(std::int64_t cycle);
  void take_grants(Lanes granted);
  void find_due(std::int64_t cycle);
  bool advance(std::size_t flow, std::int64_t cycle);
  void take_step(std::size_t flow, std::int64_t cycle);
  void take_last_step(std::size_t flow, std::int64_t cycle);
  void sparse_step(std::size_t lane);
  void find_regular_step(std::size_t flow);
  bool no_room(const Slot& slot) const;
  void start_waiting(std::size_t flow, std::size_t lane, Cause cause, std::int64_t cycle);
  static void settle(Slot& slot, std::int64_t cycle);
  static void add_stalls(const Slot& slot, std::int64_t late, Stalls& stalls);
  std::uint64_t to_make(std::size_t lane) const {
    return (producing_ >> lane & 1) != 0 ? flows_[lane >> kShift].steps_left + to_make_[lane] : to_make_[lane];
  }
  std::uint64_t left(std::size_t lane) const { return run_left_[lane] + after_run_[lane]; }

  // compact_leap.cpp
  // A pattern that repeats does so after a step of any flow in it: the moments after the steps of one are enough.
  bool worth_a_look(std::int64_t cycle) const {
    return cycle >= next_look_ && (flows_[pacemaker_].steps_left != last_step_ || cycle - last_look_ >= kSilence);
  }
  bool look(std::int64_t cycle);
  Stalls stalls_at(std::size_t flow, std::int64_t cycle) const;
  bool waits(std::size_t flow) const { return (waiting_ & lanes_of(flow)) != 0; }
  bool asleep(std::size_t flow, std::int64_t cycle) const;
  std::int64_t relative_due(std::size_t flow, std::int64_t cycle) const;
  void take_snapshot(std::int64_t cycle);
  void look_anew(std::int64_t cycle);
  bool repeats(const Snapshot& then, std::int64_t cycle) const;
  bool same_flow(std::size_t flow, const Snapshot& then, std::int64_t cycle) const;
  bool same_arbitration(const Snapshot& then, std::int64_t cycle) const;
  std::int64_t repeats_of(const Snapshot& then, std::int64_t cycle) const;
  std::int64_t repeats_of(std::size_t flow, const Snapshot& then, std::int64_t cycle) const;

  // What the lanes do now.
  Lanes want_ = 0;                                    // that have room, or a beat to write
  Lanes empty_ = 0;                                   // reads without a beat in the buffer, although more are to come
  Lanes waiting_ = 0;                                 // for whose grant a flow is late: at most one a flow
  Lanes throttled_ = 0;                               // without tokens until the next refill
  Lanes competed_ = 0;                                // in this cycle for a bank, in vain
  std::array<std::uint64_t, kMostFlows> levels_{};    // beats in the buffers
  std::array<std::uint64_t, kMostLanes> run_left_{};  // beats of the run that are not granted yet
  std::array<std::int64_t, kMostFlows> due_{};        // of the next step; never, while the flow waits or has none left
  std::array<std::uint64_t, kMostLanes> to_make_{};   // writes: beats to be produced; while producing: less steps left
  std::array<std::uint64_t, kMostLanes> phase_{};
  FlowSet due_now_ = 0;  // whose step is due in this cycle
  std::int64_t next_due_ = 0, next_refill_ = 0;
  std::uint64_t stepped_ = 0;
  bool run_ended_ = false;

  // What a grant or a step does to them.
  std::array<std::uint64_t, kMostLanes> grant_{};  // to the flow's levels
  std::array<std::uint64_t, kMostFlows> stops_{};  // levels at which the lanes want no more
  std::array<std::uint64_t, kMostFlows> steps_{};  // of the lanes that every step uses or produces a beat of
  std::array<Lanes, kMostFlows> moves_{};          // those lanes, as far as beats of them are to be granted
  Lanes producing_ = 0;                            // writes among them
  std::array<Slot, kMostFlows> flows_;
  std::array<Bank, kMostLanes> banks_;
  std::array<PathSlot, kPaths> paths_;
  std::array<Throttle, 2 * kMostFlows> throttles_;

  // What they are.
  std::size_t flow_count_ = 0, bank_count_ = 0, throttle_count_ = 0;
  Lanes present_ = 0, reads_ = 0, sparse_ = 0;  // sparse: not a beat every step
  Lanes throttles_of_ = 0;                      // lanes of throttled users
  std::uint32_t shared_paths_ = 0;              // one bit each
  std::uint16_t buffer_ = 0;
  std::array<std::uint64_t, kMostLanes> every_{}, after_run_{};
  FlowSet pe_ = 0, dma_ = 0;
  bool both_sides_ = false, wheel_ = false, ranked_ = false;
  std::array<FlowSet, kMostFlows> higher_{};              // that rank above the flow
  std::array<FlowSet, kUsers> above_user_{}, of_user_{};  // flows of the users after it; the user's own
  std::array<std::uint16_t, kMostFlows> credits_{};       // of a turn: its weight less one
  std::uint16_t pe_credits_ = 0;
  SharedPort path_policy_ = SharedPort::none;
  std::int64_t slots_ = 1, dma_from_ = 0, turn_began_ = 0;  // of the wheel

  // looking back
  std::array<Snapshot, 6> snapshots_;
  std::size_t taken_ = 0, pattern_ = 0, pacemaker_ = 0;
  std::uint64_t looks_ = 0, patience_ = 1, last_step_ = 0;
  std::int64_t last_look_ = 0, next_look_ = 0;
  Found found_;
};

}  // namespace dve::contention
