// The memory operands of a word in one uniform form: what timing, hazards, execution and the checker walk over.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "address.h"
#include "dtype.h"
#include "layouts.h"
#include "tensor.h"

namespace dve::isa {

enum class OperandRole : std::uint8_t { src0, src1, imm0, imm1, dst };
std::string_view name(OperandRole role);

// One tensor or pointer operand, before its address is resolved.
struct Operand {
  OperandRole role = OperandRole::src0;
  Addr4 address{};          // for a register-pointer immediate: an Addr4::in_register
  AccessPattern pattern{};  // pointers: one element
  Dtype dtype = Dtype::fp32;
  std::uint32_t channels = 0;
  std::uint32_t byte = 0;  // offset of the address field in the word, for messages
};

// Operands in the order src0, src1, imm0, imm1, dst, those the opcode has. Empty for LoadParameterRam and unknown
// words. An immediate dtype of Invalid in 0x63 is resolved to fp32, ParamLoad's mean is fp32, ParamLoad2's pointers
// have immediate_dtype (isa.md 7.2, 7.3, 8.3).
std::vector<Operand> operands(const Word& word);

}  // namespace dve::isa
