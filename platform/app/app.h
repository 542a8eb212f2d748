// The door of the app block: the dve-sim program.
#pragma once

#include "commands.h"
#include "device_data.h"
#include "exit_codes.h"
#include "report.h"
#include "trace_session.h"
#include "warm_layer.h"
