// Cycles to time and back without drift.
#pragma once

#include <cstdint>
#include <optional>

#include "dve/isa/isa.h"

namespace dve::timing {

// Simulation time counts femtoseconds in 64 bits: 18446 s. Half of that leaves room for everything relative to it: no
// word may complete later.
inline constexpr std::uint64_t kMaxSeconds = 9000;

// A clock of a whole number of hertz. Time is always computed from the cycle count, round(cycles * 1e15 / hz)
// femtoseconds, never from a rounded period (at 1.12 GHz a picosecond period drifts).
class Clock {
 public:
  // 1 <= hz <= 1e15: one cycle must last at least the simulation's time resolution of 1 fs, so that different cycles
  // are different times. Otherwise std::invalid_argument.
  explicit Clock(std::uint64_t hz);
  std::uint64_t hz() const { return hz_; }

  // Rounded to nearest, halves up. Throws std::overflow_error past 2^64 - 1 fs (about five hours of simulated time),
  // the end of what simulation time can hold.
  std::uint64_t femtoseconds(isa::Cycles cycles) const;

  // Smallest c with femtoseconds(c) >= the argument; cycles_at_or_after(femtoseconds(c)) == c.
  isa::Cycles cycles_at_or_after(std::uint64_t femtoseconds) const;

  // The finding simulated_time_limit of a word that would complete past kMaxSeconds.
  std::optional<isa::Finding> beyond_limit(isa::Cycles complete) const;

  // Cycles that cover `ns`, rounded up; exact multiples stay exact. `ns` is taken to the nearest femtosecond first, so
  // that a decimal value such as 0.1 means what it says. Throws std::invalid_argument unless 0 <= ns <= 1e12.
  isa::Cycles cycles_of_ns(double ns) const;

 private:
  std::uint64_t hz_;
  // 1e15 fs = whole_ * hz_ + rest_; up to narrow_ cycles, femtoseconds() is exact in 64 bits.
  std::uint64_t whole_, rest_, narrow_;
};

}  // namespace dve::timing
