#include "job.h"

#include <algorithm>

#include "rhythm.h"

namespace dve::contention {

std::int64_t first_cycle(const Job& job) { return due_cycle(job, 0); }

std::int64_t due_cycle(const Job& job, std::uint64_t step) { return Rhythm(job).due_cycle(step); }

std::int64_t last_beat_alone(const Job& job) {
  std::uint64_t left = 0;  // beats of a stream that only the last step produces
  for (const StreamJob& s : job.streams) {
    if (s.write) left = std::max(left, s.beats - std::min(s.beats - 1, (job.steps - 1) / s.every));
  }
  return due_cycle(job, job.steps - 1) + static_cast<std::int64_t>(left);
}

}  // namespace dve::contention
