// When a job's next step is due.
#pragma once

#include <cstdint>
#include <limits>

#include "job.h"

namespace dve::contention {

// A cycle that never comes.
inline constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

// Steps follow each other by the job's pace, with a pause after each burst; lateness moves all that are to come.
struct Rhythm {
  Moment due, pace;
  std::int64_t denominator = 1;
  std::uint64_t burst_steps = 0, burst_gap = 0;
  std::uint64_t burst_left = 0;  // steps until the next pause; 0: no bursts

  Rhythm() = default;
  explicit Rhythm(const Job& job)
      : due(job.start),
        pace(job.pace),
        denominator(job.denominator),
        burst_steps(job.burst_steps),
        burst_gap(job.burst_gap),
        burst_left(job.burst_steps) {}

  // Whole cycle of the next step.
  std::int64_t due_cycle() const { return due.cycle + (due.fraction != 0 ? 1 : 0); }
  // Whole cycle of the step that comes `steps` steps after the next one, if none is late.
  std::int64_t due_cycle(std::uint64_t steps) const;
  // The step is taken: on to the one after it.
  void next() {
    due.cycle += pace.cycle;
    due.fraction += pace.fraction;
    if (due.fraction >= denominator) {
      due.fraction -= denominator;
      ++due.cycle;
    }
    if (burst_left == 0 || --burst_left != 0) return;
    burst_left = burst_steps;
    due.cycle += static_cast<std::int64_t>(burst_gap);
  }
  // So many steps are taken, none of them late.
  void skip(std::uint64_t steps);
  // A step was taken in this cycle; one that is due in it as well, or before, moves to the next cycle: by how many.
  std::uint64_t one_a_cycle(std::int64_t cycle) {
    const std::int64_t late = cycle + 1 - due_cycle();
    if (late <= 0) return 0;
    due.cycle += late;
    return static_cast<std::uint64_t>(late);
  }
};

}  // namespace dve::contention
