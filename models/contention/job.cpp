#include "job.h"

#include <algorithm>

namespace dve::contention {

std::int64_t first_cycle(const Job& job) { return due_cycle(job, 0); }

std::int64_t due_cycle(const Job& job, std::uint64_t step) {
  __extension__ typedef __int128 Wide;
  const Wide fractions = Wide{job.start.fraction} + Wide{job.pace.fraction} * static_cast<std::int64_t>(step);
  const auto carry = static_cast<std::int64_t>((fractions + job.denominator - 1) / job.denominator);
  const std::uint64_t gaps = job.burst_steps == 0 ? 0 : step / job.burst_steps * job.burst_gap;
  return job.start.cycle + job.pace.cycle * static_cast<std::int64_t>(step) + carry + static_cast<std::int64_t>(gaps);
}

std::int64_t last_beat_alone(const Job& job) {
  std::uint64_t left = 0;  // beats of a stream that only the last step produces
  for (const StreamJob& s : job.streams) {
    if (s.write) left = std::max(left, s.beats - std::min(s.beats - 1, (job.steps - 1) / s.every));
  }
  return due_cycle(job, job.steps - 1) + static_cast<std::int64_t>(left);
}

}  // namespace dve::contention
