// The ports in `at`: every beat is a transaction, every memory cycle is decided.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "dve/timing/timing.h"
#include "port_arbiter.h"
#include "port_time.h"
#include "stream_unit.h"

namespace dve {

// Stands for: the ports, banks and arbiters of SBUF and PSUM, as stream units that send beats to an arbiter. Time: in
// each memory cycle in which something is on the ports, 1 fs after its beginning: units send the requests of the cycle,
// the arbiter grants, jobs take their steps. A job's initiator wakes in the cycle of its last step. Does not model:
// data (the initiator moves it, in program order).
class ApproximatelyTimedPorts : public sc_core::sc_module, public PortTime {
 public:
  // `users`: who may stream; others are a std::logic_error, and so is a job that starts in a cycle that is over.
  ApproximatelyTimedPorts(sc_core::sc_module_name name, const contention::Parameters& parameters,
                          const std::vector<contention::User>& users);

  contention::Outcome stream(const contention::Job& job, bool synchronise) override;
  std::uint64_t conflicts(isa::Space space, std::uint32_t bank) const override;
  // Beats in flight: none at the end of a run.
  bool outstanding() const { return arbiter_.outstanding(); }
  const PortArbiter& arbiter() const { return arbiter_; }

 private:
  struct Waiter {
    const contention::Flow* flow = nullptr;  // of the job that is waited for
    std::optional<contention::Outcome> outcome;
    sc_core::sc_event ended;
  };
  void cycle();
  void collect_flows();
  void step(std::int64_t cycle);
  sc_core::sc_time until_next_cycle() const;

  contention::Parameters parameters_;
  timing::Clock clock_;
  PortArbiter arbiter_;
  std::vector<std::unique_ptr<StreamUnit>> units_;
  std::array<StreamUnit*, contention::kUsers> unit_of_{};
  std::array<Waiter, contention::kUsers> waiters_;
  std::vector<contention::Flow*> flows_;  // all on the ports, by user and age
  std::int64_t next_cycle_ = 0;
  std::int64_t executed_ = -1;  // the last cycle that has been decided
  std::uint64_t next_id_ = 1;
  sc_core::sc_event wake_;
};

}  // namespace dve
