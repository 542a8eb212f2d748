#include "lane_word.h"

#include <fmt/format.h>

#include "golden/golden.h"

namespace dve::cosim {

namespace {

std::array<float, 3> canonical(const std::array<float, 3>& sums) {
  return {golden::canonical(sums[0]), golden::canonical(sums[1]), golden::canonical(sums[2])};
}

// The sums after every element: the golden has only those after the last one. A second writing of docs/numerics.md's
// row.
std::vector<RunningSums> running_sums(const LaneWord& word, std::size_t channel) {
  const float m = word.parameters[channel][0];
  const float v = word.parameters[channel][1];
  RunningSums sums{};
  std::vector<RunningSums> running;
  for (std::size_t i = 0; i < word.elements(); ++i) {
    const float dy = word.dy[channel][i];
    const float deviation = word.x[channel][i] - m;
    const float t = word.product_interpreter ? (deviation * dy) * v : dy * (deviation * v);
    sums[0] += dy;
    sums[1] += t;
    sums[2] += t * v;
    running.push_back(canonical(sums));
  }
  return running;
}

void accumulate(const LaneWord& word, std::size_t channel, const golden::Options& options, LaneResults& results) {
  const LaneParameters& p = word.parameters[channel];
  const golden::Sums sums = golden::grad_sums(word.x[channel], word.dy[channel], p[0], p[1], options);
  const std::vector<float> ordered = golden::in_destination_order(sums, options);
  results.sums.push_back(canonical({ordered[0], ordered[1], ordered[2]}));
  results.running.push_back(running_sums(word, channel));
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
  return fmt::format("{} 0x{:02X}{}{}, {} channels of {} elements",
                     operation == LaneOperation::grad_accum ? "GradAccum" : "BackProp", opcode,
                     dst_interpreter ? ", dst_order interpreter" : "",
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
