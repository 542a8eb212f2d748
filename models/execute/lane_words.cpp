#include "lane_words.h"

#include "channels.h"

namespace dve::execute {

using isa::Opcode;

bool is_lane_word(Opcode opcode) {
  return opcode == Opcode::batch_norm_grad_accumulate || opcode == Opcode::batch_norm_grad_accumulate2 ||
         opcode == Opcode::batch_norm_back_prop;
}

std::vector<std::vector<float>> operand_values(const Access& access, const kernels::Rows& rows,
                                               const numerics::Switches& switches) {
  std::vector<std::vector<float>> channels;
  for (std::uint32_t c = 0; c < access.channels; ++c) channels.push_back(channel_values(access, rows, c, switches));
  return channels;
}

}  // namespace dve::execute
