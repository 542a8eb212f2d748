#include "reference.h"

#include <cmath>
#include <cstddef>

namespace dve::layer {

Gradients gradients64(const Channel& channel) {
  const std::size_t n = channel.x.size();
  const double v = channel.inv_std;
  const auto count = static_cast<double>(n);
  Gradients g;
  double coupling = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double t = channel.dy[i] * ((channel.x[i] - channel.mean) * v);
    g.dbeta += channel.dy[i];
    g.dgamma += t;
    coupling += t * v;
    g.abs_dbeta += std::fabs(channel.dy[i]);
    g.abs_dgamma += std::fabs(t);
  }
  const double a = channel.gamma * v / count;
  g.dx.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    g.dx[i] = (channel.dy[i] * count - ((channel.x[i] - channel.mean) * coupling + g.dbeta)) * a;
  }
  return g;
}

std::vector<double> forward64(const Channel& channel) {
  std::vector<double> y(channel.x.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = (channel.x[i] - channel.mean) * channel.inv_std * channel.gamma + channel.beta;
  return y;
}

// Derivation. Write h = (x - m) v for the normalised input, d(.) for the absolute change of a quantity, and take
// d(x), d(dy) from the data. Statistics that were given do not change. Computed ones do:
//   m = mean(x)          ->  d(m)   <= mean(d(x))
//   var = mean((x-m)^2)  ->  d(var) <= 2 mean(|x-m| d(x)) + d(x)^2 terms       (the change of m has no first-order
//   effect) v = (var+eps)^-1/2   ->  d(v)/v <= d(var) v^2 / 2 =: r
// so that  d(h) <= v (d(x) + d(m)) (1 + r) + |h| r.  From there
//   y = gamma h + beta   ->  |gamma| d(h)
//   dbeta = sum dy       ->  sum d(dy)
//   dgamma = sum dy h    ->  sum (|h| + d(h)) d(dy) + |dy| d(h)
//   dx = gamma v (dy - dbeta/n - h dgamma/n)
//                        ->  |gamma| v (1 + r) (d(dy) + d(dbeta)/n + (|h| + d(h)) d(dgamma)/n + d(h) |dgamma|/n) + |dx|
//                        r
// Products of two changes are kept where they are free: with given statistics the bounds are then exact, not first
// order.
QuantisationBound quantisation_bound(const Channel& original, const Channel& rounded, const Gradients& gradients,
                                     bool computed_statistics) {
  const std::size_t n = original.x.size();
  const auto count = static_cast<double>(n);
  const double v = std::fabs(original.inv_std);
  const auto x_change = [&](std::size_t i) { return std::fabs(rounded.x[i] - original.x[i]); };
  const auto dy_change = [&](std::size_t i) { return std::fabs(rounded.dy[i] - original.dy[i]); };

  QuantisationBound bound;
  if (computed_statistics) {
    for (std::size_t i = 0; i < n; ++i) {
      const double d = x_change(i);
      bound.mean += d / count;
      bound.var += (2 * std::fabs(original.x[i] - original.mean) * d + d * d) / count;
    }
  }
  const double r = bound.var * v * v / 2;
  const auto h = [&](std::size_t i) { return std::fabs(original.x[i] - original.mean) * v; };
  const auto h_change = [&](std::size_t i) { return v * (x_change(i) + bound.mean) * (1 + r) + h(i) * r; };

  for (std::size_t i = 0; i < n; ++i) {
    bound.dbeta += dy_change(i);
    bound.dgamma += (h(i) + h_change(i)) * dy_change(i) + std::fabs(original.dy[i]) * h_change(i);
  }
  bound.dx.resize(n);
  bound.y.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    bound.y[i] = std::fabs(original.gamma) * h_change(i);
    const double inner = dy_change(i) + bound.dbeta / count + (h(i) + h_change(i)) * bound.dgamma / count +
                         h_change(i) * std::fabs(gradients.dgamma) / count;
    bound.dx[i] = std::fabs(original.gamma) * v * (1 + r) * inner + std::fabs(gradients.dx[i]) * r;
  }
  return bound;
}

}  // namespace dve::layer
