// Comparison of a run's results with float64 and with the layer's reference files (interfaces.md 2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layer_folder.h"

namespace dve::layer {

// How one tensor compares. NaN equals NaN and equal infinities match; a NaN or an infinity against anything else is a
// mismatch with an infinite difference.
struct TensorComparison {
  std::string name;              // dx_device64, dgamma_device64, dbeta_device64, or the reference file's name
  double max_abs = 0;            // largest |result - reference|
  double max_rel = 0;            // max_abs / largest finite |reference|; 0 when max_abs is 0
  std::uint64_t mismatches = 0;  // elements outside their tolerance
  double tolerance = 0;          // largest absolute tolerance that an element had
};

struct CompareRequest {
  bool device_statistics = false;    // the run computed mean and var itself
  std::uint64_t longest_stream = 1;  // n of the tolerance: elements of the longest stream that one GradAccum reduced
  std::uint64_t triples = 0;         // (count, mean, n*var) triples that a channel's Aggregate merged; 0 without one
};

// Tolerances, with u = 2^-24, r = max(2e-6, (8 + sqrt n) u), m and v the fp32 mean and inv_std that the run used:
//
// *_device64: float64 of the same formulas on the device's inputs with m and v.
//   dbeta, dgamma   r * sum of absolute terms of the channel
//   dx              r * max|dx| over the tensor + rounding to the output dtype
// Reference files, about the original layer:
//   as above with r + e, e = 2 u |m| v (given statistics: m itself is rounded) or 4 sqrt(triples) u |m| v (computed),
//   plus the input quantisation (reference.h), plus half an ulp of the file's own format if that is narrow mean r *
//   mean|x| + q, q = 4 sqrt(triples) u |m|: the error of a sum, and of merging the triples var             r * var + (s
//   + q)^2 - s^2, s = sqrt(var): deviations from a mean that is off by q
// Rounding to a narrow dtype is half an ulp: bf16 2^-8 |dx|, fp16 2^-11 |dx| + 2^-25; with a loss scale the device
// rounded dx * S before, which counts once more.
//
// Order: the device64 names, then the reference files in alphabetical order. `y` is not compared here.
// Preconditions: the results' shapes are the layer's; var is filled when device_statistics.
std::vector<TensorComparison> compare(const Layer& layer, const Results& results, const CompareRequest& request);

// No mismatch anywhere.
bool all_match(const std::vector<TensorComparison>& comparisons);

}  // namespace dve::layer
