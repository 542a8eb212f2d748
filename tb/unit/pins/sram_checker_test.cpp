// The SRAM checker: each of its rules is broken, and found and named; correct accesses are not accused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dve/pin_protocol/pin_protocol.h"

namespace sram_checker_test {

using namespace dve::pins;

SramCycle idle(std::uint8_t rdata = 0) {
  SramCycle now;
  now.rdata.bytes[0] = rdata;
  return now;
}
SramCycle in_reset() {
  SramCycle now;
  now.reset = true;
  return now;
}
// Writes all four bytes of the word, the lowest with `value`.
SramCycle write(std::uint64_t word, std::uint8_t value, std::uint8_t enables = 0xF) {
  SramCycle now;
  now.enable = true;
  now.request.write = true;
  now.request.word = word;
  now.request.bytes = enables;
  now.request.data.bytes[0] = value;
  return now;
}
SramCycle read(std::uint64_t word, std::uint8_t rdata = 0) {
  SramCycle now = idle(rdata);
  now.enable = true;
  now.request.word = word;
  return now;
}
template <class Change>
SramCycle with(SramCycle now, Change change) {
  change(now);
  return now;
}

struct Case {
  std::string rule;  // empty: nothing is broken
  std::vector<SramCycle> cycles;
  std::uint64_t cycle = 0;  // of the finding, after the two cycles of reset that come before `cycles`
  std::uint64_t beat = 0;
};

// 16 words of 4 bytes, latency 2.
std::vector<Case> cases() {
  const auto control = [](SramCycle& now) { now.control_unknown = true; };
  const auto address = [](SramCycle& now) { now.address_unknown = true; };
  const auto wdata = [](SramCycle& now) { now.wdata_unknown.set(1); };
  const auto rdata = [](SramCycle& now) { now.rdata_unknown.set(3); };
  const auto reset = [](SramCycle& now) { now.reset = true; };
  const auto enables = [](SramCycle& now) { now.request.bytes.set(0); };
  return {
      {"", {write(3, 7), read(3), read(4), idle(7), idle(99), idle(98)}},
      {"", {write(3, 7), write(3, 9, 0xE), read(3), idle(), idle(7)}},
      {"", {write(3, 7), read(3), write(3, 8), idle(7), read(3), idle(), idle(8)}},
      {"", {write(15, 1), read(15), in_reset(), in_reset(), idle(55)}},  // the read is forgotten
      {"", {with(idle(), address), with(idle(), wdata), with(idle(), rdata)}},
      {"", {with(write(1, 2, 0x1), wdata)}},
      {"", {write(1, 2), with(write(1, 2), reset), in_reset(), in_reset()}},  // the first cycle, and what follows it
      {"", {idle(), with(in_reset(), control), in_reset()}},
      {"unknown_control", {idle(), with(idle(), control)}, 1},
      {"unknown_control", {idle(), in_reset(), with(in_reset(), control)}, 2},
      {"enable_in_reset", {read(1), in_reset(), with(in_reset(), [](SramCycle& now) { now.enable = true; })}, 2},
      {"change_in_reset", {idle(), in_reset(), in_reset(), with(in_reset(), enables)}, 3},
      {"change_in_reset",
       {idle(), in_reset(), in_reset(), with(in_reset(), [](SramCycle& now) { now.request.word = 1; })},
       3},
      {"unknown_address", {read(1), with(read(1), address)}, 1, 1},
      {"address_out_of_range", {read(15), read(16)}, 1, 1},
      {"address_out_of_range", {write(16, 0)}, 0, 0},
      {"byte_enables_on_read", {with(read(2), enables)}, 0, 0},
      {"no_byte_enabled", {write(1, 1), write(2, 2), write(2, 3, 0)}, 2, 2},
      {"unknown_write_data", {with(write(1, 2, 0x2), wdata)}, 0, 0},
      {"unknown_read_data", {write(0, 0), read(5), idle(), with(idle(), rdata)}, 3, 1},
      {"wrong_read_data", {write(3, 7), read(3), idle(7), idle(8)}, 3, 1},      // another value
      {"wrong_read_data", {write(3, 7), read(3), idle(7), idle(0)}, 3, 1},      // a cycle too early
      {"wrong_read_data", {write(3, 7), read(3), write(3, 8), idle(8)}, 3, 1},  // of a later write
  };
}

SramChecker::Limits limits() {
  SramChecker::Limits limits;
  limits.words = 16;
  limits.latency = 2;
  limits.word_bytes = 4;
  return limits;
}

TEST(SramChecker, EveryRuleIsFoundWithItsCycleAndBeat) {
  int number = 0;
  for (const Case& one : cases()) {
    SCOPED_TRACE("case " + std::to_string(number++) + " " + one.rule);
    SramChecker checker(limits());
    for (int i = 0; i < 2; ++i) checker.step(in_reset());
    for (const SramCycle& now : one.cycles) checker.step(now);
    ASSERT_EQ(checker.finding() ? checker.finding()->rule : "", one.rule);
    if (one.rule.empty()) continue;
    EXPECT_EQ(checker.finding()->channel, "sram");
    EXPECT_EQ(checker.finding()->cycle, one.cycle + 2);
    EXPECT_EQ(checker.finding()->beat, one.beat);
  }
}

TEST(SramChecker, LooksAtNothingBeforeTheFirstReset) {
  SramChecker checker(limits());
  for (const SramCycle& now : {read(99), write(1, 1, 0), in_reset(), idle()}) checker.step(now);
  EXPECT_FALSE(checker.finding().has_value());
}

TEST(SramChecker, AnSramThatOthersWriteMayReadAsAnything) {
  SramChecker::Limits shared = limits();
  shared.only_port = false;
  SramChecker checker(shared);
  for (const SramCycle& now : {in_reset(), write(3, 7), read(3), idle(), idle(8)}) checker.step(now);
  EXPECT_FALSE(checker.finding().has_value());
}

TEST(SramChecker, KeepsTheFirstFindingUntilItIsCleared) {
  SramChecker checker(limits());
  for (const SramCycle& now : {in_reset(), read(16), write(1, 1, 0)}) checker.step(now);
  ASSERT_TRUE(checker.finding().has_value());
  EXPECT_EQ(checker.finding()->text(), "sram breaks address_out_of_range in cycle 1 after 0 beats");
  checker.clear();
  checker.step(write(1, 1, 0));
  ASSERT_TRUE(checker.finding().has_value());
  EXPECT_EQ(checker.finding()->rule, "no_byte_enabled");
}

}  // namespace sram_checker_test
