// What the parameters of a lane group say about its words. Apart from the verilated models, which not every user has.
#include <algorithm>

#include "lane_group_bench.h"

namespace dve::cosim {

LaneShape shape_of(LaneBuild build) {
  switch (build) {
    case LaneBuild::lanes4:
      return {4, 3, 1, 1};
    case LaneBuild::lanes3x4:
      return {3, 3, 3, 4};
    case LaneBuild::lanes1x2:
      return {1, 1, 1, 2};
    case LaneBuild::planted:
      break;
  }
  return {2, 2, 2, 2};
}

std::size_t turns_of(std::size_t channels, const LaneShape& shape) {
  return (channels + shape.lanes - 1) / shape.lanes;
}

std::size_t result_beats(const LaneWord& word, const LaneShape& shape) {
  return turns_of(word.channels(), shape) * (word.operation == LaneOperation::grad_accum ? 3 : word.elements());
}

std::uint64_t documented_cycles(const LaneWord& word, const LaneShape& shape) {
  const std::uint64_t turns = turns_of(word.channels(), shape);
  const std::uint64_t n = word.elements();
  if (word.operation == LaneOperation::back_prop) return (n - 1) * turns + turns + 5 * shape.stages + 1;
  if (n == 0) return 3 * turns + 1;
  return (n - 1) * std::max<std::uint64_t>(turns, shape.acc_stages) + 4 * turns + 5 * shape.stages + 2;
}

}  // namespace dve::cosim
