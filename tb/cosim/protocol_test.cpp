// The stream checker: each of its rules is broken once, and found and named; a stream that keeps them all is not
// accused. The two rules on X and Z are broken in 4-state simulation (bench/four_state_bench.sv).
#include <gtest/gtest.h>
#include <verilated.h>

#include <map>
#include <random>

#include "CheckerRtl.h"
#include "cosim/lane_group_bench.h"
#include "dve/pin_protocol/pin_protocol.h"

namespace dve::cosim {
namespace {

struct Cycle {
  bool reset = false;
  bool valid = false;
  bool ready = false;
  std::uint8_t data = 0;
  bool last = false;
};

// The checker, built with 8 bits of data and a limit of 5 cycles.
class Checker {
 public:
  Checker() {
    context_.randReset(2);
    clock({true, false, false, 0, false});
    clock({true, false, false, 0, false});
  }
  ~Checker() { model_.final(); }
  void burst(std::uint32_t beats) { model_.burst_beats = beats; }
  void clock(const Cycle& cycle) {
    model_.reset = cycle.reset;
    model_.valid = cycle.valid;
    model_.ready = cycle.ready;
    model_.data = cycle.data;
    model_.last = cycle.last;
    model_.clk = 0;
    model_.eval();
    model_.clk = 1;
    model_.eval();
  }
  void clear() {
    model_.clear = 1;
    clock({});
    model_.clear = 0;
  }
  std::string found() const { return model_.failed != 0 ? rtl::stream_rule_name(model_.rule) : "nothing"; }
  std::uint32_t beat() const { return model_.beat; }

 private:
  VerilatedContext context_;
  CheckerRtl model_{&context_};
};

// What the checker says after these cycles.
std::string verdict(std::initializer_list<Cycle> cycles, std::uint32_t burst = 0) {
  Checker checker;
  checker.burst(burst);
  for (const Cycle& cycle : cycles) checker.clock(cycle);
  return checker.found();
}

constexpr Cycle kIdle = {false, false, true, 0, false};
constexpr Cycle passing(std::uint8_t data, bool last = false) { return {false, true, true, data, last}; }
constexpr Cycle waiting(std::uint8_t data, bool last = false) { return {false, true, false, data, last}; }
constexpr Cycle kReset = {true, false, false, 0, false};

TEST(StreamChecker, AcceptsALegalStream) {
  EXPECT_EQ(verdict({kIdle, passing(1), passing(2), waiting(3), waiting(3), passing(3), kIdle, waiting(4), kReset,
                     kReset, kIdle, passing(9)}),
            "nothing");
  EXPECT_EQ(verdict({passing(1), waiting(2), passing(2), waiting(3, true), passing(3, true), passing(1), passing(2),
                     passing(3, true)},
                    3),
            "nothing");
  EXPECT_EQ(verdict({waiting(1), waiting(1), waiting(1), waiting(1), waiting(1), passing(1)}), "nothing")
      << "5 cycles are allowed";
  EXPECT_EQ(verdict({passing(1), kReset, passing(1), passing(2, true)}, 2), "nothing")
      << "a burst begins anew after reset";
}

TEST(StreamChecker, ValidInReset) {
  EXPECT_EQ(verdict({kReset, {true, true, false, 0, false}}), "valid_in_reset");
  EXPECT_EQ(verdict({kIdle, {true, true, false, 0, false}, kReset}), "nothing") << "the first cycle of reset";
}

TEST(StreamChecker, ReadyInReset) {
  EXPECT_EQ(verdict({kReset, {true, false, true, 0, false}}), "ready_in_reset");
  EXPECT_EQ(verdict({kIdle, {true, false, true, 0, false}, kReset}), "nothing") << "the first cycle of reset";
}

TEST(StreamChecker, ValidWithdrawn) { EXPECT_EQ(verdict({waiting(1), kIdle}), "valid_withdrawn"); }

TEST(StreamChecker, DataChanged) {
  EXPECT_EQ(verdict({waiting(1), waiting(2)}), "data_changed");
  EXPECT_EQ(verdict({waiting(1), passing(2)}), "data_changed");
  EXPECT_EQ(verdict({waiting(1), passing(1, true)}), "data_changed") << "last belongs to the beat";
}

TEST(StreamChecker, LastEarly) { EXPECT_EQ(verdict({passing(1), passing(2, true)}, 3), "last_early"); }

TEST(StreamChecker, LastMissing) { EXPECT_EQ(verdict({passing(1), passing(2)}, 2), "last_missing"); }

TEST(StreamChecker, Stalled) {
  EXPECT_EQ(verdict({waiting(1), waiting(1), waiting(1), waiting(1), waiting(1), waiting(1), waiting(1)}), "stalled");
}

TEST(StreamChecker, KeepsTheFirstFindingUntilItIsCleared) {
  Checker checker;
  for (const Cycle& cycle : {passing(1), passing(2), waiting(3), waiting(4), kIdle, kReset, kIdle})
    checker.clock(cycle);
  EXPECT_EQ(checker.found(), "data_changed");
  EXPECT_EQ(checker.beat(), 2U);
  checker.clear();
  EXPECT_EQ(checker.found(), "nothing");
  for (const Cycle& cycle : {waiting(3), kIdle}) checker.clock(cycle);
  EXPECT_EQ(checker.found(), "valid_withdrawn");
}

// pins::StreamChecker has the same rules: random cycles, in which anything may be broken, are judged alike.
TEST(StreamChecker, AgreesWithTheOneOfThePinMonitors) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    std::mt19937_64 random(seed);
    pins::StreamChecker::Limits limits;
    limits.stall_limit = 5;
    limits.burst_beats = random() % 4;
    Checker rtl;
    rtl.burst(static_cast<std::uint32_t>(limits.burst_beats));
    pins::StreamChecker checker(limits);
    pins::StreamCycle reset;
    reset.reset = true;
    for (int i = 0; i < 2; ++i) checker.step(reset);
    const std::uint64_t calm = 1 + random() % 12;  // how seldom something changes
    Cycle now;
    for (int i = 0; i < 40; ++i) {
      const auto change = [&](auto& what, std::uint64_t range) {
        if (random() % calm == 0) what = static_cast<std::decay_t<decltype(what)>>(random() % range);
      };
      now.reset = random() % 16 == 0 || (now.reset && random() % 2 == 0);
      change(now.valid, 2);
      change(now.ready, 2);
      change(now.data, 3);
      change(now.last, 2);
      if (now.reset && random() % 2 == 0) now.valid = now.ready = false;
      rtl.clock(now);
      pins::StreamCycle cycle;
      cycle.reset = now.reset;
      cycle.valid = now.valid;
      cycle.ready = now.ready;
      cycle.beat.data.bytes[0] = now.data;
      cycle.beat.last = now.last;
      checker.step(cycle);
      ASSERT_EQ(checker.finding() ? checker.finding()->rule : "nothing", rtl.found()) << "seed " << seed << ", " << i;
      if (!checker.finding()) continue;
      ASSERT_EQ(checker.finding()->beat, rtl.beat()) << "seed " << seed;
      ++seen[checker.finding()->rule];
      break;
    }
  }
  EXPECT_EQ(seen.size(), 7U);  // all but those of X and Z
}

}  // namespace
}  // namespace dve::cosim
