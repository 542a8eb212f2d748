// What a run prints for people.
#pragma once

#include <string>
#include <vector>

#include "bounds.h"
#include "dve/config/config.h"
#include "dve/core/core.h"
#include "dve/layer/layer.h"

namespace dve::app {

// "cayman, lt, 0.96 GHz".
std::string device_line(const config::Effective& effective);

// Instructions by opcode, cycles by bucket, simulated time.
std::string execution_summary(const config::Effective& effective, const RunOutcome& outcome,
                              const Statistics& statistics);

// The uncertain numbers, the one that moves the program's end most first.
std::string bounds_summary(const std::vector<Bound>& bounds);

// The comparison table.
std::string comparison_summary(const std::vector<layer::TensorComparison>& comparisons);

}  // namespace dve::app
