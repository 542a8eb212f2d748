// What an element costs in the lanes in RTL, in lock-step with the model.
#pragma once

namespace dve::bench {

// GradAccum and BackProp of 128 x 256 through the verilated lanes, without stalls and with. Nothing in a build without
// RTL.
void add_rtl_subjects();

}  // namespace dve::bench
