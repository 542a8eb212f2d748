// Batch-norm arithmetic of one channel (one lane), the scalar reference (isa.md 9).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exact_sum.h"
#include "reciprocal.h"
#include "switches.h"

namespace dve::numerics {

// The three sums of GradAccum (isa.md 9.3).
struct GradSums {
  float d_beta = 0;    // sum of dy
  float d_gamma = 0;   // sum of t, t = dy * ((x - m) * v)
  float coupling = 0;  // sum of t * v
};

// What one element adds to the sums.
struct GradTerms {
  float product = 0;        // documented: xn = (x - m) * v; interpreter: (x - m) * dy
  float t = 0;              // added to d_gamma
  float coupling_term = 0;  // t * v, added to the coupling
};

GradTerms gradient_terms(float x, float dy, float m, float v, ProductOrder order);

// GradAccum element by element: the sums as they stand after each.
class GradAccumulation {
 public:
  GradAccumulation(float m, float v, const Switches& switches) : m_(m), v_(v), switches_(switches) {}
  GradTerms add(float x, float dy);
  GradSums sums() const;

 private:
  float m_, v_;
  Switches switches_;
  GradSums sequential_;
  std::array<ExactSum, 3> wide_;  // used when switches_.accumulator says so
};

// Sums over `n` elements of x and dy with mean m and inverse standard deviation v. n = 0 gives +0 in all three.
GradSums grad_accumulate(const float* x, const float* dy, std::size_t n, float m, float v, const Switches& switches);

// The sums in destination order.
inline std::array<float, 3> in_dst_order(const GradSums& sums, DstOrder order) {
  if (order == DstOrder::interpreter) return {sums.d_beta, sums.coupling, sums.d_gamma};
  return {sums.d_beta, sums.d_gamma, sums.coupling};
}

// Parameters that ParamLoad stages into a lane's flops, plus v of the lane's last GradAccum (textbook form only).
struct LaneParameters {
  float element_count = 0;  // N
  float mean = 0;           // m
  float a = 0;              // staged: gamma*inv_std/N; textbook: gamma*inv_std
  float b = 0;              // d_beta
  float c = 0;              // staged: coupling; textbook: d_gamma
  float inv_std = 0;        // v of the last GradAccum
};

// What becomes of one element of BackProp. staged: dx = (scaled - (centred * C + B)) * A; textbook:
// dx = P * ((scaled - B) - xn * C).
struct BackPropTerms {
  float centred = 0;     // staged: x - m; textbook: xn
  float scaled = 0;      // dy * N
  float correction = 0;  // staged: (x - m) * C + B; textbook: xn * C
  float dx = 0;          // before rounding to the destination's dtype; a NaN is canonical
};

// BackProp element by element, with a lane's parameters.
class BackPropagation {
 public:
  BackPropagation(const LaneParameters& parameters, const ParamTable& table, const Switches& switches);
  BackPropTerms element(float src0, float dy) const;

 private:
  LaneParameters parameters_;
  BackpropForm form_;
  Src0Is src0_is_;
  float prefactor_;  // P of the textbook form
};

// dx of `n` elements (isa.md 9.4; switches: backprop_form, src0_is, divide, param_ram_index). The table is read in the
// textbook form only: r = entry for N when N is a whole number that the table covers, else the divider. `dx` may be the
// same array as a source: element i is read before element i is written.
void back_propagate(const float* src0, const float* dy, std::size_t n, const LaneParameters& parameters,
                    const ParamTable& table, const Switches& switches, float* dx);

// Whether back_propagate with this element count reads the Parameter-RAM.
bool back_propagate_reads_table(float element_count, const Switches& switches);

// One set of statistics: n*var is the sum of squared deviations from the mean. `welford` runs
//   mean' = (1 - r)*mean + r*x;  nvar' = nvar + (x - mean')*(x - mean)   with r the reciprocal of the running count;
// `sumsq` takes mean = sum*r and nvar = sum_of_squares - (n*mean)*mean with n the elements really read and r = 1/n.
// Reciprocals come from the table where it covers the count, from the divider beyond.
struct Moments {
  float count = 0;
  float mean = 0;
  float nvar = 0;
};

// Stats (0x60): one set over all n elements; `count` is copied from the word, not counted.
Moments stats(const float* x, std::size_t n, float count, const ParamTable& table, const Switches& switches);

// Stats2 (0x61): elements 0, 2, 4.. and 1, 3, 5.. apart; counts copied from the word. n = 1: the odd half is 0, 0.
struct Stats2Result {
  Moments even;
  Moments odd;
};
Stats2Result stats2(const float* x, std::size_t n, float even_count, float odd_count, const ParamTable& table,
                    const Switches& switches);

// Aggregate (0x62): sequential merge of `triples` (count, mean, n*var) triples, flat, to mean and population variance.
struct MeanVariance {
  float mean = 0;
  float variance = 0;
};
// 1/N comes from the divider, whatever N: the table is too short for whole-batch counts (isa.md 9.2). The last term of
// the variance associates to the left: ((((n_t * n) * d) * d) * r) * r. A total count of 0 gives NaN; no triples give
// 0, 0.
MeanVariance aggregate(const float* triples, std::size_t triple_count, const Switches& switches);

// The counts k, ascending, whose reciprocals stats (0x60) or stats2 (0x61, 0x82: two_halves) of n elements takes from
// the table: with welford 1 up to the longer half's length, with sumsq the halves' lengths; only those that the table
// covers. For the check that the Parameter-RAM was loaded.
std::vector<std::uint64_t> stats_table_counts(std::size_t n, bool two_halves, const Switches& switches);

}  // namespace dve::numerics
