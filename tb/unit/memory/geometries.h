// Memories for tests, built by hand.
#pragma once

#include "dve/memory/memory.h"

namespace dve::test {

inline isa::SpaceGeometry geometry_of(std::uint64_t stride, std::uint64_t active) {
  isa::SpaceGeometry g;
  g.region = isa::Bytes(stride * 128);
  g.partition_stride = isa::Bytes(stride);
  g.active_per_partition = isa::Bytes(active);
  g.banks = 1;
  return g;
}

// 128 partitions of 768 bytes, with holes of 256.
inline isa::SpaceGeometry small_geometry() { return geometry_of(1024, 768); }
// cayman's SBUF (isa.md 3).
inline isa::SpaceGeometry cayman_sbuf() { return geometry_of(256 * 1024, 224 * 1024); }

}  // namespace dve::test
