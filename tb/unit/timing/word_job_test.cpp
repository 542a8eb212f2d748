// A word's operands as streams of beats.
#include <gtest/gtest.h>

#include <numeric>

#include "dve/timing/timing.h"

namespace dve::timing {
namespace word_job_test {
namespace {

using contention::BankRun;
using contention::Job;
using contention::StreamShape;
using contention::User;

contention::Parameters memory(std::uint64_t hz = 1'200'000'000) {
  contention::Parameters p;
  p.clock_hz = hz;
  return p;
}

isa::AccessPattern pattern(std::uint16_t n, std::int16_t step = 1) {
  isa::AccessPattern p;
  p.num_elem[0] = n;
  p.step_elem[0] = step;
  return p;
}

isa::Operand operand(isa::OperandRole role, std::uint32_t offset, std::uint16_t n, isa::Dtype dtype,
                     std::int16_t step = 1, isa::Space space = isa::Space::sbuf) {
  isa::Operand o;
  o.role = role;
  o.address = isa::address_of({space, isa::Partition{0}, offset}, isa::Generation::cayman);
  o.pattern = pattern(n, step);
  o.dtype = dtype;
  o.channels = 128;
  return o;
}

StreamShape shape(std::uint32_t offset, std::uint16_t n, std::uint32_t bytes, std::int16_t step = 1) {
  return {{isa::Space::sbuf, isa::Partition{0}, offset}, pattern(n, step), bytes, 128, isa::Elements(n)};
}

std::uint64_t beats(const std::vector<BankRun>& runs) {
  return std::accumulate(runs.begin(), runs.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const BankRun& run) { return sum + run.beats; });
}

Job two_source_job(std::uint16_t n, isa::Dtype in, isa::Dtype out, std::uint64_t start, std::uint64_t stream,
                   const contention::Parameters& ports = memory()) {
  using isa::OperandRole;
  const std::vector<isa::Operand> operands = {operand(OperandRole::src0, 0, n, in),
                                              operand(OperandRole::src1, 0x8000, n, in),
                                              operand(OperandRole::dst, 0x10000, n, out)};
  return *word_job(User::dve, operands, isa::Cycles(start), isa::Cycles(stream), isa::Generation::cayman, {}, ports);
}

TEST(WordJob, ContiguousOperandsMoveWholeBeats) {
  // ceil(n bytes / 8)
  EXPECT_EQ(beats(bank_runs(shape(0, 1, 4), isa::Cycles(100), memory())), 1u);
  EXPECT_EQ(beats(bank_runs(shape(0, 2, 4), isa::Cycles(100), memory())), 1u);
  EXPECT_EQ(beats(bank_runs(shape(0, 65, 4), isa::Cycles(100), memory())), 33u);
  EXPECT_EQ(beats(bank_runs(shape(0, 65, 2), isa::Cycles(100), memory())), 17u);
  EXPECT_EQ(beats(bank_runs(shape(0, 65, 1), isa::Cycles(100), memory())), 9u);
  EXPECT_EQ(beats(bank_runs(shape(0, 65, 8), isa::Cycles(100), memory())), 65u);
}

TEST(WordJob, StridedOperandsMoveABeatAnElement) {
  EXPECT_EQ(beats(bank_runs(shape(0, 65, 4, 2), isa::Cycles(65), memory())), 65u);
  EXPECT_EQ(beats(bank_runs(shape(0, 65, 4, 0), isa::Cycles(65), memory())), 65u);
}

TEST(WordJob, StridedOperandsKeepTheDocumentedRate) {
  // Two elements a cycle (2x mode): 65 elements in 33 cycles are 33 beats.
  EXPECT_EQ(beats(bank_runs(shape(0, 65, 2, 2), isa::Cycles(33), memory())), 33u);
}

TEST(WordJob, ContiguousRowsMoveWholeBeatsEach) {
  StreamShape s = shape(0, 0, 4);
  s.pattern.num_elem = {5, 3, 1, 1};
  s.pattern.step_elem = {1, 100, 1, 1};
  s.elements = isa::Elements(15);
  EXPECT_EQ(beats(bank_runs(s, isa::Cycles(30), memory())), 9u) << "three beats of 20 bytes a row";
}

TEST(WordJob, AnElementWiderThanThePortIsOneBeat) {
  contention::Parameters narrow = memory();
  narrow.port_bytes = isa::Bytes(4);
  EXPECT_EQ(beats(bank_runs(shape(0, 65, 8), isa::Cycles(65), narrow)), 65u);
  EXPECT_EQ(beats(bank_runs(shape(0, 65, 4), isa::Cycles(65), narrow)), 65u);
  EXPECT_EQ(beats(bank_runs(shape(0, 65, 2), isa::Cycles(65), narrow)), 33u);
}

TEST(WordJob, BeatsFallIntoTheBankOfTheirFirstByte) {
  // 16 KiB banks; from 12 bytes before the end of bank 0: beats at -12, -4, +4, +12.
  const auto runs = bank_runs(shape(16384 - 12, 8, 4), isa::Cycles(100), memory());
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].bank, 0u);
  EXPECT_EQ(runs[0].beats, 2u);
  EXPECT_EQ(runs[1].bank, 1u);
  EXPECT_EQ(runs[1].beats, 2u);
  // A stride over many banks: one beat each, neighbours in one bank merge.
  const auto strided = bank_runs(shape(0, 8, 4, 2048), isa::Cycles(100), memory());
  ASSERT_EQ(strided.size(), 4u);
  for (std::uint32_t k = 0; k < 4; ++k) {
    EXPECT_EQ(strided[k].bank, k);
    EXPECT_EQ(strided[k].beats, 2u);
  }
}

TEST(WordJob, PaceIsTheStreamingTimeOfABeat) {
  // fp32, two sources: S = 2 n at 960 MHz; a beat is two elements, 4 engine cycles, 5 memory cycles of 1200 MHz.
  const Job job = two_source_job(64, isa::Dtype::fp32, isa::Dtype::fp32, 0, 128);
  EXPECT_EQ(job.steps, 32u);
  EXPECT_EQ(job.pace.cycle, 5);
  EXPECT_EQ(job.pace.fraction, 0);
  // Odd n: the pace does not depend on the half beat.
  const Job odd = two_source_job(65, isa::Dtype::fp32, isa::Dtype::fp32, 0, 130);
  EXPECT_EQ(odd.steps, 33u);
  EXPECT_EQ(odd.pace.cycle, 5);
  EXPECT_EQ(odd.pace.fraction, 0);
}

TEST(WordJob, SparserStreamsNeedABeatEveryFewSteps) {
  const Job job = two_source_job(64, isa::Dtype::bf16, isa::Dtype::fp32, 0, 128);
  EXPECT_EQ(job.steps, 32u);
  EXPECT_EQ(job.streams[0].every, 2u);
  EXPECT_EQ(job.streams[0].beats, 16u);
  EXPECT_EQ(job.streams[2].every, 1u);
  EXPECT_TRUE(job.streams[1].second_read);
  EXPECT_TRUE(job.streams[2].write);
}

TEST(WordJob, AFewResultsComeAfterTheLastStep) {
  using isa::OperandRole;
  const std::vector<isa::Operand> operands = {operand(OperandRole::src0, 0, 512, isa::Dtype::fp32),
                                              operand(OperandRole::dst, 0x8000, 6, isa::Dtype::fp32)};
  const auto job =
      word_job(User::dve, operands, isa::Cycles(0), isa::Cycles(512), isa::Generation::cayman, {}, memory());
  ASSERT_TRUE(job);
  EXPECT_EQ(job->streams[1].beats, 3u);
  EXPECT_EQ(job->streams[1].every, job->steps);
}

TEST(WordJob, StartsAreExactInTheMemoryClock) {
  // Cycle 3 of 960 MHz is 3.75 cycles of 1200 MHz.
  const Job job = two_source_job(64, isa::Dtype::fp32, isa::Dtype::fp32, 3, 128);
  EXPECT_EQ(job.start.cycle, 3);
  EXPECT_EQ(4 * job.start.fraction, 3 * job.denominator);
  EXPECT_EQ(contention::first_cycle(job), 4);
}

TEST(WordJob, LastStepLiesInsideTheStream) {
  for (const std::uint64_t hz : {960'000'000ull, 1'200'000'000ull, 1'234'567'000ull}) {
    for (std::uint16_t n = 1; n < 300; ++n) {
      for (std::uint64_t start : {0ull, 1ull, 2ull, 1000003ull}) {
        const Job job = two_source_job(n, isa::Dtype::bf16, isa::Dtype::bf16, start, 2 * n, memory(hz));
        // In units of 1 / 960e6 s, times hz: last step * 960e6 <= (start + S) * hz.
        __extension__ typedef __int128 Wide;
        const Wide last = Wide{contention::due_cycle(job, job.steps - 1)} * 960'000'000;
        ASSERT_LT(last, Wide{start + 2 * n} * hz) << n << " elements from " << start << " at " << hz;
      }
    }
  }
}

TEST(WordJob, WordsWithoutOperandsInMemoryAskForNothing) {
  EXPECT_FALSE(word_job(User::dve, {}, isa::Cycles(0), isa::Cycles(64), isa::Generation::cayman, {}, memory()));
  const std::vector<isa::Operand> pointer = {operand(isa::OperandRole::imm0, 0, 1, isa::Dtype::fp32)};
  EXPECT_FALSE(word_job(User::dve, pointer, isa::Cycles(0), isa::Cycles(64), isa::Generation::cayman, {}, memory()));
}

TEST(WordJob, StallsAreRoundedUpAndAddUp) {
  contention::Stalls s;
  s.bank = 1;
  s.operand = 1;
  s.write = 3;
  const contention::Stalls e = engine_stalls(s, 960'000'000, 1'200'000'000);
  EXPECT_EQ(e.total(), 4u) << "5 memory cycles are 4 engine cycles";
  EXPECT_EQ(e.bank, 1u);
  EXPECT_EQ(e.operand, 1u);
  EXPECT_EQ(e.write, 2u);
  EXPECT_EQ(engine_stalls({}, 960'000'000, 1'200'000'000).total(), 0u);
}

}  // namespace
}  // namespace word_job_test
}  // namespace dve::timing
