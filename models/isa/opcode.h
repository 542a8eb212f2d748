// Opcodes of the batch-norm path (isa.md 8).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dve::isa {

// Wire values are the same in all generations (isa.md 8). Words of other opcodes are held and named by their byte.
enum class Opcode : std::uint8_t {
  batch_norm_stats = 0x60,
  batch_norm_stats2 = 0x61,
  batch_norm_aggregate = 0x62,
  batch_norm_grad_accumulate = 0x63,
  batch_norm_param_load = 0x64,
  batch_norm_back_prop = 0x65,
  load_parameter_ram = 0x66,
  transpose_batch_norm_stats2 = 0x82,
  batch_norm_param_load2 = 0x8E,
  batch_norm_grad_accumulate2 = 0x94
};

inline constexpr std::array kBatchNormOpcodes = {Opcode::batch_norm_stats,       Opcode::batch_norm_stats2,
                                                 Opcode::batch_norm_aggregate,   Opcode::batch_norm_grad_accumulate,
                                                 Opcode::batch_norm_param_load,  Opcode::batch_norm_back_prop,
                                                 Opcode::load_parameter_ram,     Opcode::transpose_batch_norm_stats2,
                                                 Opcode::batch_norm_param_load2, Opcode::batch_norm_grad_accumulate2};

constexpr std::uint8_t code(Opcode opcode) { return static_cast<std::uint8_t>(opcode); }

// The opcode when the byte is one of kBatchNormOpcodes.
std::optional<Opcode> opcode_from_byte(std::uint8_t byte);

// Mnemonic of the assembly text and the report: the ISA header's name in lower case (interfaces.md 3).
std::string_view mnemonic(Opcode opcode);

// Member of the ISA's OPCODE enumeration as far as the references list it (isa.md 8, 12, 13; isa-neighbours.md 1): what
// has_valid_neuron_header asks. Members that the model does not execute are refused later, by the dispatch table.
bool is_opcode_member(std::uint8_t byte);

// ALU_OP value that back-prop, copy-predicated and cast-predicated words must carry (isa.md 6).
inline constexpr std::uint8_t kAluOpBypass = 0x00;

}  // namespace dve::isa
