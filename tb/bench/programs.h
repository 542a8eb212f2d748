// Programs that the benchmark repeats: one word, or a few, over and over.
#pragma once

#include <cstdint>
#include <vector>

#include "dve/core/core.h"

namespace dve::bench {

inline constexpr std::uint8_t kChannels = 128;

// Layout of all programs: x, dy and dx in SBUF, 64 KiB a partition each; sums and statistics behind them.
void load_operands(Host& host, isa::Dtype dtype, std::uint32_t elements);

std::vector<isa::Word> grad_accumulates(std::size_t words, std::uint16_t elements, isa::Dtype dtype = isa::Dtype::fp32);
// ParamLoad first.
std::vector<isa::Word> back_props(std::size_t words, std::uint16_t elements, isa::Dtype dtype = isa::Dtype::fp32);
// bf16, x in the place of dy too, so that up to 65536 elements fit.
std::vector<isa::Word> long_grad_accumulates(std::size_t words, std::uint32_t elements);
// `pairs` of GradAccum and BackProp, ParamLoad first.
std::vector<isa::Word> backward_steps(std::size_t pairs, std::uint16_t elements);

}  // namespace dve::bench
