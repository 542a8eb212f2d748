// Which track of a Perfetto trace a slice is drawn on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "events.h"

namespace dve::telemetry {

// What a track shows. `order` tells tracks apart and sorts them from top to bottom.
// Its name is put together only when its first slice comes.
struct Track {
  enum class Kind : std::uint8_t { words, drain, port, bank, user };
  std::uint32_t order = 0;
  Kind kind = Kind::words;
  isa::Engine engine = isa::Engine::dve;  // words, drain, port
  isa::Space space = isa::Space::sbuf;    // bank
  std::uint32_t index = 0;                // of the port or the bank
  std::string_view user;
};
std::string name_of(const Track& track);

Track words_track(isa::Engine engine);  // "dve": one word at a time, from its start to the next possible issue
Track drain_track(isa::Engine engine);  // "dve drain": from the last operand read to completion
Track port_track(isa::Engine engine, std::size_t port);  // "dve.read0"
Track bank_track(isa::Space space, std::uint32_t bank);  // "psum.3"
Track user_track(std::uint32_t index, std::string_view name);

// Slices of one thread must nest or lie apart. Slices that overlap (two engines in one bank, the drains of words in
// quick succession) go to further lanes of their track: "psum.3", "psum.3 (2)". As many lanes as slices overlap, or as
// engines run ahead of each other: not more with a longer run.
class TrackLanes {
 public:
  struct Place {
    std::uint32_t thread = 0;  // the lane's thread number
    std::string opened;        // name of the lane when this slice is its first; else empty
  };
  Place place(const Track& track, const Interval& slice);

 private:
  struct Lane {
    std::uint64_t end_fs = 0;  // of its last slice
    std::uint32_t thread = 0;
  };
  std::map<std::uint32_t, std::vector<Lane>> lanes_;  // by order
  std::uint32_t further_lanes_ = 0;
};

}  // namespace dve::telemetry
