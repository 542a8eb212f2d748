// Transfers as plain values: what is possible, how fast it goes, which banks it touches.
#include <gtest/gtest.h>

#include <cmath>

#include "dve/dma/dma.h"

namespace dve::dma {
namespace {

using isa::Generation;
using isa::Space;

Transfer load(std::uint32_t channels, std::uint64_t bytes, std::uint32_t offset = 0) {
  Transfer t;
  t.row_stride = 1 << 20;
  t.place = {Space::sbuf, isa::Partition{0}, offset};
  t.channels = channels;
  t.bytes_per_partition = bytes;
  return t;
}

// Cycles from the first beat to the end of the last one.
double duration(const contention::Job& job) {
  const double pace = static_cast<double>(job.pace.cycle) +
                      static_cast<double>(job.pace.fraction) / static_cast<double>(job.denominator);
  return pace * static_cast<double>(job.steps);
}

TEST(Rate, AnEngineGetsASixteenthOfHbmAtMost) {
  EXPECT_EQ(engine_rate({1300, 23, 16 * 30.0}), 23);
  EXPECT_EQ(engine_rate({1300, 23, 16 * 20.0}), 20);
  EXPECT_DOUBLE_EQ(engine_rate(Rates()), 362.5 / 16) << "cayman: 16 engines would want 368 B/ns";
}

TEST(Rate, FractionsAreTheSimplestWithinTheTolerance) {
  const auto expect = [](double value, std::uint64_t numerator, std::uint64_t denominator) {
    const Fraction f = simplest_fraction(value, 0.002);
    EXPECT_EQ(f.numerator, numerator) << value;
    EXPECT_EQ(f.denominator, denominator) << value;
  };
  expect(1, 1, 1);
  expect(7.01, 7, 1);
  expect(0.5, 1, 2);
  expect(1024 / 368.0 * 1.2, 10, 3);  // 16 engines of 23 B/ns at 1.2 GHz
  expect(1024 / 184.0 * 1.2, 20, 3);
  expect(3.14159265, 22, 7);
  expect(1 / 43.0, 1, 43);
  expect(1e6 / 3, 332667, 1);  // the smallest whole number that is near enough
}

// No smaller denominator will do: tried out.
TEST(Rate, NoFractionWithASmallerDenominatorIsNearEnough) {
  for (double value = 0.013; value < 60; value *= 1.0371) {
    const Fraction f = simplest_fraction(value, kPaceTolerance);
    const auto near = [&](std::uint64_t n, std::uint64_t d) {
      return std::fabs(static_cast<double>(n) / static_cast<double>(d) / value - 1) <= kPaceTolerance * (1 + 1e-9);
    };
    EXPECT_TRUE(near(f.numerator, f.denominator)) << value;
    for (std::uint64_t d = 1; d < f.denominator; ++d)
      EXPECT_FALSE(near(static_cast<std::uint64_t>(std::llround(value * static_cast<double>(d))), d))
          << value << ": " << d << " is smaller than " << f.denominator;
  }
}

TEST(Transfer, RowsGoToEnginesOneByOne) {
  contention::Parameters memory;
  memory.clock_hz = 1'000'000'000;  // a cycle is a nanosecond
  const Rates rates{1300, 10, 1e6};
  const auto cycles = [&](std::uint32_t channels, std::uint32_t engines, std::uint64_t bytes) {
    Transfer t = load(channels, bytes);
    t.engines = engines;
    return duration(job_of(t, rates, memory));
  };
  // ceil(rows / engines) rows of one engine at 10 B/ns.
  EXPECT_NEAR(cycles(128, 16, 4000), 8 * 4000 / 10.0, 8 * 4000 / 10.0 * kPaceTolerance);
  EXPECT_NEAR(cycles(128, 8, 4000), 16 * 4000 / 10.0, 16 * 4000 / 10.0 * kPaceTolerance);
  EXPECT_NEAR(cycles(1, 16, 4000), 400, 400 * kPaceTolerance) << "one row is one engine's";
  EXPECT_NEAR(cycles(16, 16, 4000), 400, 400 * kPaceTolerance);
  EXPECT_NEAR(cycles(17, 16, 4000), 800, 800 * kPaceTolerance);
  EXPECT_NEAR(cycles(16, 16, 1), 8 / 10.0, 8 / 10.0 * kPaceTolerance) << "a beat is a whole one";
}

TEST(Transfer, AskForOneStreamThroughItsBanks) {
  contention::Parameters memory;
  memory.sbuf_bank_bytes = isa::Bytes(16384);
  Transfer t = load(128, 40000, 16384 - 64);
  t.first_engine = 8;
  t.engines = 8;
  const contention::Job job = job_of(t, Rates(), memory);
  EXPECT_EQ(job.user, contention::dma_engine(8));
  EXPECT_EQ(job.steps, 5000U);
  ASSERT_EQ(job.streams.size(), 1U);
  const contention::StreamJob& stream = job.streams[0];
  EXPECT_TRUE(stream.write);
  EXPECT_EQ(stream.every, 1U);
  EXPECT_EQ(stream.beats, 5000U);
  ASSERT_EQ(stream.runs.size(), 4U);
  const std::uint64_t beats[] = {8, 2048, 2048, 896};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(stream.runs[k].space, Space::sbuf);
    EXPECT_EQ(stream.runs[k].bank, k);
    EXPECT_EQ(stream.runs[k].beats, beats[k]);
  }
  t.direction = Direction::store;
  EXPECT_FALSE(job_of(t, Rates(), memory).streams[0].write);
}

TEST(Transfer, PsumHasBanksOfItsOwn) {
  Transfer t = load(4, 4096);
  t.place = {Space::psum, isa::Partition{0}, 2048};
  const contention::Job job = job_of(t, Rates(), contention::Parameters());
  ASSERT_EQ(job.streams[0].runs.size(), 2U);
  EXPECT_EQ(job.streams[0].runs[0].bank, 1U);
  EXPECT_EQ(job.streams[0].runs[1].bank, 2U);
  EXPECT_EQ(job.streams[0].runs[0].space, Space::psum);
  EXPECT_EQ(job.streams[0].runs[0].beats, 256U);
}

// Offsets inside a beat: its bank is that of its first byte.
TEST(Transfer, OddOffsetsAndLengthsRoundToBeats) {
  const contention::Job job = job_of(load(1, 21, 16384 - 12), Rates(), contention::Parameters());
  EXPECT_EQ(job.steps, 3U);
  ASSERT_EQ(job.streams[0].runs.size(), 2U);
  EXPECT_EQ(job.streams[0].runs[0].beats, 2U);
  EXPECT_EQ(job.streams[0].runs[1].beats, 1U);
}

TEST(Transfer, TheLastBeatTakesItsPace) {
  contention::Job job;
  contention::Outcome outcome;
  outcome.last_cycle = 100;
  job.pace = {3, 0};
  EXPECT_EQ(end_cycle(job, outcome), 103);
  job.denominator = 3;
  job.pace = {3, 1};
  EXPECT_EQ(end_cycle(job, outcome), 104);
  job.pace = {0, 1};
  EXPECT_EQ(end_cycle(job, outcome), 101);
}

TEST(Transfer, EveryImpossibilityIsNamed) {
  const auto expect = [](const Transfer& t, const std::string& part, Generation generation = Generation::cayman) {
    const auto problem = problem_of(t, generation);
    ASSERT_TRUE(problem.has_value()) << part;
    EXPECT_NE(problem->find(part), std::string::npos) << *problem;
  };
  EXPECT_EQ(problem_of(load(128, 0x38000), Generation::cayman), std::nullopt) << "the whole SBUF of trn2";
  expect(load(0, 4), "channels is 0");
  expect(load(4, 0), "bytes_per_partition is 0");
  expect(load(129, 4), "129 rows from partition 0 go past partition 127");
  expect(load(1, 0x38001), "229377 bytes from offset 0x0 go past the 229376 active bytes");
  expect(load(1, 1, 0x38000), "1 bytes from offset 0x38000");
  Transfer t = load(128, 4);
  t.place.partition = isa::Partition{1};
  expect(t, "128 rows from partition 1");
  t = load(1, 4);
  t.place.partition = isa::Partition{128};
  expect(t, "from partition 128");
  t = load(4, 4);
  t.place.space = Space::psum;
  expect(t, "expected sbuf: maverick has no PSUM", Generation::maverick);
  for (const auto& [first, engines] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}, {0, 17}, {9, 8}, {16, 1}}) {
    t = load(4, 4);
    t.first_engine = first;
    t.engines = engines;
    expect(t, std::to_string(engines) + " engines from engine " + std::to_string(first));
  }
  t = load(4, 8);
  t.hbm = ~std::uint64_t{0} - 7;
  expect(t, "end past 2^64");
  t.hbm = 0;
  t.row_stride = std::uint64_t{1} << 63;
  expect(t, "end past 2^64");
}

}  // namespace
}  // namespace dve::dma
