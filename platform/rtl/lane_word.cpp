#include "lane_word.h"

namespace dve::rtl {
LaneWord lane_word(const execute::Plan& plan, const execute::Inputs& inputs,
                   const std::vector<numerics::LaneParameters>& lanes, const numerics::Switches& switches) {
  LaneWord word;
  word.opcode = plan.word.opcode_byte();
  word.back_prop = plan.opcode == isa::Opcode::batch_norm_back_prop;
  word.switches = switches;
  word.elements = plan.sources[0].elements.value;
  word.x = execute::operand_values(plan.sources[0], inputs[0], switches);
  word.dy = execute::operand_values(plan.sources[1], inputs[1], switches);
  word.parameters.resize(word.channels());
  if (word.back_prop) {
    for (std::size_t c = 0; c < word.channels(); ++c)
      word.parameters[c] = {0, 0, lanes[c].element_count, lanes[c].mean, lanes[c].a, lanes[c].b, lanes[c].c};
    return word;
  }
  const auto mean = execute::operand_values(plan.sources[2], inputs[2], switches);
  const auto inv_std = execute::operand_values(plan.sources[3], inputs[3], switches);
  for (std::size_t c = 0; c < word.channels(); ++c) word.parameters[c] = {mean[c][0], inv_std[c][0], 0, 0, 0, 0, 0};
  return word;
}

}  // namespace dve::rtl
