// Instruction words from plain operand descriptions, for tests that drive the core.
#pragma once

#include <cstdint>
#include <vector>

#include "dve/isa/isa.h"

namespace dve::testing_support {

// A tensor or pointer of a word: place, dtype, and up to four dimensions (dimension 0 first).
struct TensorSpec {
  isa::Place place;
  isa::Dtype dtype = isa::Dtype::fp32;
  std::vector<std::uint16_t> counts{1};
  std::vector<std::int16_t> steps{1};
};

isa::Place sbuf(std::uint32_t partition, std::uint32_t offset);
isa::Place psum(std::uint32_t partition, std::uint32_t offset);
// n contiguous elements.
TensorSpec row(const isa::Place& place, std::uint16_t n, isa::Dtype dtype = isa::Dtype::fp32);

class WordBuilder {
 public:
  explicit WordBuilder(isa::Generation generation) : generation_(generation) {}

  isa::S3S3D1Bn grad_accumulate(const TensorSpec& x, const TensorSpec& dy, const TensorSpec& dst,
                                const TensorSpec& mean, const TensorSpec& inv_std, std::uint8_t channels) const;
  isa::S3S3D1Bn2 grad_accumulate2(const TensorSpec& x, const TensorSpec& dy, const TensorSpec& dst,
                                  const TensorSpec& mean, const TensorSpec& inv_std, std::uint8_t channels) const;
  isa::S2Bn param_load(const TensorSpec& abc, const TensorSpec& mean, float n, std::uint8_t channels) const;
  isa::S2Bnpl2 param_load2(const TensorSpec& bc, const TensorSpec& imm0, const TensorSpec& imm1, float n,
                           std::uint8_t channels) const;
  isa::S3S3D3Tt back_prop(const TensorSpec& x, const TensorSpec& dy, const TensorSpec& dx, std::uint8_t channels) const;
  // 0x60, 0x61, 0x62, 0x82; counts are ceil(n/2) and floor(n/2), 0 for Aggregate.
  isa::S4D2Bn statistics(isa::Opcode opcode, const TensorSpec& src, const TensorSpec& dst, std::uint8_t channels) const;
  isa::CtrlIm load_parameter_ram(std::uint16_t offset, const std::array<float, 8>& values) const;
  // The 32 words that fill the table with 1/(i+1), offsets in entries.
  std::vector<isa::Word> load_reciprocals() const;

  template <std::size_t N>
  isa::Tensor<N> tensor(const TensorSpec& spec) const {
    isa::Tensor<N> t;
    t.start_addr = isa::address_of(spec.place, generation_);
    t.step_elem.fill(1);
    t.num_elem.fill(1);
    for (std::size_t d = 0; d < spec.counts.size() && d < N; ++d) {
      t.num_elem[d] = spec.counts[d];
      t.step_elem[d] = spec.steps[d];
    }
    return t;
  }
  isa::ImmField pointer(const TensorSpec& spec) const { return {isa::address_of(spec.place, generation_).raw}; }

 private:
  isa::Generation generation_;
};

}  // namespace dve::testing_support
