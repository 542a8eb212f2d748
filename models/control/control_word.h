// What the words that the sequencer executes itself do: Move, TensorLoad, TensorStore, EventSemaphore,
// SemaphoreRangeClear (isa.md 13.1). Plain C++: decisions only, the sequencer moves the data and keeps the time.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "dve/execute/execute.h"
#include "dve/isa/isa.h"
#include "sync_state.h"

namespace dve {

// All wait conditions of a word, in the order in which they are awaited: that of EVENTS, then EventSemaphore's second.
// Words without a condition have none.
std::vector<WaitCondition> wait_conditions(const isa::Word& word, const execute::Registers& registers);

// All updates of a word: that of EVENTS, EventSemaphore's second, and the clears of SemaphoreRangeClear (as writes of 0
// at completion).
std::vector<SyncUpdate> sync_updates(const isa::Word& word, const execute::Registers& registers);

// Move: raw 32-bit copies. Sources may be 128 and 129, the halves of `pc`; writes to those are ignored (isa.md 5.3).
// All sources are read before the first destination is written. A finding when a register number means nothing
// (predicate move_register); nothing is changed then.
std::optional<isa::Finding> execute_move(const isa::CtrlMv& word, std::uint64_t pc, execute::Registers& registers);

// TensorLoad and TensorStore with all addresses resolved.
struct TensorTransfer {
  std::uint32_t element_bytes = 0;
  std::vector<std::uint64_t> addresses;  // of the elements in stream order, as the core's router decodes them
  std::vector<std::uint8_t> registers;  // load: destination of each element; UINT64: of its low half, the next the high
  std::vector<std::uint64_t> values;    // store: low bytes of each element
};

// A finding when the word has no meaning: transfer_dtype, transfer_count, transfer_register, transfer_source.
std::variant<TensorTransfer, isa::Finding> plan_transfer(const isa::Mem2D& word, bool load,
                                                         const execute::Registers& registers);

// The elements that a transfer touches on chip, one operand each, for hazards. Apertures count as the memory behind
// them.
std::vector<isa::Operand> on_chip_operands(const TensorTransfer& transfer, bool load, isa::Dtype dtype,
                                           isa::Generation generation);

// The finding of a transfer whose address no memory serves.
isa::Finding transfer_response(std::uint64_t address);

// Puts loaded elements into the registers: integers of up to four bytes zero- or sign-extended, the others as bits
// (isa.md 13.1).
void load_registers(const TensorTransfer& transfer, isa::Dtype dtype, const std::vector<std::uint64_t>& elements,
                    execute::Registers& registers);

}  // namespace dve
