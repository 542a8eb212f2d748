// The door of the dma block: transfers between HBM and the on-chip memories as plain values, how fast they go, and what
// they ask of the memories' ports (microarchitecture.md 5). Plain C++: no SystemC.
#pragma once

#include "rate.h"
#include "traffic_stream.h"
#include "transfer.h"
