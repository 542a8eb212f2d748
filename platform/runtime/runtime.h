// The door of the runtime block: the host's part of running a layer.
//
// plan() turns a layer's dimensions into instruction words, a placement and the host's actions around them; HostRuntime
// performs the actions on a device's memory; program.bin and program.json keep both. Plain C++: the device behind the
// DevicePort can be anything that holds bytes.
#pragma once

#include "host_runtime.h"
#include "planner.h"
#include "program.h"
#include "program_file.h"
#include "step_graph.h"
#include "traffic_file.h"
