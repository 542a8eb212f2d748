// A plain byte memory: instruction memory and the host's memory.
#pragma once

#include <cstdint>
#include <systemc>

#include "dve/storage/storage.h"
#include "dve/tlm/tlm.h"

namespace dve {

// Stands for: the DRAM that programs are fetched from and `host:` places refer to.
// Keeps: `size` bytes. Time: none. Does not model: HBM timing, DMA.
// Never-written bytes read as seeded noise. DMI is granted in blocks of 1 MiB, contiguous in host memory.
class FlatMemory : public sc_core::sc_module, private TargetModel {
 public:
  // Throws std::runtime_error when the host has not enough memory.
  FlatMemory(sc_core::sc_module_name name, std::uint64_t size, std::uint64_t poison_seed, bool dmi);
  GuardedTarget in;

 private:
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;
  bool offers_dmi() const override { return dmi_allowed_; }
  bool dmi(std::uint64_t address, DmiRange& range, std::uint8_t*& pointer) override;

  PoisonedBytes bytes_;
  bool dmi_allowed_;
};

}  // namespace dve
