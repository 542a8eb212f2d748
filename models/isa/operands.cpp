#include "operands.h"

#include <algorithm>

#include "activation.h"
#include "layouts.h"

namespace dve::isa {
namespace {

constexpr std::size_t kMostOperands = 6;  // a role each

AccessPattern pattern_at(const Word& word, const FieldFormat& tensor) {
  switch (tensor.dimensions) {
    case 1:
      return Tensor1D::read(word, tensor.byte).pattern();
    case 2:
      return Tensor2D::read(word, tensor.byte).pattern();
    case 3:
      return Tensor3D::read(word, tensor.byte).pattern();
    default:
      return Tensor4D::read(word, tensor.byte).pattern();
  }
}

// fp32 where the word has no dtype for it, or says Invalid for an immediate of 0x63.
Dtype dtype_of(const Word& word, const FieldFormat& field) {
  const auto dtype = field.dtype.exists() ? static_cast<Dtype>(code_at(word, field.dtype)) : Dtype::fp32;
  const bool old_immediate =
      field.kind == FieldKind::immediate && word.opcode_byte() == code(Opcode::batch_norm_grad_accumulate);
  return old_immediate && dtype == Dtype::invalid ? Dtype::fp32 : dtype;
}

std::uint32_t channels_of(const Word& word, Opcode opcode, OperandRole role, std::uint8_t channels_byte) {
  const bool cross_lane = opcode == Opcode::cross_lane_reduce_arith_op || opcode == Opcode::cross_lane_reduce_bitvec_op;
  return cross_lane && role == OperandRole::dst ? 1 : word.bytes[channels_byte];
}

bool is_used(const Word& word, const FieldFormat& field) {
  if (field.role != OperandRole::imm2) return true;
  return decode_as<S3D3Ac>(word).activation_func == ActivationFunc::prelu;
}

std::optional<Operand> operand_of(const Word& word, Opcode opcode, const Format& format, const FieldFormat& field) {
  if (field.kind != FieldKind::tensor && field.kind != FieldKind::immediate) return std::nullopt;
  Operand operand{field.role, {}, {}, dtype_of(word, field), 0, field.byte, field.name};
  operand.channels = channels_of(word, opcode, field.role, format.channels_byte);
  operand.address.raw = word.get<std::uint32_t>(field.byte);
  if (field.kind == FieldKind::tensor) {
    operand.pattern = pattern_at(word, field);
    return operand;
  }
  const ImmediateSource source = immediate_source(word, field);
  if (source == ImmediateSource::literal || !is_used(word, field)) return std::nullopt;
  if (source == ImmediateSource::register_pointer)
    operand.address = Addr4::in_register(static_cast<RegisterIndex>(word.bytes[field.byte]));
  return operand;
}

}  // namespace

std::string_view name(OperandRole role) {
  switch (role) {
    case OperandRole::src0:
      return "src0";
    case OperandRole::src1:
      return "src1";
    case OperandRole::imm0:
      return "imm0";
    case OperandRole::imm1:
      return "imm1";
    case OperandRole::imm2:
      return "imm2";
    case OperandRole::dst:
      return "dst";
  }
  return "unknown role";
}

ImmediateSource immediate_source_of(std::uint8_t selector, SourceEncoding encoding) {
  if (encoding == SourceEncoding::none) return ImmediateSource::pointer;
  if (selector == static_cast<std::uint8_t>(ImmSrc::register_pointer)) return ImmediateSource::register_pointer;
  if (selector > static_cast<std::uint8_t>(ImmSrc::register_pointer)) return ImmediateSource::invalid;
  if (encoding == SourceEncoding::zero_is_pointer) return ImmediateSource::pointer;
  const bool one = selector == 1;
  return one == (encoding == SourceEncoding::standard) ? ImmediateSource::pointer : ImmediateSource::literal;
}

ImmediateSource immediate_source(const Word& word, const FieldFormat& immediate) {
  const bool has_selector = immediate.source_encoding != SourceEncoding::none;
  return immediate_source_of(has_selector ? code_at(word, immediate.source) : std::uint8_t{0},
                             immediate.source_encoding);
}

std::vector<Operand> operands(const Word& word) {
  const std::optional<Opcode> opcode = opcode_from_byte(word.opcode_byte());
  if (!opcode) return {};
  const Format& format = format_of(*opcode);
  std::vector<Operand> found;
  found.reserve(kMostOperands);
  for (const FieldFormat& field : format.fields) {
    const auto operand = operand_of(word, *opcode, format, field);
    if (!operand) continue;
    // By role; equal ones in the order of the fields.
    const auto after = [&](const Operand& other) { return operand->role < other.role; };
    found.insert(std::find_if(found.begin(), found.end(), after), *operand);
  }
  return found;
}

}  // namespace dve::isa
