// SBUF or PSUM: 128 partitions of active bytes with holes between them.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

#include "dve/tlm/tlm.h"

namespace dve {

// Stands for: the on-chip SBUF (state buffer) or PSUM memory of one NeuronCore (isa.md 3, microarchitecture.md 3 and 4).
// Keeps: the bytes. Local addresses are those of the region: partition * stride + offset; the bytes between the active size and
// the stride do not exist and answer ADDRESS_ERROR, as does an access that crosses into them.
// Time: none of its own. An access adds no delay: the engine that streams accounts for cycles (timing block).
// Does not model: ECC, arbitration, bank conflicts, PSUM's read-accumulate-write by the tensor engine.
// Never-written bytes read as seeded noise, not zero, so that nothing depends on them by luck.
class PartitionedMemory : public sc_core::sc_module, private TargetModel {
 public:
  PartitionedMemory(sc_core::sc_module_name name, const isa::SpaceGeometry& geometry, std::uint64_t poison_seed, bool dmi);
  ~PartitionedMemory() override;
  GuardedTarget in;

  // Withdraws all DMI grants and, until allow_dmi(true), refuses new ones.
  void allow_dmi(bool allowed);

 private:
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;
  tlm::tlm_response_status tensor_access(bool write, std::uint64_t address, const TensorExtension& tensor,
                                         std::uint8_t* data, sc_core::sc_time& delay) override;
  bool dmi(std::uint64_t address, DmiRange& range, std::uint8_t*& pointer) override;
  std::uint8_t* partition(std::uint32_t index);

  isa::SpaceGeometry geometry_;
  bool dmi_allowed_;
  std::size_t host_stride_;  // host bytes between partitions: padded so that rows do not share a cache set
  struct Storage;
  std::unique_ptr<Storage> storage_;
};

}  // namespace dve
