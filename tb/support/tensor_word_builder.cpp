#include "tensor_word_builder.h"

#include <cstring>

namespace dve::testing_support {
namespace {

template <class Layout>
Layout layout_of(isa::Opcode opcode) {
  Layout word;
  word.header.opcode = isa::code(opcode);
  return word;
}

std::uint8_t selector(const Immediate& immediate) { return static_cast<std::uint8_t>(immediate.source); }

// IMM_SRC_N exchanges literal and pointer.
std::uint8_t inverted_selector(const Immediate& immediate) {
  if (immediate.source == isa::ImmSrc::register_pointer) return selector(immediate);
  return static_cast<std::uint8_t>(1 - selector(immediate));
}

}  // namespace

Immediate literal(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return literal_bits(bits);
}
Immediate literal_bits(std::uint32_t bits) { return {isa::ImmSrc::instruction, bits, {}}; }
Immediate pointer_to(const isa::Place& place) { return {isa::ImmSrc::pointer, 0, place}; }
Immediate pointer_in(isa::RegisterIndex r) { return {isa::ImmSrc::register_pointer, isa::number(r), {}}; }

isa::ImmField TensorWordBuilder::field(const Immediate& immediate) const {
  if (immediate.source == isa::ImmSrc::pointer) return {isa::address_of(immediate.place, generation_).raw};
  return {immediate.raw};
}

isa::S3S3D3Tt TensorWordBuilder::tensor_tensor(isa::Opcode opcode, const TensorSpec& src0, const TensorSpec& src1,
                                               const TensorSpec& dst, isa::AluOp op, std::uint8_t channels) const {
  auto w = layout_of<isa::S3S3D3Tt>(opcode);
  w.in0_in1_dtype = {src0.dtype, src1.dtype};
  w.out_dtype = dst.dtype;
  w.op = op;
  w.num_active_channels = channels;
  w.src0 = tensor<3>(src0);
  w.src1 = tensor<3>(src1);
  w.dst = tensor<3>(dst);
  return w;
}

isa::S3D3Ts TensorWordBuilder::tensor_scalar(isa::Opcode opcode, const TensorSpec& src, const TensorSpec& dst,
                                             const Immediate& scalar0, const Immediate& scalar1,
                                             std::uint8_t channels) const {
  auto w = layout_of<isa::S3D3Ts>(opcode);
  w.src = tensor<3>(src);
  w.dst = tensor<3>(dst);
  w.in_dtype = src.dtype;
  w.out_dtype = dst.dtype;
  w.num_active_channels = channels;
  w.imm0_src = selector(scalar0);
  w.imm1_src = selector(scalar1);
  w.imm0 = field(scalar0);
  w.imm1 = field(scalar1);
  return w;
}

isa::S4D4Tr TensorWordBuilder::tensor_reduce(isa::Opcode opcode, const TensorSpec& src, const TensorSpec& dst,
                                             isa::AluOp op, unsigned folded, std::uint8_t channels) const {
  auto w = layout_of<isa::S4D4Tr>(opcode);
  w.src = tensor<4>(src);
  w.dst = tensor<4>(dst);
  w.in_dtype = src.dtype;
  w.out_dtype = dst.dtype;
  w.num_active_channels = channels;
  w.op = op;
  w.op_dim = static_cast<std::uint8_t>(folded == 0 ? 0 : folded + 1);
  return w;
}

isa::S4D4Cr TensorWordBuilder::cross_lane_reduce(isa::Opcode opcode, const TensorSpec& src, const TensorSpec& dst,
                                                 std::uint8_t op, std::uint8_t axis, std::uint8_t channels) const {
  auto w = layout_of<isa::S4D4Cr>(opcode);
  w.src = tensor<4>(src);
  w.dst = tensor<4>(dst);
  w.in_dtype = src.dtype;
  w.out_dtype = dst.dtype;
  w.num_active_channels = channels;
  w.reduce_op = op;
  w.reduce_axis = axis;
  return w;
}

isa::D4Mr TensorWordBuilder::memset(const TensorSpec& dst, std::uint32_t value, std::uint8_t channels) const {
  auto w = layout_of<isa::D4Mr>(isa::Opcode::memset);
  w.dst = tensor<4>(dst);
  w.dtype = dst.dtype;
  w.element_count = elements_of(dst);
  w.num_active_channels = channels;
  w.set_value = value;
  return w;
}

isa::S3D3Ac TensorWordBuilder::activate(isa::ActivationFunc function, const TensorSpec& src, const TensorSpec& dst,
                                        std::uint8_t channels) const {
  auto w = layout_of<isa::S3D3Ac>(isa::Opcode::activate);
  w.activation_func = function;
  w.src = tensor<3>(src);
  w.dst = tensor<3>(dst);
  w.in_bias_dtype.lo = src.dtype;
  w.out_dtype = dst.dtype;
  w.num_active_channels = channels;
  put_scale(w, literal(1));
  put_bias(w, literal(0), isa::Dtype::fp32);
  put_alpha(w, literal(0));
  return w;
}

void TensorWordBuilder::put_scale(isa::S3D3Ac& word, const Immediate& scale) const {
  word.scale_src = selector(scale);
  word.scale = field(scale);
}

void TensorWordBuilder::put_bias(isa::S3D3Ac& word, const Immediate& bias, isa::Dtype dtype) const {
  word.bias_src_n = inverted_selector(bias);
  word.bias = field(bias);
  word.in_bias_dtype.hi = dtype;
}

void TensorWordBuilder::put_alpha(isa::S3D3Ac& word, const Immediate& alpha) const {
  word.imm_src = selector(alpha);
  word.imm = field(alpha);
}

isa::CtrlTable TensorWordBuilder::table_load(std::uint8_t set) const {
  auto w = layout_of<isa::CtrlTable>(isa::Opcode::activation_table_load);
  w.set_index = set;
  return w;
}

isa::D1Rd TensorWordBuilder::read_accumulator(const TensorSpec& dst, std::uint8_t channels) const {
  auto w = layout_of<isa::D1Rd>(isa::Opcode::activation_read_accumulator);
  w.element_count = elements_of(dst);
  w.dtype = dst.dtype;
  w.num_active_channels = channels;
  w.dst = tensor<1>(dst);
  return w;
}

std::uint32_t elements_of(const TensorSpec& spec) {
  std::uint32_t n = 1;
  for (const std::uint16_t count : spec.counts) n *= count;
  return n;
}

}  // namespace dve::testing_support
