// Inside the execute block: the floating-point status of a word, told from its operands and results.
#pragma once

#include "core.h"

namespace dve::execute {

// Flags over all lanes: invalid for a NaN result of a channel whose operands hold none; overflow for an infinite result
// of finite operands; divide-by-zero where that result is the reciprocal or inverse root of a zero. Underflow and
// inexact are not reported. Told from the data, so that no flag depends on the host or on how a kernel is vectorised. A
// copy, a bit operation and an integer result raise nothing.
FpStatus fp_status(const Plan& plan, const Inputs& inputs, const Result& result, const numerics::Switches& switches);

}  // namespace dve::execute
