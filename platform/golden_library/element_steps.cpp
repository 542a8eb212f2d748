#include "element_steps.h"

namespace dve::golden_library {
namespace {

numerics::GradTerms canonical(const numerics::GradTerms& t) {
  return {numerics::canonical(t.product), numerics::canonical(t.t), numerics::canonical(t.coupling_term)};
}

}  // namespace

ElementSteps::ElementSteps(const execute::Plan& plan, const execute::Inputs& inputs,
                           const std::vector<numerics::LaneParameters>& lanes, const numerics::ParamTable& table,
                           const numerics::Switches& switches)
    : elements_(plan.sources[0].elements.value),
      x_(execute::operand_values(plan.sources[0], inputs[0], switches)),
      dy_(execute::operand_values(plan.sources[1], inputs[1], switches)) {
  if (plan.opcode == isa::Opcode::batch_norm_back_prop) {
    back_.reserve(lanes.size());
    for (const numerics::LaneParameters& lane : lanes) back_.emplace_back(lane, table, switches);
    return;
  }
  const auto mean = execute::operand_values(plan.sources[2], inputs[2], switches);
  const auto inv_std = execute::operand_values(plan.sources[3], inputs[3], switches);
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
