#include "passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "memory_plan.h"
#include "words.h"

namespace dve::runtime {

std::uint32_t pass_count(const PlanRequest& request) {
  return request.channels / isa::kPartitions + (request.channels % isa::kPartitions != 0);
}

ChannelRange channels_of_pass(const PlanRequest& request, std::uint32_t p) {
  const std::uint32_t first = p * isa::kPartitions;
  return {first, std::min(request.channels - first, isa::kPartitions)};
}

std::uint64_t longest_part(const PlanRequest& request) {
  return (request.elements + request.microbatches - 1) / request.microbatches;
}

bool reads_parameter_ram(const PlanRequest& request) {
  return !request.statistics_given ||
         numerics::back_propagate_reads_table(static_cast<float>(request.elements), request.switches);
}

namespace {

// Regions of a resident pass: whole streams.
std::optional<TileCut> resident_cut(const PlanRequest& request) {
  const bool one_tile = request.microbatches == 1 && request.elements <= kMaxTile;
  if (request.step == Step::backward && !one_tile) return std::nullopt;
  return TileCut{request.elements, std::min(longest_part(request), kMaxTile)};
}

// Every pass with regions of its own; empty when they do not fit together.
std::vector<Regions> resident_regions(const PlanRequest& request, const TileCut& cut) {
  std::vector<Regions> all;
  Memory memory(request.generation);
  for (std::uint32_t p = 0; p < pass_count(request); ++p) {
    std::optional<Regions> regions = allocate_regions(memory, request, cut);
    if (!regions) return {};
    all.push_back(std::move(*regions));
  }
  return all;
}

// The longest tile that fits, with its regions.
std::pair<std::uint64_t, Regions> tiled_regions(const PlanRequest& request) {
  for (std::uint64_t length = std::min(longest_part(request), kMaxTile); length > 0; --length) {
    Memory memory(request.generation);
    if (std::optional<Regions> regions = allocate_regions(memory, request, {length, length}))
      return {length, std::move(*regions)};
  }
  throw PlanError(fmt::format("{} elements a channel do not fit on {} in tiles of any length, expected fewer: {}",
                              request.elements, isa::to_string(request.generation),
                              request.statistics_given ? "every tile keeps its three sums in memory"
                                                       : "all statistics triples and tile sums stay in memory"));
}

}  // namespace

std::vector<ElementRange> parts_of(ElementRange range, std::uint64_t length) {
  std::vector<ElementRange> parts;
  for (std::uint64_t done = 0; done < range.count; done += length)
    parts.push_back({range.first + done, std::min(length, range.count - done)});
  return parts;
}

std::vector<ElementRange> tiles_of(const PlanRequest& request, std::uint64_t length) {
  std::vector<ElementRange> tiles;
  std::uint64_t first = 0;
  for (std::uint64_t k = 0; k < request.microbatches; ++k) {
    const std::uint64_t longer = k < request.elements % request.microbatches ? 1 : 0;
    const std::uint64_t count = request.elements / request.microbatches + longer;
    const auto parts = parts_of({first, count}, length);
    tiles.insert(tiles.end(), parts.begin(), parts.end());
    first += count;
  }
  return tiles;
}

PassLayout place_passes(const PlanRequest& request) {
  PassLayout layout;
  std::vector<Regions> regions;
  std::uint64_t length = 0;
  if (const auto cut = resident_cut(request)) {
    regions = resident_regions(request, *cut);
    length = cut->tile_length;
  }
  layout.resident = !regions.empty();
  if (!layout.resident) {
    auto [longest, shared] = tiled_regions(request);
    length = longest;
    regions.assign(pass_count(request), shared);
  }
  for (std::uint32_t p = 0; p < pass_count(request); ++p) {
    layout.passes.push_back({channels_of_pass(request, p), tiles_of(request, length), regions[p]});
  }
  return layout;
}

}  // namespace dve::runtime
