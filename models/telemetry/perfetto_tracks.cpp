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

std::string name_of(const Track& track) {
  switch (track.kind) {
    case Track::Kind::words:
      return std::string(isa::to_string(track.engine));
    case Track::Kind::drain:
      return fmt::format("{} drain", isa::to_string(track.engine));
    case Track::Kind::port:
      return fmt::format("{}.{}", isa::to_string(track.engine), kPortNames[track.index]);
    case Track::Kind::bank:
      return fmt::format("{}.{}", isa::to_string(track.space), track.index);
    case Track::Kind::user:
      break;
  }
  return std::string(track.user);
}

Track words_track(isa::Engine engine) {
  Track track;
  track.order = engine_order(engine);
  track.engine = engine;
  return track;
}

Track drain_track(isa::Engine engine) {
  Track track = words_track(engine);
  track.order += kDrain;
  track.kind = Track::Kind::drain;
  return track;
}

Track port_track(isa::Engine engine, std::size_t port) {
  Track track = words_track(engine);
  track.index = static_cast<std::uint32_t>(port);
  track.order += kFirstPort + track.index;
  track.kind = Track::Kind::port;
  return track;
}

Track bank_track(isa::Space space, std::uint32_t bank) {
  Track track;
  track.order = kFirstBank + kSpaceStep * static_cast<std::uint32_t>(space) + bank;
  track.kind = Track::Kind::bank;
  track.space = space;
  track.index = bank;
  return track;
}

Track user_track(std::uint32_t index, std::string_view name) {
  Track track;
  track.order = kFirstUser + index;
  track.kind = Track::Kind::user;
  track.user = name;
  return track;
}

TrackLanes::Place TrackLanes::place(const Track& track, const Interval& slice) {
  std::vector<Lane>& lanes = lanes_[track.order];
  std::uint32_t index = 0;
  while (index < lanes.size() && lanes[index].end_fs > slice.start_fs) ++index;
  Place place;
  if (index == lanes.size()) {
    lanes.push_back({0, index < kLanes ? track.order * kLanes + index : kFurtherLanes + further_lanes_++});
    place.opened = index == 0 ? name_of(track) : fmt::format("{} ({})", name_of(track), index + 1);
  }
  lanes[index].end_fs = slice.end_fs;
  place.thread = lanes[index].thread;
  return place;
}

}  // namespace dve::telemetry
