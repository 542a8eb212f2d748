// The canonical cost equations (microarchitecture.md 8).
#pragma once

#include <optional>

#include "dve/isa/isa.h"
#include "parameters.h"

namespace dve::timing {

// Costs of one word in engine cycles.
struct Cost {
  isa::Cycles stream;    // S: operand streaming
  isa::Cycles interval;  // D: issue to next issue
  isa::Cycles total;     // T: start to completion
};

// Cost of a word of the batch-norm path. Whether a source lies in PSUM decides the two-source rate, so each operand's
// resolved memory is needed: `space_of` gives it per operand address (register addresses resolved by the caller).
// `operands` as isa::operands(word), with addresses resolved to immediates.
Cost cost(isa::Opcode opcode, const std::vector<isa::Operand>& operands, isa::Generation generation,
          const Parameters& parameters);

}  // namespace dve::timing
