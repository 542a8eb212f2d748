// Running a core to its end, and how that end is to be read.
#pragma once

#include <cstdint>

#include "deadlock.h"
#include "host.h"
#include "neuron_core.h"

namespace dve {

enum class RunStatus {
  ok,
  fault,       // a word faulted
  deadlock,    // someone waits for what nothing left can bring about
  timeout,     // --max-cycles
  interrupted  // a stop was requested
};

struct RunOutcome {
  RunStatus status = RunStatus::ok;
  Deadlock deadlock;   // who waits for what
  isa::Cycles cycles;  // last completion over all engines and DMA rings, in DVE clocks rounded up; 0 when untimed
  std::uint64_t femtoseconds = 0;  // the same moment in simulation time
};

// Elaborates, simulates until nothing is left to do, and looks at how it ended. Throws what a host task threw.
RunOutcome simulate(NeuronCore& core, Host& host);

// Of all engines.
std::vector<WordFinding> faults_of(const NeuronCore& core);
std::uint64_t executed_words(const NeuronCore& core);

}  // namespace dve
