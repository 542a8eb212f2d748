// Batch-norm words on the DVE (isa.md 8 to 11).
#include <array>

#include "channels.h"
#include "core.h"

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

}  // namespace

void Core::statistics(const Plan& plan, const Inputs& inputs, const numerics::ParamTable& table, Result& result) {
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
      store_channel(*plan.destination, c, values.data(), config_.switches, result.destination);
      continue;
    }
    const bool transpose = plan.opcode == Opcode::transpose_batch_norm_stats2;
    const std::vector<float> stream = transpose ? transposed_channel(channels, c) : channels[c];
    const auto s = numerics::stats2(stream.data(), stream.size(), even_count, odd_count, table, config_.switches);
    const std::array<float, 6> values = {s.even.count, s.even.mean, s.even.nvar, s.odd.count, s.odd.mean, s.odd.nvar};
    store_channel(*plan.destination, c, values.data(), config_.switches, result.destination);
  }
}

void Core::aggregate(const Plan& plan, const Inputs& inputs, Result& result) {
  for (std::uint32_t c = 0; c < plan.sources[0].channels; ++c) {
    const auto triples = channel_values(plan.sources[0], inputs[0], c, config_.switches);
    const auto merged = numerics::aggregate(triples.data(), triples.size() / 3, config_.switches);
    const std::array<float, 2> values = {merged.mean, merged.variance};
    store_channel(*plan.destination, c, values.data(), config_.switches, result.destination);
  }
}

void Core::grad_accumulate(const Plan& plan, const Inputs& inputs, Result& result) {
  for (std::uint32_t c = 0; c < plan.sources[0].channels; ++c) {
    const auto x = channel_values(plan.sources[0], inputs[0], c, config_.switches);
    const auto dy = channel_values(plan.sources[1], inputs[1], c, config_.switches);
    const float mean = channel_values(plan.sources[2], inputs[2], c, config_.switches)[0];
    const float inv_std = channel_values(plan.sources[3], inputs[3], c, config_.switches)[0];
    const auto sums = numerics::grad_accumulate(x.data(), dy.data(), x.size(), mean, inv_std, config_.switches);
    const auto values = numerics::in_dst_order(sums, config_.switches.dst_order);
    store_channel(*plan.destination, c, values.data(), config_.switches, result.destination);
    const std::uint32_t flop = flop_of(plan.sources[0], c);
    lanes_[flop].inv_std = inv_std;
    inv_std_seen_[flop] = true;
  }
}

void Core::back_prop(const Plan& plan, const Inputs& inputs, const numerics::ParamTable& table, Result& result) {
  std::vector<float> dx(plan.sources[0].elements.value);
  for (std::uint32_t c = 0; c < plan.sources[0].channels; ++c) {
    const auto src0 = channel_values(plan.sources[0], inputs[0], c, config_.switches);
    const auto dy = channel_values(plan.sources[1], inputs[1], c, config_.switches);
    numerics::back_propagate(src0.data(), dy.data(), dx.size(), lanes_[flop_of(plan.sources[0], c)], table,
                             config_.switches, dx.data());
    store_channel(*plan.destination, c, dx.data(), config_.switches, result.destination);
  }
}

void Core::stage(const Plan& plan, std::uint32_t channel, float element_count, float mean, float a, float b, float c) {
  const std::uint32_t flop = flop_of(plan.sources[0], channel);
  numerics::LaneParameters& lane = lanes_[flop];
  lane.element_count = element_count;
  lane.mean = mean;
  lane.a = a;
  lane.b = b;
  lane.c = c;
  loaded_[flop] = last_param_load_[flop] = true;
}

void Core::param_load(const Plan& plan, const Inputs& inputs) {
  const float n = float_from_bits(isa::decode_as<isa::S2Bn>(plan.word).element_count_bits);
  last_param_load_.reset();
  for (std::uint32_t c = 0; c < plan.sources[0].channels; ++c) {
    const auto abc = channel_values(plan.sources[0], inputs[0], c, config_.switches);
    const float mean = channel_values(plan.sources[1], inputs[1], c, config_.switches)[0];
    stage(plan, c, n, mean, abc[0], abc[1], abc[2]);
  }
}

void Core::param_load2(const Plan& plan, const Inputs& inputs) {
  const float n = float_from_bits(isa::decode_as<isa::S2Bnpl2>(plan.word).element_count_bits);
  const bool scale_first = config_.switches.paramload2_imm_order == numerics::ParamLoad2ImmOrder::scale_mean;
  last_param_load_.reset();
  for (std::uint32_t c = 0; c < plan.sources[0].channels; ++c) {
    const auto bc = channel_values(plan.sources[0], inputs[0], c, config_.switches);
    const float imm0 = channel_values(plan.sources[1], inputs[1], c, config_.switches)[0];
    const float imm1 = channel_values(plan.sources[2], inputs[2], c, config_.switches)[0];
    stage(plan, c, n, scale_first ? imm1 : imm0, scale_first ? imm0 : imm1, bc[0], bc[1]);
  }
}

}  // namespace dve::execute
