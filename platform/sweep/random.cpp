#include "random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace dve::sweep {

std::uint64_t Random::next() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(next() >> 11) / 9007199254740992.0; }

std::uint64_t Random::below(std::uint64_t count) {
  return std::min(count - 1, static_cast<std::uint64_t>(uniform() * static_cast<double>(count)));
}

json::Json Random::in(const Span& span) {
  const double u = uniform();
  // Integers: the interval reaches half a step beyond both ends, so that these are as frequent as the others.
  const double reach = span.integers ? 0.5 : 0;
  const double low = span.low - reach, high = span.high + reach;
  const double value = span.logarithmic ? low * std::pow(high / low, u) : low + (high - low) * u;
  if (span.integers) return static_cast<std::int64_t>(std::clamp(std::round(value), span.low, span.high));
  // Six digits: the last bits of pow() differ between machines.
  return std::clamp(std::stod(fmt::format("{:.6g}", value)), span.low, span.high);
}

}  // namespace dve::sweep
