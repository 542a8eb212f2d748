// How fast DMA engines move data.
#pragma once

#include <cstdint>

#include "dve/contention/contention.h"

namespace dve::dma {

// Of one core (microarchitecture.md 5); the defaults are cayman's.
struct Rates {
  double start_ns = 1300;           // from the moment all waits hold until data stream: trigger, descriptor, semaphore
  double engine_bytes_per_ns = 23;  // what one engine achieves
  double hbm_bytes_per_ns = 362.5;  // share of a core in the chip's HBM bandwidth
};

// What one engine moves at most: its own rate, or its sixteenth of the core's HBM bandwidth.
double engine_rate(const Rates& rates);

// A positive rational number.
struct Fraction {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;
};

// The fraction with the smallest denominator within value * (1 +- tolerance). Requires a finite value > 0 and
// 0 < tolerance < 1. Used for paces: small denominators repeat after few cycles, which lets the contention engine skip
// whole periods; the published rates are known to less than the tolerance used here.
Fraction simplest_fraction(double value, double tolerance);
inline constexpr double kPaceTolerance = 0.002;

// Memory cycles a step.
void set_pace(contention::Job& job, const Fraction& cycles);

}  // namespace dve::dma
