// A NeuronCore as far as batch-norm training needs it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "address_map.h"
#include "dma_unit.h"
#include "dve/config/config.h"
#include "dve/engine/engine.h"
#include "dve/memory/memory.h"
#include "dve/ports/ports.h"
#include "dve/seq/seq.h"
#include "router.h"

namespace dve {

struct NeuronCoreConfig {
  config::Config settings;
  std::uint64_t host_memory_bytes = 0;      // memory behind address_map::kHostMemory: the program and `host:` data
  std::uint64_t hbm_bytes = 0;              // memory behind address_map::kHbm; 0: none
  bool data = true;                         // false: time without tensor contents (docs/performance.md)
  std::uint64_t max_cycles = 0;             // DVE clocks after which no word may complete; 0: no limit
  std::vector<dma::TrafficStream> traffic;  // neighbours on the memories' ports
  execute::LaneArray* dve_lanes = nullptr;  // instead of the DVE's kernels; outlives the core; null: none
  SequencerHooks hooks;
  execute::Observer* observer = nullptr;  // of all engines; null: nobody
};

// A sequencer with the engine it feeds.
struct EngineUnit {
  EngineUnit(isa::Engine which, const NeuronCoreConfig& config, SyncUnit& sync, PortTime& ports);
  Sequencer seq;
  InstructionEngine engine;
};

// Stands for: one core: DVE, POOL and ACT with a sequencer each, SBUF, PSUM (where the generation has one),
// Parameter-RAM, semaphores and events, the memory that programs are fetched from, behind one port router
// (address_map.h). On maverick the activation functions are folded into the DVE (microarchitecture.md 1); the model
// keeps an ACT instance there too. Time: each engine's own; see Sequencer and InstructionEngine. Does not model: the PE
// engine, DMA's descriptors in memory.
class NeuronCore : public sc_core::sc_module {
 public:
  NeuronCore(sc_core::sc_module_name name, const NeuronCoreConfig& config);

  // Where the host, or any foreign initiator, binds: plain TLM at the addresses of address_map.h.
  PortRouter::FromSocket& host_socket() { return router_->from("host"); }

  const config::Config& settings() const { return settings_; }
  const std::function<bool()> stop_requested;  // of the hooks; may be empty
  const std::uint64_t limit_femtoseconds;      // of max_cycles; 0: none
  PartitionedMemory sbuf;
  std::unique_ptr<PartitionedMemory> psum;  // null on maverick
  ParameterRam param_ram;
  FlatMemory host_memory;
  SyncUnit sync;
  std::unique_ptr<PortTime> ports;  // of both memories, in the abstraction of the configuration
  DmaUnit dma;
  std::vector<std::unique_ptr<TrafficSource>> traffic;

  const Sequencer& seq(isa::Engine engine = isa::Engine::dve) const { return units_[isa::index_of(engine)]->seq; }
  const InstructionEngine& engine(isa::Engine which = isa::Engine::dve) const {
    return units_[isa::index_of(which)]->engine;
  }

 private:
  void bind();
  void add_traffic(const std::vector<dma::TrafficStream>& streams);

  config::Config settings_;
  std::array<std::unique_ptr<EngineUnit>, isa::kEngines.size()> units_;
  std::unique_ptr<PortRouter> router_;
};

}  // namespace dve
