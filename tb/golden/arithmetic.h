// The batch-norm formulas of one channel (isa.md 9) in binary32, in element order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "options.h"

namespace golden {

// Contents of the Parameter-RAM (isa.md 11); all zero after reset.
using ParamRam = std::array<float, 256>;

// The table that a program loads: correctly rounded 1/(i+1) in entry i, or 1/i (entry 0: 1) with param_ram_index_i.
ParamRam full_param_ram(const Options& options);

// 1/d by the divider: correctly rounded, or with `newton` two Newton steps from a binary16 seed of the significand.
float divider(float d, const Options& options);

// 1/k as the statistics see it: the table's entry for k as it stands, the divider beyond the table.
float reciprocal(std::uint64_t k, const ParamRam& ram, const Options& options);

struct Sums {
  float d_beta = 0;
  float d_gamma = 0;
  float coupling = 0;
};
// GradAccum (isa.md 9.3) over two streams of equal length with mean m and inverse standard deviation v.
Sums grad_sums(const std::vector<float>& x, const std::vector<float>& dy, float m, float v, const Options& options);
std::vector<float> in_destination_order(const Sums& sums, const Options& options);

// What ParamLoad and GradAccum leave in a lane.
struct Lane {
  float n = 0;
  float mean = 0;
  float a = 0;
  float b = 0;
  float c = 0;
  float inv_std = 0;  // v of the last GradAccum
};
// BackProp (isa.md 9.4, seed page for `textbook`).
std::vector<float> back_propagate(const std::vector<float>& src0, const std::vector<float>& dy, const Lane& lane,
                                  const ParamRam& ram, const Options& options);

struct Moments {
  float mean = 0;
  float nvar = 0;
};
// Mean and sum of squared deviations of one stream (isa.md 9.1).
Moments moments(const std::vector<float>& x, const ParamRam& ram, const Options& options);

// The six values of Stats2; counts as given in the word.
std::vector<float> stats2_values(const std::vector<float>& x, float even_count, float odd_count, const ParamRam& ram,
                                 const Options& options);

struct MeanVariance {
  float mean = 0;
  float variance = 0;
};
// Aggregate (isa.md 9.2) over flat (count, mean, n*var) triples, the formula as it stands: while no triple has counted,
// 0 times the reciprocal of 0 makes the result NaN, and it stays so.
MeanVariance aggregate_triples(const std::vector<float>& triples, const Options& options);

}  // namespace golden
