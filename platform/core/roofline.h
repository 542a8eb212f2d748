// The shortest time that a run's work could take, resource by resource.
#pragma once

#include <string>
#include <vector>

#include "statistics.h"

namespace dve {

// A resource that was needed for at least this long, whatever else happened.
struct ResourceBound {
  std::string resource;  // "dve stream", "dve.read0", "dma ring 0"
  double ns = 0;
};

// Longest first: an engine's datapath (the streaming cycles S of its words), each of its ports (one beat a memory
// cycle), each DMA ring (its bytes at the rate of its engines). The run took at least as long as the first one.
std::vector<ResourceBound> roofline(const Statistics& statistics, const config::Config& settings);

// What kept the engine that streamed longest from streaming more: its buckets but `busy`, most cycles first.
struct HeldBack {
  isa::Engine engine = isa::Engine::dve;
  const char* bucket = "";
  std::uint64_t cycles = 0;
  double share = 0;  // of the engine's cycles
};
std::vector<HeldBack> held_back(const Statistics& statistics);

}  // namespace dve
