// The door of the assembly block: instruction words as text, and text as instruction words (interfaces.md 3).
//
// One word a line: `mnemonic key=value ...`; `#` starts a comment; tokens are separated by spaces and tabs, values hold
// none. `.word` and 128 hexadecimal digits stand for any word, `.engine dve|pool|act` names the engine that the words
// below belong to. docs/isa.md, which isa_document() writes, lists every mnemonic, key and value form.
//
// Plain C++. Assembling checks that the text says what a word can hold, not that the word is legal: that is
// isa::check(). Every field has a key, so illegal words can be written; reserved bytes have none, those need `.word`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dve/isa/isa.h"

namespace dve::assembly {

// One thing wrong with the text. Lines and columns count from 1; a column is a byte of the line.
struct SourceError {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;  // key, value, what is allowed, the nearest name where one is near
};

// Assembling stops at this many errors: a file that is no program at all gets no longer list.
inline constexpr std::size_t kMaxErrors = 100;

struct AssembledWord {
  isa::Word word;
  isa::Engine engine = isa::Engine::dve;  // of the last `.engine` directive above it
  std::uint32_t line = 0;
};

struct Assembled {
  std::vector<AssembledWord> words;  // in the order of the text; lines with errors have none
  bool names_engines = false;        // a `.engine` directive stands in the text
  std::vector<SourceError> errors;   // by line, then column; empty: the text is a program
};

// Any bytes are accepted, in time linear in their number. A NUL, another control character or a byte above 0x7E is an
// error, in comments too; lines may end in CR LF. On-chip addresses are encoded for `generation`.
Assembled assemble(std::string_view text, isa::Generation generation);

// One line without its end. Assembling it gives the same bytes: `.word` where no other text would (a byte without a
// layout, a reserved byte that is not 0, ...). Values that are the default are left out.
std::string disassemble(const isa::Word& word, isa::Generation generation);

// The reference of the text, from the tables that the assembler itself uses: Markdown for docs/isa.md, and the same in
// short, plain and at most 100 columns wide, for `dve-sim asm --help`.
std::string isa_document();
std::string keys_help();

}  // namespace dve::assembly
