// A stream of beats that no word and no transfer asks for: the neighbours of the modelled engines as pure port users.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dve/contention/contention.h"
#include "dve/isa/isa.h"
#include "transfer.h"

namespace dve::dma {

// What the tensor engine, ACT, POOL or a DMA engine does on the ports of SBUF or PSUM, as described in a traffic file.
struct TrafficStream {
  std::string name;
  contention::User user = contention::User::pe0;
  bool write = false;
  isa::Place start;                           // partition 0: all 128 partitions move together
  std::uint64_t bytes_per_partition = 0;      // of one pass
  double bytes_per_ns = 0;                    // over all partitions; 0: a beat each memory cycle
  std::uint64_t burst_beats = 0;              // beats between pauses; 0: no bursts
  std::uint64_t burst_gap_cycles = 0;         // memory cycles that a pause adds
  double start_ns = 0;                        // not earlier than this
  std::uint64_t repeat = 1;                   // passes; after the first, none that all programs have ended before
  std::string after;                          // starts when this stream has ended; empty: none
  std::vector<Wait> waits;                    // semaphores that must hold before the first pass
  std::optional<isa::SemaphoreIndex> update;  // incremented at the end
};

// Why the stream is impossible on this generation: the field, its value and what is possible. Empty: it is possible.
std::optional<std::string> problem_of(const TrafficStream& stream, isa::Generation generation);

// One pass, starting at this memory cycle. The pace is the simplest fraction of a cycle within kPaceTolerance.
contention::Job job_of(const TrafficStream& stream, std::int64_t start, const contention::Parameters& memory);

}  // namespace dve::dma
