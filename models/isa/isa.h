// The door of the isa block: 64-byte instruction words of the NeuronCore's batch-norm training path.
//
// Layouts, enumerations, encode and decode, addresses, memory geometry of each generation, and the legality rules.
// Plain C++: nothing here knows SystemC, memories or time. What a word computes is in "dve/execute/execute.h", what it
// costs in "dve/timing/timing.h".
#pragma once

#include "activation.h"
#include "address.h"
#include "alu_op.h"
#include "dtype.h"
#include "engine.h"
#include "events.h"
#include "format.h"
#include "generation.h"
#include "layouts.h"
#include "legality.h"
#include "neuron_address.h"
#include "opcode.h"
#include "operands.h"
#include "predicates.h"
#include "quantities.h"
#include "tensor.h"
#include "word.h"
#include "word_cache.h"
