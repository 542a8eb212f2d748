#include "memory_plan.h"

#include "words.h"

namespace dve::runtime {
namespace {

constexpr std::uint64_t kAlignment = 64;

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
std::uint64_t chunks(std::uint64_t elements) { return (elements + kStatsChunk - 1) / kStatsChunk; }

}  // namespace

Memory::Memory(isa::Generation generation) {
  for (const isa::Space space : {isa::Space::sbuf, isa::Space::psum}) {
    const isa::SpaceGeometry& g = isa::geometry(generation, space);
    capacity_[static_cast<std::size_t>(space)] = g.exists() ? g.active_per_partition.value : 0;
  }
}

std::optional<isa::Place> Memory::allocate(isa::Space space, std::uint64_t bytes) {
  std::uint64_t& used = used_[static_cast<std::size_t>(space)];
  const std::uint64_t capacity = capacity_[static_cast<std::size_t>(space)];
  if (used > capacity || bytes > capacity - used) return std::nullopt;
  const isa::Place place{space, isa::Partition{0}, static_cast<std::uint32_t>(used)};
  used = aligned(used + bytes);
  return place;
}

std::uint64_t tile_count(std::uint64_t elements, std::uint64_t length) { return (elements + length - 1) / length; }

std::uint64_t stats_chunks(std::uint64_t elements, std::uint64_t length) {
  return elements / length * chunks(length) + chunks(elements % length);
}

std::optional<Regions> allocate_regions(Memory& memory, const PlanRequest& request, std::uint64_t tile_length) {
  const std::uint64_t tile_bytes = tile_length * isa::storage_size(request.dtype).value;
  const std::uint64_t tiles = tile_count(request.elements, tile_length);
  const auto x = memory.allocate(request.place.x, tile_bytes);
  const auto dy = memory.allocate(request.place.dy, tile_bytes);
  const auto dx = memory.allocate(request.place.dx, tile_bytes);
  const auto mean = memory.allocate(isa::Space::sbuf, 2 * sizeof(float));
  const auto inv_std = memory.allocate(isa::Space::sbuf, sizeof(float));
  const auto block = memory.allocate(request.place.sums, kAlignment + 3 * sizeof(float));
  if (!x || !dy || !dx || !mean || !inv_std || !block) return std::nullopt;

  Regions regions{*x, *dy, *dx, *mean, *inv_std, shifted(*block, kAlignment), {}, std::nullopt};
  if (!request.statistics_given) {
    regions.triples = memory.allocate(isa::Space::sbuf, stats_chunks(request.elements, tile_length) * kPairBytes);
    if (!regions.triples) return std::nullopt;
  }
  if (tiles == 1) {
    regions.tile_sums = {regions.sums};
    return regions;
  }
  const auto tile_sums = memory.allocate(request.place.sums, tiles * kAlignment);
  if (!tile_sums) return std::nullopt;
  for (std::uint64_t t = 0; t < tiles; ++t) {
    regions.tile_sums.push_back(shifted(*tile_sums, static_cast<std::int64_t>(t * kAlignment)));
  }
  return regions;
}

}  // namespace dve::runtime
