// Conditions that whoever executes a word meets outside of Core, under the names used in fault records.
#pragma once

#include "core.h"

namespace dve::execute {

// not_executed: in relaxed mode, a word without a meaning.
isa::Finding not_executed(std::uint8_t opcode);
// operand_response: the operand's memory did not serve it.
isa::Finding operand_response(const Access& access, isa::Generation generation);
// param_ram_not_loaded: the word uses an entry of the Parameter-RAM that was never written.
isa::Finding param_ram_not_loaded(std::size_t entry);

}  // namespace dve::execute
