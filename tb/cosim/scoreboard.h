// Compares what left the lane group with the golden, in order, and names the first difference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lane_group_bench.h"
#include "lane_word.h"

namespace dve::cosim {

enum class DifferenceKind : std::uint8_t {
  running_sum,  // a sum after an element
  sum,          // a sum in the result
  dx,
  keep,          // a lane counts as a channel and is none, or the other way round
  last,          // the word ends too early or too late
  missing_beat,  // results end before the word does
  extra_beat,    // results go on after the word's last one
  turn           // the sums of another turn came
};

struct Difference {
  DifferenceKind kind = DifferenceKind::dx;
  std::string text;  // everything a reader needs, in one line
  std::size_t channel = 0;
  std::size_t element = 0;     // of running_sum and dx
  std::uint32_t expected = 0;  // bits
  std::uint32_t got = 0;
};

// The first difference of a finished run, running sums before results. `number` is the word's, for the text.
std::optional<Difference> compare(const LaneWord& word, const LaneResults& golden, const WordRun& run,
                                  const LaneShape& shape, std::uint64_t number);

}  // namespace dve::cosim
