#include <algorithm>

#include "addresses.h"
#include "assembly.h"
#include "defaults.h"
#include "event_text.h"
#include "field_text.h"
#include "line.h"

namespace dve::assembly {
namespace {

using isa::FieldFormat;
using isa::FieldKind;
using isa::ImmediateSource;
using isa::Word;

std::string raw_line(const Word& word) {
  std::string text = ".word ";
  append_hex_bytes(text, word.bytes.data(), word.bytes.size());
  return text;
}

bool reserved_is_zero(const isa::Format& format, const Word& word) {
  return std::all_of(format.fields.begin(), format.fields.end(), [&word](const FieldFormat& field) {
    const auto* first = word.bytes.data() + field.byte;
    return field.kind != FieldKind::reserved || std::all_of(first, first + field.size, [](auto b) { return b == 0; });
  });
}

class LineWriter {
 public:
  LineWriter(const Syntax& syntax, const Word& word, isa::Generation generation)
      : syntax_(syntax), word_(word), generation_(generation), text_(mnemonic(syntax.opcode)) {
    for (const Key& key : syntax.keys) {
      if (key.presence == Presence::override || is_default(key)) continue;
      append(key, [&] { return append_value(key); });
    }
  }

  // The raw fields in which `assembled` still differs from the word.
  void append_overrides(const Word& assembled) {
    for (const Key& key : syntax_.keys) {
      const auto *bytes = word_.bytes.data() + key.field->byte, *others = assembled.bytes.data() + key.field->byte;
      if (key.presence != Presence::override || std::equal(bytes, bytes + key.field->size, others)) continue;
      append(key, [&] {
        append_field(text_, *key.field, generation_, word_);
        return true;
      });
    }
  }

  const std::string& text() const { return text_; }

 private:
  // " key=value", or nothing when there is no such value.
  template <class AppendValue>
  void append(const Key& key, AppendValue append_value) {
    const std::size_t start = text_.size();
    text_ += ' ';
    text_ += key.name;
    text_ += '=';
    if (!append_value()) text_.resize(start);
  }

  bool is_default(const Key& key) const {
    if (key.presence != Presence::optional) return false;
    const FieldFormat& field = *key.field;
    switch (key.form) {
      case Form::immediate:
        return word_.get<std::uint32_t>(field.byte) == 0 && source(field) == ImmediateSource::literal;
      case Form::immediate_dtype:
        return code_at(word_, field.dtype) == code(isa::Dtype::fp32);
      case Form::wait:
      case Form::update:
        return word_.bytes[field.byte] == 0;
      default:
        return default_of(syntax_, key, word_) == get_number(word_, field);
    }
  }

  bool append_value(const Key& key) {
    const FieldFormat& field = *key.field;
    switch (key.form) {
      case Form::tensor:
        append_tensor_address(text_, word_.get<std::uint32_t>(field.byte), generation_);
        text_ += ':';
        append_dtype(text_, code_at(word_, field.dtype));
        append_shape(text_, tensor_shape(word_, field));
        return true;
      case Form::immediate:
        append_immediate(field);
        return true;
      case Form::immediate_dtype:
        append_dtype(text_, code_at(word_, field.dtype));
        return true;
      case Form::wait:
        return append_wait(text_, event(key));
      case Form::update:
        return append_update(text_, event(key));
      default:
        break;
    }
    if (key.presence == Presence::group) return append_group_value(text_, key, generation_, word_);
    append_field(text_, field, generation_, word_);
    return true;
  }

  void append_immediate(const FieldFormat& field) {
    const auto raw = word_.get<std::uint32_t>(field.byte);
    const ImmediateSource from = source(field);
    if (from == ImmediateSource::register_pointer && raw < isa::kRegisters) {
      append_register(text_, static_cast<std::uint8_t>(raw));
    } else if (from != ImmediateSource::literal) {
      append_pointer(text_, raw, generation_);
    } else if (has_integer_literals(syntax_.opcode)) {
      append_hex(text_, raw);
    } else {
      append_fp32(text_, raw);
    }
  }

  ImmediateSource source(const FieldFormat& immediate) const { return immediate_source(word_, immediate); }

  EventText event(const Key& key) const {
    return {word_.bytes[key.field->byte], word_.bytes[key.field->byte + 1u], word_.get<std::uint32_t>(key.value_byte),
            true};
  }

  const Syntax& syntax_;
  const Word& word_;
  isa::Generation generation_;
  std::string text_;
};

}  // namespace

std::string disassemble(const Word& word, isa::Generation generation) {
  const auto opcode = isa::opcode_from_byte(word.opcode_byte());
  if (!opcode) return raw_line(word);
  const Syntax& syntax = syntax_of(*opcode);
  if (!reserved_is_zero(*syntax.format, word)) return raw_line(word);

  LineWriter writer(syntax, word, generation);
  LineAssembler assembler(generation);
  const Word first = assembler.assemble(writer.text());
  if (assembler.errors().empty() && first == word) return writer.text();
  writer.append_overrides(first);
  const Word second = assembler.assemble(writer.text());
  return assembler.errors().empty() && second == word ? writer.text() : raw_line(word);
}

}  // namespace dve::assembly
