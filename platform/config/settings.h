// The configuration of a run as one plain value. What each field means, its unit and range: keys.h, where its key is
// declared (interfaces.md 4).
#pragma once

#include <cstdint>

#include "dve/isa/isa.h"
#include "dve/numerics/numerics.h"
#include "dve/timing/timing.h"

namespace dve::config {

enum class Abstraction : std::uint8_t {
  functional,  // data only, no time
  lt           // loosely timed: one transaction an operand
};

// Build of the sequencer's firmware (isa.md 13).
enum class SeqBuild : std::uint8_t { debug, perf };

enum class Legality : std::uint8_t {
  strict,  // a word that breaks a rule of isa.md 7 faults
  relaxed  // findings are warnings
};

// Memory in which the planner puts each tensor of a layer.
struct Placement {
  isa::Space x = isa::Space::sbuf;
  isa::Space dy = isa::Space::sbuf;
  isa::Space dx = isa::Space::sbuf;
  isa::Space y = isa::Space::sbuf;
  isa::Space sums = isa::Space::sbuf;
};

// What several floating-point exceptions in one word do (isa.md 15.1).
enum class FpStatus : std::uint8_t { report, firmware };

struct Sequencer {
  SeqBuild build = SeqBuild::debug;
  Legality legality = Legality::strict;
  FpStatus fp_status = FpStatus::report;
  unsigned dve_block_id = 0;
};

// Engine clocks and costs beside the DVE's (microarchitecture.md 2, 7.1).
timing::Parameters default_pool_timing();
timing::Parameters default_act_timing();

// A default-constructed Config is the cayman preset.
struct Config {
  isa::Generation generation = isa::Generation::cayman;
  Abstraction abstraction = Abstraction::lt;
  bool dmi = true;
  double quantum_ns = 1000;
  std::uint64_t poison_seed = 1;
  double host_step_ns = 0;
  Placement place;
  Sequencer seq;
  numerics::Switches numerics;
  isa::ActiveChannelRule active_channel_rule = isa::ActiveChannelRule::quadrant;
  timing::Parameters
      timing;  // of the DVE; same_engine_raw, sem_ns, event_issue_cycles, fetch_cycles hold for all engines
  timing::Parameters pool_timing = default_pool_timing();
  timing::Parameters act_timing = default_act_timing();
};

// All timing parameters of one engine.
timing::Parameters timing_of(const Config& config, isa::Engine engine);

}  // namespace dve::config
