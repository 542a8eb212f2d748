// SBUF or PSUM: 128 partitions of active bytes with holes between them.
#pragma once

#include <cstdint>
#include <systemc>

#include "dve/tlm/tlm.h"
#include "poisoned_bytes.h"

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
  // Throws std::invalid_argument for a geometry that is not a memory: no region, active bytes past the stride, a region
  // without room for 128 partitions.
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
  bool contains(std::uint64_t address, std::uint64_t length) const override;
  bool offers_dmi() const override { return dmi_allowed_; }
  bool dmi(std::uint64_t address, DmiRange& range, std::uint8_t*& pointer) override;

  // Host address of a byte, with `length` bytes from it on ready for use.
  std::uint8_t* touch(std::uint64_t partition, std::uint64_t offset, std::uint64_t length);

  void count(bool write, std::uint64_t bytes);

  isa::SpaceGeometry geometry_;
  Counters counters_;
  bool dmi_allowed_;
  std::uint64_t host_stride_;  // host bytes between partitions: padded so that rows do not share a cache set
  PoisonedBytes bytes_;
};

}  // namespace dve
