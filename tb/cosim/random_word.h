// Random words for the lanes, planned so that a run of them covers what matters; each is a function of (seed, number).
#pragma once

#include <cstdint>

#include "coverage.h"
#include "lane_group_bench.h"
#include "lane_word.h"

namespace dve::cosim {

struct RandomWord {
  LaneBuild build = LaneBuild::lanes4;
  LaneWord word;
  StallPlan stalls;
  Point point;  // in the dimensions of lane_coverage()
};

// Dimensions: operation, source dtype, sign of the source's step, tail, special values, operand stalls (crossed), and
// elements, result stalls, orders (in pairs only).
Coverage lane_coverage();

// Every combination of the crossed dimensions comes once in a row of lane_crosses() numbers.
std::size_t lane_crosses();
RandomWord random_word(std::uint64_t seed, std::uint64_t number);

// A word of ordinary values for directed tests.
LaneWord ordinary_word(LaneOperation operation, std::size_t channels, std::size_t elements, std::uint64_t seed);

}  // namespace dve::cosim
