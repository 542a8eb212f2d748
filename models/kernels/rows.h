// Where the elements of one operand lie in host memory.
#pragma once

#include <cstdint>

#include "dve/isa/isa.h"

namespace dve::kernels {

// Channel c's elements follow each other from partitions[c] + offset on, at any alignment, in the form of `dtype`.
struct Rows {
  const std::uint8_t* const* partitions = nullptr;
  std::uint64_t offset = 0;
  isa::Dtype dtype = isa::Dtype::fp32;
  const std::uint8_t* channel(std::uint32_t c) const { return partitions[c] + offset; }
};

// The same where results go.
struct ResultRows {
  std::uint8_t* const* partitions = nullptr;
  std::uint64_t offset = 0;
  isa::Dtype dtype = isa::Dtype::fp32;
  std::uint8_t* channel(std::uint32_t c) const { return partitions[c] + offset; }
};

}  // namespace dve::kernels
