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

// Sums of `count(elements)` over the microbatches: some are one element longer than the others.
template <class Count>
std::uint64_t over_microbatches(const PlanRequest& request, Count count) {
  const std::uint64_t parts = request.microbatches;
  const std::uint64_t length = request.elements / parts, longer = request.elements % parts;
  return (parts - longer) * count(length) + longer * count(length + 1);
}

std::uint64_t tile_count(const PlanRequest& request, std::uint64_t length) {
  return over_microbatches(request, [length](std::uint64_t n) { return (n + length - 1) / length; });
}

std::uint64_t stats_chunks(const PlanRequest& request, std::uint64_t length) {
  return over_microbatches(request,
                           [length](std::uint64_t n) { return n / length * chunks(length) + chunks(n % length); });
}

namespace {

// Beside the buffers of both steps: y and four values a channel.
bool allocate_full_step(Memory& memory, const PlanRequest& request, std::uint64_t stream_bytes, Regions& regions) {
  const auto take = [&memory](isa::Space space, std::uint64_t bytes, isa::Place& place) {
    const auto found = memory.allocate(space, bytes);
    if (found) place = *found;
    return found.has_value();
  };
  return take(request.place.y, stream_bytes, regions.y) && take(isa::Space::sbuf, sizeof(float), regions.gamma) &&
         take(isa::Space::sbuf, sizeof(float), regions.beta) && take(isa::Space::sbuf, sizeof(float), regions.scale) &&
         take(isa::Space::sbuf, sizeof(float), regions.shift);
}

}  // namespace

std::optional<Regions> allocate_regions(Memory& memory, const PlanRequest& request, const TileCut& cut) {
  const std::uint64_t stream_bytes = cut.buffer_elements * isa::storage_size(request.dtype).value;
  const std::uint64_t tiles = tile_count(request, cut.tile_length);
  const auto x = memory.allocate(request.place.x, stream_bytes);
  const auto dy = memory.allocate(request.place.dy, stream_bytes);
  const auto dx = memory.allocate(request.place.dx, stream_bytes);
  const auto mean = memory.allocate(isa::Space::sbuf, 2 * sizeof(float));
  const auto inv_std = memory.allocate(isa::Space::sbuf, sizeof(float));
  const auto block = memory.allocate(request.place.sums, kAlignment + 3 * sizeof(float));
  if (!x || !dy || !dx || !mean || !inv_std || !block) return std::nullopt;

  Regions regions;
  regions.x = *x;
  regions.dy = *dy;
  regions.dx = *dx;
  regions.mean = *mean;
  regions.inv_std = *inv_std;
  regions.sums = shifted(*block, kAlignment);
  if (!request.statistics_given) {
    regions.triples = memory.allocate(isa::Space::sbuf, stats_chunks(request, cut.tile_length) * kPairBytes);
    if (!regions.triples) return std::nullopt;
  }
  if (request.step == Step::full && !allocate_full_step(memory, request, stream_bytes, regions)) return std::nullopt;
  if (tiles == 1) {
    regions.tile_sums = {regions.sums};
    return regions;
  }
  // POOL adds them in a full step: two PSUM sources are illegal (isa.md 7.1).
  const isa::Space sums_space = request.step == Step::full ? isa::Space::sbuf : request.place.sums;
  const auto tile_sums = memory.allocate(sums_space, tiles * kAlignment);
  if (!tile_sums) return std::nullopt;
  for (std::uint64_t t = 0; t < tiles; ++t) {
    regions.tile_sums.push_back(shifted(*tile_sums, static_cast<std::int64_t>(t * kAlignment)));
  }
  return regions;
}

}  // namespace dve::runtime
