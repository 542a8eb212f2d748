// Batch normalisation as textbooks write it, in binary64: the reference for comparisons with a tolerance.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace golden {

// One channel. Without dy the gradients stay empty; without given statistics they are taken from x.
struct TextbookInput {
  std::vector<double> x;
  std::vector<double> dy;
  double gamma = 1;
  double beta = 0;
  double eps = 1e-5;
  std::optional<double> mean;
  std::optional<double> var;      // population variance, without eps
  std::optional<double> inv_std;  // instead of var: already 1 / sqrt(var + eps)
};

struct TextbookResult {
  double mean = 0;
  double var = 0;  // NaN if only inv_std was given
  double inv_std = 0;
  double dgamma = 0;       // sum of dy * xn, xn = (x - mean) * inv_std
  double dbeta = 0;        // sum of dy
  double coupling = 0;     // sum of dy * xn * inv_std
  std::vector<double> dx;  // gamma * inv_std / N * (N * dy - dbeta - xn * dgamma)
  std::vector<double> y;   // gamma * xn + beta
  // Sums of the absolute terms, the scale of rounding errors (interfaces.md 2).
  double abs_dgamma = 0;
  double abs_dbeta = 0;
  double abs_coupling = 0;
};

TextbookResult textbook(const TextbookInput& input);

}  // namespace golden
