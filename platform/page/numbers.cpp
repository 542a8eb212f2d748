#include "numbers.h"

#include <fmt/format.h>

#include <cmath>

namespace dve::page {
namespace {

// Three significant digits without an exponent.
std::string three_digits(double value) {
  if (value == 0) return "0";
  const int digits = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  return fmt::format("{:.{}f}", value, digits >= 3 ? 0 : 3 - digits);
}

}  // namespace

std::string time_text(double ns) {
  if (ns < 1e3) return three_digits(ns) + " ns";
  if (ns < 1e6) return three_digits(ns / 1e3) + " µs";
  if (ns < 1e9) return three_digits(ns / 1e6) + " ms";
  return three_digits(ns / 1e9) + " s";
}

std::string percent_text(double share) {
  const double percent = 100 * share;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return fmt::format("{:.{}f} %", percent, percent < 9.95 && percent > 0 ? 1 : 0);
}

std::string times_text(double ratio) { return fmt::format("{} times", three_digits(ratio)); }

std::string count_text(std::uint64_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace dve::page
