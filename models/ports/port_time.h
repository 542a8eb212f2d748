// How an initiator spends time on the memories' ports.
#pragma once

#include "dve/contention/contention.h"
#include "dve/timing/timing.h"

namespace dve {

// Implemented by the loosely and the approximately timed ports of a core. A job is streamed in program order of its
// user: the next one is handed over when the previous one has returned.
class PortTime {
 public:
  virtual ~PortTime() = default;
  // Streams a job and returns how it ended, once its last step is done. Called from a thread process. Waits for
  // simulation time as far as the outcome depends on others; on return simulation time may lie before the job's end
  // (temporal decoupling) unless `synchronise` asks for it not to.
  virtual contention::Outcome stream(const contention::Job& job, bool synchronise) = 0;
  // Users that were refused this bank because another user had it, summed over memory cycles.
  virtual std::uint64_t conflicts(isa::Space space, std::uint32_t bank) const = 0;
};

// Waits, in a thread process, until this cycle of the clock; returns at once when it has passed.
void wait_until(const timing::Clock& clock, std::int64_t cycle);

}  // namespace dve
