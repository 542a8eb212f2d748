// Opcodes: those with a layout here, and the names of all that the references list (isa.md 8, 12, 13.1;
// isa-neighbours.md 1).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine.h"

namespace dve::isa {

// Opcodes whose words the model encodes, decodes, checks and executes. Wire values are the same in all generations.
// Words of other opcodes are held and named by their byte.
// clang-format off
enum class Opcode : std::uint8_t {
  activate = 0x21, activation_table_load = 0x23, activation_read_accumulator = 0x24,
  tensor_tensor_arith_op = 0x41, tensor_reduce_arith_op = 0x42, tensor_scalar_arith_op = 0x43,
  copy = 0x46, cast = 0x47, reciprocal = 0x48, memset = 0x49,
  tensor_tensor_bitvec_op = 0x51, tensor_scalar_bitvec_op = 0x53,
  batch_norm_stats = 0x60, batch_norm_stats2 = 0x61, batch_norm_aggregate = 0x62, batch_norm_grad_accumulate = 0x63,
  batch_norm_param_load = 0x64, batch_norm_back_prop = 0x65, load_parameter_ram = 0x66,
  copy_predicated = 0x72, cross_lane_reduce_arith_op = 0x7C, cross_lane_reduce_bitvec_op = 0x7D,
  transpose_batch_norm_stats2 = 0x82, batch_norm_param_load2 = 0x8E, batch_norm_grad_accumulate2 = 0x94,
  cast_predicated = 0x99,
  event_semaphore = 0xA0, halt = 0xA1, drain = 0xA2, instruction_flush = 0xA3, nop = 0xA4, move = 0xA7,
  tensor_load = 0xAA, tensor_store = 0xAB, semaphore_range_clear = 0xB0
};
// clang-format on

constexpr std::uint8_t code(Opcode opcode) { return static_cast<std::uint8_t>(opcode); }

// All of Opcode, ascending, and the batch-norm path's ten (isa.md 8).
const std::vector<Opcode>& all_opcodes();
inline constexpr std::array kBatchNormOpcodes = {Opcode::batch_norm_stats,       Opcode::batch_norm_stats2,
                                                 Opcode::batch_norm_aggregate,   Opcode::batch_norm_grad_accumulate,
                                                 Opcode::batch_norm_param_load,  Opcode::batch_norm_back_prop,
                                                 Opcode::load_parameter_ram,     Opcode::transpose_batch_norm_stats2,
                                                 Opcode::batch_norm_param_load2, Opcode::batch_norm_grad_accumulate2};

// The opcode when the byte has a layout here.
std::optional<Opcode> opcode_from_byte(std::uint8_t byte);

// Mnemonic of the assembly text and the report: the ISA header's name in lower case (interfaces.md 3). And its inverse.
std::string_view mnemonic(Opcode opcode);
std::optional<Opcode> opcode_from_mnemonic(std::string_view text);

// Mnemonic of any opcode that the references name, with a layout or not; "0x2a" for a byte without a name.
std::string opcode_name(std::uint8_t byte);
// Bytes that the references name but give no complete layout for, ascending: they stand as `.word`, and are refused by
// name.
std::vector<std::uint8_t> opcodes_without_layout();

// Member of the ISA's OPCODE enumeration as far as the references list it: what has_valid_neuron_header asks.
bool is_opcode_member(std::uint8_t byte);

// Executed by the sequencer itself, on every engine: 0xA0 to 0xB5 of Opcode (isa.md 13.1).
bool is_control_opcode(std::uint8_t byte);

// Engines that execute the opcode (isa-neighbours.md 1; isa.md 8 and 12); all of them for control opcodes, none for
// bytes without a layout.
EngineSet engines_of(std::uint8_t byte);

}  // namespace dve::isa
