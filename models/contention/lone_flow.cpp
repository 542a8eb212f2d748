#include "lone_flow.h"

#include <algorithm>

namespace dve::contention {

LoneFlow::LoneFlow(Flow& flow, std::int64_t now) : flow_(flow), now_(now) {}

// How many steps come before the cycle.
std::uint64_t LoneFlow::steps_before(std::int64_t cycle) const {
  const std::int64_t next = flow_.due_cycle();
  if (next >= cycle) return 0;
  // Between these, since no step takes less than pace.cycle.
  std::uint64_t from = 0, to = static_cast<std::uint64_t>((cycle - next) / flow_.job_.pace.cycle) + 1;
  while (from < to) {
    const std::uint64_t middle = from + (to - from) / 2;
    if (flow_.rhythm_.due_cycle(middle) < cycle) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

// Beats used up or produced after that many steps, the last step not among them.
std::uint64_t LoneFlow::moved(const Stream& s, std::uint64_t steps) const {
  const std::uint64_t most = s.write ? s.beats - 1 : s.beats;
  return std::max(s.moved, std::min(most, s.moved + (s.phase + steps) / s.every));
}

// Beats granted before the cycle, `steps` steps having come before the cycle in front of it.
std::uint64_t LoneFlow::granted(const Stream& s, std::int64_t then, std::uint64_t steps) const {
  const std::uint64_t possible = s.granted + static_cast<std::uint64_t>(then - now_);
  const std::uint64_t wanted = s.write ? moved(s, steps) : std::min(s.beats, moved(s, steps) + flow_.buffer_);
  return std::min(possible, wanted);
}

// The cycle in which the current run's last beat is granted.
std::int64_t LoneFlow::run_ends(const Stream& s) const {
  const std::uint64_t target = s.granted + s.run_left;
  const std::uint64_t needed = s.write ? target : target - std::min<std::uint64_t>(target, flow_.buffer_);
  const std::int64_t earliest = now_ + static_cast<std::int64_t>(s.run_left) - 1;
  if (needed <= s.moved) return earliest;
  return std::max(earliest, flow_.rhythm_.due_cycle((needed - s.moved) * s.every - s.phase - 1) + 1);
}

std::int64_t LoneFlow::until() const {
  std::int64_t cycle = flow_.rhythm_.due_cycle(flow_.job_.steps - flow_.step_ - 1);
  for (const Stream& s : flow_.streams_) {
    if (s.granted != s.beats) cycle = std::min(cycle, run_ends(s));
  }
  return std::max(cycle, now_);
}

void LoneFlow::advance(std::int64_t then, Arbiter& arbiter) const {
  if (then <= now_) return;
  const std::uint64_t steps = steps_before(then);
  const std::uint64_t before = steps != 0 && flow_.rhythm_.due_cycle(steps - 1) == then - 1 ? steps - 1 : steps;
  for (Stream& s : flow_.streams_) {
    const std::uint64_t grants = granted(s, then, before) - s.granted;
    s.moved = moved(s, steps);
    s.phase = (s.phase + steps) % s.every;
    if (grants == 0) continue;
    s.granted += grants;
    s.run_left -= grants;
    if (s.write) flow_.pending_writes_ -= grants;
    arbiter.won_alone(flow_, s);
  }
  flow_.rhythm_.skip(steps);
  flow_.step_ += steps;
  flow_.missing_ = 0;
  flow_.find_wanted();
}

}  // namespace dve::contention
