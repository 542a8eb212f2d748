// The lanes in RTL as a LaneArray, without a core: cycles, differences and how they are named, reset, waves.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>

#include "cosim/flipped_lanes.h"
#include "cosim/lane_group_rtl.h"
#include "dve/rtl/rtl.h"
#include "golden/golden.h"
#include "support/words.h"

namespace dve::cosim {
namespace {

using namespace testing_support;
using rtl::RtlLanes;

constexpr std::size_t kStages = 3, kLanes = 16;  // of the platform's build, asserted below

std::size_t turns(std::size_t channels) { return (channels + kLanes - 1) / kLanes; }

// tb/cosim/README.md, with ACC_STAGES 1.
std::uint64_t grad_accum_cycles(std::size_t n, std::size_t channels) {
  return (n - 1) * turns(channels) + 4 * turns(channels) + 5 * kStages + 2;
}
std::uint64_t back_prop_cycles(std::size_t n, std::size_t channels) {
  return (n - 1) * turns(channels) + turns(channels) + 5 * kStages + 1;
}

std::string hexadecimal(std::uint32_t bits) {
  char text[11];
  std::snprintf(text, sizeof text, "0x%08x", bits);
  return text;
}

// A planned word with random operands.
struct Job {
  execute::Plan plan;
  execute::PackedInputs inputs;
  std::vector<numerics::LaneParameters> lanes;
  std::vector<std::uint8_t> results;
};

class RtlLanesTest : public testing::Test {
 protected:
  Job job(bool back_prop, std::uint16_t n, std::uint8_t channels) {
    const WordBuilder build(isa::Generation::cayman);
    const TensorSpec x = row(sbuf(0, 0), n), dy = row(sbuf(0, 0x8000), n), out = row(sbuf(0, 0x10000), n);
    const TensorSpec sums = row(sbuf(0, 0x10000), 3), mean = row(sbuf(0, 0x18000), 1), v = row(sbuf(0, 0x18004), 1);
    const isa::Word word = back_prop ? isa::encode(build.back_prop(x, dy, out, channels))
                                     : isa::encode(build.grad_accumulate(x, dy, sums, mean, v, channels));
    std::vector<isa::Finding> findings;
    Job j{*core_.plan(word, {}, findings), {}, {}, {}};
    for (const execute::Access& source : j.plan.sources) j.inputs.push_back(values(source.packed_bytes().value / 4));
    for (std::uint32_t c = 0; c < channels; ++c)
      j.lanes.push_back({static_cast<float>(n), value(), value(), value(), value(), value()});
    return j;
  }

  std::vector<isa::Finding> run(RtlLanes& lanes, Job& job) {
    std::vector<const std::uint8_t*> pointers[4];
    execute::Inputs inputs;
    for (std::size_t i = 0; i < job.inputs.size(); ++i) {
      for (std::uint32_t c = 0; c < job.plan.sources[i].channels; ++c)
        pointers[i].push_back(job.inputs[i].data() + c * job.inputs[i].size() / job.plan.sources[i].channels);
      inputs.push_back({pointers[i].data(), 0, isa::Dtype::fp32});
    }
    job.results.assign(job.plan.destination->packed_bytes().value, 0);
    std::vector<std::uint8_t*> rows;
    for (std::uint32_t c = 0; c < job.plan.destination->channels; ++c)
      rows.push_back(job.results.data() + c * job.results.size() / job.plan.destination->channels);
    return lanes.compute(job.plan, inputs, job.lanes, {rows.data(), 0, isa::Dtype::fp32});
  }

  rtl::RtlOptions options() const {
    rtl::RtlOptions o;
    o.clock_hz = 960'000'000;
    return o;
  }

 private:
  float value() { return static_cast<float>(static_cast<int>(random_() % 4001) - 2000) / 512.0F; }
  std::vector<std::uint8_t> values(std::size_t count) {
    std::vector<std::uint8_t> bytes(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
      const float v = value();
      std::memcpy(bytes.data() + 4 * i, &v, 4);
    }
    return bytes;
  }
  execute::Core core_{execute::CoreConfig{}};
  std::mt19937 random_{7};
};

TEST_F(RtlLanesTest, TakesTheCyclesOfTheFormula) {
  RtlLanes lanes(rtl::built_lanes(), rtl::built_shape(), options());
  ASSERT_EQ(lanes.shape().lanes, kLanes);
  ASSERT_EQ(lanes.shape().stages, kStages);
  ASSERT_EQ(lanes.shape().acc_stages, 1U);
  for (const std::uint8_t channels : std::initializer_list<std::uint8_t>{1, 15, 16, 17, 64, 127, 128}) {
    for (const std::uint16_t n : std::initializer_list<std::uint16_t>{1, 2, 7, 100}) {
      Job sums = job(false, n, channels), dx = job(true, n, channels);
      ASSERT_TRUE(run(lanes, sums).empty());
      EXPECT_EQ(lanes.counters().last_cycles, grad_accum_cycles(n, channels)) << n << " x " << int{channels};
      ASSERT_TRUE(run(lanes, dx).empty());
      EXPECT_EQ(lanes.counters().last_cycles, back_prop_cycles(n, channels)) << n << " x " << int{channels};
    }
  }
  EXPECT_EQ(lanes.counters().words, 56U);
  EXPECT_EQ(lanes.counters().elements, 2 * (1 + 15 + 16 + 17 + 64 + 127 + 128) * (1 + 2 + 7 + 100U));
}

TEST_F(RtlLanesTest, StallsCostCyclesAndNoBits) {
  RtlLanes free(rtl::built_lanes(), rtl::built_shape(), options());
  Job word = job(true, 60, 40);
  ASSERT_TRUE(run(free, word).empty());
  const std::vector<std::uint8_t> expected = word.results;
  for (const rtl::Stalls stalls : {rtl::Stalls::light, rtl::Stalls::half, rtl::Stalls::heavy}) {
    rtl::RtlOptions o = options();
    o.stalls = stalls;
    std::uint64_t cycles[2];
    for (std::uint64_t& c : cycles) {  // the same seed, the same cycles
      RtlLanes lanes(rtl::built_lanes(), rtl::built_shape(), o);
      ASSERT_TRUE(run(lanes, word).empty());
      EXPECT_EQ(word.results, expected);
      c = lanes.counters().last_cycles;
    }
    EXPECT_EQ(cycles[0], cycles[1]);
    EXPECT_GT(cycles[0], free.counters().last_cycles);
  }
}

TEST_F(RtlLanesTest, ResetInTheMiddleLeavesNothingBehind) {
  for (const bool back_prop : {false, true}) {
    rtl::RtlOptions o = options();
    o.stalls = rtl::Stalls::half;
    RtlLanes lanes(rtl::built_lanes(), rtl::built_shape(), o);
    for (const std::uint64_t cycles : {0, 1, 5, 20, 41, 77, 150}) {
      Job word = job(back_prop, 30, 33);
      lanes.reset_next_word_after(cycles);
      const auto findings = run(lanes, word);
      EXPECT_TRUE(findings.empty()) << "after " << cycles << ": " << isa::to_string(findings[0]);
    }
  }
}

// The first wrong bit, by channel, element and values.
TEST_F(RtlLanesTest, NamesTheFirstWrongBitOfDx) {
  constexpr std::size_t kChannels = 40, kElement = 11, kTurn = 2;
  const PinFault fault{PinFault::Kind::result_bit, kElement * 3 + kTurn, 5, 3};
  RtlLanes lanes(flipped_lanes(fault), rtl::built_shape(), options());
  Job word = job(true, 30, kChannels);
  const auto findings = run(lanes, word);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].predicate, "rtl_mismatch");
  EXPECT_EQ(findings[0].field, "channel 37 element 11 dx");
  // Worked out apart: the order of docs/numerics.md on the operands of that channel and element.
  const numerics::LaneParameters& p = word.lanes[37];
  float x, dy;
  std::memcpy(&x, word.inputs[0].data() + 4 * (37 * 30 + kElement), 4);
  std::memcpy(&dy, word.inputs[1].data() + 4 * (37 * 30 + kElement), 4);
  const float correction = (x - p.mean) * p.c + p.b, dx = (dy * p.element_count - correction) * p.a;
  EXPECT_EQ(findings[0].value, golden::bits_of_float(dx) ^ 8U);
  EXPECT_NE(findings[0].expected.find(hexadecimal(golden::bits_of_float(dx))), std::string::npos)
      << findings[0].expected;
}

TEST_F(RtlLanesTest, NamesTheElementAfterWhichASumIsWrong) {
  const PinFault fault{PinFault::Kind::sum_bit, 9 * 2 + 1, 3, 0};
  RtlLanes lanes(flipped_lanes(fault), rtl::built_shape(), options());
  Job word = job(false, 30, 20);
  const auto findings = run(lanes, word);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].field, "channel 19 element 9 d_gamma");
}

TEST_F(RtlLanesTest, NamesWrongLanesLostBeatsAndSilence) {
  using Kind = PinFault::Kind;
  const auto first = [&](Kind kind) {
    RtlLanes lanes(flipped_lanes({kind, 4, 2, 0}), rtl::built_shape(), options());
    Job word = job(true, 20, 16);
    const auto findings = run(lanes, word);
    return findings.empty() ? isa::Finding{} : findings[0];
  };
  EXPECT_EQ(first(Kind::keep_bit).field, "keep of result beat 4");
  EXPECT_EQ(first(Kind::dropped_beat).field, "channel 0 element 4 dx") << "the beat after it stands in its place";
  EXPECT_EQ(first(Kind::never_valid).predicate, "rtl_hang");
  EXPECT_EQ(first(Kind::never_valid).value, 4U);
}

TEST_F(RtlLanesTest, NamesABrokenHandShake) {
  const auto planted = [](std::uint32_t seed) {
    return make_lane_group(LaneBuild::planted, seed, PlantedBug::slice_withdraws);
  };
  rtl::RtlOptions o = options();
  o.stalls = rtl::Stalls::half;
  RtlLanes lanes(planted, shape_of(LaneBuild::planted), o);
  isa::Finding found;
  for (int k = 0; k < 20 && found.predicate.empty(); ++k) {
    Job word = job(true, 20, 4);
    const auto findings = run(lanes, word);
    if (!findings.empty()) found = findings[0];
  }
  EXPECT_TRUE(found.predicate == "rtl_protocol" || found.predicate == "rtl_mismatch" || found.predicate == "rtl_hang")
      << found.predicate;
}

TEST_F(RtlLanesTest, ShowsWavesOfTheWordThatDiffers) {
  const auto file = std::filesystem::path(testing::TempDir()) / "rtl_lanes_mismatch.fst";
  std::filesystem::remove(file);
  rtl::RtlOptions o = options();
  o.mismatch_waves = file.string();
  {
    RtlLanes lanes(flipped_lanes({PinFault::Kind::result_bit, 4, 2, 0}), rtl::built_shape(), o);
    Job word = job(true, 20, 16);
    const auto findings = run(lanes, word);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_NE(findings[0].expected.find("waves of the word: " + file.string()), std::string::npos);
    EXPECT_EQ(findings[0].expected.find("on fresh lanes"), std::string::npos) << findings[0].expected;
  }
  EXPECT_GT(std::filesystem::file_size(file), 1000U);
  std::filesystem::remove(file);
}

TEST_F(RtlLanesTest, RefusesWavesThatCannotBeWritten) {
  rtl::RtlOptions o = options();
  o.waves = "/nonexistent/w.fst";
  EXPECT_THROW(RtlLanes(rtl::built_lanes(), rtl::built_shape(), o), std::runtime_error);
}

}  // namespace
}  // namespace dve::cosim
