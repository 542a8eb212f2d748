#include "clock.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace dve::timing {
namespace {

// cycles * 1e15 needs up to 114 bits.
__extension__ typedef unsigned __int128 Wide;

constexpr std::uint64_t kFemtosecondsPerSecond = 1'000'000'000'000'000;
constexpr double kFemtosecondsPerNanosecond = 1e6;

Wide ceil_div(Wide a, Wide b) { return (a + b - 1) / b; }

}  // namespace

Clock::Clock(std::uint64_t hz) : hz_(hz) {
  if (hz == 0 || hz > kFemtosecondsPerSecond) throw std::invalid_argument("clock frequency must be 1 Hz to 1e15 Hz");
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  whole_ = kFemtosecondsPerSecond / hz;
  rest_ = kFemtosecondsPerSecond % hz;
  narrow_ = std::min(kMost / 2 / whole_, rest_ == 0 ? kMost : (kMost - hz) / (2 * rest_));
}

std::uint64_t Clock::femtoseconds(isa::Cycles cycles) const {
  // floor(x + 1/2) as floor((2x + 1) / 2), all in integers.
  if (cycles.value <= narrow_) return cycles.value * whole_ + (2 * cycles.value * rest_ + hz_) / (2 * hz_);
  const Wide result = (Wide{2} * cycles.value * kFemtosecondsPerSecond + hz_) / (Wide{2} * hz_);
  if (result > std::numeric_limits<std::uint64_t>::max()) {
    throw std::overflow_error("simulated time exceeds 2^64 fs (about 5 hours)");
  }
  return static_cast<std::uint64_t>(result);
}

isa::Cycles Clock::cycles_at_or_after(std::uint64_t femtoseconds) const {
  if (femtoseconds == 0) return isa::Cycles(0);
  // floor(x + 1/2) >= f exactly when 2x >= 2f - 1.
  const Wide twice = (Wide{2} * femtoseconds - 1) * hz_;
  return isa::Cycles(static_cast<std::uint64_t>(ceil_div(twice, Wide{2} * kFemtosecondsPerSecond)));
}

std::optional<isa::Finding> Clock::beyond_limit(isa::Cycles complete) const {
  if (complete.value / hz_ < kMaxSeconds) return std::nullopt;
  return isa::Finding{"simulated_time_limit", "complete", 0, complete.value,
                      "a word that completes within " + std::to_string(kMaxSeconds) + " s of simulated time"};
}

isa::Cycles Clock::cycles_of_ns(double ns) const {
  if (!(ns >= 0 && ns <= 1e12)) throw std::invalid_argument("a duration must be 0 to 1e12 ns");
  const auto fs = static_cast<std::uint64_t>(std::llround(ns * kFemtosecondsPerNanosecond));
  return isa::Cycles(static_cast<std::uint64_t>(ceil_div(Wide{fs} * hz_, kFemtosecondsPerSecond)));
}

}  // namespace dve::timing
