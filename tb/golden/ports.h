// The golden of the memories' ports: which job's beat passes in which cycle, one cycle after the other, with a queue of
// beats for every stream. Written from the rules of microarchitecture.md 3.1 and 4 and of the value types in
// dve/contention; shares no decision with the model: no masks, no counters that are advanced in closed form, no states.
#pragma once

#include "support/port_runs.h"

namespace golden {

// Outcomes of all jobs and the banks' conflicts; RunResult::stepped is the number of cycles.
dve::scenarios::RunResult ports(const dve::scenarios::Scenario& scenario);

}  // namespace golden
