// Control words and the waits and updates of any word, for tests that drive the core.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "dve/isa/isa.h"

namespace dve::testing_support {

// EVENTS of a word that waits, and of one that updates. `value`: threshold or amount, or a register number.
isa::Events waits(isa::WaitMode mode, std::uint8_t index, std::uint32_t value = 0);
isa::Events updates(isa::UpdateMode mode, std::uint8_t index, std::uint32_t value = 0);

// The word with these EVENTS.
isa::Word with_events(isa::Word word, const isa::Events& events);

// 0xA4, 0xA1, 0xA3, 0xA2.
isa::Word nop(const isa::Events& events = {});
isa::Word halt();
isa::Word instruction_flush();
isa::Word drain(const isa::Events& events = {});
// As many Nops.
std::vector<isa::Word> nops(std::size_t count);

// 0xA0: what stands in EVENTS, and a second wait and update with values of their own.
struct SecondEvents {
  isa::WaitMode wait_mode = isa::WaitMode::none;
  std::uint8_t wait_idx = 0;
  std::uint32_t wait_value = 0;
  isa::UpdateMode update_mode = isa::UpdateMode::none;
  std::uint8_t update_idx = 0;
  std::uint32_t update_value = 0;
};
isa::Word event_semaphore(const isa::Events& first, const SecondEvents& second);

// 0xA7, up to eight: {destination, value} and {destination, source}.
isa::Word move_immediates(const std::vector<std::pair<std::uint8_t, std::uint32_t>>& moves);
isa::Word move_registers(const std::vector<std::pair<std::uint8_t, std::uint8_t>>& moves);

// 0xB0.
isa::Word clear_range(std::uint8_t first, std::uint8_t last);
isa::Word clear_semaphores(const std::vector<std::uint8_t>& semaphores);

// 0xAA and 0xAB: one row of elements that lie one after the other; other shapes through the members.
isa::Mem2D tensor_load(isa::Dtype dtype, std::uint64_t address, const std::vector<std::uint8_t>& registers);
isa::Mem2D tensor_store(isa::Dtype dtype, std::uint64_t address, const std::vector<std::uint8_t>& registers);
isa::Mem2D tensor_store_values(isa::Dtype dtype, std::uint64_t address, const std::vector<std::uint64_t>& values);

}  // namespace dve::testing_support
