// A flow that meets nobody: its progress in closed form.
#pragma once

#include <cstdint>

#include "arbiter.h"
#include "flow.h"

namespace dve::contention {

// Every beat that the flow requests comes in the same cycle, so no step is late: step k comes when it is due, a read
// stream fills its buffer by a beat a cycle, a written stream drains by a beat a cycle.
class LoneFlow {
 public:
  // `now`: the next cycle to execute. Requires possible().
  LoneFlow(Flow& flow, std::int64_t now);
  // Steps of at least a cycle, no older job of the user that still writes, and an arbiter that does not hold it up.
  static bool possible(const Flow& flow, const Arbiter& arbiter) {
    return !flow.stepped_out() && flow.job().pace.cycle >= 1 && flow.elder() == nullptr &&
           arbiter.plain_when_alone(flow.user());
  }
  // The first cycle that has to be executed, since it may end the job or a run of beats.
  std::int64_t until() const;
  // Brings flow and arbiter to the beginning of cycle `then`, now <= then <= until().
  void advance(std::int64_t then, Arbiter& arbiter) const;

 private:
  std::uint64_t steps_before(std::int64_t cycle) const;
  std::int64_t run_ends(const Stream& s) const;
  std::uint64_t moved(const Stream& s, std::uint64_t steps) const;
  std::uint64_t granted(const Stream& s, std::int64_t then, std::uint64_t steps) const;

  Flow& flow_;
  std::int64_t now_;
};

}  // namespace dve::contention
