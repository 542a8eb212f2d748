#include "traffic_source.h"

#include "dve/tlm/tlm.h"
#include "semaphore_wait.h"

namespace dve {

TrafficSource::TrafficSource(sc_core::sc_module_name name, const dma::TrafficStream& stream, const TrafficSource* after,
                             SyncUnit& sync, PortTime& ports, const contention::Parameters& memory)
    : sc_module(name),
      stream_(stream),
      after_(after),
      sync_(sync),
      ports_(ports),
      memory_(memory),
      clock_(memory.clock_hz) {
  SC_HAS_PROCESS(TrafficSource);
  SC_THREAD(run);
}

void TrafficSource::run() {
  await_turn();
  for (std::uint64_t k = 0; k < stream_.repeat; ++k) {
    if (k > 0) {
      wait(sc_core::SC_ZERO_TIME);  // programs that end in this moment have ended
      if (programs_over && programs_over()) break;
    }
    pass();
  }
  if (stream_.update)
    sync_.apply({isa::UpdateMode::sem_inc_complete, static_cast<std::uint8_t>(isa::number(*stream_.update)), 1},
                stream_.name);
  done_ = true;
  ended_.notify(sc_core::SC_ZERO_TIME);
}

void TrafficSource::await_turn() {
  if (stream_.start_ns > 0) wait(stream_.start_ns, sc_core::SC_NS);
  if (after_ != nullptr && !after_->done()) wait(after_->ended());
  for (const dma::Wait& wanted : stream_.waits) {
    const WaitCondition condition = condition_of(wanted);
    while (!sync_.state().holds(condition)) wait(sync_.changed());
  }
}

void TrafficSource::pass() {
  const isa::Cycles first = clock_.cycles_at_or_after(now_femtoseconds());
  const contention::Job job = dma::job_of(stream_, static_cast<std::int64_t>(first.value), memory_);
  const contention::Outcome outcome = ports_.stream(job, true);
  wait_until(clock_, outcome.last_cycle + 1);
  const std::uint64_t start = clock_.femtoseconds(first);
  const std::uint64_t end = clock_.femtoseconds(isa::Cycles(static_cast<std::uint64_t>(outcome.last_cycle) + 1));
  ++counters_.passes;
  counters_.bytes += stream_.bytes_per_partition * isa::kPartitions;
  counters_.busy_fs += end - start;
  counters_.stalls += outcome.stalls.total();
  if (on_pass) on_pass(stream_, start, end);
}

}  // namespace dve
