// The door of the core block: a NeuronCore composed of its modules, and the host that drives it.
#pragma once

#include "address_map.h"
#include "deadlock.h"
#include "dma_unit.h"
#include "host.h"
#include "layer_plan.h"
#include "neuron_core.h"
#include "roofline.h"
#include "router.h"
#include "simulation.h"
#include "statistics.h"
