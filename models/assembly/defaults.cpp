#include "defaults.h"

#include <cstring>

#include "addresses.h"

namespace dve::assembly {
namespace {

using isa::FieldKind;
using isa::Opcode;

std::uint64_t elements_of(const Syntax& syntax, std::string_view tensor, const isa::Word& word) {
  const Shape shape = tensor_shape(word, *find_field(*syntax.format, tensor));
  std::uint64_t product = 1;  // of four 16-bit counts: fits
  for (const std::int64_t count : shape.counts) product *= static_cast<std::uint64_t>(count);
  return product;
}

std::uint32_t fp32_bits(std::uint64_t count) {
  const auto value = static_cast<float>(count);
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

std::optional<std::uint32_t> default_of(const Syntax& syntax, const Key& key, const isa::Word& word) {
  const bool counts = syntax.opcode != Opcode::batch_norm_aggregate;  // whose counts are both 0 (isa.md 7.5)
  if (key.name == "even_count" && counts) return fp32_bits((elements_of(syntax, "src", word) + 1) / 2);
  if (key.name == "odd_count" && counts) return fp32_bits(elements_of(syntax, "src", word) / 2);
  if (key.name != "element_count") return 0;
  if (syntax.opcode != Opcode::memset) return 1;  // isa-neighbours.md 2, D1_RD
  const std::uint64_t elements = elements_of(syntax, "dst", word);
  if (elements > 0xFFFFFFFF) return std::nullopt;
  return static_cast<std::uint32_t>(elements);
}

std::string_view default_text(const Syntax& syntax, const Key& key) {
  switch (key.form) {
    case Form::immediate:
      return "0";
    case Form::immediate_dtype:
      return "fp32";
    case Form::wait:
    case Form::update:
      return "none";
    default:
      break;
  }
  const bool counts = syntax.opcode != Opcode::batch_norm_aggregate;
  if (key.name == "even_count" && counts) return "ceil(n/2)";
  if (key.name == "odd_count" && counts) return "floor(n/2)";
  if (key.name == "element_count") return syntax.opcode == Opcode::memset ? "n" : "1";
  if (key.field->kind == FieldKind::alu_op) return "bypass";
  return "0";
}

}  // namespace dve::assembly
