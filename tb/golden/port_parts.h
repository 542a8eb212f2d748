// What the golden of the ports is made of: streams as queues of beats, jobs, turns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "dve/contention/contention.h"

namespace golden::port_parts {

namespace c = dve::contention;

// What several users share, besides banks.
enum class Shared { nothing, sbuf_second_read, sbuf_write, whole_sbuf, whole_psum };

struct Lane {  // a stream
  bool write = false;
  Shared shared = Shared::nothing;
  std::size_t every = 1;
  std::deque<std::uint32_t> unborn;   // banks of the beats that no step has produced yet (writes)
  std::deque<std::uint32_t> at_port;  // banks of the beats that have not passed the port, oldest first
  std::size_t buffered = 0;           // beats read and not used up
  std::size_t steps_since = 0;        // since the last beat was used up or produced
  bool lost_to_another = false;       // in this cycle

  bool asks(std::size_t depth) const { return !at_port.empty() && (write || buffered < depth); }
};

struct Work {            // a job that runs
  std::size_t user = 0;  // its place in the scenario
  c::Job job;
  std::vector<Lane> lanes;
  std::int64_t due = 0;  // of the next step, in ticks of 1/denominator cycle
  std::uint64_t steps_done = 0;
  c::Outcome outcome;

  std::uint32_t client() const { return static_cast<std::uint32_t>(c::index_of(job.user)); }
  bool steps_over() const { return steps_done == job.steps; }
  bool reported = false;
  // All is written as well.
  bool over() const {
    return steps_over() &&
           std::all_of(lanes.begin(), lanes.end(), [](const Lane& l) { return !l.write || l.at_port.empty(); });
  }
  std::int64_t due_cycle() const { return (due + job.denominator - 1) / job.denominator; }
};

struct Contestant {
  std::uint32_t number = 0;  // its place in the order of turns
  std::uint32_t priority = 0;
  std::uint32_t weight = 1;
};

// Whose turn it is; nobody has had one at the beginning, which makes the lowest number the first.
struct Turn {
  std::int64_t holder = -1;
  std::uint32_t more = 0;  // grants that the holder may still have in a row

  std::uint32_t next(std::vector<Contestant> all) {
    std::uint32_t top = 0;
    for (const Contestant& one : all) top = std::max(top, one.priority);
    all.erase(std::remove_if(all.begin(), all.end(), [&](const Contestant& one) { return one.priority < top; }),
              all.end());
    for (const Contestant& one : all) {
      if (one.number != holder || more == 0) continue;
      --more;
      return one.number;
    }
    std::sort(all.begin(), all.end(), [](const Contestant& a, const Contestant& b) { return a.number < b.number; });
    const auto later = std::find_if(all.begin(), all.end(), [&](const Contestant& one) { return one.number > holder; });
    const Contestant& winner = later == all.end() ? all.front() : *later;
    holder = winner.number;
    more = winner.weight - 1;
    return winner.number;
  }
};

struct Bank {
  Turn engines, dma, tensor_clients;
  std::uint64_t conflicts = 0;
};

struct Gate {  // of something shared
  std::int64_t keeper = -1;
  Turn turn;
};

}  // namespace golden::port_parts
