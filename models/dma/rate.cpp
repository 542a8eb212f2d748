#include "rate.h"

#include <algorithm>
#include <cmath>

namespace dve::dma {
namespace {

// Between two positive bounds, low < high: the integer part, then the simplest of the reciprocals of what remains
// (continued fractions).
Fraction simplest_between(double low, double high) {
  const double whole = std::ceil(low);
  if (whole <= high && whole >= 1) return {static_cast<std::uint64_t>(whole), 1};
  const double below = std::floor(low);
  const Fraction rest = simplest_between(1 / (high - below), 1 / (low - below));
  return {static_cast<std::uint64_t>(below) * rest.numerator + rest.denominator, rest.numerator};
}

}  // namespace

double engine_rate(const Rates& rates) {
  return std::min(rates.engine_bytes_per_ns, rates.hbm_bytes_per_ns / contention::kDmaEngines);
}

Fraction simplest_fraction(double value, double tolerance) {
  return simplest_between(value * (1 - tolerance), value * (1 + tolerance));
}

void set_pace(contention::Job& job, const Fraction& cycles) {
  job.denominator = static_cast<std::int64_t>(cycles.denominator);
  job.pace = {static_cast<std::int64_t>(cycles.numerator / cycles.denominator),
              static_cast<std::int64_t>(cycles.numerator % cycles.denominator)};
}

}  // namespace dve::dma
