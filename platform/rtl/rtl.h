// The door of the rtl block: the verilated lanes in the DVE's place, behind the machines of the pin_protocol block, in
// lock-step with the model (docs/cosimulation.md). Plain C++: no SystemC.
#pragma once

#include "lane_model.h"
#include "rtl_lanes.h"
