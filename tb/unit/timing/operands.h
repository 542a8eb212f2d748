// Operands written by hand, so that the tests of time do not lean on the decoder.
#pragma once

#include <vector>

#include "dve/isa/isa.h"
#include "dve/timing/timing.h"

namespace dve::timing::test {

inline isa::AccessPattern stream(std::uint16_t n, std::int16_t step = 1) {
  isa::AccessPattern pattern;
  pattern.num_elem[0] = n;
  pattern.step_elem[0] = step;
  return pattern;
}

// A word with nothing but its opcode: enough for words whose cost the operands alone decide.
inline isa::Word word(isa::Opcode opcode) {
  isa::Word w;
  w.bytes[0] = isa::code(opcode);
  return w;
}

// Resolved operand of a cayman-shaped address map (the same on every generation for partition 0, and for PSUM where it
// exists).
inline isa::Operand operand(isa::OperandRole role, isa::Space space, std::uint32_t partition, std::uint32_t offset,
                            const isa::AccessPattern& pattern, isa::Dtype dtype = isa::Dtype::fp32,
                            std::uint32_t channels = 1) {
  const std::uint32_t address =
      space == isa::Space::sbuf ? partition * 0x40000u + offset : 0x2000000u + partition * 0x8000u + offset;
  return {role, isa::Addr4{address}, pattern, dtype, channels};
}

}  // namespace dve::timing::test
