#include "operands.h"

namespace dve::isa {
namespace {

constexpr AccessPattern kOneElement{};

template <std::size_t N>
Operand tensor(OperandRole role, const Tensor<N>& descriptor, Dtype dtype, std::uint8_t channels) {
  return {role, descriptor.start_addr, descriptor.pattern(), dtype, channels};
}

Operand pointer(OperandRole role, ImmField imm, Dtype dtype, std::uint8_t channels, bool in_register = false) {
  const Addr4 address =
      in_register ? Addr4::in_register(static_cast<RegisterIndex>(imm.register_number())) : imm.pointer();
  return {role, address, kOneElement, dtype, channels};
}

constexpr bool is_register_pointer(std::uint8_t src) {
  return src == static_cast<std::uint8_t>(ImmSrc::register_pointer);
}

std::vector<Operand> operands_of(const RawWord&) { return {}; }
std::vector<Operand> operands_of(const CtrlIm&) { return {}; }

std::vector<Operand> operands_of(const S4D2Bn& i) {
  return {tensor(OperandRole::src0, i.src, i.in_dtype, i.num_active_channels),
          tensor(OperandRole::dst, i.dst, i.out_dtype, i.num_active_channels)};
}

std::vector<Operand> operands_of(const S3S3D1Bn& i) {
  const std::uint8_t n = i.num_active_channels;
  const Dtype imm = i.immediate_dtype == Dtype::invalid ? Dtype::fp32 : i.immediate_dtype;
  return {tensor(OperandRole::src0, i.src0, i.in0_in1_dtype.lo, n),
          tensor(OperandRole::src1, i.src1, i.in0_in1_dtype.hi, n), pointer(OperandRole::imm0, i.imm0, imm, n),
          pointer(OperandRole::imm1, i.imm1, imm, n), tensor(OperandRole::dst, i.dst, i.out_dtype, n)};
}

std::vector<Operand> operands_of(const S3S3D1Bn2& i) {
  const std::uint8_t n = i.num_active_channels;
  const Dtype imm = i.immediate_out_dtype.lo;
  return {tensor(OperandRole::src0, i.src0, i.in0_in1_dtype.lo, n),
          tensor(OperandRole::src1, i.src1, i.in0_in1_dtype.hi, n),
          pointer(OperandRole::imm0, i.imm0, imm, n, is_register_pointer(i.imm0_imm1_src.imm0)),
          pointer(OperandRole::imm1, i.imm1, imm, n, is_register_pointer(i.imm0_imm1_src.imm1)),
          tensor(OperandRole::dst, i.dst, i.immediate_out_dtype.hi, n)};
}

std::vector<Operand> operands_of(const S2Bn& i) {
  const std::uint8_t n = i.num_active_channels;
  return {tensor(OperandRole::src0, i.src, i.src_dtype, n),
          pointer(OperandRole::imm0, i.imm0, Dtype::fp32, n, is_register_pointer(i.imm0_src))};
}

std::vector<Operand> operands_of(const S2Bnpl2& i) {
  const std::uint8_t n = i.num_active_channels;
  return {tensor(OperandRole::src0, i.src, i.src_dtype, n),
          pointer(OperandRole::imm0, i.imm0, i.immediate_dtype, n, is_register_pointer(i.imm0_src)),
          pointer(OperandRole::imm1, i.imm1, i.immediate_dtype, n, is_register_pointer(i.imm1_src))};
}

std::vector<Operand> operands_of(const S3S3D3Tt& i) {
  const std::uint8_t n = i.num_active_channels;
  return {tensor(OperandRole::src0, i.src0, i.in0_in1_dtype.lo, n),
          tensor(OperandRole::src1, i.src1, i.in0_in1_dtype.hi, n), tensor(OperandRole::dst, i.dst, i.out_dtype, n)};
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
    case OperandRole::dst:
      return "dst";
  }
  return "unknown role";
}

std::vector<Operand> operands(const Word& word) {
  return std::visit([](const auto& instruction) { return operands_of(instruction); }, decode(word));
}

}  // namespace dve::isa
