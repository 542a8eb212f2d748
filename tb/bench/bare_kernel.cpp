#include "bench/bare_kernel.h"

#include <cstring>
#include <random>

namespace dve::bench {
namespace {

constexpr std::size_t kStride = 224 * 1024 + 192;  // of cayman's SBUF in the model
constexpr std::size_t kDy = 0x10000;               // as in programs.cpp

}  // namespace

BareKernel::BareKernel(std::size_t elements) : elements_(elements), memory_(kStride * isa::kPartitions) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (std::size_t p = 0; p < isa::kPartitions; ++p) {
    std::uint8_t* const row = memory_.data() + p * kStride;
    rows_[p] = row;
    for (const std::size_t operand : {std::size_t{0}, kDy}) {
      for (std::size_t k = 0; k < elements; ++k) {
        const float value = normal(random);
        std::memcpy(row + operand + k * sizeof value, &value, sizeof value);
      }
    }
  }
  mean_.fill(0.1F);
  inv_std_.fill(0.9F);
}

void BareKernel::accumulate(std::uint64_t times) {
  const kernels::Rows x{rows_.data(), 0, isa::Dtype::fp32}, dy{rows_.data(), kDy, isa::Dtype::fp32};
  for (std::uint64_t k = 0; k < times; ++k)
    kernels::grad_accumulate(x, dy, isa::kPartitions, elements_, mean_.data(), inv_std_.data(), {}, sums_.data());
}

}  // namespace dve::bench
