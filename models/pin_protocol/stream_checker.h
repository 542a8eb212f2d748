// Watches a valid/ready stream.
#pragma once

#include <cstdint>
#include <optional>

#include "finding.h"
#include "stream.h"

namespace dve::pins {

// The rules of tb/cosim/bench/dve_stream_checker.sv, under the same names; where several are broken in a cycle the
// first of this order is reported. In reset only the first three are looked at, before the first reset none.
//
//   unknown_control  valid or ready is X or Z, except in the first cycle of reset
//   valid_in_reset   valid holds in reset, from the second cycle on
//   ready_in_reset   ready holds in reset, from the second cycle on
//   valid_withdrawn  valid falls before the beat has passed
//   unknown_data     valid holds and a bit of the data or `last` is X or Z
//   data_changed     the data or `last` of a waiting beat changes
//   stalled          a beat has waited for more than stall_limit cycles
//   last_early       `last` passes before beat burst_beats
//   last_missing     beat burst_beats passes without `last`
class StreamChecker {
 public:
  struct Limits {
    std::uint64_t stall_limit = 1000;
    std::uint64_t burst_beats = 0;  // beats of every burst; 0: `last` is not looked at
  };
  StreamChecker() = default;
  explicit StreamChecker(const Limits& limits) : limits_(limits) {}
  // A rising edge, with the pins as they were before it.
  void step(const StreamCycle& now);
  const std::optional<Finding>& finding() const { return first_.get(); }
  void clear() { first_.clear(); }
  void set_burst_beats(std::uint64_t beats) { limits_.burst_beats = beats; }

 private:
  const char* broken(const StreamCycle& now) const;
  const char* broken_in_reset(const StreamCycle& now) const;

  Limits limits_;
  FirstFinding first_;
  bool was_reset_ = false;
  bool seen_reset_ = false;
  bool waiting_ = false;
  StreamBeat before_;
  std::uint64_t waited_ = 0;
  std::uint64_t passed_ = 0;
  std::uint64_t in_burst_ = 0;
};

}  // namespace dve::pins
