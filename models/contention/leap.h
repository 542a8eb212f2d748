// Finding that a group of flows repeats itself, and advancing it by whole periods.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "arbiter.h"
#include "flow.h"

namespace dve::contention {

// A flow whose next step is further away than this and that asks for nothing is asleep: it counts as absent.
inline constexpr std::int64_t kSleep = 16;
// Positions inside longer intervals than this are not part of the state: they limit the repeats.
inline constexpr std::uint64_t kLongInterval = 64;

// Counters of a flow at one moment.
struct FlowCounts {
  std::uint64_t step = 0;
  std::uint64_t burst_left = 0;
  Stalls stalls;
  std::array<std::uint64_t, 3> granted{}, moved{};
};

// A pattern that repeats: every `cycles` the flows' counters grow by the same amounts.
struct Period {
  std::int64_t cycles = 0;
  std::int64_t repeats = 0;  // how often it may be repeated before something happens that the pattern does not contain
  std::vector<FlowCounts> growth;                                  // by flow
  std::vector<std::pair<std::uint16_t, std::uint64_t>> conflicts;  // growth by bank
};

// How many periods fit before an event that their pattern does not contain; one step and one beat always remain.
//
// Of a flow's steps, of which a period takes `steps`: the last one, or the end of a long burst, which came closer by
// `burst_passed` steps.
std::uint64_t periods_of_steps(const Rhythm& rhythm, std::uint64_t steps_left, std::uint64_t steps,
                               std::uint64_t burst_passed);
// Of one stream: the end of its run, its last beat, a beat of a sparse stream.
struct StreamGrowth {
  std::uint64_t granted = 0, moved = 0;  // in a period
  std::uint64_t run_left = 0;            // beats of the run to be granted
  std::uint64_t unmoved = 0;             // beats to be used up or produced
  std::uint64_t every = 1, phase = 0;    // as in Stream
};
std::uint64_t periods_of_stream(const StreamGrowth& stream, std::uint64_t steps);

// Watches one group of flows that share nothing with others. What is compared is everything that decides about future
// grants and steps, relative to now; what only counts towards an event (the end of a run, a stream, a burst, a sparse
// result) is left out and limits the repeats instead. Snapshots are taken at doubling distances (Brent).
class Leap {
 public:
  // Starts watching from now on.
  void reset() {
    watching_ = false;
    last_look_ = -1;
  }
  // At a cycle that is a multiple of the arbiter's wheel period, before it is executed. True: `period` is filled in,
  // with repeats > 0.
  bool found(std::int64_t cycle, const std::vector<Flow*>& flows, Arbiter& arbiter, Period& period);
  // Advances the flows by `repeats` periods from `cycle`, the moment found() was asked at or a whole number of periods
  // later.
  static void apply(const Period& period, std::int64_t repeats, std::int64_t cycle, const std::vector<Flow*>& flows,
                    Arbiter& arbiter);

 private:
  struct Snapshot {
    std::int64_t since = 0;
    StateWords state;
    std::vector<FlowCounts> counts;
    std::vector<std::pair<std::uint16_t, std::uint64_t>> conflicts;  // of the banks in use
  };
  void take_state(std::int64_t cycle, const std::vector<Flow*>& flows, Arbiter& arbiter);
  void take_snapshot(std::int64_t cycle, const std::vector<Flow*>& flows, const Arbiter& arbiter);
  static bool fill_in(std::int64_t cycle, const std::vector<Flow*>& flows, const Arbiter& arbiter,
                      const Snapshot& snapshot, Period& period);
  static void append_state(std::int64_t cycle, const Flow& flow, StateWords& state);
  static bool asleep(std::int64_t cycle, const Flow& flow);
  static FlowCounts counts(const Flow& flow);
  static std::int64_t repeats(std::int64_t cycle, std::int64_t period, const Flow& flow, const FlowCounts& growth);
  static void advance(Flow& flow, const FlowCounts& growth, std::int64_t period, std::int64_t repeats, bool asleep);

  bool worth_a_look(std::int64_t cycle, const std::vector<Flow*>& flows);

  bool watching_ = false;
  std::int64_t last_look_ = -1;
  std::size_t pacemaker_ = 0;  // the flow whose steps are the moments to look at
  std::uint64_t last_step_ = 0;
  std::uint64_t looks_ = 0, patience_ = 1;
  StateWords state_;
  // The latest ones, in a ring: an older one may meet its repetition after a younger one was taken.
  std::array<Snapshot, 3> snapshots_;
  std::size_t taken_ = 0;
};

}  // namespace dve::contention
