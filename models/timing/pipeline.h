// When each word of one engine starts and ends: in-order issue, overlap, read-after-write interlock
// (microarchitecture.md 8: start(i) = max(start(i-1) + D(i-1), H(i), W(i))).
#pragma once

#include <vector>

#include "cost.h"
#include "dve/isa/isa.h"
#include "parameters.h"

namespace dve::timing {

// Schedule of one word in engine cycles since the engine's start.
struct Schedule {
  isa::Cycles start;      // start(i)
  isa::Cycles read_done;  // start + S: @read updates fire
  isa::Cycles complete;   // start + T: @complete updates fire
  isa::Cycles next_issue; // start + D: earliest start of the next word
  // Why the word did not start at the earliest issue moment; zero where a cause did not delay it.
  isa::Cycles hazard_wait;  // cycles the interlock added
  isa::Cycles wait_wait;    // cycles the word's own wait condition added
};

class Pipeline {
 public:
  Pipeline(isa::Generation generation, const Parameters& parameters);

  // Schedules the next word in program order. `operands` with resolved addresses, as for cost(). `wait_holds`: the cycle
  // at which the word's wait condition holds including t_sem where it applies (0: no wait).
  Schedule issue(isa::Opcode opcode, const std::vector<isa::Operand>& operands, isa::Cycles wait_holds);

  // Last completion so far.
  isa::Cycles last_completion() const { return last_completion_; }
  // Earliest start of the next word as far as issue order goes.
  isa::Cycles next_issue() const { return next_issue_; }

 private:
  struct WrittenRange {  // first to last byte of a destination, in each partition of a range
    isa::Space space;
    std::uint32_t first_partition, last_partition;
    std::int64_t first_byte, last_byte;
    isa::Cycles visible;  // complete + t_sem
  };
  isa::Generation generation_;
  Parameters parameters_;
  isa::Cycles next_issue_;
  isa::Cycles last_completion_;
  std::vector<WrittenRange> in_flight_;  // only ranges that can still delay a later word
};

}  // namespace dve::timing
