// When each word of one engine starts and ends: in-order issue, overlap, read-after-write interlock
// (microarchitecture.md 8: start(i) = max(start(i-1) + D(i-1), H(i), W(i))).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cost.h"
#include "dve/contention/contention.h"
#include "dve/isa/isa.h"
#include "parameters.h"

namespace dve::timing {

// When a word starts and why not earlier, in engine cycles since the engine's start.
struct Opening {
  Cost cost;
  isa::Cycles start;  // start(i)
  isa::Cycles wait_wait, hazard_wait;
};

// Schedule of one word in engine cycles since the engine's start. What others cost it on the memories' ports (stalls)
// lengthens S, D and T alike.
struct Schedule {
  isa::Cycles start;       // start(i)
  isa::Cycles read_done;   // start + S + stalls: @read updates fire
  isa::Cycles complete;    // start + T + stalls: @complete updates fire
  isa::Cycles next_issue;  // start + D + stalls: earliest start of the next word
  // Why the word did not start at the earliest issue moment; zero where a cause did not delay it. The two add up to the
  // whole delay: a word waits first and meets the interlock when it reads, so the interlock counts only past the wait.
  isa::Cycles wait_wait;    // cycles the word's own wait condition added
  isa::Cycles hazard_wait;  // cycles the interlock added after that
  contention::Stalls stalls;
};

// The hazard term H(i): complete(j) + t_sem of every earlier word j that writes a byte which word i reads (tensor or
// pointer immediate) or writes, bytes taken from the first to the last of a descriptor, in each of its partitions.
// Write after read adds none; flops and Parameter-RAM add none (in-order pipe). An operand that names no memory has no
// bytes and so no hazard: an address in neither memory, no channels, a zero count, or a dtype without a storage size
// (words that only relaxed legality lets through).
//
// Cycle counts fit 64 bits: a word adds at most 13 * 2^48 cycles plus the parameters, while simulated time, 2^64 fs,
// ends before 2^53 cycles of any clock up to 500 GHz.
class Pipeline {
 public:
  // Throws std::invalid_argument for a clock or a t_sem that Clock refuses.
  Pipeline(isa::Generation generation, const Parameters& parameters);

  // Schedules the next word in program order. `operands` with resolved addresses, as for cost(). `wait_holds`: the
  // cycle at which the word's wait condition holds including t_sem where it applies (0: no wait). Throws as cost()
  // does, and then leaves the pipeline as it was.
  Schedule issue(const isa::Word& word, const std::vector<isa::Operand>& operands, isa::Cycles wait_holds);

  // The same in two steps, for a word whose streams meet others on the ports: when it starts, and, once its stalls (in
  // engine cycles) are known, how it ends. Nothing else is scheduled in between.
  Opening open(const isa::Word& word, const std::vector<isa::Operand>& operands, isa::Cycles wait_holds) const;
  // With the word's cost known.
  Opening open(const Cost& cost, const std::vector<isa::Operand>& operands, isa::Cycles wait_holds) const;
  Schedule close(const Opening& opening, const std::vector<isa::Operand>& operands, const contention::Stalls& stalls);

  // The same for a word that the sequencer executes itself (control_cost). `operands`: what TensorLoad and TensorStore
  // touch on chip. `after_completion`: Drain, which starts when every earlier word has completed; that delay counts as
  // hazard_wait.
  Schedule control(const std::vector<isa::Operand>& operands, isa::Cycles wait_holds, bool after_completion);

  // No later word starts before this cycle: a program that begins in the middle of the simulation.
  void begin_at(isa::Cycles cycle);

  // Last completion so far.
  isa::Cycles last_completion() const { return last_completion_; }
  // Earliest start of the next word as far as issue order goes.
  isa::Cycles next_issue() const { return next_issue_; }

 private:
  struct ByteRange {  // first to last byte of an operand, in each partition of a range; all ends inclusive
    isa::Space space;
    std::uint32_t first_partition, last_partition;
    std::int64_t first_byte, last_byte;
    bool overlaps(const ByteRange& other) const;
  };
  struct WrittenRange {
    ByteRange bytes;
    isa::Cycles visible;  // complete + t_sem
  };
  Opening open(const Cost& cost, isa::Cycles wait_holds, isa::Cycles hazard_clears) const;
  std::optional<ByteRange> bytes_of(const isa::Operand& operand) const;  // empty: no hazard
  isa::Cycles hazard_clears(const std::vector<isa::Operand>& operands) const;
  void remember_writes(const std::vector<isa::Operand>& operands, isa::Cycles complete);

  isa::Generation generation_;
  Parameters parameters_;
  isa::Cycles semaphore_latency_;
  isa::Cycles next_issue_;
  isa::Cycles last_completion_;
  std::vector<WrittenRange> in_flight_;  // only ranges that can still delay a later word
};

}  // namespace dve::timing
