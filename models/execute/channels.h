// Inside the execute block: packed operands channel by channel.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core.h"

namespace dve::execute {

// One channel of a packed operand as binary32.
inline std::vector<float> channel_values(const Access& access, const std::vector<std::uint8_t>& packed,
                                         std::uint32_t channel, const numerics::Switches& switches) {
  const std::uint64_t n = access.elements.value;
  std::vector<float> values(n);
  const std::uint64_t channel_bytes = n * isa::storage_size(access.dtype).value;
  numerics::to_fp32(packed.data() + channel * channel_bytes, access.dtype, n, values.data(), switches);
  return values;
}

// Stores a channel's results, as many as the destination takes, rounded once to its dtype.
inline void store_channel(const Access& access, std::uint32_t channel, const float* values,
                          const numerics::Switches& switches, std::vector<std::uint8_t>& packed) {
  const std::uint64_t n = access.elements.value;
  const std::uint64_t channel_bytes = n * isa::storage_size(access.dtype).value;
  numerics::from_fp32(values, access.dtype, n, packed.data() + channel * channel_bytes, switches);
}

// Index of the source with this role in plan.sources; empty when the word does not read one.
inline std::optional<std::size_t> source_index(const Plan& plan, isa::OperandRole role) {
  for (std::size_t i = 0; i < plan.sources.size(); ++i) {
    if (plan.sources[i].role == role) return i;
  }
  return std::nullopt;
}

// A scalar of the word for one channel: the value behind its pointer, or the literal.
inline float scalar_value(const Plan& plan, const Inputs& inputs, isa::OperandRole role, isa::ImmField literal,
                          std::uint32_t channel, const numerics::Switches& switches) {
  const auto source = source_index(plan, role);
  if (!source) return numerics::float_from_bits(literal.raw);
  return channel_values(plan.sources[*source], inputs[*source], channel, switches)[0];
}

// Bytes of one channel of a packed operand.
inline std::size_t channel_bytes(const Access& access) {
  return access.elements.value * isa::storage_size(access.dtype).value;
}

}  // namespace dve::execute
