// The door of the traffic block: what uses the memories' ports beside the instruction engines.
#pragma once

#include "dma_queue.h"
#include "traffic_source.h"
