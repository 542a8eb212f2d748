// Where GradAccum and BackProp can be computed by something else than the kernels.
#pragma once

#include <vector>

#include "core.h"

namespace dve::execute {

// Stands for: other lanes beside the model's, RTL for instance, in lock-step with them.
class LaneArray {
 public:
  virtual ~LaneArray() = default;
  // Whether it computes words of this opcode; the others are the model's alone.
  virtual bool serves(isa::Opcode opcode) const = 0;
  // Computes a word that the model has computed already. `inputs` are the word's operands, `lanes` the parameters of
  // its channels (BackProp), `results` the model's results in the dtype of plan.destination, packed. They are
  // overwritten with the array's own. Findings: how the two differ, the first difference first, or why there is no
  // result; the results are not to be used then.
  virtual std::vector<isa::Finding> compute(const Plan& plan, const Inputs& inputs,
                                            const std::vector<numerics::LaneParameters>& lanes,
                                            const kernels::ResultRows& results) = 0;
};

}  // namespace dve::execute
