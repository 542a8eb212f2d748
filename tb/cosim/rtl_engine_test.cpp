// The platform with the lanes in RTL: random legal words against the independent golden, cycles against `at`, faults.
#include <gtest/gtest.h>

#include "cosim/flipped_lanes.h"
#include "cosim/long_tests.h"
#include "dve/rtl/rtl.h"
#include "support/core_bench.h"
#include "support/words.h"
#include "system/random_words.h"

namespace dve::cosim {
namespace {

const std::uint8_t* bytes_of(const std::vector<float>& values) {
  return reinterpret_cast<const std::uint8_t*>(values.data());
}

using namespace testing_support;
using rtl::RtlLanes;

rtl::RtlOptions options(const config::Config& settings) {
  rtl::RtlOptions o;
  o.switches = settings.numerics;
  o.clock_hz = settings.timing.clock_hz;
  return o;
}

// 540 GradAccum and BackProp a case, 2160 in all (the long form: 3600): every order of sums and products that the RTL
// has.
class RandomWordsInRtl : public testing::TestWithParam<int> {};

TEST_P(RandomWordsInRtl, EqualTheGoldenBitForBit) {
  constexpr rtl::Stalls kStalls[] = {rtl::Stalls::never, rtl::Stalls::light, rtl::Stalls::half, rtl::Stalls::heavy};
  config::Config settings = preset(isa::Generation::cayman);
  settings.numerics.dst_order = GetParam() & 1 ? numerics::DstOrder::interpreter : numerics::DstOrder::documented;
  settings.numerics.product_order =
      GetParam() & 2 ? numerics::ProductOrder::interpreter : numerics::ProductOrder::documented;
  rtl::RtlOptions o = options(settings);
  o.stalls = kStalls[GetParam()];
  o.seed = static_cast<std::uint64_t>(GetParam()) + 1;
  RtlLanes lanes(rtl::built_lanes(), rtl::built_shape(), o);
  const int rounds = long_tests() ? 150 : GetParam() == 3 ? 30 : 110;  // heavy stalls: eight times the clocks
  compare_random_words({GetParam(), rounds, &lanes});
  EXPECT_EQ(lanes.counters().words, static_cast<std::uint64_t>(6 * rounds));
}

INSTANTIATE_TEST_SUITE_P(EveryOrder, RandomWordsInRtl, testing::Range(0, 4));

// With as many lanes as the RTL has, the model's stream time and the RTL's cycles differ by a constant of the pipeline:
// 3 * turns + 5 * STAGES + 2 for GradAccum, 5 * STAGES + 1 for BackProp. One source is in PSUM: an element a cycle.
class RtlCycles : public testing::TestWithParam<int> {};

TEST_P(RtlCycles, AreThoseOfTheModelAndAConstant) {
  const auto channels = static_cast<std::uint8_t>(GetParam());
  constexpr std::uint64_t kStages = 3;
  const std::uint64_t turns = (channels + 15U) / 16U;
  config::Config settings = preset(isa::Generation::cayman, {"timing.dve.lanes=16", "abstraction=at"});
  RtlLanes lanes(rtl::built_lanes(), rtl::built_shape(), options(settings));
  CoreBench bench(settings, "core", 0, &lanes);
  bench.run([&](Host& host) {
    const WordBuilder build(isa::Generation::cayman);
    for (const std::uint16_t n : std::initializer_list<std::uint16_t>{70, 100, 333, 1000}) {
      const TensorSpec x = row(psum(0, 0), n), dy = row(sbuf(0, 0), n), dx = row(sbuf(0, 0x4000), n);
      const TensorSpec abc = row(sbuf(0, 0x8000), 3), scalar = row(sbuf(0, 0x8010), 1), sums = row(sbuf(0, 0x8020), 3);
      const std::vector<float> zeros(n);
      for (std::uint32_t c = 0; c < channels; ++c) {
        host.write(psum(c, 0), bytes_of(zeros), 4 * zeros.size());
        for (const std::uint32_t at : {0x0, 0x8000})
          host.write(sbuf(c, at), bytes_of(zeros), at == 0 ? 4 * zeros.size() : 64);
      }
      const auto stream_of_last = [&] {
        const timing::Schedule& s = bench.retired.back().schedule;
        return s.read_done.value - s.start.value;
      };
      CoreBench::execute(host, {isa::encode(build.grad_accumulate(x, dy, sums, scalar, scalar, channels))});
      EXPECT_EQ(lanes.counters().last_cycles, stream_of_last() + 3 * turns + 5 * kStages + 2) << n;
      CoreBench::execute(host, {isa::encode(build.param_load(abc, scalar, n, channels)),
                                isa::encode(build.back_prop(x, dy, dx, channels))});
      EXPECT_EQ(stream_of_last(), n * turns);
      EXPECT_EQ(lanes.counters().last_cycles, stream_of_last() + 5 * kStages + 1) << n;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Channels, RtlCycles, testing::Values(1, 16, 17, 64, 128));

TEST(RtlEngine, ADifferenceIsAFaultOfTheWordAndNothingIsWritten) {
  const config::Config settings = preset(isa::Generation::cayman);
  RtlLanes lanes(flipped_lanes({PinFault::Kind::result_bit, 2, 0, 31}), rtl::built_shape(), options(settings));
  CoreBench bench(settings, "core", 0, &lanes);
  const auto outcome = bench.run([&](Host& host) {
    const WordBuilder build(isa::Generation::cayman);
    const std::vector<float> values(64, 1.5F);
    const std::vector<std::uint8_t> before(12, 0xA5);
    host.write(sbuf(0, 0), bytes_of(values), 256);
    host.write(sbuf(0, 0x1000), before.data(), 12);
    const TensorSpec x = row(sbuf(0, 0), 8), mean = row(sbuf(0, 0x40), 1);
    CoreBench::execute(host, {isa::encode(build.grad_accumulate(x, x, row(sbuf(0, 0x1000), 3), mean, mean, 1))});
    std::vector<std::uint8_t> after(12);
    host.read(sbuf(0, 0x1000), after.data(), 12);
    EXPECT_EQ(after, before);
  });
  EXPECT_EQ(outcome.status, RunStatus::fault);
  ASSERT_EQ(bench.core().seq().faults().size(), 1U);
  const WordFinding& fault = bench.core().seq().faults()[0];
  EXPECT_EQ(fault.word, 0U);
  EXPECT_EQ(fault.opcode, 0x63);
  EXPECT_EQ(fault.finding.predicate, "rtl_mismatch");
  EXPECT_EQ(fault.finding.field, "channel 0 result 2");
}

TEST(RtlEngine, ResultsMayReplaceTheirSource) {
  const config::Config settings = preset(isa::Generation::cayman);
  std::vector<float> results[2];
  RtlLanes lanes(rtl::built_lanes(), rtl::built_shape(), options(settings));
  CoreBench in_rtl(settings, "rtl", 0, &lanes), in_model(settings, "model");
  CoreBench* const benches[] = {&in_rtl, &in_model};
  for (int k = 0; k < 2; ++k) {
    benches[k]->drive([&results, k](Host& host) {
      const WordBuilder build(isa::Generation::cayman);
      std::vector<float> values(100);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) * 0.37F - 11;
      host.write(sbuf(0, 0), bytes_of(values), 400);
      host.write(sbuf(0, 0x1000), bytes_of(values) + 12, 388);
      const TensorSpec x = row(sbuf(0, 0), 90), dy = row(sbuf(0, 0x1000), 90);
      CoreBench::execute(host, {isa::encode(build.param_load(row(sbuf(0, 0), 3), row(sbuf(0, 16), 1), 90, 1)),
                                isa::encode(build.back_prop(x, dy, dy, 1))});
      results[k].resize(90);
      host.read(sbuf(0, 0x1000), reinterpret_cast<std::uint8_t*>(results[k].data()), 360);
    });
  }
  EXPECT_EQ(in_rtl.finish().status, RunStatus::ok);
  EXPECT_EQ(in_model.finish().status, RunStatus::ok);
  EXPECT_EQ(lanes.counters().words, 1U);
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace dve::cosim
