// Legal words for the tests of the execute block: small, in SBUF from partition 0 on, fp32.
#pragma once

#include "dve/execute/execute.h"

namespace dve::execute::test {

inline isa::Addr4 sbuf(std::uint32_t partition, std::uint32_t offset) {
  return isa::address_of({isa::Space::sbuf, isa::Partition{partition}, offset}, isa::Generation::cayman);
}

inline isa::Header header(isa::Opcode opcode) {
  isa::Header h;
  h.opcode = isa::code(opcode);
  return h;
}

inline isa::S3S3D1Bn2 grad_accumulate(std::uint16_t n, std::uint8_t channels) {
  isa::S3S3D1Bn2 w;
  w.header = header(isa::Opcode::batch_norm_grad_accumulate2);
  w.src0 = isa::contiguous_tensor<3>(sbuf(0, 0x0000), n);
  w.src1 = isa::contiguous_tensor<3>(sbuf(0, 0x4000), n);
  w.dst = isa::contiguous_tensor<1>(sbuf(0, 0x8000), 3);
  w.imm0.raw = sbuf(0, 0x8100).raw;
  w.imm1.raw = sbuf(0, 0x8104).raw;
  w.in0_in1_dtype = {isa::Dtype::fp32, isa::Dtype::fp32};
  w.immediate_out_dtype = {isa::Dtype::fp32, isa::Dtype::fp32};
  w.imm0_imm1_src = {1, 1};
  w.num_active_channels = channels;
  return w;
}

inline isa::S2Bn param_load(float element_count, std::uint8_t channels, std::uint32_t partition = 0) {
  isa::S2Bn w;
  w.header = header(isa::Opcode::batch_norm_param_load);
  w.src = isa::contiguous_tensor<2>(sbuf(partition, 0x9000), 3);
  w.element_count_bits = numerics::bits_of(element_count);
  w.src_dtype = isa::Dtype::fp32;
  w.num_active_channels = channels;
  w.imm0.raw = sbuf(partition, 0x8100).raw;
  w.imm0_src = 1;
  return w;
}

inline isa::S3S3D3Tt back_prop(std::uint16_t n, std::uint8_t channels, std::uint32_t partition = 0) {
  isa::S3S3D3Tt w;
  w.header = header(isa::Opcode::batch_norm_back_prop);
  w.in0_in1_dtype = {isa::Dtype::fp32, isa::Dtype::fp32};
  w.out_dtype = isa::Dtype::fp32;
  w.num_active_channels = channels;
  w.src0 = isa::contiguous_tensor<3>(sbuf(partition, 0x0000), n);
  w.src1 = isa::contiguous_tensor<3>(sbuf(partition, 0x4000), n);
  w.dst = isa::contiguous_tensor<3>(sbuf(partition, 0xA000), n);
  return w;
}

inline isa::S4D2Bn statistics(isa::Opcode opcode, std::uint16_t n, std::uint16_t results, std::uint8_t channels) {
  isa::S4D2Bn w;
  w.header = header(opcode);
  w.src = isa::contiguous_tensor<4>(sbuf(0, 0x0000), n);
  w.in_dtype = w.out_dtype = isa::Dtype::fp32;
  w.num_active_channels = channels;
  w.even_count_bits = numerics::bits_of(static_cast<float>(n - n / 2));
  w.odd_count_bits = numerics::bits_of(static_cast<float>(n / 2));
  w.dst = isa::contiguous_tensor<2>(sbuf(0, 0xC000), results);
  return w;
}

// Packed fp32 values, channel-major.
inline std::vector<std::uint8_t> packed(const std::vector<float>& values) {
  std::vector<std::uint8_t> bytes(values.size() * 4);
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline std::vector<float> unpacked(const std::vector<std::uint8_t>& bytes) {
  std::vector<float> values(bytes.size() / 4);
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace dve::execute::test
