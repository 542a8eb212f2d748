// The door of the ports block: simulation time spent on the memories' ports, loosely or approximately timed.
#pragma once

#include "port_time.h"
