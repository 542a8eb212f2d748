// The door of the contention block: who gets which bank in which cycle, and when streams that share memories end
// (microarchitecture.md 3.1, 4, 5). Plain C++: no SystemC.
#pragma once

#include "arbiter.h"
#include "bank_runs.h"
#include "engine.h"
#include "flow.h"
#include "job.h"
#include "parameters.h"
#include "users.h"
