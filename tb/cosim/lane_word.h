// A word as the lanes see it: converted operands in stream order and parameters of each channel; and its results by the
// independent golden.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dve::cosim {

enum class LaneOperation : std::uint8_t { grad_accum, back_prop };

// Parameters of a channel, in the order of dve_lane.sv's kinds: 0 m and 1 v of GradAccum; 2 N, 3 m, 4 A, 5 B, 6 C of
// BackProp.
using LaneParameters = std::array<float, 7>;

struct LaneWord {
  LaneOperation operation = LaneOperation::grad_accum;
  std::uint8_t opcode = 0x63;
  bool dst_interpreter = false;            // docs/numerics.md, dst_order
  bool product_interpreter = false;        // docs/numerics.md, product_order
  std::vector<LaneParameters> parameters;  // one a channel
  std::vector<std::vector<float>> x;       // [channel][element]
  std::vector<std::vector<float>> dy;

  std::size_t channels() const { return x.size(); }
  std::size_t elements() const { return x.empty() ? 0 : x.front().size(); }
  // "GradAccum 0x94, 5 channels of 12 elements"
  std::string text() const;
};

// The running sums after an element: d_beta, d_gamma, coupling.
using RunningSums = std::array<float, 3>;

struct LaneResults {
  std::vector<std::vector<float>> dx;             // BackProp: [channel][element]
  std::vector<std::array<float, 3>> sums;         // GradAccum: [channel], in the destination's order
  std::vector<std::vector<RunningSums>> running;  // GradAccum: [channel][element]
};

// What tb/golden computes for the word; the running sums, which it does not have, are computed beside it.
LaneResults golden_results(const LaneWord& word);

}  // namespace dve::cosim
