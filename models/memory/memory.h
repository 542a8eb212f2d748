// The door of the memory block: SBUF and PSUM, the Parameter-RAM, and flat memory (instructions, host).
#pragma once

#include "flat_memory.h"
#include "parameter_ram.h"
#include "partitioned_memory.h"
