// Room for the buffers of a pass in the on-chip memories.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "program.h"

namespace dve::runtime {

// The active bytes of one partition of both memories, given away from offset 0 upwards.
class Memory {
 public:
  explicit Memory(isa::Generation generation);
  // A multiple of 64 as offset, partition 0. Empty when the space is full (or does not exist).
  std::optional<isa::Place> allocate(isa::Space space, std::uint64_t bytes);

 private:
  std::array<std::uint64_t, 2> used_{};
  std::array<std::uint64_t, 2> capacity_{};
};

// A stream cut into tiles of `length` elements, the last one shorter.
std::uint64_t tile_count(std::uint64_t elements, std::uint64_t length);

// Stats2 words for a stream so cut: chunks of at most 512 elements that do not cross a tile's end.
std::uint64_t stats_chunks(std::uint64_t elements, std::uint64_t length);

// Buffers for one pass with tiles of this length. Empty when they do not fit.
std::optional<Regions> allocate_regions(Memory& memory, const PlanRequest& request, std::uint64_t tile_length);

}  // namespace dve::runtime
