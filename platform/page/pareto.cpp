#include "pareto.h"

#include <algorithm>
#include <cmath>

namespace dve::page {

std::vector<std::size_t> pareto_front(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (std::isfinite(x[k]) && std::isfinite(y[k])) order.push_back(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return x[a] != x[b] ? x[a] < x[b] : y[a] < y[b]; });
  std::vector<std::size_t> front;
  for (const std::size_t k : order)
    if (front.empty() || y[k] < y[front.back()]) front.push_back(k);
  return front;
}

}  // namespace dve::page
