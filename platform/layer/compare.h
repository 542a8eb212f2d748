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
  std::string name;              // dx_device64, dgamma_device64, ... or the reference file's name
  double max_abs = 0;            // largest |result - reference|
  double max_rel = 0;            // max_abs / largest finite |reference|; 0 when max_abs is 0
  std::uint64_t mismatches = 0;  // elements outside their tolerance
  double tolerance = 0;          // largest absolute tolerance that an element had; each element has its own
  std::uint64_t non_finite = 0;  // results that are infinite or NaN, matching or not
  // The first element outside its tolerance; meaningful when mismatches != 0. Per-channel tensors have element 0.
  struct Mismatch {
    std::uint64_t channel = 0;
    std::uint64_t element = 0;
    double found = 0;
    double expected = 0;
    double tolerance = 0;
  } first_mismatch;
};

// "channel 5, element 3: found 1, expected 2, tolerance 3".
std::string to_string(const TensorComparison::Mismatch& mismatch);

struct CompareRequest {
  bool device_statistics = false;    // the run computed mean and var itself
  std::uint64_t longest_stream = 1;  // n of the tolerance: elements of the longest stream that one GradAccum reduced
  bool normalised_source = false;    // BackProp took (x - mean) * inv_std, rounded to the device dtype, as its source
  std::uint64_t triples = 0;         // (count, mean, n*var) triples that a channel's Aggregate merged; 0 without one
};

// Tolerances, with u = 2^-24, r = max(2e-6, (8 + sqrt n) u), m and v the fp32 mean and inv_std that the run used:
//
// *_device64: float64 of the same formulas on the device's inputs with m and v.
//   dbeta, dgamma   r * sum of absolute terms of the channel
//   dx              r * max|dx| over the tensor + rounding to the output dtype. Where dx cancels (its largest value is
//                   below a tenth of the largest |gamma inv_std dy|: two elements, dy linear in x), at least what the
//                   tolerances of the sums and a few binary32 roundings of the terms leave
//   mean, var       when the device computed them: float64 of the device's x, as the reference files mean and var
//   y               when the step computed it: 8 u (|scale| (|x| + |m|) + |beta|) with scale = gamma v, the roundings
//   of
//                   scale, of shift = beta - m scale, and of scale x + shift, + rounding to the output dtype
// Reference files, about the original layer:
//
// dx, dgamma, dbeta: as above with r + e in place of r, e = 2 u |m| v (given statistics: m itself is rounded) or
// 4 sqrt(triples) u |m| v (computed), plus the input quantisation (reference.h), plus half an ulp of the file's own
// format if that is narrow.
//
// y: as above, plus |gamma| (1 + |h|) (r + e), h = (x - m) v: what the errors of mean and inv_std leave.
//
// mean: r * mean|x| + q, q = 4 sqrt(triples) u |m|: the error of a sum, and of merging the triples.
//
// var: r * var + (s + q)^2 - s^2, s = sqrt(var): deviations from a mean that is off by q.
//
// Rounding to a narrow dtype is half an ulp: bf16 2^-8 |dx|, fp16 2^-11 |dx| + 2^-25; with a loss scale the device
// rounded dx * S before, which counts once more.
//
// Order: the device64 names, then the reference files in alphabetical order; y only when the results have it.
// Preconditions: the results' shapes are the layer's; var is filled when device_statistics; the layer has a beta when
// the results have y.
std::vector<TensorComparison> compare(const Layer& layer, const Results& results, const CompareRequest& request);

// No mismatch anywhere.
bool all_match(const std::vector<TensorComparison>& comparisons);

}  // namespace dve::layer
