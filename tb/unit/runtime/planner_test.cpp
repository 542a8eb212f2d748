#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "plan_checks.h"

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

TEST(Planner, CornersAreSoundOnEveryGeneration) {
  for (const Generation generation : isa::kGenerations) {
    for (const std::uint32_t channels : {1U, 128U, 129U, 300U}) {
      for (const std::uint64_t elements : {1U, 2U, 511U, 512U, 513U, 20000U, 65535U, 65536U, 70000U}) {
        for (const bool given : {true, false}) {
          PlanRequest r = request(channels, elements, given);
          r.generation = generation;
          r.dtype = elements % 2 == 0 ? isa::Dtype::bf16 : isa::Dtype::fp32;
          check_plan(r);
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
    randomise(r, pick);
    check_plan(r);
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

std::size_t accumulate_words(const Program& program) {
  return static_cast<std::size_t>(std::count_if(program.words.begin(), program.words.end(), [](const isa::Word& word) {
    return word.opcode_byte() == isa::code(isa::Opcode::batch_norm_grad_accumulate2);
  }));
}

TEST(Planner, MicrobatchesAreAsManyResultSets) {
  for (const auto step : {runtime::Step::backward, runtime::Step::full}) {
    for (const std::uint64_t k : {1U, 2U, 3U, 7U, 100U}) {
      PlanRequest r = request(5, 100, false);
      r.step = step;
      r.microbatches = k;
      const Program program = runtime::plan(r);
      EXPECT_EQ(accumulate_words(program), k);
      const auto& tiles = program.passes[0].tiles;
      ASSERT_EQ(tiles.size(), k);
      for (std::size_t t = 0; t < k; ++t) EXPECT_EQ(tiles[t].count, 100 / k + (t < 100 % k ? 1 : 0)) << t;
      EXPECT_EQ(program.passes[0].regions.tile_sums.size(), k);
      check_plan(r, 3);
    }
  }
}

TEST(Planner, MicrobatchesThatDoNotFitAreCutOnce) {
  PlanRequest r = request(3, 100000);
  r.microbatches = 2;
  const auto tiles = runtime::plan(r).passes[0].tiles;
  ASSERT_GT(tiles.size(), 2U);
  EXPECT_EQ(tiles.size() % 2, 0U);
  EXPECT_EQ(tiles[tiles.size() / 2].first, 50000U);
  check_plan(r);
  r.microbatches = 99999;  // room for sums of all, but for no tile
  r.dtype = isa::Dtype::bf16;
  EXPECT_THROW(runtime::plan(r), PlanError);
  r.microbatches = 2000;
  EXPECT_EQ(accumulate_words(runtime::plan(r)), 2000U);
  check_plan(r);
}

TEST(Planner, TheHostAddsTheResultSetsInTheirOrder) {
  PlanRequest r = request(200, 60);
  r.microbatches = 4;
  const Program program = runtime::plan(r);
  std::size_t additions = 0;
  for (const runtime::Actions& actions : program.steps) {
    for (const runtime::Action& action : actions) {
      const auto* add = std::get_if<runtime::AddTileSums>(&action);
      if (add == nullptr) continue;
      const runtime::Pass& pass = program.passes[additions++];
      EXPECT_EQ(add->channels.first, pass.channels.first);
      EXPECT_EQ(add->tiles, pass.regions.tile_sums);
      EXPECT_EQ(add->place, pass.regions.sums);
      for (std::size_t t = 1; t < 4; ++t) EXPECT_GE(add->tiles[t].offset, add->tiles[t - 1].offset + 12);
    }
  }
  EXPECT_EQ(additions, 2U);
}

TEST(Planner, OneMicrobatchIsTheWholeBatch) {
  PlanRequest r = request(130, 3000, false);
  const Program whole = runtime::plan(r);
  r.microbatches = 1;
  EXPECT_EQ(runtime::plan(r).words, whole.words);
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
  add("microbatches is 0, expected 1 to 100, the elements of a channel", [](PlanRequest& r) { r.microbatches = 0; });
  add("microbatches is 101", [](PlanRequest& r) { r.microbatches = 101; });
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
