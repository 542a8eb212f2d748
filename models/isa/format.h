// The fields of every instruction format as data: what the assembler, the disassembler, the documentation and
// operands() walk over (isa.md 8, 12, 13; isa-neighbours.md 2 to 8; keys: interfaces.md 3).
//
// The typed structs of layouts.h hold the same bytes for code that knows which opcode it has.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "opcode.h"
#include "word.h"

namespace dve::isa {

// Where a code stands: a whole byte or one nibble of it.
enum class Part : std::uint8_t { none, whole, low, high };
struct CodePlace {
  std::uint8_t byte = 0;
  Part part = Part::none;  // none: there is no such field
  constexpr bool exists() const { return part != Part::none; }
};
std::uint8_t code_at(const Word& word, CodePlace place);
void put_code(Word& word, CodePlace place, std::uint8_t code);  // place.exists(); a nibble takes the low four bits

// How an IMM_SRC field encodes where an immediate comes from.
enum class SourceEncoding : std::uint8_t {
  none,             // no field: always a pointer
  standard,         // ImmSrc: 0 instruction, 1 pointer, 2 register pointer (isa.md 5.2)
  zero_is_pointer,  // ImmSrc with 0 read as pointer too (ParamLoad, isa.md 7.3)
  inverted          // ImmSrcN: 0 pointer, 1 instruction, 2 register pointer (isa-neighbours.md 5.1)
};

enum class FieldKind : std::uint8_t {
  integer,       // unsigned, 1, 2 or 4 bytes
  fp32,          // binary32 literal, kept as bits
  dtype,         // DTYPE byte
  dtype_pair,    // two DTYPE nibbles, low first
  imm_src_pair,  // two IMM_SRC nibbles, low first
  alu_op,        // ALU_OP byte
  function,      // ActivationFunc byte
  wait_mode,     // WAIT_MODE byte
  update_mode,   // UPDATE_MODE byte
  tensor,        // TENSOR1D to TENSOR4D
  immediate,     // IMM_VAL_INST_FIELD
  address8,      // ADDR8
  bytes,         // a list of unsigned bytes
  steps,         // a list of signed 32-bit numbers
  words,         // a list of 32-bit values
  reserved       // bytes that must be 0
};

// Memory operand of a word, in the order in which engines read them.
enum class OperandRole : std::uint8_t { src0, src1, imm0, imm1, imm2, dst };

struct FieldFormat {
  std::string_view name;  // the header's name; for tensors without `_mem_pattern`
  std::string_view key;   // assembly key; empty: no key of its own unless written as a raw field under its name
  std::uint8_t byte = 0;
  std::uint8_t size = 1;  // bytes
  FieldKind kind = FieldKind::integer;
  // tensors
  std::uint8_t dimensions = 0;
  // tensors and immediates
  OperandRole role = OperandRole::src0;
  CodePlace dtype{};  // of the elements; none: fp32
  // immediates
  SourceEncoding source_encoding = SourceEncoding::none;
  CodePlace source{};
};

// Fields of bytes 12 to 63, ascending; every byte belongs to exactly one.
struct Format {
  std::string_view name;  // of the struct: "S4D2_BN"
  std::vector<FieldFormat> fields;
  // Byte that holds num_active_channels; 0: the format has none.
  std::uint8_t channels_byte = 0;
};
const Format& format_of(Opcode opcode);

// The field by name; nullptr when the format has none.
const FieldFormat* find_field(const Format& format, std::string_view name);

}  // namespace dve::isa
