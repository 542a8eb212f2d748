#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "plan_walker.h"

namespace dve::test {
namespace {

using isa::Generation;
using isa::Space;
using runtime::PlanError;
using runtime::PlanRequest;
using runtime::Program;

PlanRequest request(std::uint32_t channels, std::uint64_t elements, bool given = true) {
  PlanRequest r;
  r.channels = channels;
  r.elements = elements;
  r.statistics_given = given;
  return r;
}

std::string describe(const PlanRequest& r) {
  return fmt::format("channels {} elements {} {} {} {} place {} {} {} {} dst_order {} form {} src0 {}", r.channels,
                     r.elements, isa::name(r.dtype), r.statistics_given ? "given" : "device",
                     isa::to_string(r.generation), isa::to_string(r.place.x), isa::to_string(r.place.dy),
                     isa::to_string(r.place.dx), isa::to_string(r.place.sums), static_cast<int>(r.switches.dst_order),
                     static_cast<int>(r.switches.backprop_form), static_cast<int>(r.switches.src0_is));
}

// Ranges in the order given cover [0, n) once.
bool covers(const std::vector<runtime::ElementRange>& ranges, std::uint64_t n) {
  std::uint64_t covered = 0;
  for (const runtime::ElementRange& r : ranges) {
    if (r.first != covered || r.count == 0) return false;
    covered += r.count;
  }
  return covered == n;
}

void check_program(const PlanRequest& r) {
  SCOPED_TRACE(describe(r));
  const Program program = runtime::plan(r);
  for (std::size_t i = 0; i < program.words.size(); ++i) {
    for (const auto rule : {isa::ActiveChannelRule::quadrant, isa::ActiveChannelRule::sum128}) {
      for (const isa::Finding& finding : isa::check(program.words[i], {r.generation, rule})) {
        ADD_FAILURE() << "word " << i << ": " << isa::to_string(finding);
        return;
      }
    }
  }
  Coverage coverage;
  for (const std::string& problem : walk(program, coverage)) {
    ADD_FAILURE() << problem;
    return;
  }
  const std::uint32_t passes = (r.channels + 127) / 128;
  ASSERT_EQ(program.passes.size(), passes);
  std::uint64_t longest = 0;
  for (std::uint32_t p = 0; p < passes; ++p) {
    EXPECT_EQ(program.passes[p].channels.first, 128 * p);
    EXPECT_EQ(program.passes[p].channels.count, std::min(128U, r.channels - 128 * p));
    EXPECT_TRUE(covers(coverage.sums[128 * p], r.elements));
    EXPECT_TRUE(covers(coverage.gradients[128 * p], r.elements));
    EXPECT_TRUE(covers(coverage.stored[128 * p], r.elements));
    EXPECT_EQ(covers(coverage.stats[128 * p], r.elements), !r.statistics_given);
    for (const auto& range : coverage.sums[128 * p]) longest = std::max(longest, range.count);
    for (const auto& range : coverage.stats[128 * p]) EXPECT_LE(range.count, 512U);
  }
  EXPECT_EQ(runtime::longest_stream(program), longest);
  EXPECT_EQ(runtime::triples_per_channel(program), 2 * coverage.stats[0].size());
}

TEST(Planner, CornersAreSoundOnEveryGeneration) {
  for (const Generation generation : isa::kGenerations) {
    for (const std::uint32_t channels : {1U, 128U, 129U, 300U}) {
      for (const std::uint64_t elements : {1U, 2U, 511U, 512U, 513U, 20000U, 65535U, 65536U, 70000U}) {
        for (const bool given : {true, false}) {
          PlanRequest r = request(channels, elements, given);
          r.generation = generation;
          r.dtype = elements % 2 == 0 ? isa::Dtype::bf16 : isa::Dtype::fp32;
          check_program(r);
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(Planner, RandomRequestsAreSound) {
  std::mt19937 random(3);
  const auto pick = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (int i = 0; i < 400; ++i) {
    PlanRequest r = request(1 + pick(300), 1 + pick(i % 3 == 0 ? 70000 : i % 3 == 1 ? 3000 : 300), pick(2) == 0);
    r.generation = isa::kGenerations[pick(5)];
    r.dtype = std::array{isa::Dtype::fp32, isa::Dtype::bf16, isa::Dtype::fp16}[pick(3)];
    r.switches.dst_order = static_cast<numerics::DstOrder>(pick(2));
    r.switches.backprop_form = static_cast<numerics::BackpropForm>(pick(2));
    r.switches.src0_is = static_cast<numerics::Src0Is>(pick(2));
    r.switches.param_ram_index = static_cast<numerics::ParamRamIndex>(pick(2));
    const auto space = [&] { return r.generation != Generation::maverick && pick(2) == 0 ? Space::psum : Space::sbuf; };
    r.place.x = space();
    r.place.dy = r.place.x == Space::psum ? Space::sbuf : space();
    r.place.dx = r.dtype == isa::Dtype::fp32 ? space() : Space::sbuf;
    r.place.sums = space();
    check_program(r);
    if (HasFailure()) return;
  }
}

TEST(Planner, WholeLayersWithGivenStatisticsNeedNoStep) {
  Program program = runtime::plan(request(128, 2048));
  EXPECT_EQ(program.words.size(), 3U);
  EXPECT_TRUE(program.steps.empty());
  program = runtime::plan(request(300, 2048));
  EXPECT_EQ(program.words.size(), 9U);
  EXPECT_TRUE(program.steps.empty());
  for (const isa::Word& word : program.words) EXPECT_EQ(isa::read_events(word), isa::Events{});
}

TEST(Planner, StepsAreAsFewAsTheTilesNeed) {
  // Computed statistics: one step a pass, for inv_std and A.
  EXPECT_EQ(runtime::plan(request(128, 2048, false)).steps.size(), 1U);
  EXPECT_EQ(runtime::plan(request(300, 2048, false)).steps.size(), 3U);
  // Two tiles: reload for the second sums; add the sums and reload; reload for the second gradient.
  EXPECT_EQ(runtime::plan(request(128, 30000)).steps.size(), 3U);
  EXPECT_EQ(runtime::plan(request(300, 30000)).steps.size(), 3 * 3 + 2U);
  // Statistics in two tiles first: a reload, then inv_std together with the reload of the first tile.
  EXPECT_EQ(runtime::plan(request(128, 30000, false)).steps.size(), 5U);
  // Passes that fit one at a time: one reload between two passes.
  EXPECT_EQ(runtime::plan(request(300, 15000)).steps.size(), 2U);
  PlanRequest normalised = request(128, 2048);
  normalised.switches.backprop_form = numerics::BackpropForm::textbook;
  normalised.switches.src0_is = numerics::Src0Is::x_norm;
  EXPECT_EQ(runtime::plan(normalised).steps.size(), 1U);
}

TEST(Planner, TilesAreAsLongAsFit) {
  const auto aligned = [](std::uint64_t bytes) { return (bytes + 63) / 64 * 64; };
  for (const std::uint64_t n : {20000U, 40000U, 100000U, 1000000U}) {
    const Program program = runtime::plan(request(8, n));
    const std::uint64_t length = program.passes[0].tiles[0].count;
    // x, dy, dx; mean, inv_std; block of A and the total; sums of the tiles.
    const auto needs = [&](std::uint64_t t) { return 3 * aligned(4 * t) + 64 + 64 + 128 + 64 * ((n + t - 1) / t); };
    EXPECT_LE(needs(length), 0x38000U) << n;
    EXPECT_GT(needs(length + 1), 0x38000U) << n;
  }
  PlanRequest r = request(1, 70000);
  r.dtype = isa::Dtype::bf16;
  r.generation = Generation::maverick;
  EXPECT_EQ(runtime::plan(r).passes[0].tiles[0].count, 65535U) << "dimension 0 counts no further";
}

TEST(Planner, ParameterRamIsLoadedWhenItIsRead) {
  const auto loads = [](const PlanRequest& r) {
    std::size_t count = 0;
    for (const isa::Word& word : runtime::plan(r).words) count += word.opcode_byte() == 0x66;
    return count;
  };
  PlanRequest r = request(4, 256);
  EXPECT_EQ(loads(r), 0U);
  r.switches.backprop_form = numerics::BackpropForm::textbook;
  EXPECT_EQ(loads(r), 32U);
  r.switches.param_ram_index = numerics::ParamRamIndex::i;
  EXPECT_EQ(loads(r), 0U) << "this table ends at 255";
  r.elements = 257;
  EXPECT_EQ(loads(r), 0U);
  r.statistics_given = false;
  EXPECT_EQ(loads(r), 32U);
}

TEST(Planner, ParameterRamHoldsTheReciprocals) {
  for (const bool bytes : {false, true}) {
    for (const bool shifted : {false, true}) {
      PlanRequest r = request(4, 16, false);
      r.switches.param_ram_offset_unit =
          bytes ? numerics::ParamRamOffsetUnit::byte : numerics::ParamRamOffsetUnit::entry;
      r.switches.param_ram_index = shifted ? numerics::ParamRamIndex::i : numerics::ParamRamIndex::i_plus_1;
      const Program program = runtime::plan(r);
      for (std::uint32_t i = 0; i < 256; ++i) {
        const auto word = isa::decode_as<isa::CtrlIm>(program.words[i / 8]);
        EXPECT_EQ(word.param_ram_offset, (bytes ? 4 : 1) * (i / 8 * 8));
        const float divisor = shifted ? static_cast<float>(i == 0 ? 1 : i) : static_cast<float>(i + 1);
        EXPECT_EQ(word.immediate[i % 8], numerics::bits_of(1.0F / divisor)) << i;
      }
    }
  }
}

TEST(Planner, AggregateOfManyTriplesHasTwoDimensions) {
  PlanRequest r = request(2, 6000000, false);
  r.generation = Generation::maverick;
  const Program program = runtime::plan(r);
  std::size_t found = 0;
  for (const isa::Word& word : program.words) {
    EXPECT_TRUE(isa::check(word, {Generation::maverick, isa::ActiveChannelRule::quadrant}).empty());
    if (word.opcode_byte() != 0x62) continue;
    ++found;
    const auto aggregate = isa::decode_as<isa::S4D2Bn>(word);
    EXPECT_EQ(aggregate.src.count().value, 3 * runtime::triples_per_channel(program));
    EXPECT_GT(aggregate.src.count().value, 65535U);
    EXPECT_TRUE(aggregate.src.pattern().contiguous());
  }
  EXPECT_EQ(found, 1U);
}

TEST(Planner, RefusesWhatCannotBePlaced) {
  struct Case {
    PlanRequest request;
    std::string expected;
  };
  std::vector<Case> cases;
  const auto add = [&](const std::string& expected, auto change) {
    PlanRequest r = request(4, 100);
    change(r);
    cases.push_back({r, expected});
  };
  add("0 channels", [](PlanRequest& r) { r.channels = 0; });
  add("0 elements", [](PlanRequest& r) { r.elements = 0; });
  add("elements a channel, expected", [](PlanRequest& r) { r.elements = ~std::uint64_t{0}; });
  add("int8", [](PlanRequest& r) { r.dtype = isa::Dtype::int8; });
  add("place.x and place.dy", [](PlanRequest& r) { r.place.x = r.place.dy = Space::psum; });
  add("place.dx is psum with dtype bf16", [](PlanRequest& r) {
    r.dtype = isa::Dtype::bf16;
    r.place.dx = Space::psum;
  });
  add("place.sums is psum, expected sbuf: maverick has no PSUM", [](PlanRequest& r) {
    r.generation = Generation::maverick;
    r.place.sums = Space::psum;
  });
  add("do not fit", [](PlanRequest& r) { r.elements = 100000000; });
  add("statistics triples", [](PlanRequest& r) {
    r.elements = 6000000;
    r.statistics_given = false;
  });
  for (const Case& c : cases) {
    try {
      runtime::plan(c.request);
      ADD_FAILURE() << "no error: " << c.expected;
    } catch (const PlanError& error) {
      EXPECT_NE(std::string(error.what()).find(c.expected), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace dve::test
