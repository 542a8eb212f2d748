// Batch-norm words on the DVE (isa.md 8 to 11).
#include <array>
#include <cstring>

#include "channels.h"
#include "core.h"
#include "fp_status.h"

namespace dve::execute {
namespace {

using isa::Opcode;
using numerics::float_from_bits;

// The stream that TransposeStats2 sees for a channel: channel and element index exchange their low five bits inside
// each 32 x 32 block (isa.md 9.1).
std::vector<float> transposed_channel(const std::vector<std::vector<float>>& channels, std::uint32_t channel) {
  std::vector<float> stream(channels[channel].size());
  const std::uint32_t block = channel & ~31u;
  for (std::size_t e = 0; e < stream.size(); ++e)
    stream[e] = channels[block | (e & 31u)][(e & ~std::size_t{31}) | (channel & 31u)];
  return stream;
}

// A word's few results, channel by channel.
template <std::size_t Count>
using ChannelResults = std::array<std::array<float, Count>, isa::kPartitions>;

// As many results as the destination takes, from each channel's `Count` values. Finite values in binary32 raise
// nothing.
template <std::size_t Count>
void store_results(const Plan& plan, const ChannelResults<Count>& values, const numerics::Switches& switches,
                   Work& work) {
  const Access& out = *plan.destination;
  const bool fp32 = out.dtype == isa::Dtype::fp32;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  for (std::uint32_t c = 0; c < out.channels; ++c) {
    if (fp32 && out.elements.value == Count)  // canonical already, and of a size that the compiler knows
      std::memcpy(work.destination.channel(c), values[c].data(), Count * sizeof(float));
    else
      store_channel(out, c, values[c].data(), switches, work.destination);
  }
  work.status_known = fp32 && !kernels::any_non_finite({&bytes, 0, out.dtype}, 1, out.channels * Count, switches);
}

}  // namespace

void Core::statistics(const Plan& plan, const Inputs& inputs, const numerics::ParamTable& table, Work& work) {
  if (plan.opcode == Opcode::batch_norm_stats2 && kernels::has_stats2(config_.switches))
    return stats2(plan, inputs, table, work);
  const auto word = isa::decode_as<isa::S4D2Bn>(plan.word);
  const float even_count = float_from_bits(word.even_count_bits);
  const float odd_count = float_from_bits(word.odd_count_bits);
  const Access& source = plan.sources[0];
  std::vector<std::vector<float>> channels;
  for (std::uint32_t c = 0; c < source.channels; ++c)
    channels.push_back(channel_values(source, inputs[0], c, config_.switches));
  for (std::uint32_t c = 0; c < source.channels; ++c) {
    if (plan.opcode == Opcode::batch_norm_stats) {
      const auto m = numerics::stats(channels[c].data(), channels[c].size(), even_count, table, config_.switches);
      const std::array<float, 3> values = {m.count, m.mean, m.nvar};
      store_channel(*plan.destination, c, values.data(), config_.switches, work.destination);
      continue;
    }
    const bool transpose = plan.opcode == Opcode::transpose_batch_norm_stats2;
    const std::vector<float> stream = transpose ? transposed_channel(channels, c) : channels[c];
    const auto s = numerics::stats2(stream.data(), stream.size(), even_count, odd_count, table, config_.switches);
    const std::array<float, 6> values = {s.even.count, s.even.mean, s.even.nvar, s.odd.count, s.odd.mean, s.odd.nvar};
    store_channel(*plan.destination, c, values.data(), config_.switches, work.destination);
  }
}

void Core::stats2(const Plan& plan, const Inputs& inputs, const numerics::ParamTable& table, Work& work) {
  const auto word = isa::decode_as<isa::S4D2Bn>(plan.word);
  std::array<numerics::Stats2Result, isa::kPartitions> results;
  kernels::stats2(inputs[0], plan.sources[0].channels, plan.sources[0].elements.value,
                  float_from_bits(word.even_count_bits), float_from_bits(word.odd_count_bits), table, config_.switches,
                  results.data());
  ChannelResults<6> values;
  for (std::uint32_t c = 0; c < plan.sources[0].channels; ++c) {
    const auto& [even, odd] = results[c];
    values[c] = {even.count, even.mean, even.nvar, odd.count, odd.mean, odd.nvar};
  }
  store_results(plan, values, config_.switches, work);
}

void Core::aggregate(const Plan& plan, const Inputs& inputs, Work& work) {
  const Access& source = plan.sources[0];
  const std::size_t triples = source.elements.value / 3;
  std::array<numerics::MeanVariance, isa::kPartitions> merged;
  if (kernels::has_aggregate(config_.switches)) {
    kernels::aggregate(inputs[0], source.channels, triples, config_.switches, merged.data());
  } else {
    for (std::uint32_t c = 0; c < source.channels; ++c)
      merged[c] =
          numerics::aggregate(channel_values(source, inputs[0], c, config_.switches).data(), triples, config_.switches);
  }
  ChannelResults<2> values;
  for (std::uint32_t c = 0; c < source.channels; ++c) values[c] = {merged[c].mean, merged[c].variance};
  store_results(plan, values, config_.switches, work);
}

void Core::grad_accumulate(const Plan& plan, const Inputs& inputs, Work& work) {
  const Access& source = plan.sources[0];
  const std::size_t n = source.elements.value;
  ChannelValues mean, inv_std;
  channel_scalars(inputs[2], source.channels, 0, config_.switches, mean.data());
  channel_scalars(inputs[3], source.channels, 0, config_.switches, inv_std.data());
  const std::uint32_t flop = flop_of(source, 0);
  for (std::uint32_t c = 0; c < source.channels; ++c) lanes_[flop + c].inv_std = inv_std[c];
  inv_std_seen_ |= lane_set(flop, source.channels);
  std::array<numerics::GradSums, isa::kPartitions> sums;
  if (kernels::has_grad_accumulate(config_.switches)) {
    kernels::grad_accumulate(inputs[0], inputs[1], source.channels, n, mean.data(), inv_std.data(), config_.switches,
                             sums.data());
  } else {
    for (std::uint32_t c = 0; c < source.channels; ++c) {
      const auto x = channel_values(source, inputs[0], c, config_.switches);
      const auto dy = channel_values(plan.sources[1], inputs[1], c, config_.switches);
      sums[c] = numerics::grad_accumulate(x.data(), dy.data(), n, mean[c], inv_std[c], config_.switches);
    }
  }
  ChannelResults<3> values;
  for (std::uint32_t c = 0; c < source.channels; ++c)
    values[c] = numerics::in_dst_order(sums[c], config_.switches.dst_order);
  store_results(plan, values, config_.switches, work);
}

void Core::back_prop(const Plan& plan, const Inputs& inputs, const numerics::ParamTable& table, Work& work) {
  const Access& source = plan.sources[0];
  const numerics::LaneParameters* parameters = &lanes_[flop_of(source, 0)];
  if (kernels::has_back_propagate(config_.switches)) {
    std::array<kernels::Exceptions, isa::kPartitions> exceptions;
    kernels::back_propagate(inputs[0], inputs[1], source.channels, plan.destination->elements.value, parameters,
                            config_.switches, work.destination, exceptions.data());
    work.outcome.fp_status = status_of(exceptions.data(), source.channels, plan.destination->dtype);
    work.status_known = source.elements == plan.destination->elements;  // the exceptions are of all operands then
    return;
  }
  std::vector<float> dx(source.elements.value);
  for (std::uint32_t c = 0; c < source.channels; ++c) {
    const auto src0 = channel_values(source, inputs[0], c, config_.switches);
    const auto dy = channel_values(plan.sources[1], inputs[1], c, config_.switches);
    numerics::back_propagate(src0.data(), dy.data(), dx.size(), parameters[c], table, config_.switches, dx.data());
    store_channel(*plan.destination, c, dx.data(), config_.switches, work.destination);
  }
}

// One scalar a channel.
void Core::stage(const Access& source, float element_count, const ChannelValues& mean, const ChannelValues& a,
                 const ChannelValues& b, const ChannelValues& c) {
  const std::uint32_t flop = flop_of(source, 0);
  for (std::uint32_t k = 0; k < source.channels; ++k) {
    numerics::LaneParameters& lane = lanes_[flop + k];
    lane.element_count = element_count;
    lane.mean = mean[k];
    lane.a = a[k];
    lane.b = b[k];
    lane.c = c[k];
  }
  last_param_load_ = lane_set(flop, source.channels);
  loaded_ |= last_param_load_;
}

void Core::param_load(const Plan& plan, const Inputs& inputs) {
  const float n = float_from_bits(isa::decode_as<isa::S2Bn>(plan.word).element_count_bits);
  ChannelValues mean, abc[3];
  for (std::size_t i = 0; i < 3; ++i)
    channel_scalars(inputs[0], plan.sources[0].channels, i, config_.switches, abc[i].data());
  channel_scalars(inputs[1], plan.sources[0].channels, 0, config_.switches, mean.data());
  stage(plan.sources[0], n, mean, abc[0], abc[1], abc[2]);
}

void Core::param_load2(const Plan& plan, const Inputs& inputs) {
  const float n = float_from_bits(isa::decode_as<isa::S2Bnpl2>(plan.word).element_count_bits);
  const bool scale_first = config_.switches.paramload2_imm_order == numerics::ParamLoad2ImmOrder::scale_mean;
  ChannelValues bc[2], imm[2];
  for (std::size_t i = 0; i < 2; ++i) {
    channel_scalars(inputs[0], plan.sources[0].channels, i, config_.switches, bc[i].data());
    channel_scalars(inputs[1 + i], plan.sources[0].channels, 0, config_.switches, imm[i].data());
  }
  stage(plan.sources[0], n, imm[scale_first ? 1 : 0], imm[scale_first ? 0 : 1], bc[0], bc[1]);
}

}  // namespace dve::execute
