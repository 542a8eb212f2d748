#include "textbook.h"

#include <cmath>
#include <limits>

namespace golden {
namespace {

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Two passes, so that a large mean costs no digits.
double variance_of(const std::vector<double>& values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size());
}

}  // namespace

TextbookResult textbook(const TextbookInput& input) {
  TextbookResult r;
  r.mean = input.mean ? *input.mean : mean_of(input.x);
  if (input.inv_std && !input.var) {
    r.var = std::numeric_limits<double>::quiet_NaN();
  } else {
    r.var = input.var ? *input.var : variance_of(input.x, r.mean);
  }
  r.inv_std = input.inv_std ? *input.inv_std : 1.0 / std::sqrt(r.var + input.eps);

  for (const double x : input.x) r.y.push_back(input.gamma * (x - r.mean) * r.inv_std + input.beta);
  for (std::size_t i = 0; i < input.dy.size(); ++i) {
    const double term = input.dy[i] * (input.x[i] - r.mean) * r.inv_std;
    r.dbeta += input.dy[i];
    r.dgamma += term;
    r.coupling += term * r.inv_std;
    r.abs_dbeta += std::fabs(input.dy[i]);
    r.abs_dgamma += std::fabs(term);
    r.abs_coupling += std::fabs(term * r.inv_std);
  }
  const auto n = static_cast<double>(input.x.size());
  for (std::size_t i = 0; i < input.dy.size(); ++i) {
    const double xn = (input.x[i] - r.mean) * r.inv_std;
    r.dx.push_back(input.gamma * r.inv_std / n * (n * input.dy[i] - r.dbeta - xn * r.dgamma));
  }
  return r;
}

}  // namespace golden
