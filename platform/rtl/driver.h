// Inside the rtl block: the lanes' pins, clock by clock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "dve/pin_protocol/pin_protocol.h"
#include "dve/timing/timing.h"
#include "lane_model.h"
#include "lane_word.h"
#include "lockstep.h"

namespace dve::rtl {

// Stalls of the four streams.
struct StreamStalls {
  pins::Stall parameter, command, operand, result;
};

// How a word ended.
struct Passage {
  bool finished = false;
  bool refused = false;      // the lanes dropped the command
  bool stopped = false;      // by the caller, in the middle
  std::uint64_t cycles = 0;  // from the cycle in which the command passes to that in which the last result does
};

// Drives a lane model: sources and sinks of the pin_protocol block on its four streams.
class LaneDriver {
 public:
  LaneDriver(std::unique_ptr<LaneModel> model, const LaneShape& shape, std::uint64_t clock_hz);

  // Throws std::runtime_error when they cannot be written (fst_file.h).
  void open_waves(const std::string& file);
  void close_waves();
  void reset();
  // Sends the word and shows what leaves to `lockstep`, until its results are complete, nothing has moved for a long
  // time, or `stop`, which is asked with the clocks so far, says so. The lanes need a reset after a stop.
  using Stop = std::function<bool(std::uint64_t clocks)>;
  Passage run(const LaneWord& word, Lockstep& lockstep, const StreamStalls& stalls, const Stop& stop);
  // The first rule that a stream broke, since the beginning.
  std::optional<isa::Finding> violation() const;

 private:
  struct Streams;
  void feed(const LaneWord& word, const Lockstep& lockstep, Streams& streams) const;
  void drive(const LaneWord& word, const Lockstep& lockstep, const Streams& streams);
  pins::StreamBeat parameter_beat(const LaneWord& word, std::size_t beat) const;
  pins::StreamBeat operand_beat(const LaneWord& word, std::size_t turns, std::size_t beat) const;
  bool observe(Lockstep& lockstep, Streams& streams, Passage& passage);
  void clock();

  std::unique_ptr<LaneModel> model_;
  LaneShape shape_;
  timing::Clock rate_;
  std::uint64_t clocks_ = 0;
  std::string waves_;  // empty: none
};

}  // namespace dve::rtl
