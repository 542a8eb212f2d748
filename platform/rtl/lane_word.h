// Inside the rtl block: a word as the lanes see it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dve/execute/execute.h"
#include "dve/numerics/numerics.h"

namespace dve::rtl {

// Parameters of a channel in the order of dve_lane.sv's kinds: 0 m and 1 v of GradAccum; 2 N, 3 m, 4 A, 5 B, 6 C of
// BackProp.
using ChannelParameters = std::array<float, 7>;

struct LaneWord {
  std::uint8_t opcode = 0;
  bool back_prop = false;
  numerics::Switches switches;
  std::size_t elements = 0;
  std::vector<ChannelParameters> parameters;  // one a channel
  std::vector<std::vector<float>> x, dy;      // [channel][element], converted
  std::size_t channels() const { return x.size(); }
  // The kinds of parameters that the word uses: [first, end).
  std::uint8_t first_kind() const { return back_prop ? 2 : 0; }
  std::uint8_t end_kind() const { return back_prop ? 7 : 2; }
};

LaneWord lane_word(const execute::Plan& plan, const execute::Inputs& inputs,
                   const std::vector<numerics::LaneParameters>& lanes, const numerics::Switches& switches);

}  // namespace dve::rtl
