// Attribution of cycles: each cycle in exactly one bucket.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "dve/core/core.h"

namespace dve {
namespace {

const timing::Clock kClock(960'000'000);

Retirement word(std::uint64_t start, std::uint64_t stream, std::uint64_t interval, std::uint64_t total,
                std::uint64_t wait = 0, std::uint64_t hazard = 0) {
  Retirement r;
  r.bits.bytes[0] = isa::code(isa::Opcode::batch_norm_back_prop);
  r.schedule.start = isa::Cycles(start);
  r.schedule.read_done = isa::Cycles(start + stream);
  r.schedule.next_issue = isa::Cycles(start + interval);
  r.schedule.complete = isa::Cycles(start + total);
  r.schedule.wait_wait = isa::Cycles(wait);
  r.schedule.hazard_wait = isa::Cycles(hazard);
  return r;
}

TEST(Statistics, StallsOnThePortsComeBeforeTheStream) {
  EngineStatistics s;
  Retirement r = word(0, 100 + 12, 170 + 12, 244 + 12);
  r.schedule.stalls.bank = 7;
  r.schedule.stalls.operand = 3;
  r.schedule.stalls.write = 2;
  s.retire(r, kClock);
  s.finish(isa::Cycles(256));
  const CycleBuckets& b = s.buckets();
  EXPECT_EQ(b.bank_conflict, 7u);
  EXPECT_EQ(b.operand_wait, 3u);
  EXPECT_EQ(b.write_wait, 2u);
  EXPECT_EQ(b.busy, 100u + 74);
  EXPECT_EQ(b.issue_gap, 70u);
  EXPECT_EQ(b.sum(), b.cycles);
  EXPECT_EQ(s.streaming_cycles(), 100u);
}

TEST(BandwidthSeries, KeepsEveryByteAndABoundedNumberOfWindows) {
  BandwidthSeries series;
  std::uint64_t bytes = 0;
  for (std::uint64_t k = 0; k < 10'000; ++k) {
    series.add(k * 1'700'000, k * 1'700'000 + 5'000'000 * (k % 3), 1000 + k);
    bytes += 1000 + k;
  }
  EXPECT_LE(series.windows().size(), 2 * BandwidthSeries::kWindows);
  EXPECT_EQ(std::accumulate(series.windows().begin(), series.windows().end(), std::uint64_t{0}), bytes);
  EXPECT_GE(series.windows().size() * series.window_fs(), std::uint64_t{9999} * 1'700'000);
}

TEST(BandwidthSeries, AnAccessSpreadsEvenlyOverItsTime) {
  BandwidthSeries series;
  series.add(500'000, 2'500'000, 400);  // windows of 1 ns: half, whole, half
  EXPECT_EQ(series.windows(), (std::vector<std::uint64_t>{100, 200, 100}));
  EXPECT_EQ(series.peak(), 200u);
}

TEST(Statistics, BanksSpreadTheBytesOfAWordOverItsStream) {
  Statistics s;
  Retirement r = word(96, 192, 200, 244);  // at 960 MHz: from 100 to 300 ns
  r.banks.push_back({isa::Space::psum, 3, isa::Bytes(300), isa::Bytes(100)});
  s.retire(r, kClock);
  const BandwidthSeries& series = s.banks().at({isa::Space::psum, 3}).series;
  const std::uint64_t windows = 300 * 1'000'000 / series.window_fs();
  ASSERT_EQ(series.windows().size(), (300 * 1'000'000 + series.window_fs() - 1) / series.window_fs());
  EXPECT_EQ(std::accumulate(series.windows().begin(), series.windows().end(), std::uint64_t{0}), 400u);
  for (std::uint64_t w = 0; w < windows; ++w) {
    const std::uint64_t start = w * series.window_fs(), end = start + series.window_fs();
    if (end <= 100'000'000) {
      EXPECT_EQ(series.windows()[w], 0u) << w;
    } else if (start >= 100'000'000) {
      EXPECT_NEAR(static_cast<double>(series.windows()[w]), 2e-6 * static_cast<double>(series.window_fs()), 1)
          << "400 bytes in 200 ns, in whole bytes; window " << w;
    }
  }
}

TEST(Latency, ClassesArePowersOfTwo) {
  Latency l;
  for (const std::uint64_t cycles : {0, 1, 2, 3, 4, 7, 8}) l.add(cycles);
  EXPECT_EQ(l.classes[0], 1u);
  EXPECT_EQ(l.classes[1], 1u);
  EXPECT_EQ(l.classes[2], 2u);
  EXPECT_EQ(l.classes[3], 2u);
  EXPECT_EQ(l.classes[4], 1u);
  EXPECT_EQ(l.shortest, 0u);
  EXPECT_EQ(l.longest, 8u);
  EXPECT_EQ(l.sum, 25u);
}

TEST(Statistics, BucketsOfAShortProgram) {
  EngineStatistics s;
  s.retire(word(5, 100, 170, 244), kClock);                  // fetch 5, busy 100, gap 70
  s.retire(word(175 + 20 + 7, 64, 64, 208, 20, 7), kClock);  // semaphore 20, interlock 7, busy 64
  s.finish(isa::Cycles(202 + 208));                          // 144 cycles of drain count as busy
  const CycleBuckets& b = s.buckets();
  EXPECT_EQ(b.fetch, 5u);
  EXPECT_EQ(b.busy, 100u + 64 + 144);
  EXPECT_EQ(b.issue_gap, 70u);
  EXPECT_EQ(b.semaphore_wait, 20u);
  EXPECT_EQ(b.operand_wait, 7u);
  EXPECT_EQ(b.cycles, 410u);
  EXPECT_EQ(b.sum(), b.cycles);
  EXPECT_EQ(s.instructions(), 2u);
}

TEST(Statistics, EachEngineHasItsOwn) {
  Statistics s;
  for (const isa::Engine engine : {isa::Engine::dve, isa::Engine::act, isa::Engine::act}) {
    Retirement r = word(0, 100, 170, 244);
    r.engine = engine;
    r.traffic[IssueExtension::write] = {isa::Bytes(0), isa::Bytes(400), 1};
    r.banks = {{isa::Space::psum, 3, isa::Bytes(8), isa::Bytes(400)}};
    s.retire(r, kClock);
  }
  EXPECT_EQ(s.instructions(), 3u);
  EXPECT_EQ(s.opcodes().at("batch_norm_back_prop"), 3u);
  EXPECT_EQ(s.engine(isa::Engine::dve).instructions(), 1u);
  EXPECT_EQ(s.engine(isa::Engine::pool).instructions(), 0u);
  EXPECT_EQ(s.engine(isa::Engine::act).instructions(), 2u);
  EXPECT_EQ(s.engine(isa::Engine::act).port(IssueExtension::write).write_bytes, 800u);
  EXPECT_EQ(s.engine(isa::Engine::act).port(IssueExtension::write).peak_bytes_per_cycle, 4);
  EXPECT_EQ(s.engine(isa::Engine::dve).port(IssueExtension::write).write_bytes, 400u);
  EXPECT_EQ(s.banks().at({isa::Space::psum, 3}).read_bytes, 24u);
}

TEST(Statistics, NothingRetiredIsNothingCounted) {
  EngineStatistics s;
  s.finish(isa::Cycles(0));
  EXPECT_EQ(s.buckets().sum(), 0u);
}

TEST(Statistics, EveryCycleIsInOneBucketWhateverTheProgram) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    EngineStatistics s;
    std::uint64_t next = random() % 10, last = 0;
    for (std::uint64_t i = 0, n = 1 + random() % 20; i < n; ++i) {
      const std::uint64_t wait = random() % 3 == 0 ? random() % 100 : 0, hazard = random() % 3 == 0 ? random() % 50 : 0;
      const std::uint64_t stream = random() % 300,
                          interval = random() % 2 ? stream + random() % 80 : std::max<std::uint64_t>(stream, 64);
      const std::uint64_t start = next + wait + hazard, total = stream + random() % 200;
      s.retire(word(start, stream, interval, total, wait, hazard), kClock);
      next = start + interval;
      last = std::max(last, start + total);
    }
    s.finish(isa::Cycles(last));
    ASSERT_EQ(s.buckets().sum(), last) << round;
    ASSERT_EQ(s.buckets().cycles, last) << round;
  }
}

}  // namespace
}  // namespace dve
