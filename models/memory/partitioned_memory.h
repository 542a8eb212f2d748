// SBUF or PSUM: 128 partitions of active bytes with holes between them.
#pragma once

#include <cstdint>
#include <systemc>

#include "dve/storage/storage.h"
#include "dve/tlm/tlm.h"

namespace dve {

// Stands for: the on-chip SBUF (state buffer) or PSUM memory of one NeuronCore (isa.md 3, microarchitecture.md 3 and
// 4). Keeps: the bytes. Local addresses are those of the region: partition * stride + offset; the bytes between the
// active size and the stride do not exist and answer ADDRESS_ERROR, as does an access that crosses into them; nothing
// is transferred. Tensor payloads: every byte of the pattern must lie in the active bytes and the channels in
// partitions 0..127, else ADDRESS_ERROR and nothing is transferred. Time: none of its own. An access adds no delay: the
// engine that streams accounts for cycles (timing block). Does not model: ECC, arbitration, bank conflicts, PSUM's
// read-accumulate-write by the tensor engine. Never-written bytes read as seeded noise, not zero, so that nothing
// depends on them by luck. DMI is granted for 16 KiB of a partition at a
// time; neighbouring blocks are neighbours in host memory.
class PartitionedMemory : public sc_core::sc_module, private TargetModel {
 public:
  // Throws std::invalid_argument for a geometry that is not a memory (partition_bytes.h).
  PartitionedMemory(sc_core::sc_module_name name, const isa::SpaceGeometry& geometry, std::uint64_t poison_seed,
                    bool dmi);
  GuardedTarget in;

  // Bytes moved by transactions so far, and the accesses that moved them. Direct accesses pass the memory by; debug
  // accesses count only when they carry a tensor.
  struct Counters {
    std::uint64_t read_bytes = 0;
    std::uint64_t write_bytes = 0;
    std::uint64_t accesses = 0;
  };
  const Counters& counters() const { return counters_; }

  // allow_dmi(false) withdraws all DMI grants and, until allow_dmi(true), refuses new ones.
  void allow_dmi(bool allowed);

 private:
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;
  tlm::tlm_response_status tensor_access(bool write, std::uint64_t address, const TensorExtension& tensor,
                                         std::uint8_t* data, sc_core::sc_time& delay) override;
  bool contains(std::uint64_t address, std::uint64_t length) const override { return bytes_.contains(address, length); }
  bool offers_dmi() const override { return dmi_allowed_; }
  bool dmi(std::uint64_t address, DmiRange& range, std::uint8_t*& pointer) override;

  void count(bool write, std::uint64_t bytes);

  Counters counters_;
  bool dmi_allowed_;
  PartitionBytes bytes_;
};

}  // namespace dve
