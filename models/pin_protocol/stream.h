// A valid/ready stream, cycle by cycle: the side that offers beats and the side that takes them.
//
// A beat passes at a rising edge at which valid and ready hold. Both sides drive their pins from registers: what step()
// returns stands on the pins from just after that edge on, so neither side's answer depends on the other's in the same
// cycle. Reset is synchronous and ends everything that is on its way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "bus_word.h"
#include "stall.h"

namespace dve::pins {

struct StreamBeat {
  BusWord data;
  bool last = false;  // ends a burst
};

// All pins of a stream in one cycle.
struct StreamCycle {
  bool reset = false;
  bool valid = false;
  bool ready = false;
  StreamBeat beat;
  // In simulations of four states: valid or ready, or one of data and last, is X or Z.
  bool control_unknown = false;
  bool data_unknown = false;
};

// Offers beats in order. Without stalls: a beat appended before an edge stands on the pins after it, the next one after
// the edge at which it passed.
class StreamSource {
 public:
  explicit StreamSource(Stall stall) : stall_(std::move(stall)) {}
  void append(const StreamBeat& beat) { beats_.push_back(beat); }
  // A rising edge, with the pins as they were before it.
  void step(bool reset, bool ready);
  bool valid() const { return valid_; }
  // What stands on the pins: the beat offered, or the one that passed last.
  const StreamBeat& beat() const { return beat_; }
  bool idle() const { return beats_.empty(); }  // every beat has passed

 private:
  Stall stall_;
  std::deque<StreamBeat> beats_;
  StreamBeat beat_;
  bool valid_ = false;
  std::uint64_t edge_ = 0;
};

// Takes beats, as long as it has places for them.
class StreamSink {
 public:
  // `places`: beats that can be held, at least 1. With one place it takes a beat every other cycle at most, as it
  // cannot know before an edge that the place becomes free.
  StreamSink(std::size_t places, Stall stall) : stall_(std::move(stall)), places_(places) {}
  // A rising edge, with the pins as they were before it, and how many places have become free. Whether a beat passed.
  bool step(bool reset, bool valid, std::size_t freed);
  bool ready() const { return ready_; }

 private:
  Stall stall_;
  std::size_t places_;
  std::size_t held_ = 0;
  bool ready_ = false;
  std::uint64_t edge_ = 0;
};

}  // namespace dve::pins
