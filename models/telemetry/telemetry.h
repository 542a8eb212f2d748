// The door of the telemetry block: recorders that turn what happens in a run into trace files. Attached only when asked
// for; no other model block knows them. Plain C++: no SystemC.
#pragma once

#include "events.h"
#include "nameless_file.h"
#include "recorder.h"
#include "selection.h"
#include "trace_file.h"
