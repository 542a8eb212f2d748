// A group of flows in a form that is stepped quickly: what each cycle needs stands together, requests are kept and only
// changed by grants and steps, and lateness is counted when it ends.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arbiter.h"
#include "flow.h"

namespace dve::contention {

// The same decisions as Arbiter::step() and Flow::advance() on the group's flows, cycle by cycle; the flows and the
// arbiter hold the state again after unload(). Covers the groups that most cycles are spent on, possible() says which:
// one job a user, no throttles, no strict wheel, no exclusive paths.
class CompactGroup {
 public:
  static constexpr std::size_t kMostFlows = 8;
  static bool possible(const std::vector<Flow*>& flows, const Arbiter& arbiter);

  void load(const std::vector<Flow*>& flows, Arbiter& arbiter);
  // The flows stand as they are before this cycle.
  void unload(const std::vector<Flow*>& flows, Arbiter& arbiter, std::int64_t cycle);

  // Executes one cycle. True: a stream has come to the end of a run, or a flow to its last step.
  bool step(std::int64_t cycle);
  // Nothing is requested: nothing happens before the next due step.
  bool quiet() const { return requests_ == 0; }
  std::int64_t next_due() const { return next_due_; }
  // Refusals at this bank since load().
  std::uint64_t conflicts(std::uint32_t bank) const;

  // A repetition of the pattern that a look back finds (see Leap): its length and how often it fits; 0: none found.
  struct Found {
    std::int64_t period = 0;
    std::int64_t repeats = 0;
  };
  Found look(std::int64_t cycle);
  // A pattern that repeats does so after a step of any flow in it: the moments after the steps of one are enough.
  bool worth_a_look(std::int64_t cycle) const {
    return last_look_ < 0 || flows_[pacemaker_].steps_left != last_step_ || cycle - last_look_ >= kSilence;
  }
  // Advances everything by `repeats` periods of the last pattern found, from `cycle` on.
  void leap(std::int64_t repeats, std::int64_t cycle);

 private:
  struct Lane {
    std::uint64_t run_left = 0;  // beats of the run, of the stream, that are not granted yet
    std::uint64_t left = 0;
    std::uint64_t to_move = 0;  // beats that are not used up or produced yet
    std::uint64_t every = 1, phase = 0;
    std::int64_t granted_at = -1;
    std::int64_t lost_at = -1;  // it competed for the bank, then its flow's path was given on
    std::uint32_t level = 0;    // beats in the buffer
    std::uint8_t flow = 0, bank = 0, path = 0;
    std::uint8_t bit = 0;  // of the lane among its flow's
    bool write = false, wanted = false, long_interval = false;
  };
  enum class Cause : std::uint8_t { bank, operand, write };
  struct alignas(64) Slot {  // two cache lines, found by a shift
    Rhythm rhythm;
    std::uint64_t steps_left = 0;
    Stalls stalls;
    std::int64_t late_since = 0;  // while waits_for >= 0
    std::int8_t waits_for = -1;   // lane whose grant is missing
    Cause cause = Cause::bank;
    std::uint8_t first_lane = 0, end_lane = 0;
    std::uint32_t user = 0;
    std::int64_t last_step = 0;
  };
  struct Bank {
    UserMask users = 0;                            // that request it
    std::array<std::uint8_t, kMostFlows> lanes{};  // of each flow, one bit each
    std::uint16_t number = 0;
    std::uint32_t count = 0;  // of users
    std::uint64_t conflicts = 0;
    Arbiter::BankState state;
  };
  struct PathSlot {
    UserMask users = 0;                        // that want it
    std::uint8_t owner = SharedPath::kNobody;  // flow whose lanes compete now
    SharedPath shared;
  };
  static constexpr std::int64_t kSilence = 24;  // cycles without a step of the pacemaker: another one is watched
  struct LaneMark {
    std::uint64_t left, to_move;
  };
  struct Snapshot {
    std::int64_t cycle = 0;
    std::uint64_t hash = 0;
    std::vector<std::uint64_t> state;
    std::array<std::uint64_t, kMostFlows> steps{}, bursts{};
    std::array<Stalls, kMostFlows> stalls{};
    std::array<LaneMark, kMostFlows * Streams::kMost> lanes{};
    std::array<std::uint64_t, kMostFlows * Streams::kMost> conflicts{};
  };

  void load_lane(const Flow& flow, const Stream& stream, std::size_t slot, const Arbiter& arbiter);
  std::uint8_t bank_slot(std::uint16_t number, const Arbiter& arbiter);
  void choose_paths();
  std::uint32_t winner(Bank& bank, bool dma_slot);
  void grant(Bank& bank, std::uint32_t user, std::int64_t cycle);
  void give_on_paths(std::uint32_t used, std::int64_t cycle);
  std::uint32_t due_flows(std::int64_t cycle);
  bool advance(std::size_t flow, std::int64_t cycle);
  bool take_step(Slot& slot, std::int64_t cycle);
  int missing_lane(const Slot& slot, std::int64_t cycle, Cause& cause) const;
  static void settle(Slot& slot, std::int64_t cycle);
  void want(Lane& lane);
  void compete(Lane& lane);
  void withdraw(Lane& lane);
  void release(std::uint8_t path, std::int64_t competed_at);
  static Stalls stalls_at(Slot slot, std::int64_t cycle);
  bool asleep(const Slot& slot, std::int64_t cycle) const;
  void take_state(std::int64_t cycle);
  void take_snapshot(std::int64_t cycle);
  std::int64_t repeats_of(const Snapshot& then, std::int64_t cycle) const;
  std::int64_t repeats_of(std::size_t flow, const Snapshot& then, std::int64_t cycle) const;

  std::size_t flow_count_ = 0, lane_count_ = 0, bank_count_ = 0;
  std::array<Slot, kMostFlows> flows_;
  std::array<Lane, kMostFlows * Streams::kMost> lanes_;
  std::array<Bank, kMostFlows * Streams::kMost> banks_;
  std::array<PathSlot, kPaths> paths_;
  std::array<std::uint8_t, kUsers> flow_of_{};
  std::uint32_t requests_ = 0;      // lanes that want a beat
  std::uint32_t shared_paths_ = 0;  // by the group, one bit each
  std::uint32_t used_paths_ = 0;    // in this cycle
  std::uint32_t buffer_ = 0;
  std::uint32_t active_banks_ = 0;  // that somebody requests, one bit each
  std::uint32_t on_time_ = 0;       // flows with steps left that wait for nothing, one bit each
  std::uint32_t woken_ = 0;         // flows whose lane has got its beat in this cycle
  std::uint32_t watched_ = 0;       // flows that wait for a lane on a shared path: their cause may change
  std::int64_t next_due_ = 0;       // not later than the first due step of the flows on time
  bool both_sides_ = false, plain_turns_ = false, run_ended_ = false;
  const Arbiter* arbiter_ = nullptr;
  SharedPort path_policy_ = SharedPort::none;

  // looking back
  std::vector<std::uint64_t> state_;
  std::array<Snapshot, 3> snapshots_;
  std::size_t taken_ = 0;
  std::uint64_t looks_ = 0, patience_ = 1, last_step_ = 0;
  std::int64_t last_look_ = -1;
  std::size_t pacemaker_ = 0, pattern_ = 0;
  std::int64_t pattern_period_ = 0;
};

}  // namespace dve::contention
