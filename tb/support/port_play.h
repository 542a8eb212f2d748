// Scenarios played in SystemC, through either module behind PortTime.
#pragma once

#include <vector>

#include "dve/ports/ports.h"
#include "support/port_runs.h"

namespace dve::scenarios {

std::vector<contention::User> users_of(const Scenario& scenario);

// Plays a scenario now, from a process: a thread a user streams its jobs. Returns when all have ended, without
// conflicts. `synchronise`: initiators wait for the end of each job in simulated time, rather than run ahead.
RunResult play(const Scenario& scenario, PortTime& ports, bool synchronise);

}  // namespace dve::scenarios
