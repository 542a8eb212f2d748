#include "field_text.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "addresses.h"

namespace dve::assembly {
namespace {

using isa::FieldKind;

template <class Code>
NameTable named_codes() {
  NameTable table;
  for (unsigned code = 0; code < 256; ++code) {
    const std::string_view text = name(static_cast<Code>(code));
    if (text.substr(0, 2) != "0x") table.add(text, code);
  }
  return table;
}

struct CodeNames {
  std::string_view field;
  std::vector<std::string_view> names;  // of the codes from `first` on
  std::uint32_t first = 0;
};

// isa-neighbours.md 2 (reverse_operands, accumulator_cmd), 6 (op_dim), 8.1 (reduce_op, reduce_axis).
const std::vector<CodeNames>& all_code_names() {
  static const std::vector<CodeNames> all = {
      {"op_dim", {"x", "xy", "xyz", "xyzw"}, 2},
      {"reduce_op", {"add", "average", "max", "or", "and", "xor"}},
      {"reduce_axis", {"all", "partitions"}},
      {"reverse_operands", {"none", "first", "second", "both"}},
      {"accumulator_cmd", {"idle", "zero", "accumulate", "zero_accumulate", "load_accumulate"}}};
  return all;
}

bool at_number(const Scanner& in) { return in.peek() >= '0' && in.peek() <= '9'; }

// A name of the table or a number up to `most`.
bool read_code(Scanner& in, const NameTable& names, std::string_view what, std::uint32_t most, std::uint32_t& code) {
  if (at_number(in)) return read_unsigned(in, most, code);
  const std::size_t start = in.at();
  const std::string_view word = in.take_word();
  const auto found = names.find(word);
  if (!found) return in.fail_at(start, fmt::format("{} by name or number{}", what, did_you_mean(names, word)));
  if (*found > most)
    return in.fail_at(start, fmt::format("{} with a code up to {}: {} is {}", what, most, word, *found));
  code = *found;
  return true;
}

// Two codes, low nibble first; or one number for the whole byte.
template <class ReadNibble>
bool read_pair(Scanner& in, std::uint8_t& byte, ReadNibble read_nibble) {
  const std::size_t start = in.at();
  Scanner whole = in;
  if (at_number(in) && read_unsigned(whole, 255, byte) && whole.at_end()) {
    in = whole;
    return true;
  }
  std::uint8_t low = 0, high = 0;
  if (!read_nibble(low)) return false;
  if (!in.accept(',')) return in.fail_at(start, "two values with a comma, low nibble first, or a number from 0 to 255");
  if (!read_nibble(high)) return false;
  byte = static_cast<std::uint8_t>((high << 4) | low);
  return true;
}

bool read_dtype_pair(Scanner& in, std::uint8_t& byte) {
  return read_pair(in, byte, [&in](std::uint8_t& code) { return read_dtype(in, 0xF, code); });
}

bool read_source_pair(Scanner& in, std::uint8_t& byte) {
  return read_pair(in, byte, [&in](std::uint8_t& code) { return read_unsigned(in, 0xF, code); });
}

// Calls read_one(k) for each element of a list of at most `most`.
template <class ReadOne>
bool read_list(Scanner& in, std::size_t most, std::string_view what, std::size_t& count, ReadOne read_one) {
  count = 0;
  do {
    if (count == most) return in.fail(fmt::format("at most {} {}", most, what));
    if (!read_one(count)) return false;
    ++count;
  } while (in.accept(','));
  return true;
}

// Byte fields from this size on are written as hexadecimal digits, and may be a list as well.
constexpr std::size_t kHexBytes = 32;

bool read_bytes(Scanner& in, const isa::FieldFormat& field, isa::Word& word) {
  std::uint8_t* bytes = word.bytes.data() + field.byte;
  std::memset(bytes, 0, field.size);
  if (field.size >= kHexBytes && is_hex_digits(in.rest(), 2 * std::size_t{field.size})) {
    read_hex_bytes(in.take_word(), bytes);
    return true;
  }
  std::size_t count = 0;
  return read_list(in, field.size, "bytes", count, [&](std::size_t k) { return read_unsigned(in, 255, bytes[k]); });
}

bool read_steps_field(Scanner& in, const isa::FieldFormat& field, isa::Word& word) {
  std::memset(word.bytes.data() + field.byte, 0, field.size);
  std::size_t count = 0;
  return read_list(in, field.size / 4u, "steps", count, [&](std::size_t k) {
    std::int64_t step = 0;
    if (!read_number(in, -0x80000000LL, 0x7FFFFFFF, step)) return false;
    word.put(field.byte + 4 * k, static_cast<std::int32_t>(step));
    return true;
  });
}

// The eight values of LoadParameterRam: all of them, since words without a value would load zeros.
bool read_words(Scanner& in, const isa::FieldFormat& field, isa::Word& word) {
  std::size_t count = 0;
  const std::size_t size = field.size / 4u;
  const bool read = read_list(in, size, "values", count, [&](std::size_t k) {
    std::uint32_t bits = 0;
    if (!read_fp32(in, bits)) return false;
    word.put(field.byte + 4 * k, bits);
    return true;
  });
  return read && (count == size || in.fail(fmt::format("{} values, not {}", size, count)));
}

template <class AppendOne>
void append_list(std::string& out, std::size_t count, AppendOne append_one) {
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0) out += ',';
    append_one(k);
  }
}

void append_bytes(std::string& out, const isa::FieldFormat& field, const isa::Word& word) {
  const std::uint8_t* bytes = word.bytes.data() + field.byte;
  if (field.size >= kHexBytes) return append_hex_bytes(out, bytes, field.size);
  append_list(out, field.size, [&](std::size_t k) { append_decimal(out, std::uint64_t{bytes[k]}); });
}

bool read_integer(Scanner& in, const isa::FieldFormat& field, isa::Word& word) {
  const auto most = static_cast<std::uint32_t>((std::uint64_t{1} << (8 * field.size)) - 1);
  std::uint32_t value = 0;
  const NameTable* names = code_names(field.name);
  const bool read = names != nullptr ? read_code(in, *names, field.name, most, value) : read_unsigned(in, most, value);
  if (read) put_number(word, field, value);
  return read;
}

void append_integer(std::string& out, const isa::FieldFormat& field, const isa::Word& word) {
  const std::uint32_t value = get_number(word, field);
  if (const NameTable* names = code_names(field.name)) {
    for (const std::string_view name : names->names()) {
      if (names->find(name) != value) continue;
      out += name;
      return;
    }
  }
  if (field.name == "set_value") return append_hex(out, value);  // bits of an element
  append_decimal(out, std::uint64_t{value});
}

bool read_named(Scanner& in, const NameTable& names, std::string_view what, std::uint8_t& byte) {
  std::uint32_t code = 0;
  if (!read_code(in, names, what, 255, code)) return false;
  byte = static_cast<std::uint8_t>(code);
  return true;
}

bool is_signed_integer(isa::Dtype dtype) {
  return dtype == isa::Dtype::int8 || dtype == isa::Dtype::int16 || dtype == isa::Dtype::int32 ||
         dtype == isa::Dtype::int64;
}

}  // namespace

const NameTable& dtype_names() {
  static const NameTable table = named_codes<isa::Dtype>();
  return table;
}

const NameTable& alu_op_names() {
  static const NameTable table = named_codes<isa::AluOp>();
  return table;
}

const NameTable& function_names() {
  static const NameTable table = named_codes<isa::ActivationFunc>();
  return table;
}

const NameTable* code_names(std::string_view field_name) {
  static const std::vector<NameTable> tables = [] {
    std::vector<NameTable> made;
    for (const CodeNames& codes : all_code_names()) {
      NameTable table;
      std::uint32_t code = codes.first;
      for (const std::string_view name : codes.names) table.add(name, code++);
      made.push_back(std::move(table));
    }
    return made;
  }();
  for (std::size_t k = 0; k < tables.size(); ++k) {
    if (all_code_names()[k].field == field_name) return &tables[k];
  }
  return nullptr;
}

const std::vector<std::string_view>& fields_with_code_names() {
  static const std::vector<std::string_view> fields = [] {
    std::vector<std::string_view> names;
    for (const CodeNames& codes : all_code_names()) names.push_back(codes.field);
    return names;
  }();
  return fields;
}

bool read_dtype(Scanner& in, std::uint8_t most, std::uint8_t& code) {
  std::uint32_t value = 0;
  if (!read_code(in, dtype_names(), "a dtype", most, value)) return false;
  code = static_cast<std::uint8_t>(value);
  return true;
}

void append_dtype(std::string& out, std::uint8_t code) { out += name(static_cast<isa::Dtype>(code)); }

bool read_value(Scanner& in, isa::Dtype dtype, std::size_t bytes, std::uint64_t& bits) {
  if (dtype == isa::Dtype::fp32) {
    std::uint32_t pattern = 0;
    if (!read_fp32(in, pattern)) return false;
    bits = pattern;
    return true;
  }
  const std::uint64_t most = ~std::uint64_t{0} >> (64 - 8 * bytes);
  if (!is_signed_integer(dtype) || in.peek() != '-') return read_number(in, most, bits);
  std::int64_t number = 0;
  if (!read_number(in, -static_cast<std::int64_t>(most / 2) - 1, 0, number)) return false;
  bits = static_cast<std::uint64_t>(number) & most;
  return true;
}

void append_value(std::string& out, isa::Dtype dtype, std::size_t bytes, std::uint64_t bits) {
  if (dtype == isa::Dtype::fp32) {
    append_fp32(out, static_cast<std::uint32_t>(bits));
  } else if (is_signed_integer(dtype)) {
    const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
    append_decimal(out, static_cast<std::int64_t>((bits ^ sign) - sign));
  } else {
    append_decimal(out, bits);
  }
}

bool is_move_source(std::uint8_t number) { return number < isa::kRegisters || number == 128 || number == 129; }

bool read_registers(Scanner& in, std::size_t most, bool program_counter, std::uint8_t* bytes, std::size_t& count) {
  return read_list(in, most, "registers", count, [&](std::size_t k) {
    for (const std::uint8_t half : {std::uint8_t{128}, std::uint8_t{129}}) {
      const bool named = program_counter && in.accept(half == 128 ? "r128" : "r129");
      if (!named) continue;
      bytes[k] = half;
      return true;
    }
    return read_register(in, bytes[k]);
  });
}

void append_registers(std::string& out, const std::uint8_t* bytes, std::size_t count) {
  append_list(out, count, [&](std::size_t k) { append_register(out, bytes[k]); });
}

bool read_field(Scanner& in, const isa::FieldFormat& field, isa::Generation generation, isa::Word& word) {
  std::uint8_t& byte = word.bytes[field.byte];
  switch (field.kind) {
    case FieldKind::integer:
      return read_integer(in, field, word);
    case FieldKind::fp32: {
      std::uint32_t bits = 0;
      if (!read_fp32(in, bits)) return false;
      put_number(word, field, bits);
      return true;
    }
    case FieldKind::dtype:
      return read_dtype(in, 255, byte);
    case FieldKind::dtype_pair:
      return read_dtype_pair(in, byte);
    case FieldKind::imm_src_pair:
      return read_source_pair(in, byte);
    case FieldKind::alu_op:
      return read_named(in, alu_op_names(), "an ALU operation", byte);
    case FieldKind::function:
      return read_named(in, function_names(), "an activation function", byte);
    case FieldKind::wait_mode:
    case FieldKind::update_mode:
      return read_unsigned(in, 255, byte);
    case FieldKind::address8: {
      std::uint64_t address = 0;
      if (!read_addr8(in, generation, address)) return false;
      word.put(field.byte, address);
      return true;
    }
    case FieldKind::bytes:
      return read_bytes(in, field, word);
    case FieldKind::steps:
      return read_steps_field(in, field, word);
    case FieldKind::words:
      return read_words(in, field, word);
    case FieldKind::tensor:
    case FieldKind::immediate:
    case FieldKind::reserved:
      break;
  }
  return in.fail("no value: the field has a form of its own");
}

void append_field(std::string& out, const isa::FieldFormat& field, isa::Generation generation, const isa::Word& word) {
  const std::uint8_t byte = word.bytes[field.byte];
  switch (field.kind) {
    case FieldKind::integer:
      return append_integer(out, field, word);
    case FieldKind::fp32:
      return append_fp32(out, get_number(word, field));
    case FieldKind::dtype:
      return append_dtype(out, byte);
    case FieldKind::dtype_pair:
      append_dtype(out, byte & 0xF);
      out += ',';
      return append_dtype(out, byte >> 4);
    case FieldKind::imm_src_pair:
      append_decimal(out, std::uint64_t{byte} & 0xF);
      out += ',';
      return append_decimal(out, std::uint64_t{byte} >> 4);
    case FieldKind::alu_op:
      out += name(static_cast<isa::AluOp>(byte));
      return;
    case FieldKind::function:
      out += name(static_cast<isa::ActivationFunc>(byte));
      return;
    case FieldKind::wait_mode:
    case FieldKind::update_mode:
      return append_hex(out, byte);
    case FieldKind::address8:
      return append_addr8(out, word.get<std::uint64_t>(field.byte), generation);
    case FieldKind::bytes:
      return append_bytes(out, field, word);
    case FieldKind::steps:
      return append_list(out, field.size / 4u, [&](std::size_t k) {
        append_decimal(out, std::int64_t{word.get<std::int32_t>(field.byte + 4 * k)});
      });
    case FieldKind::words:
      return append_list(out, field.size / 4u,
                         [&](std::size_t k) { append_fp32(out, word.get<std::uint32_t>(field.byte + 4 * k)); });
    case FieldKind::tensor:
    case FieldKind::immediate:
    case FieldKind::reserved:
      break;
  }
}

std::string_view describe(const isa::FieldFormat& field) {
  switch (field.kind) {
    case FieldKind::integer:
      return code_names(field.name) != nullptr ? "name or number" : "number";
    case FieldKind::fp32:
      return "binary32";
    case FieldKind::dtype:
      return "dtype";
    case FieldKind::dtype_pair:
      return "dtype,dtype";
    case FieldKind::imm_src_pair:
      return "number,number";
    case FieldKind::alu_op:
      return "ALU operation";
    case FieldKind::function:
      return "activation function";
    case FieldKind::wait_mode:
    case FieldKind::update_mode:
      return "number";
    case FieldKind::tensor:
      return "tensor";
    case FieldKind::immediate:
      return "immediate";
    case FieldKind::address8:
      return "address";
    case FieldKind::bytes:
      return "list of bytes";
    case FieldKind::steps:
      return "list of steps";
    case FieldKind::words:
      return "list of 32-bit values";
    case FieldKind::reserved:
      return "reserved";
  }
  return "unknown kind";
}

std::uint32_t get_number(const isa::Word& word, const isa::FieldFormat& field) {
  std::uint32_t value = 0;
  std::memcpy(&value, word.bytes.data() + field.byte, field.size);
  return value;
}

void put_number(isa::Word& word, const isa::FieldFormat& field, std::uint32_t value) {
  std::memcpy(word.bytes.data() + field.byte, &value, field.size);
}

}  // namespace dve::assembly
