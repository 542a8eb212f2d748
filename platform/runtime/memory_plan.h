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

// What buffers hold, and how long the tiles are.
struct TileCut {
  std::uint64_t buffer_elements = 0;  // x, dy, dx, y
  std::uint64_t tile_length = 0;
};

// Tiles of a request's stream: each of its microbatches cut into tiles of `length`, the last one shorter.
std::uint64_t tile_count(const PlanRequest& request, std::uint64_t length);

// Stats2 words for a stream so cut: chunks of at most 512 elements that do not cross a tile's end.
std::uint64_t stats_chunks(const PlanRequest& request, std::uint64_t length);

// Buffers for one pass. Empty when they do not fit.
std::optional<Regions> allocate_regions(Memory& memory, const PlanRequest& request, const TileCut& cut);

}  // namespace dve::runtime
