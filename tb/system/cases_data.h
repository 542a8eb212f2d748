// The published batch-norm examples of other projects (tb/data/cases), in the form the tests use.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dve::cases {

// How far a result may lie from an expected value e: atol + rtol * |e|.
struct Tolerance {
  double rtol = 0;
  double atol = 0;
  double of(double expected) const;
};

// A named output: one value per channel, or one per element in the order of PublishedCase::x.
using Outputs = std::map<std::string, std::vector<double>>;

// One example. Per-element data is channel-major: channel c's stream is elements [c*n, (c+1)*n), its order the
// remaining axes in C order (the batch axis outermost). Per-channel data has one value a channel.
struct PublishedCase {
  std::string id;
  std::string file;    // name in tb/data/cases
  std::string source;  // repository, path and test of the original
  std::string note;
  std::string dtype;               // of the original: f32, f64
  std::vector<std::size_t> shape;  // of the original tensors
  std::size_t channel_axis = 0;
  std::size_t channels = 0;
  std::size_t elements = 0;  // n, per channel

  std::vector<double> x;
  std::vector<double> dy;  // empty in forward examples
  std::vector<double> gamma;
  std::vector<double> beta;  // zeros where the example has none
  double eps = 0;
  // Statistics the example supplies instead of deriving them from x: both or neither.
  std::optional<std::vector<double>> given_mean;
  std::optional<std::vector<double>> given_var;

  // Published results, as far as a device or host computes them: dx, y per element; dgamma, dbeta, mean, var, invstd
  // per channel. Results after a step of SGD appear as the dgamma and dbeta they imply, with the tolerance widened
  // accordingly. Running averages are left out: they follow from mean and var, on the host.
  Outputs expected;
  // For names in `expected`: the example's own tolerance, or one for that output.
  Tolerance tolerance(const std::string& output) const;

  // Everything in float64 as computed once for the file: more names than `expected` (batch_mean, batch_var, nvar,
  // sum_x, sum_xhat per channel; stats2 six values a channel; dx_stats_constant per element).
  Outputs float64;

  Tolerance default_tolerance;
  std::map<std::string, Tolerance> output_tolerance;
};

// The examples of one file of `folder`, or of all seven files. Throws std::runtime_error that names file, case and key
// when something is missing, has the wrong length or an output nobody knows.
std::vector<PublishedCase> read_case_file(const std::string& folder, const std::string& file);
std::vector<PublishedCase> read_published_cases(const std::string& folder);

}  // namespace dve::cases
