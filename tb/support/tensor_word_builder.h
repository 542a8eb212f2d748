// Words around the batch-norm path from plain operand descriptions: TensorTensor, TensorScalar, TensorReduce, copies,
// Memset, CrossLaneReduce and those of ACT.
#pragma once

#include <cstdint>

#include "support/words.h"

namespace dve::testing_support {

// Where a scalar of a word comes from.
struct Immediate {
  isa::ImmSrc source = isa::ImmSrc::instruction;
  std::uint32_t raw = 0;  // literal bits, register number, or unused
  isa::Place place{};     // pointer
};
Immediate literal(float value);
Immediate literal_bits(std::uint32_t bits);
Immediate pointer_to(const isa::Place& place);
Immediate pointer_in(isa::RegisterIndex r);  // the register holds the address

class TensorWordBuilder : public WordBuilder {
 public:
  explicit TensorWordBuilder(isa::Generation generation) : WordBuilder(generation), generation_(generation) {}

  // 0x41, 0x51, 0x72, 0x99.
  isa::S3S3D3Tt tensor_tensor(isa::Opcode opcode, const TensorSpec& src0, const TensorSpec& src1, const TensorSpec& dst,
                              isa::AluOp op, std::uint8_t channels) const;
  // 0x43, 0x53: bypass for both operations, to be filled in.
  isa::S3D3Ts tensor_scalar(isa::Opcode opcode, const TensorSpec& src, const TensorSpec& dst, const Immediate& scalar0,
                            const Immediate& scalar1, std::uint8_t channels) const;
  // 0x42 folding the first `folded` dimensions with op; 0x46, 0x47, 0x48 with bypass and folded = 0.
  isa::S4D4Tr tensor_reduce(isa::Opcode opcode, const TensorSpec& src, const TensorSpec& dst, isa::AluOp op,
                            unsigned folded, std::uint8_t channels) const;
  // 0x7C, 0x7D.
  isa::S4D4Cr cross_lane_reduce(isa::Opcode opcode, const TensorSpec& src, const TensorSpec& dst, std::uint8_t op,
                                std::uint8_t axis, std::uint8_t channels) const;
  isa::D4Mr memset(const TensorSpec& dst, std::uint32_t value, std::uint8_t channels) const;
  // scale 1, bias 0, alpha 0 as literals, to be changed with put_*.
  isa::S3D3Ac activate(isa::ActivationFunc function, const TensorSpec& src, const TensorSpec& dst,
                       std::uint8_t channels) const;
  void put_scale(isa::S3D3Ac& word, const Immediate& scale) const;
  void put_bias(isa::S3D3Ac& word, const Immediate& bias, isa::Dtype dtype) const;
  void put_alpha(isa::S3D3Ac& word, const Immediate& alpha) const;
  isa::CtrlTable table_load(std::uint8_t set) const;
  isa::D1Rd read_accumulator(const TensorSpec& dst, std::uint8_t channels) const;

 private:
  isa::ImmField field(const Immediate& immediate) const;
  isa::Generation generation_;
};

// Elements of a tensor in one partition.
std::uint32_t elements_of(const TensorSpec& spec);

}  // namespace dve::testing_support
