// The planner's other half: forward and backward on three engines.
#pragma once

#include "program.h"

namespace dve::runtime {

// Plans Step::full (isa-neighbours.md 11). Statistics, gradient sums, ParamLoad and BackProp on the DVE; rsqrt and the
// affine forward result on ACT; gamma * inv_std and the sums of tiles on POOL. The host only moves data: nothing but
// initial loads and final stores when every pass fits whole, reloads in host steps otherwise.
//
// Order of a pass: Stats2, Aggregate (DVE); rsqrt (ACT); scale (POOL); shift (DVE); GradAccum per tile (DVE), their
// sums (POOL); A, ParamLoad (DVE); per tile y (ACT), BackProp (DVE). Rounding differs from the host-assisted step in
// inv_std = rsqrt(fp32(var + eps)) and A = (gamma * inv_std) * fp32(1/N). The request has been checked. PlanError when
// nothing fits.
Program plan_full_step(const PlanRequest& request);

}  // namespace dve::runtime
