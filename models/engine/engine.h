// The door of the engine block: an instruction-executing engine (DVE, POOL, ACT) as a TLM module.
#pragma once

#include "instruction_engine.h"
#include "operand_port.h"
