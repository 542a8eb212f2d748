#include "rhythm.h"

namespace dve::contention {

std::int64_t Rhythm::due_cycle(std::uint64_t steps) const {
  Rhythm later = *this;
  later.skip(steps);
  return later.due_cycle();
}

void Rhythm::skip(std::uint64_t steps) {
  __extension__ typedef __int128 Wide;
  const auto k = static_cast<std::int64_t>(steps);
  const Wide fractions = Wide{due.fraction} + Wide{pace.fraction} * k;
  const Wide carry = fractions / denominator;
  due.cycle += pace.cycle * k + static_cast<std::int64_t>(carry);
  due.fraction = static_cast<std::int64_t>(fractions - carry * denominator);
  if (burst_steps == 0) return;
  if (steps < burst_left) {
    burst_left -= steps;
    return;
  }
  const std::uint64_t more = steps - burst_left;
  due.cycle += static_cast<std::int64_t>((1 + more / burst_steps) * burst_gap);
  burst_left = burst_steps - more % burst_steps;
}

}  // namespace dve::contention
