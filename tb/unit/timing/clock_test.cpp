#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "dve/timing/timing.h"

namespace dve::timing {
namespace {

using isa::Cycles;
__extension__ typedef __int128 Wide;

const std::vector<std::uint64_t> kFrequencies = {960'000'000, 1'120'000'000,        1'200'000'000, 1,
                                                 3,           1'000'000'007,        1'399'999'999, 999'999'999,
                                                 32'768'001,  1'000'000'000'000'000};

// Cycle counts up to where time ends: 2^64 fs.
std::vector<std::uint64_t> cycle_counts(std::uint64_t hz) {
  const auto last =
      static_cast<std::uint64_t>(Wide{std::numeric_limits<std::uint64_t>::max()} * hz / 1'000'000'000'000'000);
  std::vector<std::uint64_t> counts = {0};
  std::mt19937_64 random(hz);
  for (std::uint64_t c = 1; c < last && c < (std::uint64_t{1} << 62); c *= 2) {
    for (const std::uint64_t candidate : {c - 1, c, c + 1, c + random() % c}) {
      if (candidate < last) counts.push_back(candidate);
    }
  }
  return counts;
}

TEST(Clock, TimeIsTheNearestFemtosecondOfTheCycleCountWithHalvesUp) {
  for (const std::uint64_t hz : kFrequencies) {
    const Clock clock(hz);
    for (const std::uint64_t c : cycle_counts(hz)) {
      const Wide error = 2 * (Wide{clock.femtoseconds(Cycles(c))} * hz - Wide{c} * 1'000'000'000'000'000);
      ASSERT_TRUE(error > -Wide{hz} && error <= Wide{hz}) << hz << " Hz, " << c << " cycles";
    }
  }
}

// Up to some count the division is one of 64 bits, past it one of 128: both give the nearest femtosecond.
TEST(Clock, NarrowAndWideDivisionsAgreeAtEveryMagnitude) {
  for (const std::uint64_t hz : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{960'000'000},
                                 std::uint64_t{1'399'999'999}, std::uint64_t{999'999'999'999'999}}) {
    const Clock clock(hz);
    for (unsigned bit = 0; bit < 60; ++bit) {
      for (const std::uint64_t near : {0, 1, 2, 1000}) {
        const std::uint64_t cycles = (std::uint64_t{1} << bit) + near - 1;
        const Wide exact = (Wide{2} * cycles * 1'000'000'000'000'000 + hz) / (Wide{2} * hz);
        if (exact >> 64 != 0)
          EXPECT_THROW(clock.femtoseconds(Cycles(cycles)), std::overflow_error) << hz << " " << cycles;
        else
          EXPECT_EQ(clock.femtoseconds(Cycles(cycles)), static_cast<std::uint64_t>(exact)) << hz << " " << cycles;
      }
    }
  }
}

TEST(Clock, RoundTripIsExactOverLargeCycleCounts) {
  for (const std::uint64_t hz : kFrequencies) {
    const Clock clock(hz);
    for (const std::uint64_t c : cycle_counts(hz)) {
      const std::uint64_t fs = clock.femtoseconds(Cycles(c));
      ASSERT_EQ(clock.cycles_at_or_after(fs).value, c) << hz << " Hz";
      if (c == 0) continue;
      ASSERT_EQ(clock.cycles_at_or_after(fs - 1).value, fs == clock.femtoseconds(Cycles(c - 1)) + 1 ? c - 1 : c)
          << hz << " Hz, " << c << " cycles less 1 fs";
    }
  }
}

TEST(Clock, MillionsOfCyclesDoNotDrift) {
  EXPECT_EQ(Clock(960'000'000).femtoseconds(Cycles(1)), 1'041'667u);  // 1041.6667 ps
  EXPECT_EQ(Clock(960'000'000).femtoseconds(Cycles(960'000'000)), 1'000'000'000'000'000u);
  EXPECT_EQ(Clock(1'120'000'000).femtoseconds(Cycles(1)), 892'857u);
  EXPECT_EQ(Clock(1'120'000'000).femtoseconds(Cycles(112'000'000'000)), 100'000'000'000'000'000u);
  EXPECT_EQ(Clock(1'200'000'000).femtoseconds(Cycles(1'200'000'000'000)), 1'000'000'000'000'000'000u);
  EXPECT_EQ(Clock(2'000'000'000'000).femtoseconds(Cycles(0)), 0u);
}

TEST(Clock, HalvesRoundUp) {
  const Clock clock(400'000'000'000'000);  // 2.5 fs a cycle
  EXPECT_EQ(clock.femtoseconds(Cycles(1)), 3u);
  EXPECT_EQ(clock.femtoseconds(Cycles(2)), 5u);
  EXPECT_EQ(clock.cycles_at_or_after(3).value, 1u);
  EXPECT_EQ(clock.cycles_at_or_after(4).value, 2u);
}

TEST(Clock, CyclesAtOrAfterIsTheSmallestSuchCycle) {
  for (const std::uint64_t hz : {960'000'000u, 1'120'000'000u, 1'399'999'999u}) {
    const Clock clock(hz);
    std::mt19937_64 random(7);
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t fs = random() >> (1 + random() % 60);
      const Cycles c = clock.cycles_at_or_after(fs);
      ASSERT_GE(clock.femtoseconds(c), fs);
      if (c.value > 0) {
        ASSERT_LT(clock.femtoseconds(Cycles(c.value - 1)), fs) << hz << " Hz";
      }
    }
  }
}

TEST(Clock, NanosecondsRoundUpAndExactMultiplesStayExact) {
  EXPECT_EQ(Clock(960'000'000).cycles_of_ns(30).value, 29u);    // 28.8
  EXPECT_EQ(Clock(1'120'000'000).cycles_of_ns(30).value, 34u);  // 33.6
  EXPECT_EQ(Clock(1'200'000'000).cycles_of_ns(30).value, 36u);  // 36 exactly
  EXPECT_EQ(Clock(1'000'000'000).cycles_of_ns(0).value, 0u);
  EXPECT_EQ(Clock(1'000'000'000).cycles_of_ns(30.000001).value, 31u);
  // 0.1 and 0.7 ns have no exact binary value; their multiples of a 10 GHz cycle must not gain one.
  for (int tenths = 1; tenths < 5000; ++tenths) {
    ASSERT_EQ(Clock(10'000'000'000).cycles_of_ns(tenths / 10.0).value, static_cast<std::uint64_t>(tenths));
  }
}

TEST(Clock, RefusesWhatItCannotRepresent) {
  EXPECT_THROW(Clock(0), std::invalid_argument);
  EXPECT_THROW(Clock(1'000'000'000'000'001), std::invalid_argument);
  const Clock clock(1'000'000'000);
  EXPECT_EQ(clock.femtoseconds(Cycles(18'446'744'073'709)), 18'446'744'073'709'000'000u);
  EXPECT_THROW(clock.femtoseconds(Cycles(18'446'744'073'710)), std::overflow_error);
  EXPECT_THROW(clock.femtoseconds(Cycles(~std::uint64_t{0})), std::overflow_error);
  for (const double ns : {-1.0, -1e-9, 1.1e12, std::nan(""), static_cast<double>(INFINITY)}) {
    EXPECT_THROW(clock.cycles_of_ns(ns), std::invalid_argument) << ns;
  }
}

TEST(Parameters, SemaphoreLatencyFollowsTheClock) {
  Parameters parameters;
  EXPECT_EQ(parameters.semaphore_latency().value, 29u);
  parameters.clock_hz = 1'200'000'000;
  EXPECT_EQ(parameters.semaphore_latency().value, 36u);
  parameters.sem_ns = 0;
  EXPECT_EQ(parameters.semaphore_latency().value, 0u);
  parameters.sem_ns = -1;
  EXPECT_THROW(parameters.semaphore_latency(), std::invalid_argument);
}

}  // namespace
}  // namespace dve::timing
