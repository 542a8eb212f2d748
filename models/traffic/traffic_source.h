// A neighbour that uses the ports and does nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>

#include "dve/dma/dma.h"
#include "dve/ports/ports.h"
#include "dve/seq/seq.h"

namespace dve {

// What a stream has done.
struct TrafficCounters {
  std::uint64_t passes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t busy_fs = 0;  // first to last beat of its passes
  std::uint64_t stalls = 0;   // memory cycles that other users cost it
};

// Stands for: PE, ACT, POOL or a DMA engine as configured traffic (microarchitecture.md 3.1). Keeps: one stream of a
// traffic file. Time: waits for its start, for the stream named in `after`, then for its semaphores, and streams pass
// after pass; the semaphore counts at the end. Does not model: data.
class TrafficSource : public sc_core::sc_module {
 public:
  // `after`: the source to wait for, or null. `memory`: what the ports are like.
  TrafficSource(sc_core::sc_module_name name, const dma::TrafficStream& stream, const TrafficSource* after,
                SyncUnit& sync, PortTime& ports, const contention::Parameters& memory);

  const dma::TrafficStream& stream() const { return stream_; }
  const TrafficCounters& counters() const { return counters_; }
  bool done() const { return done_; }
  const sc_core::sc_event& ended() const { return ended_; }
  // All programs have ended: no further pass. Asked before each pass but the first; optional.
  std::function<bool()> programs_over;
  // At the end of each pass; optional.
  std::function<void(const dma::TrafficStream&, std::uint64_t start_fs, std::uint64_t end_fs)> on_pass;

 private:
  void run();
  void await_turn();
  void pass();

  dma::TrafficStream stream_;
  const TrafficSource* after_;
  SyncUnit& sync_;
  PortTime& ports_;
  contention::Parameters memory_;
  timing::Clock clock_;
  TrafficCounters counters_;
  bool done_ = false;
  sc_core::sc_event ended_;
};

}  // namespace dve
