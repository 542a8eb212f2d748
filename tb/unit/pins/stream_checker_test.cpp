// The stream checker: each of its rules is broken, and found and named; a stream that keeps them all is not accused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dve/pin_protocol/pin_protocol.h"

namespace stream_checker_test {

using dve::pins::StreamChecker;
using dve::pins::StreamCycle;

StreamCycle cycle(bool reset, bool valid, bool ready, std::uint8_t data = 0, bool last = false) {
  StreamCycle now;
  now.reset = reset;
  now.valid = valid;
  now.ready = ready;
  now.beat.data.bytes[0] = data;
  now.beat.last = last;
  return now;
}
StreamCycle idle() { return cycle(false, false, true); }
StreamCycle passing(std::uint8_t data, bool last = false) { return cycle(false, true, true, data, last); }
StreamCycle waiting(std::uint8_t data, bool last = false) { return cycle(false, true, false, data, last); }
StreamCycle in_reset() { return cycle(true, false, false); }
StreamCycle control_unknown(StreamCycle now) {
  now.control_unknown = true;
  return now;
}
StreamCycle data_unknown(StreamCycle now) {
  now.data_unknown = true;
  return now;
}

struct Case {
  std::string rule;  // empty: nothing is broken
  std::vector<StreamCycle> cycles;
  std::uint64_t burst_beats = 0;
  std::uint64_t cycle = 0;  // of the finding, after the two cycles of reset that come before `cycles`
  std::uint64_t beat = 0;
};

std::vector<Case> cases() {
  const std::vector<StreamCycle> six_waiting(6, waiting(1));
  return {
      {"",
       {idle(), passing(1), passing(2), waiting(3), waiting(3), passing(3), idle(), waiting(4), in_reset(), in_reset(),
        idle(), passing(9)}},
      {"",
       {passing(1), waiting(2), passing(2), waiting(3, true), passing(3, true), passing(1), passing(2),
        passing(3, true)},
       3},
      {"", std::vector<StreamCycle>(5, waiting(1))},
      {"", {passing(1), in_reset(), passing(1), passing(2, true)}, 2},
      {"", {idle(), cycle(true, true, true), in_reset()}},
      {"", {idle(), control_unknown(cycle(true, false, false)), in_reset()}},
      {"", {data_unknown(idle()), passing(1)}},
      {"", {passing(1, true), passing(2), passing(3, true)}},
      {"valid_in_reset", {in_reset(), cycle(true, true, false)}, 0, 1},
      {"ready_in_reset", {in_reset(), cycle(true, false, true)}, 0, 1},
      {"unknown_control", {idle(), control_unknown(idle())}, 0, 1},
      {"unknown_control", {passing(1), in_reset(), control_unknown(in_reset())}, 0, 2},
      {"unknown_data", {passing(1), data_unknown(waiting(1))}, 0, 1, 1},
      {"valid_withdrawn", {waiting(1), idle()}, 0, 1},
      {"data_changed", {waiting(1), waiting(2)}, 0, 1},
      {"data_changed", {passing(7), waiting(1), passing(2)}, 0, 2, 1},
      {"data_changed", {waiting(1), passing(1, true)}, 0, 1},
      {"stalled", std::vector<StreamCycle>(7, waiting(1)), 0, 6},
      {"last_early", {passing(1), passing(2, true)}, 3, 1, 1},
      {"last_missing", {passing(1), passing(2)}, 2, 1, 1},
  };
}

TEST(StreamChecker, EveryRuleIsFoundWithItsCycleAndBeat) {
  int number = 0;
  for (const Case& one : cases()) {
    SCOPED_TRACE("case " + std::to_string(number++) + " " + one.rule);
    StreamChecker::Limits limits;
    limits.stall_limit = 5;
    limits.burst_beats = one.burst_beats;
    StreamChecker checker(limits);
    for (int i = 0; i < 2; ++i) checker.step(in_reset());
    for (const StreamCycle& now : one.cycles) checker.step(now);
    ASSERT_EQ(checker.finding().has_value(), !one.rule.empty());
    if (one.rule.empty()) continue;
    EXPECT_EQ(checker.finding()->channel, "stream");
    EXPECT_EQ(checker.finding()->rule, one.rule);
    EXPECT_EQ(checker.finding()->cycle, one.cycle + 2);
    EXPECT_EQ(checker.finding()->beat, one.beat);
  }
}

TEST(StreamChecker, LooksAtNothingBeforeTheFirstReset) {
  StreamChecker checker;
  for (const StreamCycle& now : {control_unknown(idle()), waiting(1), waiting(2), idle(), in_reset(), idle()})
    checker.step(now);
  EXPECT_FALSE(checker.finding().has_value());
}

TEST(StreamChecker, KeepsTheFirstFindingUntilItIsCleared) {
  StreamChecker checker;
  for (const StreamCycle& now :
       {in_reset(), passing(1), passing(2), waiting(3), waiting(4), idle(), in_reset(), idle()})
    checker.step(now);
  ASSERT_TRUE(checker.finding().has_value());
  EXPECT_EQ(checker.finding()->text(), "stream breaks data_changed in cycle 4 after 2 beats");
  checker.clear();
  EXPECT_FALSE(checker.finding().has_value());
  for (const StreamCycle& now : {waiting(3), idle()}) checker.step(now);
  ASSERT_TRUE(checker.finding().has_value());
  EXPECT_EQ(checker.finding()->rule, "valid_withdrawn");
}

}  // namespace stream_checker_test
