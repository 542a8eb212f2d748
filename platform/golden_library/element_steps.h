// Inside the golden library: what becomes of each element of GradAccum and BackProp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dve/execute/execute.h"
#include "dve/numerics/numerics.h"

namespace dve::golden_library {

// One element of one channel. All NaN are canonical. Of GradAccum: grad, sums; of BackProp: back.
struct ElementValues {
  float x = 0, dy = 0;
  numerics::GradTerms grad;
  numerics::GradSums sums;  // after this element
  numerics::BackPropTerms back;
};

// Walks the streams of a planned word, all channels in step, by the scalar specification of the numerics block.
class ElementSteps {
 public:
  ElementSteps() = default;  // no elements, no channels
  // `inputs` are those of the plan; `lane` gives the flops of a channel (BackProp).
  ElementSteps(const execute::Plan& plan, const execute::Inputs& inputs,
               const std::vector<numerics::LaneParameters>& lanes, const numerics::ParamTable& table,
               const numerics::Switches& switches);
  std::uint64_t elements() const { return elements_; }
  std::uint32_t channels() const { return static_cast<std::uint32_t>(x_.size()); }
  bool back_prop() const { return !back_.empty(); }  // otherwise GradAccum
  // False: there is no further element.
  bool step();
  // Elements stepped so far.
  std::uint64_t stepped() const { return stepped_; }
  // Of the last step, which there was.
  ElementValues values(std::uint32_t channel) const;

 private:
  std::uint64_t elements_ = 0, stepped_ = 0;
  std::vector<std::vector<float>> x_, dy_;  // [channel][element]
  std::vector<numerics::GradAccumulation> sums_;
  std::vector<numerics::GradTerms> terms_;
  std::vector<numerics::BackPropagation> back_;
};

}  // namespace dve::golden_library
