// The bytes of SBUF or PSUM: 128 partitions of active bytes with holes between them.
#pragma once

#include <cstdint>
#include <string>

#include "dve/execute/execute.h"
#include "dve/isa/isa.h"
#include "poisoned_bytes.h"

namespace dve {

// Part of a strided operand over neighbouring partitions: partition p + c at the same offset serves channel c. Packed
// data is channel-major: the elements of channel c in stream order, then those of channel c + 1.
struct TensorPart {
  std::uint64_t partition = 0;
  std::uint32_t offset = 0;  // bytes into each partition
  isa::AccessPattern pattern;
  std::uint32_t element_bytes = 0;
  std::uint32_t channels = 0;
  execute::ElementRange range;
  std::uint64_t channel_bytes() const { return range.count * element_bytes; }
};

// Stands for: the contents of a partitioned memory (isa.md 3). Local addresses are partition * stride + offset; the
// bytes between the active size and the stride do not exist. Never-written bytes are noise (poisoned_bytes.h).
class PartitionBytes {
 public:
  // `owner` names the memory in errors. Throws std::invalid_argument for a geometry that is not a memory: no region,
  // active bytes past the stride, a region without room for 128 partitions.
  PartitionBytes(const std::string& owner, const isa::SpaceGeometry& geometry, std::uint64_t poison_seed);

  // Whether all of [address, address + length) exists.
  bool contains(std::uint64_t address, std::uint64_t length) const;
  // Host address of a byte, with `length` bytes from it on ready for use. They exist. Neighbouring bytes of a partition
  // are neighbours.
  std::uint8_t* touch(std::uint64_t partition, std::uint64_t offset, std::uint64_t length);
  std::uint8_t* touch(std::uint64_t address, std::uint64_t length);

  // Moves a part of a tensor from and to packed data. False, and nothing is moved, unless every byte of the whole
  // pattern exists.
  bool read(const TensorPart& part, std::uint8_t* packed);
  bool write(const TensorPart& part, const std::uint8_t* packed);
  // Where the tensor lies instead: host address of byte 0 of each partition it uses, one a channel, with the bytes of
  // the pattern ready for use. False as above.
  bool rows(const TensorPart& part, std::uint8_t** rows);

  const isa::SpaceGeometry& geometry() const { return geometry_; }

 private:
  // Host address of byte 0 of each partition that the part uses, with its bytes ready; calls visit(row, channel).
  template <class Visit>
  bool for_each_row(const TensorPart& part, Visit&& visit);

  isa::SpaceGeometry geometry_;
  std::uint64_t host_stride_;  // host bytes between partitions: padded so that rows do not share a cache set
  PoisonedBytes bytes_;
};

}  // namespace dve
