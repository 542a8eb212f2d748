#include "lane_word.h"

#include <fmt/format.h>

#include "golden/golden.h"

namespace dve::cosim {

namespace {

std::array<float, 3> canonical(const std::array<float, 3>& sums) {
  return {golden::canonical(sums[0]), golden::canonical(sums[1]), golden::canonical(sums[2])};
}

void accumulate(const LaneWord& word, std::size_t channel, const golden::Options& options, LaneResults& results) {
  const LaneParameters& p = word.parameters[channel];
  std::vector<float> x, dy;
  std::vector<RunningSums> running;
  for (std::size_t i = 0; i < word.elements(); ++i) {
    x.push_back(word.x[channel][i]);
    dy.push_back(word.dy[channel][i]);
    const golden::Sums sums = golden::grad_sums(x, dy, p[0], p[1], options);
    running.push_back(canonical({sums.d_beta, sums.d_gamma, sums.coupling}));
  }
  const std::vector<float> last = golden::in_destination_order(golden::grad_sums(x, dy, p[0], p[1], options), options);
  results.sums.push_back(canonical({last[0], last[1], last[2]}));
  results.running.push_back(running);
}

void propagate(const LaneWord& word, std::size_t channel, const golden::Options& options, LaneResults& results) {
  const LaneParameters& p = word.parameters[channel];
  golden::Lane lane;
  lane.n = p[2];
  lane.mean = p[3];
  lane.a = p[4];
  lane.b = p[5];
  lane.c = p[6];
  results.dx.push_back(golden::back_propagate(word.x[channel], word.dy[channel], lane, golden::ParamRam{}, options));
  for (float& dx : results.dx.back()) dx = golden::canonical(dx);
}

}  // namespace

std::string LaneWord::text() const {
  return fmt::format("{} 0x{:02X}{}{}, {} channels of {} elements", operation == LaneOperation::grad_accum ? "GradAccum" : "BackProp",
                     opcode, dst_interpreter ? ", dst_order interpreter" : "",
                     product_interpreter ? ", product_order interpreter" : "", channels(), elements());
}

LaneResults golden_results(const LaneWord& word) {
  golden::Options options;
  options.dst_order_interpreter = word.dst_interpreter;
  options.product_order_interpreter = word.product_interpreter;
  LaneResults results;
  for (std::size_t c = 0; c < word.channels(); ++c) {
    if (word.operation == LaneOperation::grad_accum) {
      accumulate(word, c, options, results);
    } else {
      propagate(word, c, options, results);
    }
  }
  return results;
}

}  // namespace dve::cosim
