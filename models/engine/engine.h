// The door of the dve block: the vector engine as a TLM module.
#pragma once

#include "engine.h"
#include "operand_port.h"
