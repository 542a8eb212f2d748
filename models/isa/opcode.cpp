#include "opcode.h"

#include <algorithm>

#include "code_name.h"

namespace dve::isa {
namespace {

constexpr EngineSet kDve = only(Engine::dve), kPool = only(Engine::pool), kAct = only(Engine::act);
constexpr EngineSet kAll = kDve | kPool | kAct;
constexpr EngineSet kNone{};

struct OpcodeRow {
  std::uint8_t byte;
  std::string_view name;  // empty: a member that the references list without a name
  EngineSet engines;      // none: no layout here
};

// Every opcode that isa.md (1.1, 7.5, 8, 8.3, 11.1, 12, 13.1) and isa-neighbours.md (1, 2, 5 to 9) list, ascending.
// clang-format off
constexpr std::array kRows = {
    OpcodeRow{0x21, "activate", kAct}, OpcodeRow{0x22, "activate_quantize", kNone}, OpcodeRow{0x23, "activation_table_load", kAct},
    OpcodeRow{0x24, "activation_read_accumulator", kAct}, OpcodeRow{0x25, "activate2", kNone}, OpcodeRow{0x30, "", kNone},
    OpcodeRow{0x41, "tensor_tensor_arith_op", kDve | kPool}, OpcodeRow{0x42, "tensor_reduce_arith_op", kDve | kPool},
    OpcodeRow{0x43, "tensor_scalar_arith_op", kAll}, OpcodeRow{0x44, "tensor_scalar_ptr_arith_op", kNone},
    OpcodeRow{0x46, "copy", kAll}, OpcodeRow{0x47, "cast", kAll}, OpcodeRow{0x48, "reciprocal", kDve}, OpcodeRow{0x49, "memset", kDve | kPool},
    OpcodeRow{0x4B, "reg_store", kNone}, OpcodeRow{0x4D, "rng", kNone}, OpcodeRow{0x4F, "tensor_scalar_ptr_multi_arith_op", kNone},
    OpcodeRow{0x51, "tensor_tensor_bitvec_op", kDve | kPool}, OpcodeRow{0x52, "tensor_reduce_bitvec_op", kNone},
    OpcodeRow{0x53, "tensor_scalar_bitvec_op", kDve}, OpcodeRow{0x54, "tensor_scalar_ptr_bitvec_op", kNone},
    OpcodeRow{0x5F, "tensor_scalar_ptr_multi_bitvec_op", kNone}, OpcodeRow{0x60, "batch_norm_stats", kDve},
    OpcodeRow{0x61, "batch_norm_stats2", kDve}, OpcodeRow{0x62, "batch_norm_aggregate", kDve},
    OpcodeRow{0x63, "batch_norm_grad_accumulate", kDve}, OpcodeRow{0x64, "batch_norm_param_load", kDve},
    OpcodeRow{0x65, "batch_norm_back_prop", kDve}, OpcodeRow{0x66, "load_parameter_ram", kDve}, OpcodeRow{0x69, "", kNone},
    OpcodeRow{0x6C, "max8", kNone}, OpcodeRow{0x6D, "match_value_load", kNone}, OpcodeRow{0x6E, "find_index8", kNone},
    OpcodeRow{0x70, "tensor_scalar_imm_ld_arith_op", kNone}, OpcodeRow{0x71, "tensor_scalar_imm_ld_bitvec_op", kNone},
    OpcodeRow{0x72, "copy_predicated", kDve}, OpcodeRow{0x7A, "", kNone}, OpcodeRow{0x7C, "cross_lane_reduce_arith_op", kPool},
    OpcodeRow{0x7D, "cross_lane_reduce_bitvec_op", kPool}, OpcodeRow{0x7E, "iota", kNone},
    OpcodeRow{0x82, "transpose_batch_norm_stats2", kDve}, OpcodeRow{0x83, "transpose_tensor_reduce_arith_op", kNone},
    OpcodeRow{0x84, "transpose_tensor_reduce_bitvec_op", kNone}, OpcodeRow{0x8E, "batch_norm_param_load2", kDve},
    OpcodeRow{0x93, "transpose_tensor_scalar_arith_op", kNone}, OpcodeRow{0x94, "batch_norm_grad_accumulate2", kDve},
    OpcodeRow{0x99, "cast_predicated", kDve}, OpcodeRow{0x9A, "tensor_scalar_cache_reduce", kNone},
    OpcodeRow{0x9B, "dve_read_accumulator", kNone}, OpcodeRow{0x9D, "scalar_tensor_tensor_arith_op", kNone},
    OpcodeRow{0x9E, "scalar_tensor_tensor_bitvec_op", kNone}, OpcodeRow{0x9F, "engine_nop", kNone},
    OpcodeRow{0xA0, "event_semaphore", kAll}, OpcodeRow{0xA1, "halt", kAll}, OpcodeRow{0xA2, "drain", kAll},
    OpcodeRow{0xA3, "instruction_flush", kAll}, OpcodeRow{0xA4, "nop", kAll}, OpcodeRow{0xA5, "write", kNone},
    OpcodeRow{0xA6, "notify", kNone}, OpcodeRow{0xA7, "move", kAll}, OpcodeRow{0xA8, "alu_op", kNone},
    OpcodeRow{0xA9, "compare_branch", kNone}, OpcodeRow{0xAA, "tensor_load", kAll}, OpcodeRow{0xAB, "tensor_store", kAll},
    OpcodeRow{0xB0, "semaphore_range_clear", kAll}, OpcodeRow{0xB1, "set_ordering_mode", kNone}, OpcodeRow{0xB2, "move_shape", kNone},
    OpcodeRow{0xB3, "poll_sem", kNone}, OpcodeRow{0xB5, "branch_prefetch_hint", kNone}, OpcodeRow{0xB8, "dma_memcpy", kNone},
    OpcodeRow{0xC1, "pseudo_dma_trigger", kNone}, OpcodeRow{0xD4, "pseudo_dma_direct2d", kNone}, OpcodeRow{0xE3, "quantize_mx", kNone},
    OpcodeRow{0xE6, "", kNone}};
// clang-format on

const OpcodeRow* find_row(std::uint8_t byte) {
  const auto* at = std::lower_bound(kRows.begin(), kRows.end(), byte,
                                    [](const OpcodeRow& row, std::uint8_t b) { return row.byte < b; });
  return at != kRows.end() && at->byte == byte ? at : nullptr;
}

bool has_layout(const OpcodeRow& row) { return row.engines.bits != 0; }

}  // namespace

const std::vector<Opcode>& all_opcodes() {
  static const std::vector<Opcode> all = [] {
    std::vector<Opcode> opcodes;
    for (const OpcodeRow& row : kRows) {
      if (has_layout(row)) opcodes.push_back(static_cast<Opcode>(row.byte));
    }
    return opcodes;
  }();
  return all;
}

std::optional<Opcode> opcode_from_byte(std::uint8_t byte) {
  const OpcodeRow* row = find_row(byte);
  if (row == nullptr || !has_layout(*row)) return std::nullopt;
  return static_cast<Opcode>(byte);
}

std::string_view mnemonic(Opcode opcode) {
  const OpcodeRow* row = find_row(code(opcode));
  return row != nullptr ? row->name : std::string_view("unknown opcode");
}

std::optional<Opcode> opcode_from_mnemonic(std::string_view text) {
  for (const OpcodeRow& row : kRows) {
    if (has_layout(row) && row.name == text) return static_cast<Opcode>(row.byte);
  }
  return std::nullopt;
}

std::string opcode_name(std::uint8_t byte) {
  const OpcodeRow* row = find_row(byte);
  return std::string(row != nullptr && !row->name.empty() ? row->name : hex_name(byte));
}

std::vector<std::uint8_t> opcodes_without_layout() {
  std::vector<std::uint8_t> bytes;
  for (const OpcodeRow& row : kRows) {
    if (!has_layout(row)) bytes.push_back(row.byte);
  }
  return bytes;
}

bool is_opcode_member(std::uint8_t byte) { return find_row(byte) != nullptr; }

bool is_control_opcode(std::uint8_t byte) {
  return byte >= code(Opcode::event_semaphore) && byte <= code(Opcode::semaphore_range_clear) &&
         opcode_from_byte(byte).has_value();
}

EngineSet engines_of(std::uint8_t byte) {
  const OpcodeRow* row = find_row(byte);
  return row != nullptr ? row->engines : kNone;
}

}  // namespace dve::isa
