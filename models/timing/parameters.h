// Timing parameters of one engine (microarchitecture.md 8, "Suggested parameters"). Values come from
// configs/generations.
#pragma once

#include <cstdint>

#include "dve/isa/isa.h"

namespace dve::timing {

enum class SameEngineRaw : std::uint8_t {
  interlock,  // a word that touches what an earlier one writes waits for its completion plus t_sem
  none        // no hazard term
};

// The defaults are those of cayman's DVE.
struct Parameters {
  isa::Engine engine = isa::Engine::dve;  // performance modes belong to the DVE (microarchitecture.md 7.2)
  std::uint64_t clock_hz = 960'000'000;   // engine clock (microarchitecture.md 2)
  isa::Cycles min_ii{64};                 // U, minimum initiation interval
  isa::Cycles issue_gap{70};              // g, added to the interval when S >= U
  isa::Cycles fill_drain{144};            // L, start of data to completion beyond S
  double two_source_cycles = 2;           // c, cycles per element of two SBUF sources: 2, 1 or 0.5
  bool stride_penalty = true;             // k = 2 for an innermost stride over 16 bytes
  unsigned lanes = 128;                   // channels that stream at a time (microarchitecture.md 2)
  double table_load_ns = 368;             // ACT: S of ActivationTableLoad (microarchitecture.md 9, V13)
  SameEngineRaw same_engine_raw = SameEngineRaw::interlock;
  double sem_ns = 30;                  // t_sem
  isa::Cycles event_issue_cycles{10};  // D = T of control words
  isa::Cycles fetch_cycles{0};         // start of the first word

  // t_sem in cycles of this clock, rounded up. Throws std::invalid_argument for a clock or sem_ns that Clock refuses.
  isa::Cycles semaphore_latency() const;
};

}  // namespace dve::timing
