// From a layer's dimensions to a program.
#pragma once

#include <stdexcept>

#include "program.h"

namespace dve::runtime {

// A layer that cannot be brought onto this device. what() is one line: the key or dimension, its value, what is
// possible.
class PlanError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Plans a step. A full step: full_step.h; a backward step with tensors in HBM: hbm_step.h. Any other backward step:
//
// Passes of at most 128 channels run one after the other. When every pass fits into memory whole, together with all
// others, each has regions of its own, everything is loaded before the start and read back at the end; with given
// statistics there is then no host step. Otherwise the passes share one set of regions and the host reloads them
// between words; a stream that does not fit whole is cut into tiles as long as fit (at most 65535 elements).
// Microbatches cut it in any case: K parts, each with a GradAccum result set of its own.
//
// Per pass: [Stats2 over all tiles, Aggregate, host step: inv_std and A,] GradAccum2 per tile, [several tiles: host
// step that adds their sums,] ParamLoad, BackProp per tile. The Parameter-RAM is loaded first when anything reads it:
// Stats2, or the textbook form with a count that the table covers.
//
// Numerics switches that matter: dst_order, backprop_form, src0_is, param_ram_index, param_ram_offset_unit.
// PlanError: no channels or elements, more microbatches than elements, a dtype other than fp32, bf16, fp16, PSUM where
// there is none, two PSUM sources, a 2-byte result in PSUM (dx, y, the normalised x of a full step), a full step with
// given statistics or with HBM, a normalised source with HBM, or no tile length with which everything fits.
Program plan(const PlanRequest& request);

}  // namespace dve::runtime
