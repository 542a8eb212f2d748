// The door of the ports block: simulation time spent on the memories' ports, loosely or approximately timed.
#pragma once

#include "approximately_timed_ports.h"
#include "loosely_timed_ports.h"
#include "port_time.h"
