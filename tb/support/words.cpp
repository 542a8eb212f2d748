#include "words.h"

#include <cstring>

namespace dve::testing_support {
namespace {

isa::Header header(isa::Opcode opcode) {
  isa::Header h;
  h.opcode = isa::code(opcode);
  return h;
}

std::uint32_t bits(float value) {
  std::uint32_t b = 0;
  std::memcpy(&b, &value, sizeof b);
  return b;
}

constexpr std::uint8_t kPointer = static_cast<std::uint8_t>(isa::ImmSrc::pointer);

std::uint64_t count_of(const TensorSpec& spec) {
  std::uint64_t n = 1;
  for (std::uint16_t c : spec.counts) n *= c;
  return n;
}

}  // namespace

isa::Place sbuf(std::uint32_t partition, std::uint32_t offset) {
  return {isa::Space::sbuf, isa::Partition{partition}, offset};
}
isa::Place psum(std::uint32_t partition, std::uint32_t offset) {
  return {isa::Space::psum, isa::Partition{partition}, offset};
}
TensorSpec row(const isa::Place& place, std::uint16_t n, isa::Dtype dtype) { return {place, dtype, {n}, {1}}; }

isa::S3S3D1Bn WordBuilder::grad_accumulate(const TensorSpec& x, const TensorSpec& dy, const TensorSpec& dst,
                                           const TensorSpec& mean, const TensorSpec& inv_std,
                                           std::uint8_t channels) const {
  isa::S3S3D1Bn w;
  w.header = header(isa::Opcode::batch_norm_grad_accumulate);
  w.imm0 = pointer(mean);
  w.imm1 = pointer(inv_std);
  w.src0 = tensor<3>(x);
  w.src1 = tensor<3>(dy);
  w.dst = tensor<1>(dst);
  w.in0_in1_dtype = {x.dtype, dy.dtype};
  w.immediate_dtype = mean.dtype;
  w.out_dtype = dst.dtype;
  w.num_active_channels = channels;
  return w;
}

isa::S3S3D1Bn2 WordBuilder::grad_accumulate2(const TensorSpec& x, const TensorSpec& dy, const TensorSpec& dst,
                                             const TensorSpec& mean, const TensorSpec& inv_std,
                                             std::uint8_t channels) const {
  isa::S3S3D1Bn2 w;
  w.header = header(isa::Opcode::batch_norm_grad_accumulate2);
  w.imm0 = pointer(mean);
  w.imm1 = pointer(inv_std);
  w.src0 = tensor<3>(x);
  w.src1 = tensor<3>(dy);
  w.dst = tensor<1>(dst);
  w.in0_in1_dtype = {x.dtype, dy.dtype};
  w.immediate_out_dtype = {mean.dtype, dst.dtype};
  w.imm0_imm1_src = {kPointer, kPointer};
  w.num_active_channels = channels;
  return w;
}

isa::S2Bn WordBuilder::param_load(const TensorSpec& abc, const TensorSpec& mean, float n, std::uint8_t channels) const {
  isa::S2Bn w;
  w.header = header(isa::Opcode::batch_norm_param_load);
  w.src = tensor<2>(abc);
  w.element_count_bits = bits(n);
  w.src_dtype = abc.dtype;
  w.num_active_channels = channels;
  w.imm0 = pointer(mean);
  w.imm0_src = kPointer;
  return w;
}

isa::S2Bnpl2 WordBuilder::param_load2(const TensorSpec& bc, const TensorSpec& imm0, const TensorSpec& imm1, float n,
                                      std::uint8_t channels) const {
  isa::S2Bnpl2 w;
  w.header = header(isa::Opcode::batch_norm_param_load2);
  w.src = tensor<2>(bc);
  w.element_count_bits = bits(n);
  w.src_dtype = bc.dtype;
  w.immediate_dtype = imm0.dtype;
  w.num_active_channels = channels;
  w.imm0 = pointer(imm0);
  w.imm1 = pointer(imm1);
  w.imm0_src = w.imm1_src = kPointer;
  return w;
}

isa::S3S3D3Tt WordBuilder::back_prop(const TensorSpec& x, const TensorSpec& dy, const TensorSpec& dx,
                                     std::uint8_t channels) const {
  isa::S3S3D3Tt w;
  w.header = header(isa::Opcode::batch_norm_back_prop);
  w.in0_in1_dtype = {x.dtype, dy.dtype};
  w.out_dtype = dx.dtype;
  w.num_active_channels = channels;
  w.src0 = tensor<3>(x);
  w.src1 = tensor<3>(dy);
  w.dst = tensor<3>(dx);
  return w;
}

isa::S4D2Bn WordBuilder::statistics(isa::Opcode opcode, const TensorSpec& src, const TensorSpec& dst,
                                    std::uint8_t channels) const {
  isa::S4D2Bn w;
  w.header = header(opcode);
  w.src = tensor<4>(src);
  w.dst = tensor<2>(dst);
  w.in_dtype = src.dtype;
  w.out_dtype = dst.dtype;
  w.num_active_channels = channels;
  if (opcode != isa::Opcode::batch_norm_aggregate) {
    const std::uint64_t n = count_of(src);
    w.even_count_bits = bits(static_cast<float>(n - n / 2));
    w.odd_count_bits = bits(static_cast<float>(n / 2));
  }
  return w;
}

isa::CtrlIm WordBuilder::load_parameter_ram(std::uint16_t offset, const std::array<float, 8>& values) const {
  isa::CtrlIm w;
  w.header = header(isa::Opcode::load_parameter_ram);
  w.param_ram_offset = offset;
  for (std::size_t i = 0; i < values.size(); ++i) w.immediate[i] = bits(values[i]);
  return w;
}

std::vector<isa::Word> WordBuilder::load_reciprocals() const {
  std::vector<isa::Word> words;
  for (std::uint16_t entry = 0; entry < 256; entry = static_cast<std::uint16_t>(entry + 8)) {
    std::array<float, 8> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0f / static_cast<float>(entry + i + 1);
    words.push_back(isa::encode(load_parameter_ram(entry, values)));
  }
  return words;
}

}  // namespace dve::testing_support
