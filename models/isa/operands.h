// The memory operands of a word in one uniform form: what timing, hazards, execution and the checker walk over.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "address.h"
#include "dtype.h"
#include "format.h"
#include "tensor.h"

namespace dve::isa {

std::string_view name(OperandRole role);

// One tensor or pointer operand, before its address is resolved.
struct Operand {
  OperandRole role = OperandRole::src0;
  Addr4 address{};          // for a register-pointer immediate: an Addr4::in_register
  AccessPattern pattern{};  // pointers: one element
  Dtype dtype = Dtype::fp32;
  std::uint32_t channels = 0;
  std::uint32_t byte = 0;       // offset of the address field in the word, for messages
  std::string_view field = {};  // its name in the word, e.g. "src", "scale"
};

// Operands in the order of OperandRole, those the word has; immediates that stand in the word as literals are none.
// Empty for words without a layout and for control words. An immediate dtype of Invalid in 0x63 is resolved to fp32, as
// are pointers without a dtype field (isa.md 7.2, 7.3, 8.3; isa-neighbours.md 2, 5.1). CrossLaneReduce writes one
// channel (isa-neighbours.md 8.1). The alpha of Activate is an operand for Prelu only (isa-neighbours.md 13).
std::vector<Operand> operands(const Word& word);

// Where an immediate comes from. `invalid`: a code that the encoding does not have.
enum class ImmediateSource : std::uint8_t { literal, pointer, register_pointer, invalid };
// What a selector of an immediate stands for (isa.md 5.2, 7.3; isa-neighbours.md 5.1). SourceEncoding::none: a pointer
// whatever the selector.
ImmediateSource immediate_source_of(std::uint8_t selector, SourceEncoding encoding);
ImmediateSource immediate_source(const Word& word, const FieldFormat& immediate);

}  // namespace dve::isa
