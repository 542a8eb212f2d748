// The canonical cost equations (microarchitecture.md 8).
#pragma once

#include <cstdint>
#include <vector>

#include "dve/isa/isa.h"
#include "parameters.h"

namespace dve::timing {

// Costs of one word in engine cycles.
struct Cost {
  isa::Cycles stream;    // S: operand streaming
  isa::Cycles interval;  // D: issue to next issue, S + g if S >= U, else U
  isa::Cycles total;     // T: start to completion, S + L
};

// Longest stream of one partition that is costed: the most a three-dimensional descriptor can name, rounded up to a
// power of two. Up to here every product below fits 64 bits (the largest is 13 * 2^48 cycles, at
// most 128 times).
inline constexpr std::uint64_t kMaxStreamElements = std::uint64_t{1} << 48;

// Cost of a word that an engine executes (control words: control_cost). `operands` as isa::operands(word), with
// addresses resolved to immediates: whether a source lies in PSUM decides the two-source rate. An address in neither
// memory (a word that relaxed legality let through) counts as SBUF.
//
// Batch-norm words follow microarchitecture.md 8; the others its section 7.1, with the performance modes of 7.2 on the
// DVE from v3 on (TensorScalar, Copy and Cast at 4x or 2x, TensorTensor at 2x). `two_source_cycles` holds for every
// opcode with two sources. Not published and assumed one element a cycle: CrossLaneReduce, Cast, 0x42 on POOL. Not
// modelled: the extra read of pointer immediates (its cost is unknown, microarchitecture.md 10).
//
// A word with more channels than `lanes` goes through the lanes ceil(channels / lanes) times: S is that many times as
// long, whatever the word, and U, g and L count once. Every published figure is for 128 lanes, where this changes
// nothing; fewer lanes are a question that an architect asks, not a device.
//
// Throws std::invalid_argument when two_source_cycles is not 2, 1 or 0.5 or there are no lanes, std::length_error for
// more than kMaxStreamElements elements.
Cost cost(const isa::Word& word, const std::vector<isa::Operand>& operands, isa::Generation generation,
          const Parameters& parameters);

// Words that the sequencer executes itself: S = D = T = event_issue_cycles (microarchitecture.md 8).
Cost control_cost(const Parameters& parameters);

}  // namespace dve::timing
