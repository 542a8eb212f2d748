#include "line.h"

#include <fmt/format.h>

#include <algorithm>

#include "addresses.h"
#include "assembly.h"
#include "defaults.h"
#include "event_text.h"
#include "field_text.h"

namespace dve::assembly {
namespace {

using isa::FieldFormat;
using isa::ImmediateSource;

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

const NameTable& directives() {
  static const NameTable table = [] {
    NameTable names;
    names.add(".word", 0);
    names.add(".engine", 0);
    return names;
  }();
  return table;
}

// Mnemonics that only have a name.
const NameTable& refused_mnemonics() {
  static const NameTable table = [] {
    static std::vector<std::string> texts;
    NameTable names;
    for (const std::uint8_t byte : isa::opcodes_without_layout()) texts.push_back(isa::opcode_name(byte));
    std::size_t k = 0;
    for (const std::uint8_t byte : isa::opcodes_without_layout()) names.add(texts[k++], byte);
    return names;
  }();
  return table;
}

std::string unknown_mnemonic(std::string_view text) {
  if (const auto byte = refused_mnemonics().find(text))
    return fmt::format("{} (0x{:02x}) has no published layout: write the word as .word and 128 hexadecimal digits",
                       text, *byte);
  if (text.front() == '.')
    return fmt::format("{}: expected .word or .engine{}", quoted(text), did_you_mean(directives(), text));
  return fmt::format("{}: expected a mnemonic{}", quoted(text), did_you_mean(mnemonics(), text));
}

std::string_view purpose(const Key& key) {
  switch (key.form) {
    case Form::tensor:
      return "a tensor such as sbuf[0]+0x2000:fp32{512}";
    case Form::immediate:
      return "a pointer such as sbuf[0]+0x40";
    default:
      break;
  }
  return key.name == "channels" ? "the number of partitions" : describe(*key.field);
}

}  // namespace

Token next_token(std::string_view line, std::size_t& at) {
  while (at < line.size() && is_blank(line[at])) ++at;
  const std::size_t start = at;
  while (at < line.size() && !is_blank(line[at])) ++at;
  return {line.substr(start, at - start), start + 1};
}

isa::Word LineAssembler::assemble(std::string_view line) {
  errors_.clear();
  word_ = {};
  std::size_t at = 0;
  const Token mnemonic = next_token(line, at);
  if (mnemonic.text == ".word") {
    assemble_word_directive(mnemonic, line, at);
    return word_;
  }
  const auto opcode = mnemonics().find(mnemonic.text);
  if (!opcode) {
    add_error(mnemonic.column, unknown_mnemonic(mnemonic.text));
    return word_;
  }
  syntax_ = &syntax_of(static_cast<isa::Opcode>(*opcode));
  collect(line, at);
  apply_keys(mnemonic);
  std::stable_sort(errors_.begin(), errors_.end(),
                   [](const LineError& a, const LineError& b) { return a.column < b.column; });
  return word_;
}

void LineAssembler::assemble_word_directive(const Token& directive, std::string_view line, std::size_t at) {
  const Token digits = next_token(line, at);
  if (digits.text.empty()) return add_error(directive.column, ".word: expected 128 hexadecimal digits behind it");
  if (!is_hex_digits(digits.text, 2 * isa::kWordBytes))
    return add_error(digits.column, fmt::format(".word {}: expected 128 hexadecimal digits, not {} characters",
                                                shortened(digits.text), digits.text.size()));
  read_hex_bytes(digits.text, word_.bytes.data());
  const Token more = next_token(line, at);
  if (!more.text.empty())
    add_error(more.column, fmt::format("{}: expected nothing behind the digits of .word", quoted(more.text)));
}

void LineAssembler::collect(std::string_view line, std::size_t at) {
  given_ = {};
  while (errors_.size() < kMaxErrors) {
    const Token token = next_token(line, at);
    if (token.text.empty()) return;
    take_key(token);
  }
}

void LineAssembler::take_key(const Token& token) {
  const std::size_t equals = token.text.find('=');
  if (equals == token.text.npos)
    return add_error(token.column, fmt::format("{}: expected key=value", quoted(token.text)));
  const std::string_view name = token.text.substr(0, equals);
  const auto index = syntax_->names.find(name);
  if (!index)
    return add_error(token.column, fmt::format("{}: {} has no such key{}", quoted(name), mnemonic(syntax_->opcode),
                                               did_you_mean(syntax_->names, name)));
  if (given_.keys[*index]) return add_error(token.column, fmt::format("the key {}= stands twice", name));
  given_.keys[*index] = true;
  values_[*index] = {token.text.substr(equals + 1), token.column + equals + 1};
}

void LineAssembler::apply_keys(const Token& mnemonic) {
  word_.bytes[0] = code(syntax_->opcode);
  word_.bytes[1] = isa::kInstWordLen;
  wait_value_.reset();
  for (std::size_t k = 0; k < syntax_->keys.size(); ++k) apply_key(k, mnemonic);
  if (!errors_.empty()) return;
  const std::string fault = group_fault(*syntax_, given_, word_);
  if (!fault.empty()) add_error(mnemonic.column, fmt::format("{}: {}", mnemonic.text, fault));
}

void LineAssembler::apply_key(std::size_t index, const Token& mnemonic) {
  const Key& key = syntax_->keys[index];
  if (given_.keys[index]) return apply_value(index);
  if (key.presence == Presence::optional) return apply_default(key, mnemonic);
  if (key.presence == Presence::required && !has_override_of(*key.field))
    add_error(mnemonic.column, fmt::format("{}: the key {}= is required: {}", mnemonic.text, key.name, purpose(key)));
}

void LineAssembler::apply_default(const Key& key, const Token& mnemonic) {
  const FieldFormat& field = *key.field;
  if (key.form == Form::tensor || key.form == Form::wait || key.form == Form::update) return;
  if (key.form == Form::immediate)
    return put_code(word_, field.source, source_code(field.source_encoding, ImmediateSource::literal));
  if (key.form == Form::immediate_dtype) return put_code(word_, field.dtype, code(isa::Dtype::fp32));
  const auto value = default_of(*syntax_, key, word_);
  if (value) return put_number(word_, field, *value);
  add_error(mnemonic.column, fmt::format("{}: the key {}= is required: the element count of dst does not fit 32 bits",
                                         mnemonic.text, key.name));
}

void LineAssembler::apply_value(std::size_t index) {
  const Key& key = syntax_->keys[index];
  const Given& given = values_[index];
  Scanner in(given.value);
  if (read(in, key, given_.list_sizes[index]) && in.at_end()) return;
  in.fail(fmt::format("nothing more than {}", quoted(given.value.substr(0, in.at()))));
  add_error(given.column + in.failed_at(),
            fmt::format("{}={}: expected {}", key.name, shortened(given.value), in.expected()));
}

bool LineAssembler::read(Scanner& in, const Key& key, std::size_t& list_size) {
  const FieldFormat& field = *key.field;
  switch (key.form) {
    case Form::tensor:
      return read_tensor(in, field);
    case Form::immediate:
      return read_immediate(in, field);
    case Form::immediate_dtype: {
      std::uint8_t dtype = 0;
      if (!read_dtype(in, field.dtype.part == isa::Part::whole ? 255 : 15, dtype)) return false;
      put_code(word_, field.dtype, dtype);
      return true;
    }
    case Form::field:
      return read_field(in, field, generation_, word_);
    case Form::wait:
      return read_wait_value(in, key);
    case Form::update:
      return read_update_value(in, key);
    default:
      return read_list_value(in, key, generation_, word_, list_size);
  }
}

bool LineAssembler::read_tensor(Scanner& in, const FieldFormat& field) {
  std::uint32_t address = 0;
  std::uint8_t dtype = 0;
  Shape shape;
  if (!read_tensor_address(in, generation_, address)) return false;
  if (!in.accept(':')) return in.fail("`:` and a dtype");
  if (!read_dtype(in, field.dtype.part == isa::Part::whole ? 255 : 15, dtype)) return false;
  if (!read_shape(in, tensor_limits(field.dimensions), shape)) return false;
  word_.put(field.byte, address);
  put_code(word_, field.dtype, dtype);
  put_tensor_shape(word_, field, shape);
  return true;
}

bool LineAssembler::read_immediate(Scanner& in, const FieldFormat& field) {
  ImmediateSource source = ImmediateSource::pointer;
  std::uint32_t raw = 0;
  if (at_pointer(in)) {
    if (!read_pointer(in, generation_, raw)) return false;
  } else if (in.peek() == 'r' && field.source_encoding != isa::SourceEncoding::none) {
    std::uint8_t number = 0;
    if (!read_register(in, number)) return false;
    raw = number;
    source = ImmediateSource::register_pointer;
  } else if (has_literal_form(field)) {
    source = ImmediateSource::literal;
    if (has_integer_literals(syntax_->opcode) ? !read_unsigned(in, 0xFFFFFFFF, raw) : !read_fp32(in, raw)) return false;
  } else {
    return in.fail(field.source_encoding == isa::SourceEncoding::none
                       ? "a pointer such as sbuf[0]+0x40"
                       : "a pointer such as sbuf[0]+0x40 or a register such as r7");
  }
  word_.put(field.byte, raw);
  if (field.source.exists()) put_code(word_, field.source, source_code(field.source_encoding, source));
  return true;
}

bool LineAssembler::read_wait_value(Scanner& in, const Key& key) {
  EventText wait;
  if (!read_wait(in, wait)) return false;
  word_.bytes[key.field->byte] = wait.mode;
  word_.bytes[key.field->byte + 1u] = wait.index;
  if (!wait.takes_value) return true;
  word_.put(key.value_byte, wait.value);
  if (key.name == "wait") wait_value_ = wait.value;
  return true;
}

bool LineAssembler::read_update_value(Scanner& in, const Key& key) {
  EventText update;
  if (!read_update(in, update)) return false;
  word_.bytes[key.field->byte] = update.mode;
  word_.bytes[key.field->byte + 1u] = update.index;
  if (!update.takes_value) return true;
  if (key.name == "update" && wait_value_ && *wait_value_ != update.value)
    return in.fail_at(0, fmt::format("the value {} of wait=: both stand in one field", *wait_value_));
  word_.put(key.value_byte, update.value);
  return true;
}

bool LineAssembler::has_override_of(const FieldFormat& field) const {
  for (std::size_t k = 0; k < syntax_->keys.size(); ++k) {
    const Key& key = syntax_->keys[k];
    if (key.presence == Presence::override && key.field->byte == field.byte && given_.keys[k]) return true;
  }
  return false;
}

void LineAssembler::add_error(std::size_t column, std::string message) {
  if (errors_.size() < kMaxErrors) errors_.push_back({column, std::move(message)});
}

}  // namespace dve::assembly
