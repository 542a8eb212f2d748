// Cycles to time and back without drift.
#pragma once

#include <cstdint>

#include "dve/isa/isa.h"

namespace dve::timing {

// A clock of a whole number of hertz. Time is always computed from the cycle count, round(cycles * 1e15 / hz)
// femtoseconds, never from a rounded period (at 1.12 GHz a picosecond period drifts).
class Clock {
 public:
  explicit Clock(std::uint64_t hz);  // hz > 0
  std::uint64_t hz() const { return hz_; }
  std::uint64_t femtoseconds(isa::Cycles cycles) const;       // rounded to nearest, halves up
  isa::Cycles cycles_at_or_after(std::uint64_t femtoseconds) const;  // smallest c with femtoseconds(c) >= the argument
  isa::Cycles cycles_of_ns(double ns) const;                  // rounded up; exact multiples stay exact

 private:
  std::uint64_t hz_;
};

}  // namespace dve::timing
