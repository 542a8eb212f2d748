// The kernel of a small GradAccum without a platform around it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dve/kernels/kernels.h"

namespace dve::bench {

// GradAccum in binary32 on 128 channels whose rows lie as far apart as in the model's SBUF.
class BareKernel {
 public:
  explicit BareKernel(std::size_t elements);
  void accumulate(std::uint64_t times);

 private:
  std::size_t elements_;
  std::vector<std::uint8_t> memory_;
  std::array<const std::uint8_t*, isa::kPartitions> rows_{};
  std::array<float, isa::kPartitions> mean_{}, inv_std_{};
  std::array<numerics::GradSums, isa::kPartitions> sums_{};
};

}  // namespace dve::bench
