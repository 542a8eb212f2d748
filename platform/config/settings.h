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
  isa::Space sums = isa::Space::sbuf;
};

struct Sequencer {
  SeqBuild build = SeqBuild::debug;
  Legality legality = Legality::strict;
};

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
  timing::Parameters timing;
};

}  // namespace dve::config
