// Inside the execute block: operands channel by channel.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "core.h"

namespace dve::execute {

// What the words' functions fill in.
struct Work {
  kernels::ResultRows destination;
  Outcome& outcome;
  bool status_known = false;  // outcome.fp_status stands; otherwise it is told from operands and results
};

// One channel of an operand as binary32.
inline std::vector<float> channel_values(const Access& access, const kernels::Rows& rows, std::uint32_t channel,
                                         const numerics::Switches& switches) {
  std::vector<float> values(access.elements.value);
  kernels::to_fp32(rows.channel(channel), access.dtype, values.size(), values.data(), switches);
  return values;
}

// One element of each channel as binary32: parameters.
inline void channel_scalars(const kernels::Rows& rows, std::uint32_t channels, std::size_t element,
                            const numerics::Switches& switches, float* values) {
  const std::size_t at = rows.offset + element * isa::storage_size(rows.dtype).value;
  if (rows.dtype != isa::Dtype::fp32) {
    for (std::uint32_t c = 0; c < channels; ++c)
      numerics::to_fp32(rows.partitions[c] + at, rows.dtype, 1, values + c, switches);
    return;
  }
  for (std::uint32_t c = 0; c < channels; ++c) {
    std::memcpy(values + c, rows.partitions[c] + at, sizeof(float));
    if (values[c] != values[c]) values[c] = numerics::canonical(values[c]);
  }
}

// Stores a channel's results, as many as the destination takes, rounded once to its dtype.
inline void store_channel(const Access& access, std::uint32_t channel, const float* values,
                          const numerics::Switches& switches, const kernels::ResultRows& destination) {
  kernels::from_fp32(values, access.dtype, access.elements.value, destination.channel(channel), switches);
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
