// A word's operands as streams on the memories' ports.
#pragma once

#include <optional>
#include <vector>

#include "dve/contention/contention.h"
#include "dve/isa/isa.h"
#include "parameters.h"

namespace dve::timing {

// Beats of one operand, and the banks that they lie in, in stream order. Rows that are contiguous in memory move
// ceil(bytes / port) beats, everything else one beat an element (microarchitecture.md 8), but never more beats than the
// word's `stream` cycles: the documented rate of a strided operand is that of its elements. An element that is wider
// than the port is one beat. `pattern` lies inside its partition.
std::vector<contention::BankRun> bank_runs(const contention::StreamShape& shape, isa::Cycles stream,
                                           const contention::Parameters& ports);

// What the word asks of the ports: src0, src1 and dst as streams in lockstep, paced so that a word that is alone takes
// its S cycles. `operands` with resolved addresses, `start` and `stream` (S) in cycles of the engine's clock. Results
// of a few beats are written after the last step where the next word cannot start before, others as they arise. Empty:
// a word without operands in memory.
// Pointer immediates are not part of it: they are read once before the stream (microarchitecture.md 10, cost unknown).
std::optional<contention::Job> word_job(contention::User user, const std::vector<isa::Operand>& operands,
                                        isa::Cycles start, isa::Cycles stream, isa::Generation generation,
                                        const Parameters& engine, const contention::Parameters& ports);

// A moment of an engine's clock in cycles of the memory clock: whole cycles and the rest in 1 / `denominator`, which is
// a multiple of `engine_hz` / gcd(`engine_hz`, `memory_hz`).
contention::Moment memory_moment(isa::Cycles engine_cycle, std::uint64_t engine_hz, std::uint64_t memory_hz,
                                 std::int64_t denominator);

// Lateness in memory cycles as cycles of the engine's clock: the sum is rounded up, the parts add up to it.
contention::Stalls engine_stalls(const contention::Stalls& memory, std::uint64_t engine_hz, std::uint64_t memory_hz);

// What the ports cost a word, in cycles of its engine: its lateness, and, when the memories are so slow that its last
// step comes after S all the same, what is missing (as operand): a word ends after the beginning of that cycle.
contention::Stalls word_stalls(const contention::Outcome& outcome, isa::Cycles start, isa::Cycles stream,
                               std::uint64_t engine_hz, std::uint64_t memory_hz);

}  // namespace dve::timing
