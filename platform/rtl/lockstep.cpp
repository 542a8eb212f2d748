#include "lockstep.h"

#include <fmt/format.h>

namespace dve::rtl {
namespace {

constexpr const char* kSums[] = {"d_beta", "d_gamma", "coupling"};

}  // namespace

Lockstep::Lockstep(const LaneWord& word, const LaneShape& shape)
    : word_(word),
      shape_(shape),
      turns_((word.channels() + shape.lanes - 1) / shape.lanes),
      summed_(turns_),
      values_(word.channels(), std::vector<float>(word.back_prop ? word.elements : 3)) {
  for (const ChannelParameters& p : word.parameters) {
    if (word.back_prop)
      back_.emplace_back(numerics::LaneParameters{p[2], p[3], p[4], p[5], p[6], 0}, numerics::ParamTable{},
                         word.switches);
    else
      sums_.emplace_back(p[0], p[1], word.switches);
  }
}

void Lockstep::compare(const std::string& what, std::uint32_t got, float expected) {
  const std::uint32_t bits = numerics::bits_of(expected);
  if (got == bits || finding_) return;
  finding_ = isa::Finding{
      "rtl_mismatch", what, 0, got,
      fmt::format("{:#010x} ({}) as in the golden; the RTL gave {}", bits, expected, numerics::float_from_bits(got))};
}

void Lockstep::sums(std::size_t turn, const std::uint32_t* values) {
  if (turn >= turns_ || word_.back_prop || summed_[turn] == word_.elements) {
    if (!finding_)
      finding_ = isa::Finding{"rtl_mismatch", fmt::format("running sums of turn {}", turn), 0, turn,
                              "no more sums than elements, of turns that the word has"};
    return;
  }
  const std::size_t element = summed_[turn]++;
  for (std::size_t lane = 0; lane < shape_.lanes && channel(turn, lane) < word_.channels(); ++lane) {
    const std::size_t c = channel(turn, lane);
    sums_[c].add(word_.x[c][element], word_.dy[c][element]);
    const numerics::GradSums expected = sums_[c].sums();
    const float each[] = {expected.d_beta, expected.d_gamma, expected.coupling};
    for (std::size_t k = 0; k < 3; ++k) {
      if (values[3 * lane + k] != numerics::bits_of(each[k]))
        compare(fmt::format("channel {} element {} {}", c, element, kSums[k]), values[3 * lane + k], each[k]);
    }
  }
}

float Lockstep::expected_result(std::size_t c, std::size_t index) const {
  if (word_.back_prop) return back_[c].element(word_.x[c][index], word_.dy[c][index]).dx;
  return numerics::in_dst_order(sums_[c].sums(), word_.switches.dst_order)[index];
}

// BackProp: element by element all turns; GradAccum: turn by turn the three sums.
void Lockstep::result(const ResultBeat& beat) {
  if (results_ == result_beats()) {
    if (!finding_)
      finding_ = isa::Finding{"rtl_mismatch", "results", 0, results_ + 1, fmt::format("{} beats", result_beats())};
    return;
  }
  const std::size_t turn = word_.back_prop ? results_ % turns_ : results_ / 3;
  const std::size_t index = word_.back_prop ? results_ / turns_ : results_ % 3;
  compare_control(beat, turn);
  for (std::size_t lane = 0; lane < shape_.lanes && channel(turn, lane) < word_.channels(); ++lane) {
    const std::size_t c = channel(turn, lane);
    const float expected = expected_result(c, index);
    if (beat.values[lane] != numerics::bits_of(expected))
      compare(word_.back_prop ? fmt::format("channel {} element {} dx", c, index)
                              : fmt::format("channel {} result {}", c, index),
              beat.values[lane], expected);
    values_[c][index] = numerics::float_from_bits(beat.values[lane]);
  }
  ++results_;
}

void Lockstep::compare_control(const ResultBeat& beat, std::size_t turn) {
  const std::size_t lanes = std::min(shape_.lanes, word_.channels() - turn * shape_.lanes);
  const std::uint32_t keep = (1U << lanes) - 1;
  const bool last = results_ + 1 == result_beats();
  if (beat.keep != keep && !finding_)
    finding_ = isa::Finding{"rtl_mismatch", fmt::format("keep of result beat {}", results_), 0, beat.keep,
                            fmt::format("{:#x}: lanes that carry a channel", keep)};
  if (beat.last != last && !finding_)
    finding_ = isa::Finding{"rtl_mismatch", fmt::format("last of result beat {}", results_), 0, beat.last ? 1U : 0U,
                            last ? "1: it ends the word" : "0: the word goes on"};
}

}  // namespace dve::rtl
