// The layer's gradients in float64: the measure that results are compared with.
#pragma once

#include <vector>

namespace dve::layer {

// One channel's stream and parameters. x and dy have the same length n >= 1.
struct Channel {
  std::vector<double> x, dy;
  double gamma = 1;
  double beta = 0;
  double mean = 0;
  double inv_std = 1;
};

struct Gradients {
  std::vector<double> dx;
  double dbeta = 0;       // sum dy
  double dgamma = 0;      // sum t,  t = dy * (x - mean) * inv_std
  double abs_dbeta = 0;   // sum |dy|
  double abs_dgamma = 0;  // sum |t|
};

// dx = (dy*n - ((x - mean)*C + dbeta)) * A with C = sum t*inv_std and A = gamma*inv_std/n (isa.md 9.4), all in float64.
// The shape of the formula is kept so that infinities and NaN come out in the same elements as on the device.
Gradients gradients64(const Channel& channel);

// y = (x - mean) * inv_std * gamma + beta in float64, element by element (isa-neighbours.md 10).
std::vector<double> forward64(const Channel& channel);

// How far gradients and statistics can be apart for two versions of the same channel, `original` and its `rounded`
// inputs (conversion to a narrower dtype, loss scale). All are first-order bounds, from the differences that really
// occurred.
struct QuantisationBound {
  std::vector<double> dx;
  std::vector<double> y;
  double dbeta = 0;
  double dgamma = 0;
  double mean = 0;
  double var = 0;
};

// `computed_statistics`: mean and inv_std were computed from the rounded x, so they differ as well.
QuantisationBound quantisation_bound(const Channel& original, const Channel& rounded, const Gradients& gradients,
                                     bool computed_statistics);

}  // namespace dve::layer
