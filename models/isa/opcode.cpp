#include "opcode.h"

#include <algorithm>

namespace dve::isa {
namespace {

// Opcodes the references name, in ascending order: isa.md 1.1, 7.5, 8, 8.3, 11.1, 12 and 13.1; isa-neighbours.md 1, 2
// and 7.
constexpr std::array<std::uint8_t, 74> kMembers = {
    0x21, 0x22, 0x23, 0x24, 0x25, 0x30, 0x41, 0x42, 0x43, 0x44, 0x46, 0x47, 0x48, 0x49, 0x4B, 0x4D, 0x4F, 0x51, 0x52,
    0x53, 0x54, 0x5F, 0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x69, 0x6C, 0x6D, 0x6E, 0x70, 0x71, 0x72, 0x7A, 0x7C,
    0x7D, 0x7E, 0x82, 0x83, 0x84, 0x8E, 0x93, 0x94, 0x99, 0x9A, 0x9B, 0x9D, 0x9E, 0x9F, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4,
    0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xB0, 0xB1, 0xB2, 0xB3, 0xB5, 0xB8, 0xC1, 0xD4, 0xE3, 0xE6};

}  // namespace

std::optional<Opcode> opcode_from_byte(std::uint8_t byte) {
  for (const Opcode opcode : kBatchNormOpcodes) {
    if (code(opcode) == byte) return opcode;
  }
  return std::nullopt;
}

std::string_view mnemonic(Opcode opcode) {
  switch (opcode) {
    case Opcode::batch_norm_stats:
      return "batch_norm_stats";
    case Opcode::batch_norm_stats2:
      return "batch_norm_stats2";
    case Opcode::batch_norm_aggregate:
      return "batch_norm_aggregate";
    case Opcode::batch_norm_grad_accumulate:
      return "batch_norm_grad_accumulate";
    case Opcode::batch_norm_param_load:
      return "batch_norm_param_load";
    case Opcode::batch_norm_back_prop:
      return "batch_norm_back_prop";
    case Opcode::load_parameter_ram:
      return "load_parameter_ram";
    case Opcode::transpose_batch_norm_stats2:
      return "transpose_batch_norm_stats2";
    case Opcode::batch_norm_param_load2:
      return "batch_norm_param_load2";
    case Opcode::batch_norm_grad_accumulate2:
      return "batch_norm_grad_accumulate2";
  }
  return "unknown opcode";
}

bool is_opcode_member(std::uint8_t byte) { return std::binary_search(kMembers.begin(), kMembers.end(), byte); }

}  // namespace dve::isa
