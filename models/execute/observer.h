// Seeing what words read and write, for recorders.
#pragma once

#include "core.h"

namespace dve::execute {

// Stands for: somebody who watches an engine that computes with tensor contents. Every word that computes comes by
// twice: with its operands as they are before the first result is written, and with its results once they stand in
// memory. A word whose computation faults comes by once. The data are valid during the call.
class Observer {
 public:
  virtual ~Observer() = default;
  // `table`: the Parameter-RAM, where plan.param_entries is not empty. `core`: before the word.
  virtual void operands_read(const Core& core, const Plan& plan, const Inputs& inputs,
                             const numerics::ParamTable& table) = 0;
  // `destination`: each channel's results one after the other, where the plan has one. `core`: after the word.
  virtual void results_written(const Core& core, const Plan& plan, const kernels::ResultRows& destination,
                               const Outcome& outcome) = 0;
};

}  // namespace dve::execute
