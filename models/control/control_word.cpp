#include "control_word.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace dve {
namespace {

constexpr std::uint8_t kPcLow = 128, kPcHigh = 129;  // register numbers of Move (isa.md 5.3)
constexpr std::uint32_t kMostElements = 32;
constexpr std::uint8_t kRangeMode = 0, kImmediates = 1;

bool is_general(std::uint8_t number) { return number < isa::kRegisters; }
bool is_pc(std::uint8_t number) { return number == kPcLow || number == kPcHigh; }

// EventSemaphore's second wait and update in the form of EVENTS.
isa::Events second_events(const isa::CtrlEs& word) {
  return {word.wait_mode1, word.wait_idx1, isa::UpdateMode::none, 0, word.sem_wait_value};
}
isa::Events second_update(const isa::CtrlEs& word) {
  return {isa::WaitMode::none, 0, word.update_mode1, word.update_idx1, word.sem_update_value};
}

bool is(const isa::Word& word, isa::Opcode opcode) { return word.opcode_byte() == isa::code(opcode); }

void append_wait(const isa::Events& events, const execute::Registers& registers, std::vector<WaitCondition>& waits) {
  const WaitCondition condition = wait_condition(events, registers);
  if (isa::waits_on_semaphore(condition.mode) || isa::waits_on_event(condition.mode)) waits.push_back(condition);
}

void append_update(const isa::Events& events, const execute::Registers& registers, std::vector<SyncUpdate>& updates) {
  const SyncUpdate update = sync_update(events, registers);
  if (isa::updates_semaphore(update.mode) || isa::updates_event(update.mode)) updates.push_back(update);
}

bool is_cleared(const isa::CtrlSr& word, unsigned semaphore) {
  if (word.mode == kRangeMode) return semaphore >= word.first && semaphore <= word.last;
  return ((word.bitmask[semaphore / 8] >> (semaphore % 8)) & 1) != 0;
}

isa::Finding finding(const char* predicate, const char* field, std::uint32_t byte, std::uint64_t value,
                     std::string expected) {
  return {predicate, field, byte, value, std::move(expected)};
}

std::uint32_t register_or_pc(std::uint8_t number, std::uint64_t pc, const execute::Registers& registers) {
  if (number == kPcLow) return static_cast<std::uint32_t>(pc);
  if (number == kPcHigh) return static_cast<std::uint32_t>(pc >> 32);
  return registers[number];
}

// An ADDR8 with bit 63 set names a register in its low byte: the model's own encoding, no source gives one.
std::variant<std::uint64_t, isa::Finding> start_of(const isa::Mem2D& word, const execute::Registers& registers) {
  const std::uint64_t raw = word.start_addr.raw;
  if ((raw & isa::kAddr8Register) == 0) return raw;
  if ((raw & 0xFF) >= isa::kRegisters)
    return finding("transfer_register", "start_addr", 16, raw & 0xFF, "a register number 0 to 63");
  return std::uint64_t{registers[raw & 0xFF]};
}

std::uint64_t stored_value(const isa::Mem2D& word, std::size_t element, std::uint32_t bytes,
                           const execute::Registers& registers) {
  std::uint64_t value = 0;
  if (word.src_datasrc == kImmediates) {
    std::memcpy(&value, word.data.data() + element * bytes, bytes);
    return value;
  }
  const std::uint8_t number = word.data[element];
  value = registers[number];
  if (bytes == 8) value |= std::uint64_t{registers[number + 1U]} << 32;
  return value;
}

}  // namespace

std::vector<WaitCondition> wait_conditions(const isa::Word& word, const execute::Registers& registers) {
  std::vector<WaitCondition> waits;
  append_wait(isa::read_events(word), registers, waits);
  if (is(word, isa::Opcode::event_semaphore))
    append_wait(second_events(isa::decode_as<isa::CtrlEs>(word)), registers, waits);
  return waits;
}

std::vector<SyncUpdate> sync_updates(const isa::Word& word, const execute::Registers& registers) {
  std::vector<SyncUpdate> updates;
  append_update(isa::read_events(word), registers, updates);
  if (is(word, isa::Opcode::event_semaphore))
    append_update(second_update(isa::decode_as<isa::CtrlEs>(word)), registers, updates);
  if (is(word, isa::Opcode::semaphore_range_clear)) {
    const auto clear = isa::decode_as<isa::CtrlSr>(word);
    for (unsigned n = 0; n < 256; ++n) {
      if (is_cleared(clear, n))
        updates.push_back({isa::UpdateMode::sem_write_imm_complete, static_cast<std::uint8_t>(n), 0});
    }
  }
  return updates;
}

std::optional<isa::Finding> execute_move(const isa::CtrlMv& word, std::uint64_t pc, execute::Registers& registers) {
  if (word.num_mov > word.dst_regs.size()) return finding("move_register", "num_mov", 12, word.num_mov, "1 to 8 moves");
  std::array<std::uint32_t, 8> values{};
  for (std::uint32_t k = 0; k < word.num_mov; ++k) {
    const std::uint8_t from = word.src_regs[k], to = word.dst_regs[k];
    const bool immediate = word.source == kImmediates;
    if (!immediate && !is_general(from) && !is_pc(from))
      return finding("move_register", "src_regs", 16 + k, from, "a register number 0 to 63, 128 or 129");
    if (!is_general(to) && !is_pc(to))
      return finding("move_register", "dst_regs", 24 + k, to, "a register number 0 to 63, 128 or 129");
    values[k] = immediate ? word.immediate[k] : register_or_pc(from, pc, registers);
  }
  for (std::uint32_t k = 0; k < word.num_mov; ++k) {
    if (is_general(word.dst_regs[k])) registers[word.dst_regs[k]] = values[k];
  }
  return std::nullopt;
}

std::variant<TensorTransfer, isa::Finding> plan_transfer(const isa::Mem2D& word, bool load,
                                                         const execute::Registers& registers) {
  TensorTransfer transfer;
  const isa::Dtype dtype = word.dtype;
  transfer.element_bytes = static_cast<std::uint32_t>(isa::storage_size(dtype).value);
  const bool integer = isa::is_valid_int_dtype(dtype) && dtype != isa::Dtype::int64;
  if (!integer && dtype != isa::Dtype::fp32)
    return finding("transfer_dtype", "dtype", 12, isa::code(dtype), "an integer dtype other than int64, or fp32");
  const std::uint32_t count = std::uint32_t{word.num_elem[0]} * word.num_elem[1];
  const bool immediates = !load && word.src_datasrc == kImmediates;
  const std::uint32_t most = immediates ? kMostElements / transfer.element_bytes : kMostElements;
  if (count == 0 || count > most)
    return finding("transfer_count", "num_elem", 14, count, fmt::format("a product of 1 to {}", most));
  if (word.src_datasrc > (load ? 0 : kImmediates))
    return finding("transfer_source", "src_datasrc", 13, word.src_datasrc,
                   load ? "0" : "0 (registers) or 1 (immediates)");
  const bool pair = transfer.element_bytes == 8;
  for (std::uint32_t k = 0; k < count && !immediates; ++k) {
    if (!is_general(word.data[k]) || (pair && word.data[k] % 2 != 0))
      return finding("transfer_register", "data", 32 + k, word.data[k],
                     pair ? "an even register number 0 to 62" : "a register number 0 to 63");
  }
  const auto start = start_of(word, registers);
  if (const auto* refusal = std::get_if<isa::Finding>(&start)) return *refusal;
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::int64_t element = std::int64_t{word.step_elem[0]} * (k % word.num_elem[0]) +
                                 std::int64_t{word.step_elem[1]} * (k / word.num_elem[0]);
    transfer.addresses.push_back(std::get<std::uint64_t>(start) +
                                 static_cast<std::uint64_t>(element * std::int64_t{transfer.element_bytes}));
    if (load)
      transfer.registers.push_back(word.data[k]);
    else
      transfer.values.push_back(stored_value(word, k, transfer.element_bytes, registers));
  }
  return transfer;
}

std::vector<isa::Operand> on_chip_operands(const TensorTransfer& transfer, bool load, isa::Dtype dtype,
                                           isa::Generation generation) {
  std::vector<isa::Operand> operands;
  for (std::uint64_t address : transfer.addresses) {
    address = isa::on_chip_address(address, generation);
    if (address > isa::kPartitionAddressMask) continue;
    operands.push_back({load ? isa::OperandRole::src0 : isa::OperandRole::dst,
                        {static_cast<std::uint32_t>(address)},
                        {},
                        dtype,
                        1,
                        16,
                        "start_addr"});
  }
  return operands;
}

isa::Finding transfer_response(std::uint64_t address) {
  return {"transfer_response", "start_addr", 16, address, "an address of the core's memories"};
}

void load_registers(const TensorTransfer& transfer, isa::Dtype dtype, const std::vector<std::uint64_t>& elements,
                    execute::Registers& registers) {
  for (std::size_t k = 0; k < transfer.registers.size(); ++k) {
    std::array<std::uint8_t, 8> bytes{};
    std::memcpy(bytes.data(), &elements[k], bytes.size());
    const std::uint64_t value =
        isa::is_valid_int_dtype(dtype) ? numerics::integer_at(bytes.data(), dtype) : elements[k];
    registers[transfer.registers[k]] = static_cast<std::uint32_t>(value);
    if (transfer.element_bytes == 8) registers[transfer.registers[k] + 1U] = static_cast<std::uint32_t>(value >> 32);
  }
}

}  // namespace dve
