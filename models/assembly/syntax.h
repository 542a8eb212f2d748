// The keys of every mnemonic as data: what the line assembler, the disassembler and the documents walk over. Made from
// the field tables of isa/format.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dve/isa/isa.h"
#include "name_table.h"

namespace dve::assembly {

// Value form of a key. The forms from move_registers on are those of the control words that have lists.
enum class Form : std::uint8_t {
  tensor,             // sbuf[0]+0x2000:bf16{512,4;1,600}
  immediate,          // pointer, register or literal, as the field's SourceEncoding has it
  immediate_dtype,    // dtype of the pointers
  field,              // the field's own kind
  wait,               // sem[3]>=16
  update,             // sem[4]++
  move_destinations,  // registers; sets num_mov
  move_sources,       // registers; sets source
  move_values,        // values of the word's dtype; sets source
  memory,             // the MEM_2D tensor: address:dtype{counts;steps}
  data_registers,     // registers of TensorLoad and TensorStore
  data_values,        // values of TensorStore; sets src_datasrc
  semaphores          // semaphore numbers or 64 hexadecimal digits
};

// When a key that is not given gets a value, and which.
enum class Presence : std::uint8_t {
  required,
  optional,  // has a default (defaults.h)
  override,  // a raw field key: wins over what the other keys say, no default
  group      // control words with lists: control_words.h says which combinations are whole
};

struct Key {
  std::string_view name;
  Form form = Form::field;
  Presence presence = Presence::optional;
  const isa::FieldFormat* field = nullptr;
  std::uint8_t value_byte = 0;  // wait and update: where their value stands
};

// Keys in the order in which they are applied to a word, which is also the order in which they are written.
struct Syntax {
  isa::Opcode opcode{};
  const isa::Format* format = nullptr;
  std::vector<Key> keys;
  NameTable names;  // of the keys: the index in `keys`
};
inline constexpr std::size_t kMostKeys = 48;  // room; activate, with most, has 25

const Syntax& syntax_of(isa::Opcode opcode);
const NameTable& mnemonics();  // the opcode bytes

// Fields of the twelve bytes that every word begins with, opcode excepted.
const std::vector<isa::FieldFormat>& preamble_fields();

// An immediate that may stand in the word as a literal: its SourceEncoding has a code for that.
bool has_literal_form(const isa::FieldFormat& immediate);
std::uint8_t source_code(isa::SourceEncoding encoding, isa::ImmediateSource source);
// The literal is an integer, not a binary32 (isa-neighbours.md 2: bit operations).
bool has_integer_literals(isa::Opcode opcode);

}  // namespace dve::assembly
