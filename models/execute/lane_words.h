// The words that lanes compute element by element, and their operands, for whoever computes them beside the kernels.
#pragma once

#include <vector>

#include "core.h"

namespace dve::execute {

// GradAccum (0x63, 0x94) and BackProp (0x65).
bool is_lane_word(isa::Opcode opcode);

// An operand as binary32, [channel][element].
std::vector<std::vector<float>> operand_values(const Access& access, const kernels::Rows& rows,
                                               const numerics::Switches& switches);

}  // namespace dve::execute
