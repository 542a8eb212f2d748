// Streams that share memories, simulated exactly without looking at every cycle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "arbiter.h"
#include "compact_group.h"
#include "flow.h"
#include "job.h"
#include "leap.h"
#include "lone_flow.h"

namespace dve::contention {

using JobId = std::uint64_t;

// Flows that may meet: they use a bank or a path in common, directly or through others. They are stepped together;
// groups know nothing of each other until a stream enters another bank.
struct Group {
  std::vector<Flow*> flows;
  std::int64_t cycle = 0;  // the next one to execute
  Leap leap;
  Period period;                          // known to repeat from `cycle` on while repeats > 0
  std::unique_ptr<CompactGroup> compact;  // holds the state of flows and arbiter while it is there
  std::int64_t lone_until = 0;  // a single flow whose progress is known in closed form up to here, if after `cycle`
  // No cycle before this one changes what the group uses.
  std::int64_t safe_until() const { return std::max(lone_until, cycle + period.cycles * period.repeats); }
};

// The loosely timed counterpart of stepping an Arbiter and all Flows once a cycle: the same result to the cycle.
// Groups that a pattern has been found for are advanced lazily, so an arrival may cut the pattern anywhere.
class Engine {
 public:
  explicit Engine(const Parameters& parameters);

  bool idle() const { return groups_.empty(); }

  // The outcome of a job that meets nobody from its first to its last cycle, in closed form; the next jobs must start
  // after its end. Empty when the engine is not idle, or the job does not run freely even alone (throttle, strict
  // wheel, weights, more than a beat a cycle): then add() it.
  std::optional<Outcome> alone(const Job& job);

  // The first cycle of the job must be the one that run() has run up to (or later while idle).
  JobId add(Job job);

  struct Ended {
    JobId id = 0;
    Outcome outcome;
  };
  // Executes cycles before `limit` until a job has done its last step: the first one to do so, several in one cycle one
  // after the other. Its last beats may still be on their way. Empty: no job ends before `limit`.
  std::optional<Ended> run(std::int64_t limit);

  // Users that were refused a bank, by bank, up to the last run().
  std::uint64_t conflicts(std::uint32_t bank) const;
  // Cycles that were executed one by one, as far as groups have ended, for benchmarks.
  std::uint64_t stepped() const { return stepped_; }

 private:
  struct Live {
    std::unique_ptr<Flow> flow;
    bool reported = false;
  };
  bool step_group(Group& group, std::int64_t limit);
  bool step_compact(Group& group, std::int64_t limit);
  void make_compact(Group& group);
  void make_general(Group& group);
  bool execute_cycle(Group& group);
  bool known_alone(Group& group) const;
  void bring_to(Group& group, std::int64_t cycle);
  void regroup(std::size_t changed);
  void split_off(Group& group);
  void retire(Group& group);

  Parameters parameters_;
  Arbiter arbiter_;
  std::vector<Live> live_;
  std::vector<Group> groups_;
  std::vector<std::unique_ptr<CompactGroup>> spare_;
  std::vector<Ended> ended_;  // not reported yet
  JobId next_id_ = 1;
  std::int64_t ran_to_ = 0;  // the limit of the last run() that ended without a job
  std::uint64_t stepped_ = 0;
};

}  // namespace dve::contention
