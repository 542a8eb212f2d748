// The ports in `lt`: contention computed in plain C++, ahead of simulation time as far as nobody can interfere.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <systemc>

#include "dve/timing/timing.h"
#include "port_time.h"

namespace dve {

// Stands for: the ports, banks and arbiters of SBUF and PSUM (microarchitecture.md 3.1, 4), without moving a beat.
// Keeps: the jobs that are on the ports (contention::Engine). Time: a job that nobody can meet before its end returns
// at once, in closed form, and its initiator may run ahead of simulation time. Otherwise the initiator waits until its
// job starts, the engine runs to the next moment at which somebody else could act, and the job's end wakes its
// initiator 1 fs after the cycle of its last step. Does not model: data (the initiator moves it, in program order).
class LooselyTimedPorts : public sc_core::sc_module, public PortTime {
 public:
  LooselyTimedPorts(sc_core::sc_module_name name, const contention::Parameters& parameters);
  ~LooselyTimedPorts() override;

  contention::Outcome stream(const contention::Job& job, bool synchronise) override;
  std::uint64_t conflicts(isa::Space space, std::uint32_t bank) const override;

 private:
  struct Waiter {
    contention::JobId job = 0;
    std::optional<contention::Outcome> outcome;
    sc_core::sc_event ended;
  };
  std::optional<contention::Outcome> alone(const contention::Job& job, std::int64_t last_beat);
  void restore_tail(std::int64_t first);
  std::int64_t undisturbed_until() const;
  std::int64_t cycle_of(std::uint64_t femtoseconds) const;
  void catch_up(std::int64_t cycle);
  void report(const contention::Engine::Ended& ended);
  void pump();
  void advance();

  timing::Clock clock_;
  mutable contention::Engine engine_;  // what has ended is executed to its last beat when conflicts are read
  // The job that was computed last in closed form, if it writes after its last step: until when.
  static constexpr std::int64_t kNoTail = -1;
  contention::Job tail_;
  std::int64_t tail_end_ = kNoTail;
  std::array<Waiter, contention::kUsers> waiters_;
  std::size_t waiting_ = 0;  // initiators whose jobs are on the ports
  sc_core::sc_event wake_;
};

}  // namespace dve
