// HBM and the DMA rings of a core.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dve/config/config.h"
#include "dve/memory/memory.h"
#include "dve/runtime/runtime.h"
#include "dve/traffic/traffic.h"

namespace dve {

// Stands for: the core's part of HBM and two rings of its DMA engines, for loads and for stores
// (microarchitecture.md 5). Which engines a transfer uses is the program's choice; two rings never share one.
struct DmaUnit {
  // `hbm_bytes` 0: there is no HBM. `data` false: transfers move no bytes. `memory`: what the ports of SBUF and PSUM
  // are like, `ports`: these ports.
  DmaUnit(const config::Config& settings, std::uint64_t hbm_bytes, bool data, SyncUnit& sync,
          const contention::Parameters& memory, PortTime& ports);

  // Initiators of the router, in the order of the rings.
  static const std::array<std::string, runtime::kRings>& ring_names();

  // Begins with the transfers of a program; a ring without transfers stays idle. Requires !busy(). Throws
  // std::invalid_argument when two rings share an engine.
  void start(const runtime::Rings& transfers);
  bool busy() const;
  std::vector<std::string> faults() const;  // of all rings

  std::unique_ptr<FlatMemory> hbm;
  std::array<std::unique_ptr<DmaQueue>, runtime::kRings> rings;
};

}  // namespace dve
