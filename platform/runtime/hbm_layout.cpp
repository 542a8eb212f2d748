#include "hbm_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "memory_plan.h"
#include "passes.h"
#include "planner.h"
#include "words.h"

namespace dve::runtime {
namespace {

constexpr std::uint64_t kHbmAlignment = 64;
constexpr std::uint32_t kSumsAt = 64;  // in the block of A and the three sums

// Gives places away until one does not fit.
class Room {
 public:
  explicit Room(const PlanRequest& request) : memory_(request.generation) {}
  isa::Place take(isa::Space space, std::uint64_t bytes) {
    const auto place = memory_.allocate(space, bytes);
    fits_ = fits_ && place;
    return place.value_or(isa::Place{});
  }
  bool fits() const { return fits_; }

 private:
  Memory memory_;
  bool fits_ = true;
};

// Buffers of tiles, and what passes may share because the words on it follow each other on one engine, or a host step
// lies between.
struct Shared {
  std::array<isa::Place, 2> x{}, dy{}, dx{};
  std::optional<isa::Place> triples;
  std::vector<isa::Place> tile_sums;  // none: one tile
};

Shared take_shared(Room& room, const PlanRequest& request, std::uint64_t length) {
  const std::uint64_t tile_bytes = length * isa::storage_size(request.dtype).value;
  Shared shared;
  const auto buffers = [&](bool in_hbm, std::array<isa::Place, 2>& pair) {
    if (!in_hbm) return;
    for (isa::Place& place : pair) place = room.take(isa::Space::sbuf, tile_bytes);
  };
  buffers(request.place.hbm.x, shared.x);
  buffers(request.place.hbm.dy, shared.dy);
  buffers(request.place.hbm.dx, shared.dx);
  if (!request.statistics_given)
    shared.triples = room.take(isa::Space::sbuf, stats_chunks(request, length) * kPairBytes);
  const std::uint64_t tiles = tile_count(request, length);
  if (tiles == 1 || !room.fits()) return shared;
  const isa::Place sums = room.take(request.place.sums, tiles * kSumsAt);
  for (std::uint64_t t = 0; room.fits() && t < tiles; ++t)
    shared.tile_sums.push_back(shifted(sums, static_cast<std::int64_t>(t * kSumsAt)));
  return shared;
}

Regions take_regions(Room& room, const PlanRequest& request, const Shared& shared) {
  const std::uint64_t stream_bytes = request.elements * isa::storage_size(request.dtype).value;
  const Placement& place = request.place;
  Regions regions;
  regions.x = place.hbm.x ? shared.x[0] : room.take(place.x, stream_bytes);
  regions.dy = place.hbm.dy ? shared.dy[0] : room.take(place.dy, stream_bytes);
  regions.dx = place.hbm.dx ? shared.dx[0] : room.take(place.dx, stream_bytes);
  regions.mean = room.take(isa::Space::sbuf, 2 * sizeof(float));
  regions.inv_std = room.take(isa::Space::sbuf, sizeof(float));
  regions.sums = shifted(room.take(place.sums, kSumsAt + 3 * sizeof(float)), kSumsAt);
  regions.triples = shared.triples;
  regions.tile_sums = shared.tile_sums;
  if (shared.tile_sums.empty()) regions.tile_sums = {regions.sums};
  return regions;
}

// Empty when tiles of this length do not fit.
std::optional<HbmLayout> layout_with(const PlanRequest& request, std::uint64_t length) {
  Room room(request);
  const Shared shared = take_shared(room, request, length);
  HbmLayout layout;
  layout.x = shared.x;
  layout.dy = shared.dy;
  layout.dx = shared.dx;
  for (std::uint32_t p = 0; p < pass_count(request) && room.fits(); ++p)
    layout.passes.push_back({channels_of_pass(request, p), {}, take_regions(room, request, shared)});
  if (!room.fits()) return std::nullopt;
  for (Pass& pass : layout.passes) pass.tiles = tiles_of(request, length);
  return layout;
}

void place_tensors(HbmLayout& layout, const PlanRequest& request) {
  // 2^32 channels of 2^40 elements would overflow: compare before multiplying.
  const std::uint64_t capacity = hbm_capacity(request.generation);
  const std::uint64_t row_bytes = request.elements * isa::storage_size(request.dtype).value;
  const InHbm& hbm = request.place.hbm;
  const std::uint64_t tensors = (hbm.x ? 1 : 0) + (hbm.dy ? 1 : 0) + (hbm.dx ? 1 : 0);
  if (request.channels > capacity / row_bytes / tensors)
    throw PlanError(fmt::format("{} tensors of {} channels of {} bytes, expected at most the {} bytes of a core's HBM",
                                tensors, request.channels, row_bytes, capacity));
  const auto place = [&](bool in_hbm, std::uint64_t& at) {
    if (!in_hbm) return;
    at = (layout.hbm_bytes + kHbmAlignment - 1) / kHbmAlignment * kHbmAlignment;
    layout.hbm_bytes = at + request.channels * row_bytes;
  };
  place(hbm.x, layout.x_hbm);
  place(hbm.dy, layout.dy_hbm);
  place(hbm.dx, layout.dx_hbm);
}

}  // namespace

HbmLayout place_in_hbm(const PlanRequest& request) {
  const std::uint64_t longest = std::min(longest_part(request), kMaxTile);
  const bool given = request.tile_elements != 0;
  for (std::uint64_t length = given ? std::min(request.tile_elements, longest) : longest; length > 0; --length) {
    if (auto layout = layout_with(request, length)) {
      place_tensors(*layout, request);
      return std::move(*layout);
    }
    if (given)
      throw PlanError(fmt::format("dma.tile_elements is {}, expected less: two buffers a tensor do not fit on {}",
                                  request.tile_elements, isa::to_string(request.generation)));
  }
  throw PlanError(
      fmt::format("{} elements a channel do not fit on {} in tiles of any length, expected fewer: what is not in HBM "
                  "lies in memory whole, and so do all tile sums and triples",
                  request.elements, isa::to_string(request.generation)));
}

}  // namespace dve::runtime
