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
// power of two. Up to here every product below fits 64 bits (the largest is 13 * 2^48).
inline constexpr std::uint64_t kMaxStreamElements = std::uint64_t{1} << 48;

// Cost of a word of the batch-norm path. `operands` as isa::operands(word), with addresses resolved to immediates:
// whether a source lies in PSUM decides the two-source rate. An address in neither memory (a word that relaxed legality
// let through) counts as SBUF. `two_source_cycles` holds for every opcode with two sources. Not modelled: performance
// modes (none lists a batch-norm opcode, microarchitecture.md 7.2), the extra read of pointer immediates (its cost is
// unknown, microarchitecture.md 10). Throws std::invalid_argument when two_source_cycles is not 2, 1 or 0.5,
// std::length_error for more than kMaxStreamElements elements.
Cost cost(isa::Opcode opcode, const std::vector<isa::Operand>& operands, isa::Generation generation,
          const Parameters& parameters);

}  // namespace dve::timing
