// The door of the workload block: the batch-norm layers of a network as a file (interfaces.md 6), their tensors, and
// the network's report. Plain C++.
#pragma once

#include "description.h"
#include "edit.h"
#include "network_report.h"
#include "tensors.h"
