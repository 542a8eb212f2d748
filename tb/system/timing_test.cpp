// Time of every delivered word through SEQ and DVE, against the equations of microarchitecture.md 8 written down here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/core_bench.h"
#include "support/expected_time.h"
#include "support/words.h"

namespace dve {
namespace {

using namespace testing_support;
using isa::Dtype;
using isa::Opcode;

constexpr std::uint64_t kU = 64, kG = 70, kL = 144;

struct ExpectedCost {
  std::uint64_t stream, interval, total;
};

ExpectedCost cost_of_stream(std::uint64_t s) { return {s, s >= kU ? s + kG : kU, s + kL}; }

struct TimedWord {
  isa::Word word;
  ExpectedCost expected;
  std::string what;
};

const std::uint16_t kLengths[] = {1, 2, 63, 64, 65, 511, 512, 513, 2048, 4096, 8192};

// Source operand: 2-byte elements where fp32 would not fit the memory.
TensorSpec source(bool in_psum, std::uint32_t offset, std::uint16_t n) {
  if (!in_psum) return row(sbuf(0, offset), n);
  return row(psum(0, 0), n, n > 4096 ? Dtype::bf16 : Dtype::fp32);
}

// All words whose length is legal, with S by the table of microarchitecture.md 8.
std::vector<TimedWord> words(isa::Generation generation) {
  const WordBuilder build(generation);
  const bool has_psum = isa::geometry(generation, isa::Space::psum).exists();
  const TensorSpec mean = row(sbuf(0, 0x2F000), 1), inv_std = row(sbuf(0, 0x2F004), 1);
  std::vector<TimedWord> list;
  const auto add = [&](const isa::Instruction& word, std::uint64_t s, const std::string& what) {
    list.push_back({isa::encode(word), cost_of_stream(s), what});
  };
  for (const auto& load : build.load_reciprocals()) list.push_back({load, cost_of_stream(kU), "LoadParameterRam"});
  add(build.param_load(row(sbuf(0, 0x2E000), 3), mean, 8, 4), kU, "ParamLoad");
  add(build.param_load2(row(sbuf(0, 0x2E000), 2), mean, inv_std, 8, 4), kU, "ParamLoad2");
  for (const bool in_psum : {false, true}) {
    if (in_psum && !has_psum) continue;
    for (const std::uint16_t n : kLengths) {
      const TensorSpec x = source(in_psum, 0x0000, n), dy = row(sbuf(0, 0x8000), n), dx = row(sbuf(0, 0x10000), n);
      const std::uint64_t two_sources = in_psum ? n : 2u * n;
      const std::string where = std::string(in_psum ? " PSUM " : " SBUF ") + std::to_string(n);
      if (generation != isa::Generation::maverick)  // 0x94 in its place there (isa.md 16)
        add(build.grad_accumulate(x, dy, row(sbuf(0, 0x2D000), 3), mean, inv_std, 4),
            std::max<std::uint64_t>(two_sources, 3), "GradAccum" + where);
      add(build.grad_accumulate2(x, dy, row(sbuf(0, 0x2D000), 3), mean, inv_std, 4),
          std::max<std::uint64_t>(two_sources, 3), "GradAccum2" + where);
      add(build.back_prop(x, dy, dx, 4), two_sources, "BackProp" + where);
      const TensorSpec single = source(in_psum, 0x0000, n);
      if (n <= 256)
        add(build.statistics(Opcode::batch_norm_stats, single, row(sbuf(0, 0x2D000), 3), 4),
            std::max<std::uint64_t>(n, 3), "Stats" + where);
      if (n <= 512)
        add(build.statistics(Opcode::batch_norm_stats2, single, row(sbuf(0, 0x2D000), 6), 4),
            std::max<std::uint64_t>(n, 6), "Stats2" + where);
      if (n <= 512 && n % 32 == 0)
        add(build.statistics(Opcode::transpose_batch_norm_stats2, single, row(sbuf(0, 0x2D000), 6), 32),
            std::max<std::uint64_t>(n, 6), "TransposeStats2" + where);
      if (n % 3 == 0)
        add(build.statistics(Opcode::batch_norm_aggregate, single, row(sbuf(0, 0x2D000), 2), 4), 13u * n / 3,
            "Aggregate" + where);
    }
  }
  return list;
}

class WordTiming : public testing::TestWithParam<std::tuple<isa::Generation, const char*>> {};

TEST_P(WordTiming, EveryOpcodeAndLengthCostsWhatTheEquationsSay) {
  const auto [generation, clock_mhz] = GetParam();
  const config::Config settings =
      preset(generation, {"timing.dve.clock_mhz=" + std::string(clock_mhz), "timing.same_engine_raw=none"});
  ASSERT_EQ(settings.timing.min_ii.value, kU);
  ASSERT_EQ(settings.timing.issue_gap.value, kG);
  ASSERT_EQ(settings.timing.fill_drain.value, kL);
  const std::vector<TimedWord> list = words(generation);
  CoreBench bench(settings);
  const auto outcome = bench.run([&](Host& host) {
    std::vector<std::uint8_t> zeros(0x30000);
    for (std::uint32_t p = 0; p < 32; ++p)
      host.write(sbuf(p, 0), zeros.data(),
                 isa::geometry(generation, isa::Space::sbuf).active_per_partition.value < zeros.size() ? 0x2F100
                                                                                                       : zeros.size());
    std::vector<isa::Word> program;
    for (const auto& timed : list) program.push_back(timed.word);
    CoreBench::execute(host, program);
  });
  for (const auto& fault : bench.core().seq().faults())
    ADD_FAILURE() << list[fault.word].what << ": " << isa::to_string(fault.finding);
  ASSERT_EQ(bench.retired.size(), list.size());
  std::uint64_t start = 0, last = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const timing::Schedule& s = bench.retired[i].schedule;
    const ExpectedCost& expected = list[i].expected;
    ASSERT_EQ(s.start.value, start) << list[i].what;
    ASSERT_EQ(s.read_done.value, start + expected.stream) << list[i].what;
    ASSERT_EQ(s.next_issue.value, start + expected.interval) << list[i].what;
    ASSERT_EQ(s.complete.value, start + expected.total) << list[i].what;
    last = std::max(last, start + expected.total);
    start += expected.interval;
  }
  EXPECT_EQ(outcome.cycles.value, last);
  EXPECT_EQ(sc_core::sc_time_stamp().value(), femtoseconds(last, settings.timing.clock_hz));
}

INSTANTIATE_TEST_SUITE_P(GenerationsAndClocks, WordTiming,
                         testing::Combine(testing::ValuesIn(isa::kGenerations),
                                          testing::Values("960", "1120", "1437.5")));

std::vector<std::uint64_t> starts(const CoreBench& bench) {
  std::vector<std::uint64_t> list;
  for (const Retirement& word : bench.retired) list.push_back(word.schedule.start.value);
  return list;
}

// microarchitecture.md 8, first check value; the Parameter-RAM is loaded by a program before it.
TEST(CheckValues, FourStats2AndAnAggregateEndAt2679) {
  const WordBuilder build(isa::Generation::cayman);
  CoreBench bench(preset(isa::Generation::cayman));
  std::uint64_t origin = 0;
  bench.run([&](Host& host) {
    CoreBench::execute(host, build.load_reciprocals());
    origin = bench.core().seq().cycles().value;
    bench.retired.clear();
    std::vector<std::uint8_t> zeros(0x4000);
    host.write(sbuf(0, 0), zeros.data(), zeros.size());
    std::vector<isa::Word> program;
    for (std::uint32_t i = 0; i < 4; ++i)
      program.push_back(isa::encode(build.statistics(Opcode::batch_norm_stats2, row(sbuf(0, 2048 * i), 512),
                                                     row(sbuf(0, 0x3000 + 24 * i), 6), 1)));
    program.push_back(isa::encode(
        build.statistics(Opcode::batch_norm_aggregate, row(sbuf(0, 0x3000), 24), row(sbuf(0, 0x3800), 2), 1)));
    CoreBench::execute(host, program);
  });
  const std::vector<std::uint64_t> expected = {origin, origin + 582, origin + 1164, origin + 1746, origin + 2431};
  EXPECT_EQ(starts(bench), expected);
  EXPECT_EQ(bench.core().seq().cycles().value - origin, 2679u);
}

TEST(CheckValues, GradAccumParamLoadBackPropEndAt8643) {
  const WordBuilder build(isa::Generation::cayman);
  CoreBench bench(preset(isa::Generation::cayman));
  bench.run([&](Host& host) {
    std::vector<std::uint8_t> zeros(0x8000);
    host.write(sbuf(0, 0), zeros.data(), zeros.size());
    const TensorSpec x = row(sbuf(0, 0), 2048), dy = row(sbuf(0, 0x2000), 2048), dx = row(sbuf(0, 0x4000), 2048);
    const TensorSpec sums = row(sbuf(0, 0x6000), 3), mean = row(sbuf(0, 0x6100), 1), inv_std = row(sbuf(0, 0x6104), 1);
    CoreBench::execute(
        host, {isa::encode(build.grad_accumulate2(x, dy, sums, mean, inv_std, 1)),
               isa::encode(build.param_load(sums, mean, 2048, 1)), isa::encode(build.back_prop(x, dy, dx, 1))});
  });
  EXPECT_EQ(starts(bench), (std::vector<std::uint64_t>{0, 4269, 4403}));
  EXPECT_EQ(bench.core().seq().cycles().value, 8643u);
}

}  // namespace
}  // namespace dve
