#include "control_words.h"

#include <cstring>

namespace dve::testing_support {
namespace {

isa::Header header(isa::Opcode opcode) {
  isa::Header h;
  h.opcode = isa::code(opcode);
  return h;
}

isa::Word empty_word(isa::Opcode opcode, const isa::Events& events = {}) {
  isa::CtrlEmpty w;
  w.header = header(opcode);
  w.events = events;
  return isa::encode(w);
}

constexpr std::uint8_t kImmediates = 1;

isa::Mem2D transfer(isa::Opcode opcode, isa::Dtype dtype, std::uint64_t address, std::size_t elements) {
  isa::Mem2D w;
  w.header = header(opcode);
  w.dtype = dtype;
  w.num_elem = {static_cast<std::uint8_t>(elements), 1};
  w.step_elem = {1, 1};
  w.start_addr.raw = address;
  return w;
}

isa::Mem2D with_registers(isa::Mem2D w, const std::vector<std::uint8_t>& registers) {
  for (std::size_t k = 0; k < registers.size(); ++k) w.data[k] = registers[k];
  return w;
}

}  // namespace

isa::Events waits(isa::WaitMode mode, std::uint8_t index, std::uint32_t value) {
  return {mode, index, isa::UpdateMode::none, 0, value};
}
isa::Events updates(isa::UpdateMode mode, std::uint8_t index, std::uint32_t value) {
  return {isa::WaitMode::none, 0, mode, index, value};
}

isa::Word with_events(isa::Word word, const isa::Events& events) {
  isa::write_events(word, events);
  return word;
}

isa::Word nop(const isa::Events& events) { return empty_word(isa::Opcode::nop, events); }
isa::Word halt() { return empty_word(isa::Opcode::halt); }
isa::Word instruction_flush() { return empty_word(isa::Opcode::instruction_flush); }
isa::Word drain(const isa::Events& events) { return empty_word(isa::Opcode::drain, events); }
std::vector<isa::Word> nops(std::size_t count) { return std::vector<isa::Word>(count, nop()); }

isa::Word event_semaphore(const isa::Events& first, const SecondEvents& second) {
  isa::CtrlEs w;
  w.header = header(isa::Opcode::event_semaphore);
  w.events = first;
  w.wait_mode1 = second.wait_mode;
  w.wait_idx1 = second.wait_idx;
  w.sem_wait_value = second.wait_value;
  w.update_mode1 = second.update_mode;
  w.update_idx1 = second.update_idx;
  w.sem_update_value = second.update_value;
  return isa::encode(w);
}

isa::Word move_immediates(const std::vector<std::pair<std::uint8_t, std::uint32_t>>& moves) {
  isa::CtrlMv w;
  w.header = header(isa::Opcode::move);
  w.dtype = isa::Dtype::uint32;
  w.source = kImmediates;
  w.num_mov = static_cast<std::uint8_t>(moves.size());
  for (std::size_t k = 0; k < moves.size(); ++k) {
    w.dst_regs[k] = moves[k].first;
    w.immediate[k] = moves[k].second;
  }
  return isa::encode(w);
}

isa::Word move_registers(const std::vector<std::pair<std::uint8_t, std::uint8_t>>& moves) {
  isa::CtrlMv w;
  w.header = header(isa::Opcode::move);
  w.dtype = isa::Dtype::uint32;
  w.num_mov = static_cast<std::uint8_t>(moves.size());
  for (std::size_t k = 0; k < moves.size(); ++k) {
    w.dst_regs[k] = moves[k].first;
    w.src_regs[k] = moves[k].second;
  }
  return isa::encode(w);
}

isa::Word clear_range(std::uint8_t first, std::uint8_t last) {
  isa::CtrlSr w;
  w.header = header(isa::Opcode::semaphore_range_clear);
  w.first = first;
  w.last = last;
  return isa::encode(w);
}

isa::Word clear_semaphores(const std::vector<std::uint8_t>& semaphores) {
  isa::CtrlSr w;
  w.header = header(isa::Opcode::semaphore_range_clear);
  w.mode = 1;
  for (const std::uint8_t n : semaphores)
    w.bitmask[n / 8] = static_cast<std::uint8_t>(w.bitmask[n / 8] | (1U << (n % 8)));
  return isa::encode(w);
}

isa::Mem2D tensor_load(isa::Dtype dtype, std::uint64_t address, const std::vector<std::uint8_t>& registers) {
  return with_registers(transfer(isa::Opcode::tensor_load, dtype, address, registers.size()), registers);
}
isa::Mem2D tensor_store(isa::Dtype dtype, std::uint64_t address, const std::vector<std::uint8_t>& registers) {
  return with_registers(transfer(isa::Opcode::tensor_store, dtype, address, registers.size()), registers);
}
isa::Mem2D tensor_store_values(isa::Dtype dtype, std::uint64_t address, const std::vector<std::uint64_t>& values) {
  isa::Mem2D w = transfer(isa::Opcode::tensor_store, dtype, address, values.size());
  w.src_datasrc = kImmediates;
  const std::size_t bytes = isa::storage_size(dtype).value;
  for (std::size_t k = 0; k < values.size(); ++k) std::memcpy(w.data.data() + k * bytes, &values[k], bytes);
  return w;
}

}  // namespace dve::testing_support
