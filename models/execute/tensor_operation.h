// Inside the execute block: words without lane state. TensorTensor, predicated copy and cast (isa.md 12); TensorScalar,
// TensorReduce, Copy, Cast, Reciprocal, Memset, CrossLaneReduce (isa-neighbours.md 2, 4, 6 to 8).
#pragma once

#include <optional>

#include "core.h"

namespace dve::execute {

struct Work;

// Fills the destination, or the faults. The plan is one that unsupported_operation() did not refuse.
void tensor_operation(const Plan& plan, const Inputs& inputs, const numerics::Switches& switches, Work& work);

// What has no definition in a word of these opcodes, or of Activate; empty when the word can be computed.
std::optional<isa::Finding> unsupported_operation(const Plan& plan);

// TensorReduce: how many leading dimensions op_dim folds; 0 for a code that means nothing (isa-neighbours.md 6).
std::uint32_t folded_dimensions(std::uint8_t op_dim);

}  // namespace dve::execute
