// A NeuronCore as far as batch-norm training needs it.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

#include "address_map.h"
#include "dve/config/config.h"
#include "dve/dve/dve.h"
#include "dve/memory/memory.h"
#include "dve/seq/seq.h"
#include "router.h"

namespace dve {

struct NeuronCoreConfig {
  config::Config settings;
  std::uint64_t host_memory_bytes = 0;  // memory behind address_map::kHostMemory: the program and `host:` data
  std::uint64_t max_cycles = 0;         // 0: no limit
  SequencerHooks hooks;
};

// Stands for: one core: SEQ and DVE, SBUF, PSUM (where the generation has one), Parameter-RAM, semaphores and events,
// the memory that programs are fetched from, behind one port router (address_map.h).
// Time: each engine's own; see Sequencer and DveEngine. Does not model: the PE, ACT and POOL engines, DMA, contention.
class NeuronCore : public sc_core::sc_module {
 public:
  NeuronCore(sc_core::sc_module_name name, const NeuronCoreConfig& config);

  // Where the host, or any foreign initiator, binds: plain TLM at the addresses of address_map.h.
  PortRouter::FromSocket& host_socket() { return router_->from("host"); }

  const config::Config& settings() const { return settings_; }
  PartitionedMemory sbuf;
  std::unique_ptr<PartitionedMemory> psum;  // null on maverick
  ParameterRam param_ram;
  FlatMemory host_memory;
  SyncUnit sync;
  Sequencer seq;
  DveEngine dve;

 private:
  void bind();

  config::Config settings_;
  std::unique_ptr<PortRouter> router_;
};

}  // namespace dve
