// Cells of the tables that both documents print: docs/isa.md and the help of `dve-sim asm`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dve/isa/isa.h"
#include "syntax.h"

namespace dve::assembly {

// "dve, pool".
std::string engines_text(isa::Opcode opcode);

// The generations of which `holds` is true: "all", "cayman and later", "maverick", "none".
std::string generations_text(const std::function<bool(isa::Generation)>& holds);

// The keys of a mnemonic but wait and update: "src dst [even_count=ceil(n/2)] channels". Of the four control words with
// lists: all that belong together. Word by word.
std::vector<std::string> usage(const Syntax& syntax);

// Class of an ALU operation (isa.md 6; isa-neighbours.md 4): "arith", "bitvec", "signed int", ...
std::string class_of(isa::AluOp op);

// One row of the wait or update table.
struct ModeRow {
  std::uint8_t mode;
  std::string text;  // as written behind wait= or update=; empty: only by the raw field key
  std::string_view name;
};
std::vector<ModeRow> wait_rows();
std::vector<ModeRow> update_rows();

// A format and the mnemonics that have it, in the order of the opcodes.
struct FormatUse {
  const Syntax* syntax;  // of the first
  std::vector<isa::Opcode> opcodes;
};
std::vector<FormatUse> formats();

// The keys that write a field, its own before its raw one: "`channels`, `num_active_channels`"; "-" for reserved ones.
std::string keys_of(const Syntax& syntax, const isa::FieldFormat& field);

}  // namespace dve::assembly
