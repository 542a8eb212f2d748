// A plain byte memory: instruction memory and the host's memory.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "dve/tlm/tlm.h"

namespace dve {

// Stands for: the DRAM that programs are fetched from and `host:` places refer to.
// Keeps: `size` bytes. Time: none. Does not model: HBM timing, DMA.
// Never-written bytes read as seeded noise.
class FlatMemory : public sc_core::sc_module, private TargetModel {
 public:
  FlatMemory(sc_core::sc_module_name name, std::uint64_t size, std::uint64_t poison_seed, bool dmi);
  GuardedTarget in;

 private:
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;
  bool dmi(std::uint64_t address, DmiRange& range, std::uint8_t*& pointer) override;

  std::vector<std::uint8_t> bytes_;
  bool dmi_allowed_;
};

}  // namespace dve
