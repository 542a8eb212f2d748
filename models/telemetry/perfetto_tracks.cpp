#include "perfetto_tracks.h"

#include <fmt/format.h>

namespace dve::telemetry {
namespace {

// From top to bottom: engines with their ports, banks, other users.
constexpr std::uint32_t kEngineStep = 10, kDrain = 1, kFirstPort = 2;
constexpr std::uint32_t kFirstBank = 100, kSpaceStep = 1'000;
constexpr std::uint32_t kFirstUser = 10'000;
// Thread numbers of a track's lanes follow each other; lanes past these are numbered behind everything else.
constexpr std::uint32_t kLanes = 10, kFurtherLanes = 1'000'000'000;

std::uint32_t engine_order(isa::Engine engine) {
  return kEngineStep * (static_cast<std::uint32_t>(isa::index_of(engine)) + 1);
}

}  // namespace

Track words_track(isa::Engine engine) { return {engine_order(engine), std::string(isa::to_string(engine))}; }

Track drain_track(isa::Engine engine) {
  return {engine_order(engine) + kDrain, fmt::format("{} drain", isa::to_string(engine))};
}

Track port_track(isa::Engine engine, std::size_t port) {
  return {engine_order(engine) + kFirstPort + static_cast<std::uint32_t>(port),
          fmt::format("{}.{}", isa::to_string(engine), kPortNames[port])};
}

Track bank_track(isa::Space space, std::uint32_t bank) {
  return {kFirstBank + kSpaceStep * static_cast<std::uint32_t>(space) + bank,
          fmt::format("{}.{}", isa::to_string(space), bank)};
}

Track user_track(std::uint32_t index, const std::string& name) { return {kFirstUser + index, name}; }

TrackLanes::Place TrackLanes::place(const Track& track, const Interval& slice) {
  std::vector<Lane>& lanes = lanes_[track.order];
  std::uint32_t index = 0;
  while (index < lanes.size() && lanes[index].end_fs > slice.start_fs) ++index;
  Place place;
  if (index == lanes.size()) {
    lanes.push_back({0, index < kLanes ? track.order * kLanes + index : kFurtherLanes + further_lanes_++});
    place.opened = index == 0 ? track.name : fmt::format("{} ({})", track.name, index + 1);
  }
  lanes[index].end_fs = slice.end_fs;
  place.thread = lanes[index].thread;
  return place;
}

}  // namespace dve::telemetry
