// The configuration of a run as one plain value. What each field means, its unit and range: keys.h, where its key is
// declared (interfaces.md 4).
#pragma once

#include <cstdint>

#include "dve/contention/contention.h"
#include "dve/isa/isa.h"
#include "dve/numerics/numerics.h"
#include "dve/timing/timing.h"

namespace dve::config {

enum class Abstraction : std::uint8_t {
  functional,  // data only, no time
  lt,          // loosely timed: one transaction an operand; contention is computed
  at           // approximately timed: one transaction a beat, arbitration cycle by cycle
};

// Build of the sequencer's firmware (isa.md 13).
enum class SeqBuild : std::uint8_t { debug, perf };

enum class Legality : std::uint8_t {
  strict,  // a word that breaks a rule of isa.md 7 faults
  relaxed  // findings are warnings
};

// Who computes GradAccum and BackProp on the DVE.
enum class DveEngine : std::uint8_t {
  model,  // the kernels
  rtl     // the lanes in RTL, in lock-step with the model (docs/cosimulation.md)
};

// How often the ends of the RTL's hand-shakes hold them up.
enum class RtlStalls : std::uint8_t {
  never,
  light,  // one cycle in eight
  half,   // every other cycle, at random
  heavy   // seven cycles in eight
};

struct DveUnit {
  DveEngine engine = DveEngine::model;
  RtlStalls rtl_stalls = RtlStalls::never;
  std::uint64_t rtl_seed = 1;
};

// Where a tensor of a layer can be.
enum class TensorPlace : std::uint8_t {
  sbuf,
  psum,
  hbm  // it stays there; DMA moves tiles between it and buffers in SBUF
};

// Memory in which the planner puts each tensor of a layer.
struct Placement {
  TensorPlace x = TensorPlace::sbuf;
  TensorPlace dy = TensorPlace::sbuf;
  TensorPlace dx = TensorPlace::sbuf;
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

// HBM and the DMA engines of one core (microarchitecture.md 5).
struct Dma {
  double start_ns = 1300;
  double engine_bytes_per_ns = 23;
  double hbm_bytes_per_ns = 362.5;
  std::uint32_t load_engines = 8;   // of 16: these load, the others store
  std::uint64_t tile_elements = 0;  // 0: the longest that fits
};

// Engine clocks and costs beside the DVE's (microarchitecture.md 2, 7.1).
timing::Parameters default_pool_timing();
timing::Parameters default_act_timing();

// Ports, banks and arbiters as at reset (microarchitecture.md 3.1): the tensor engine has priority 1 in stage 1.
contention::Parameters default_ports();

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
  DveUnit dve;
  Dma dma;
  contention::Parameters ports = default_ports();  // clock_hz 0: see ports_of()
  numerics::Switches numerics;
  isa::ActiveChannelRule active_channel_rule = isa::ActiveChannelRule::quadrant;
  timing::Parameters
      timing;  // of the DVE; same_engine_raw, sem_ns, event_issue_cycles, fetch_cycles hold for all engines
  timing::Parameters pool_timing = default_pool_timing();
  timing::Parameters act_timing = default_act_timing();
};

// What the legality check needs to know; no engine.
isa::LegalityOptions legality_options(const Config& config);

// All timing parameters of one engine.
timing::Parameters timing_of(const Config& config, isa::Engine engine);

// The ports with their clock resolved: that of the fastest engine unless memory.clock_mhz says otherwise.
contention::Parameters ports_of(const Config& config);

}  // namespace dve::config
