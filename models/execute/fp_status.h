// Inside the execute block: the floating-point status of a word, told from its operands and results.
#pragma once

#include <array>

#include "core.h"

namespace dve::execute {

// Flags over all lanes. Operands of a channel are what its results are computed from: sources, literals of the word,
// the accumulator that it reads. Invalid for a NaN result of a channel whose operands hold none. For an infinite result
// of finite operands divide-by-zero where it is a quotient by zero, of Reciprocal, Divide, Pow, the inverse roots, the
// logarithm, or Aggregate with a running count of 0; overflow otherwise. Underflow and inexact are not reported. Told
// from the data, so that no flag depends on the host or on how a kernel is vectorised. Copies, predicated or not, bit
// operations and integer results raise nothing.
FpStatus fp_status(const Plan& plan, const Inputs& inputs, const std::array<float, isa::kPartitions>& accumulators,
                   const kernels::ResultRows& results, const numerics::Switches& switches);

// The same for results in `dtype` whose kernel has noted the exceptions of each channel; none is a quotient.
FpStatus status_of(const kernels::Exceptions* exceptions, std::uint32_t channels, isa::Dtype dtype);

}  // namespace dve::execute
