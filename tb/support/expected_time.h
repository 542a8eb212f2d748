// Cycles and time by the definition of microarchitecture.md 8 and docs/architecture.md, in 128-bit integers: what tests
// expect of the models' clocks.
#pragma once

#include <cstdint>

namespace dve::testing_support {

__extension__ typedef unsigned __int128 WideTime;
inline constexpr std::uint64_t kFemtosecondsPerSecond = 1'000'000'000'000'000;

// round(cycles * 1e15 / hz)
constexpr std::uint64_t femtoseconds(std::uint64_t cycles, std::uint64_t hz) {
  return static_cast<std::uint64_t>((WideTime{cycles} * kFemtosecondsPerSecond + hz / 2) / hz);
}

// First cycle whose femtoseconds are not before the moment.
constexpr std::uint64_t cycle_at(std::uint64_t moment, std::uint64_t hz) {
  auto cycle = static_cast<std::uint64_t>(WideTime{moment} * hz / kFemtosecondsPerSecond);
  while (cycle > 0 && femtoseconds(cycle - 1, hz) >= moment) --cycle;
  while (femtoseconds(cycle, hz) < moment) ++cycle;
  return cycle;
}

// Nanoseconds as cycles, rounded up.
constexpr std::uint64_t cycles_of_ns(std::uint64_t ns, std::uint64_t hz) {
  return static_cast<std::uint64_t>((WideTime{ns} * hz + 999'999'999) / 1'000'000'000);
}

}  // namespace dve::testing_support
