// Why a run came to a standstill: who waits for what, and who could have brought it about.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host.h"
#include "neuron_core.h"

namespace dve {

// One engine, the host, or a DMA ring, that waits for something that nothing left can bring about.
struct Waiting {
  std::string who;          // "act", "host", "dma ring 0"
  std::uint64_t word = 0;   // index in the engine's stream; host: number of the step; DMA: index of the transfer
  std::uint64_t pc = 0;     // host, DMA: 0
  std::uint8_t opcode = 0;  // host, DMA: 0
  std::string label;        // DMA: of the transfer
  std::string condition;    // "sem[3] >= 1"
  std::string value;        // what it is now: "0", "set"
  std::string last_change;  // "never changed", "last changed by dve at 12.5 ns"
  std::string updated_by;   // words and transfers that change it, and whether they were reached
};
std::string to_string(const Waiting& waiting);

struct Deadlock {
  std::vector<Waiting> waits;
  // Semaphores and events that a word changes and nobody ever waits for: "sem[9] is changed by act word 4, but nobody
  // waits for it". The usual trace of a wrong number.
  std::vector<std::string> unawaited;
};

// After a simulation that ended with an engine or the host still waiting.
Deadlock explain_deadlock(const NeuronCore& core, Host& host);

}  // namespace dve
