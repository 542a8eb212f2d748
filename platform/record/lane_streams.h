// What a bench of lanes needs of a word, without dtypes and strides.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "dve/execute/execute.h"
#include "stimulus_text.h"

namespace dve::record {

using LaneRecord = std::array<std::uint32_t, kLaneWords>;

// Writes the parameters, the operands converted to binary32 and the expected binary32 results of GradAccum, ParamLoad
// and BackProp words, channel by channel in stream order. Expected values are those of the scalar specification
// (numerics), before they are rounded to the destination's dtype; the sums stand in the destination's order.
class LaneStreams {
 public:
  LaneStreams(StimulusText& text, const numerics::Switches& switches) : text_(text), switches_(switches) {}

  // Before a word's first result is written: its record, if it has one. ParamLoad's follows from staged().
  std::optional<LaneRecord> operands(const execute::Core& core, const execute::Plan& plan,
                                     const execute::Inputs& inputs, const numerics::ParamTable& table);
  // After a ParamLoad.
  std::optional<LaneRecord> staged(const execute::Core& core, const execute::Plan& plan);

 private:
  LaneRecord grad_accumulate(const execute::Core& core, const execute::Plan& plan, const execute::Inputs& inputs);
  LaneRecord back_prop(const execute::Core& core, const execute::Plan& plan, const execute::Inputs& inputs,
                       const numerics::ParamTable& table);
  LaneRecord begin(LaneOperation operation, const execute::Core& core, const execute::Plan& plan) const;
  void write_streams(const execute::Plan& plan, const execute::Inputs& inputs, LaneRecord& record);
  void write_row(const float* values, std::size_t count);
  void convert(const kernels::Rows& rows, std::uint32_t channel, std::vector<float>& values) const;

  StimulusText& text_;
  numerics::Switches switches_;
  std::vector<float> x_, dy_, dx_;  // of one channel
};

}  // namespace dve::record
