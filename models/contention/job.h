// What a user asks of the memories: streams of beats that advance in lockstep.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dve/isa/isa.h"
#include "users.h"

namespace dve::contention {

// Consecutive beats of a stream that lie in one bank.
struct BankRun {
  isa::Space space = isa::Space::sbuf;
  std::uint32_t bank = 0;   // of its memory
  std::uint64_t beats = 0;  // at least 1
};

// What the beats of a stream carry, for transactions and traces; arbitration does not look at it.
struct StreamShape {
  isa::Place start;  // first channel's partition and the byte offset in each partition
  isa::AccessPattern pattern;
  std::uint32_t element_bytes = 0;
  std::uint32_t channels = 0;
  isa::Elements elements{};  // of one channel
};

// One operand. Streams of one job never compete with each other for a bank: what two operands of a word cost each other
// is in the word's pace already (two_source_cycles).
struct StreamJob {
  bool write = false;
  bool second_read = false;  // the DVE's second source, which uses the path shared with POOL
  std::uint64_t beats = 0;   // sum over the runs, at least 1
  // Steps that one beat serves: a read beat is needed at every `every`-th step, a written beat exists after that many
  // steps; the last step writes all that is left, at least the last beat. ceil(steps / every) >= beats for reads.
  std::uint64_t every = 1;
  std::vector<BankRun> runs;
  StreamShape shape;
};

// Moments and durations in memory cycles: whole cycles and a fraction in 1/`denominator` of its job.
struct Moment {
  std::int64_t cycle = 0;
  std::int64_t fraction = 0;  // 0 <= fraction < denominator
};

// Streams that start together and step together: an instruction, a DMA transfer, a stretch of configured traffic. Step
// k is due at start + k * pace (rounded up to a whole cycle), once its read beats have been granted and while its write
// buffer has room; each whole cycle that it is late moves all later steps by one. The last step waits until all beats
// that earlier steps produced are written; what it produces itself is written afterwards, while the next job of the
// user may already run (microarchitecture.md 8: the output tail is part of L). A job's writes wait for those of the
// user's job before, and so does the last step of a job that writes.
struct Job {
  User user = User::dve;
  std::int64_t denominator = 1;
  Moment start;
  Moment pace;              // of one step; less than a cycle is possible: then the ports are the limit
  std::uint64_t steps = 0;  // at least 1
  // Steps between pauses, and how many cycles a pause adds; 0: no bursts.
  std::uint64_t burst_steps = 0;
  std::uint64_t burst_gap = 0;
  std::vector<StreamJob> streams;  // 1 to 3, at most two of them reads and one written
};

// Memory cycles by which a job's last step came later than it would alone on ports without limits, by cause.
struct Stalls {
  std::uint64_t bank = 0;     // a read beat lost the bank to another user
  std::uint64_t operand = 0;  // a read beat was not there for another reason: shared path, throttle, wheel, port width
  std::uint64_t write = 0;    // the write buffer was full, before the last step: not empty
  std::uint64_t total() const { return bank + operand + write; }
};

// First whole cycle of the job: its start rounded up.
std::int64_t first_cycle(const Job& job);
// Whole cycle of step `step` of a job that is never late.
std::int64_t due_cycle(const Job& job, std::uint64_t step);
// Cycle of the last beat of a job that is never late and whose beats are written as soon as they exist.
std::int64_t last_beat_alone(const Job& job);

struct Outcome {
  std::int64_t first_cycle = 0;  // first whole cycle of the job: its start rounded up
  std::int64_t last_cycle = 0;   // of its last step
  Stalls stalls;
};

}  // namespace dve::contention
