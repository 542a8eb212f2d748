// The DVE's Parameter-RAM: 256 binary32 entries.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <systemc>

#include "dve/tlm/tlm.h"

namespace dve {

// On a read payload, filled in by the Parameter-RAM: which of its 256 entries were ever written.
class LoadedExtension : public tlm::tlm_extension<LoadedExtension> {
 public:
  std::bitset<256> loaded;
  tlm::tlm_extension_base* clone() const override { return new LoadedExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const LoadedExtension&>(other); }
};

// Stands for: PARAMETER_RAM, 0x400 bytes, 256 binary32 reciprocals shared by all lanes (isa.md 11).
// Keeps: the entries (reset 0, isa.md 11 DEFAULT) and which were ever written.
// Time: none of its own (the loading instructions carry the cost). Does not model: per-lane copies, microcode RAMs.
class ParameterRam : public sc_core::sc_module, private TargetModel {
 public:
  explicit ParameterRam(sc_core::sc_module_name name);
  GuardedTarget in;  // size 0x400, alignment 4, no byte enables, no streaming, no DMI (loads must be seen)

 private:
  bool transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;  // fills in a LoadedExtension
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;

  std::array<std::uint8_t, 1024> bytes_{};
  std::bitset<256> loaded_;
};

}  // namespace dve
