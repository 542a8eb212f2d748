// Values of single fields as text: numbers, binary32, dtypes, operations, functions and lists, by FieldKind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dve/isa/isa.h"
#include "name_table.h"
#include "scanner.h"

namespace dve::assembly {

const NameTable& dtype_names();
const NameTable& alu_op_names();
const NameTable& function_names();
// Names of an integer field's codes (op_dim: x, xy, ...); nullptr when it has none.
const NameTable* code_names(std::string_view field_name);
// The fields that code_names() knows.
const std::vector<std::string_view>& fields_with_code_names();

// A DTYPE by name or number, 0 to `most`.
bool read_dtype(Scanner& in, std::uint8_t most, std::uint8_t& code);
void append_dtype(std::string& out, std::uint8_t code);

// A word of 32 bits as the dtype has it: binary32 of fp32, signed for signed integers, else unsigned.
bool read_value(Scanner& in, isa::Dtype dtype, std::size_t bytes, std::uint64_t& bits);
void append_value(std::string& out, isa::Dtype dtype, std::size_t bytes, std::uint64_t bits);

// A list of registers into consecutive bytes, at most `most` of them. `program_counter`: r128 and r129 too
// (isa.md 5.3).
bool read_registers(Scanner& in, std::size_t most, bool program_counter, std::uint8_t* bytes, std::size_t& count);
void append_registers(std::string& out, const std::uint8_t* bytes, std::size_t count);
bool is_move_source(std::uint8_t number);

// Any kind but tensor, immediate and reserved. A list that is shorter than its field leaves the rest 0.
bool read_field(Scanner& in, const isa::FieldFormat& field, isa::Generation generation, isa::Word& word);
void append_field(std::string& out, const isa::FieldFormat& field, isa::Generation generation, const isa::Word& word);

// What read_field() accepts, for the documents: "number", "binary32", ...
std::string_view describe(const isa::FieldFormat& field);

// The bytes of an unsigned field of up to 4 bytes.
std::uint32_t get_number(const isa::Word& word, const isa::FieldFormat& field);
void put_number(isa::Word& word, const isa::FieldFormat& field, std::uint32_t value);

}  // namespace dve::assembly
