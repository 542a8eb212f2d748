#include "element_steps.h"

namespace dve::golden_library {
namespace {

using isa::Opcode;

// `rows` hold the operand without gaps.
std::vector<std::vector<float>> channels_of(const execute::Access& access, const kernels::Rows& rows,
                                            const numerics::Switches& switches) {
  std::vector<std::vector<float>> channels(access.channels);
  for (std::uint32_t c = 0; c < access.channels; ++c) {
    channels[c].resize(access.elements.value);
    numerics::to_fp32(rows.channel(c), access.dtype, access.elements.value, channels[c].data(), switches);
  }
  return channels;
}

numerics::GradTerms canonical(const numerics::GradTerms& t) {
  return {numerics::canonical(t.product), numerics::canonical(t.t), numerics::canonical(t.coupling_term)};
}

}  // namespace

bool has_elements(Opcode opcode) {
  return opcode == Opcode::batch_norm_grad_accumulate || opcode == Opcode::batch_norm_grad_accumulate2 ||
         opcode == Opcode::batch_norm_back_prop;
}

ElementSteps::ElementSteps(const execute::Plan& plan, const execute::Inputs& inputs,
                           const std::vector<numerics::LaneParameters>& lanes, const numerics::ParamTable& table,
                           const numerics::Switches& switches)
    : elements_(plan.sources[0].elements.value),
      x_(channels_of(plan.sources[0], inputs[0], switches)),
      dy_(channels_of(plan.sources[1], inputs[1], switches)) {
  if (plan.opcode == Opcode::batch_norm_back_prop) {
    back_.reserve(lanes.size());
    for (const numerics::LaneParameters& lane : lanes) back_.emplace_back(lane, table, switches);
    return;
  }
  const auto mean = channels_of(plan.sources[2], inputs[2], switches);
  const auto inv_std = channels_of(plan.sources[3], inputs[3], switches);
  for (std::size_t c = 0; c < x_.size(); ++c) sums_.emplace_back(mean[c][0], inv_std[c][0], switches);
  terms_.resize(sums_.size());
}

bool ElementSteps::step() {
  if (stepped_ == elements_) return false;
  for (std::size_t c = 0; c < sums_.size(); ++c) terms_[c] = sums_[c].add(x_[c][stepped_], dy_[c][stepped_]);
  ++stepped_;
  return true;
}

ElementValues ElementSteps::values(std::uint32_t channel) const {
  const std::uint64_t element = stepped_ - 1;
  ElementValues v;
  v.x = x_[channel][element];
  v.dy = dy_[channel][element];
  if (back_.empty()) {
    v.grad = canonical(terms_[channel]);
    v.sums = sums_[channel].sums();
  } else {
    const numerics::BackPropTerms terms = back_[channel].element(v.x, v.dy);
    v.back = {numerics::canonical(terms.centred), numerics::canonical(terms.scaled),
              numerics::canonical(terms.correction), terms.dx};
  }
  return v;
}

}  // namespace dve::golden_library
