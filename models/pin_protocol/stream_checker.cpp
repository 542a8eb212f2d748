#include "stream_checker.h"

namespace dve::pins {

const char* StreamChecker::broken_in_reset(const StreamCycle& now) const {
  if (!was_reset_) return nullptr;
  if (now.control_unknown) return "unknown_control";
  if (now.valid) return "valid_in_reset";
  return now.ready ? "ready_in_reset" : nullptr;
}

const char* StreamChecker::broken(const StreamCycle& now) const {
  if (now.reset) return broken_in_reset(now);
  if (!seen_reset_) return nullptr;
  if (now.control_unknown) return "unknown_control";
  if (waiting_ && !now.valid) return "valid_withdrawn";
  if (now.valid && now.data_unknown) return "unknown_data";
  if (waiting_ && (now.beat.data != before_.data || now.beat.last != before_.last)) return "data_changed";
  if (waited_ > limits_.stall_limit) return "stalled";
  if (!now.valid || !now.ready || limits_.burst_beats == 0) return nullptr;
  const bool ends = in_burst_ + 1 == limits_.burst_beats;
  if (now.beat.last && !ends) return "last_early";
  return !now.beat.last && ends ? "last_missing" : nullptr;
}

void StreamChecker::step(const StreamCycle& now) {
  first_.edge();
  if (const char* rule = broken(now)) first_.report("stream", rule, passed_);
  was_reset_ = now.reset;
  waiting_ = !now.reset && now.valid && !now.ready;
  waited_ = waiting_ ? waited_ + 1 : 0;
  before_ = now.beat;
  if (now.reset) {
    seen_reset_ = true;
    passed_ = in_burst_ = 0;
  } else if (now.valid && now.ready) {
    ++passed_;
    in_burst_ = now.beat.last || in_burst_ + 1 == limits_.burst_beats ? 0 : in_burst_ + 1;
  }
}

}  // namespace dve::pins
