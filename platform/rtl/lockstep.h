// Inside the rtl block: what must leave the lanes beat by beat, and the first beat that differs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lane_model.h"
#include "lane_word.h"

namespace dve::rtl {

// A beat of the result stream.
struct ResultBeat {
  const std::uint32_t* values = nullptr;  // one a lane
  std::uint32_t keep = 0;
  bool last = false;
};

// Follows a word through the lanes with the scalar specification (numerics): every running sum, every result, their
// order.
class Lockstep {
 public:
  Lockstep(const LaneWord& word, const LaneShape& shape);

  // Running sums that left their adders (GradAccum), three a lane: d_beta, d_gamma, coupling.
  void sums(std::size_t turn, const std::uint32_t* values);
  void result(const ResultBeat& beat);

  std::size_t turns() const { return turns_; }
  std::size_t operand_beats() const { return turns_ * word_.elements; }
  std::size_t result_beats() const { return turns_ * (word_.back_prop ? word_.elements : 3); }
  std::size_t results() const { return results_; }
  // The first difference.
  const std::optional<isa::Finding>& finding() const { return finding_; }
  // Results of the lanes, [channel][element], binary32; GradAccum: three in the destination's order.
  const std::vector<std::vector<float>>& values() const { return values_; }

 private:
  std::size_t channel(std::size_t turn, std::size_t lane) const { return turn * shape_.lanes + lane; }
  void compare(const std::string& what, std::uint32_t got, float expected);
  void compare_control(const ResultBeat& beat, std::size_t turn);
  float expected_result(std::size_t channel, std::size_t index) const;

  const LaneWord& word_;
  LaneShape shape_;
  std::size_t turns_;
  std::vector<numerics::GradAccumulation> sums_;  // [channel]
  std::vector<numerics::BackPropagation> back_;   // [channel]
  std::vector<std::size_t> summed_;               // elements that each turn has added
  std::size_t results_ = 0;
  std::vector<std::vector<float>> values_;
  std::optional<isa::Finding> finding_;
};

}  // namespace dve::rtl
