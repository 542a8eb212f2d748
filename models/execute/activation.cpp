// Activate and its accumulator on ACT (isa-neighbours.md 5).
#include "channels.h"
#include "core.h"

namespace dve::execute {

using isa::OperandRole;

// The accumulator takes the function's results before they are rounded to the output dtype (isa-neighbours.md 5.4,
// DEFAULT).
void Core::activate(const Plan& plan, const Inputs& inputs, Work& work) {
  const auto word = isa::decode_as<isa::S3D3Ac>(plan.word);
  const numerics::Switches& switches = config_.switches;
  const auto command = static_cast<isa::AccumCmd>(word.accumulator_cmd);
  const bool zero = command == isa::AccumCmd::zero || command == isa::AccumCmd::zero_accumulate;
  const bool accumulate = command == isa::AccumCmd::accumulate || command == isa::AccumCmd::zero_accumulate;
  for (std::uint32_t c = 0; c < plan.sources[0].channels; ++c) {
    const float scale = scalar_value(plan, inputs, OperandRole::imm0, word.scale, c, switches);
    const float bias = scalar_value(plan, inputs, OperandRole::imm1, word.bias, c, switches);
    const float alpha = scalar_value(plan, inputs, OperandRole::imm2, word.imm, c, switches);
    float& accumulator = accumulators_[isa::number(plan.sources[0].start.partition) + c];
    if (zero) accumulator = 0;
    auto values = channel_values(plan.sources[0], inputs[0], c, switches);
    values.resize(plan.destination->elements.value);
    for (float& v : values) {
      v = numerics::activate(word.activation_func, numerics::act_affine(v, scale, bias, switches), alpha, switches);
      if (accumulate) accumulator = numerics::canonical(accumulator + v);
    }
    store_channel(*plan.destination, c, values.data(), switches, work.destination);
  }
}

void Core::read_accumulator(const Plan& plan, Work& work) {
  const bool negated = isa::decode_as<isa::D1Rd>(plan.word).negated != 0;
  for (std::uint32_t c = 0; c < plan.destination->channels; ++c) {
    const float value = accumulators_[isa::number(plan.destination->start.partition) + c];
    const std::vector<float> values(plan.destination->elements.value, negated ? numerics::canonical(-value) : value);
    store_channel(*plan.destination, c, values.data(), config_.switches, work.destination);
  }
}

}  // namespace dve::execute
