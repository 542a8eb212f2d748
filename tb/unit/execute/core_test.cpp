#include <gtest/gtest.h>

#include <cstring>

#include "words.h"

namespace dve::execute {
namespace {

using namespace test;

class CoreTest : public testing::Test {
 protected:
  // Plans and computes a word with packed fp32 inputs.
  std::vector<float> run(const isa::Word& word, const std::vector<std::vector<float>>& inputs) {
    std::vector<isa::Finding> findings;
    const auto plan = core.plan(word, Registers{}, findings);
    EXPECT_TRUE(plan);
    if (!plan) return {};
    std::vector<std::vector<std::uint8_t>> bytes;
    for (const auto& input : inputs) bytes.push_back(packed(input));
    return unpacked(
        core.compute(*plan, bytes, numerics::reciprocal_table(numerics::ParamRamIndex::i_plus_1)).destination);
  }
  std::vector<std::string> state_findings(const isa::Word& word) {
    std::vector<isa::Finding> findings;
    const auto plan = core.plan(word, Registers{}, findings);
    std::vector<std::string> names;
    for (const auto& finding : core.state_findings(*plan)) names.push_back(finding.predicate);
    return names;
  }
  void use(const CoreConfig& config) { core = Core(config); }
  Core core{CoreConfig{}};
};

using Floats = std::vector<float>;

TEST_F(CoreTest, GradAccumulateWritesThreeSumsAChannel) {
  // Channel 0: m = 1, v = 2; x - m = {1, 3}; dy = {10, 20}: t = {20, 120}. Channel 1: m = 0, v = 1, dy = {1, 1}.
  const auto sums = run(isa::encode(grad_accumulate(2, 2)), {{2, 4, 5, 6}, {10, 20, 1, 1}, {1, 0}, {2, 1}});
  EXPECT_EQ(sums, (Floats{30, 140, 280, 2, 11, 11}));
}

TEST_F(CoreTest, InterpreterOrderExchangesTheLastTwo) {
  CoreConfig config;
  config.switches.dst_order = numerics::DstOrder::interpreter;
  use(config);
  const auto sums = run(isa::encode(grad_accumulate(2, 1)), {{2, 4}, {10, 20}, {1}, {2}});
  EXPECT_EQ(sums, (Floats{30, 280, 140}));
}

TEST_F(CoreTest, ParamLoadStagesTheFlopsThatBackPropUses) {
  run(isa::encode(param_load(2, 1)), {{0.5f, 30, 4}, {1}});  // A, B, C; mean
  EXPECT_TRUE(core.lane_loaded(0));
  EXPECT_FALSE(core.lane_loaded(1));
  EXPECT_EQ(core.lane(0).element_count, 2.0f);
  // dx = (dy*2 - ((x - 1)*4 + 30)) * 0.5
  const auto dx = run(isa::encode(back_prop(2, 1)), {{2, 4}, {10, 20}});
  EXPECT_EQ(dx, (Floats{(20 - (4 + 30)) * 0.5f, (40 - (12 + 30)) * 0.5f}));
}

TEST_F(CoreTest, ParamLoad2TakesItsPointersInTheSwitchedOrder) {
  isa::S2Bnpl2 word;
  word.header = header(isa::Opcode::batch_norm_param_load2);
  word.src = isa::contiguous_tensor<2>(sbuf(0, 0x9000), 2);
  word.element_count_bits = numerics::bits_of(8);
  word.src_dtype = word.immediate_dtype = isa::Dtype::fp32;
  word.num_active_channels = 1;
  word.imm0.raw = sbuf(0, 0x100).raw;
  word.imm1.raw = sbuf(0, 0x104).raw;
  word.imm0_src = word.imm1_src = 1;
  run(isa::encode(word), {{3, 4}, {0.25f}, {7}});
  EXPECT_EQ(core.lane(0).a, 0.25f);
  EXPECT_EQ(core.lane(0).mean, 7.0f);
  EXPECT_EQ(core.lane(0).b, 3.0f);
  EXPECT_EQ(core.lane(0).c, 4.0f);
  CoreConfig config;
  config.switches.paramload2_imm_order = numerics::ParamLoad2ImmOrder::mean_scale;
  use(config);
  run(isa::encode(word), {{3, 4}, {0.25f}, {7}});
  EXPECT_EQ(core.lane(0).a, 7.0f);
  EXPECT_EQ(core.lane(0).mean, 0.25f);
}

TEST_F(CoreTest, FlopsBelongToThePhysicalPartitionOrTheLane) {
  run(isa::encode(param_load(2, 1, 32)), {{1, 2, 3}, {4}});
  EXPECT_TRUE(core.lane_loaded(32));
  EXPECT_FALSE(core.lane_loaded(0));
  CoreConfig config;
  config.switches.flop_index = numerics::FlopIndex::lane;
  use(config);
  run(isa::encode(param_load(2, 1, 32)), {{1, 2, 3}, {4}});
  EXPECT_TRUE(core.lane_loaded(0));
  EXPECT_FALSE(core.lane_loaded(32));
}

TEST_F(CoreTest, UseBeforeLoadIsFound) {
  EXPECT_EQ(state_findings(isa::encode(back_prop(2, 1))), (std::vector<std::string>{"param_load_missing"}));
  run(isa::encode(param_load(2, 1)), {{1, 2, 3}, {4}});
  EXPECT_TRUE(state_findings(isa::encode(back_prop(2, 1))).empty());
  EXPECT_EQ(state_findings(isa::encode(back_prop(2, 2))), (std::vector<std::string>{"param_load_missing"}));
  run(isa::encode(param_load(2, 1, 32)), {{1, 2, 3}, {4}});
  EXPECT_EQ(state_findings(isa::encode(back_prop(2, 1))), (std::vector<std::string>{"param_load_coverage"}));
}

TEST_F(CoreTest, TextbookFormNeedsTheInverseStandardDeviation) {
  CoreConfig config;
  config.switches.backprop_form = numerics::BackpropForm::textbook;
  use(config);
  run(isa::encode(param_load(2, 1)), {{1, 2, 3}, {4}});
  EXPECT_EQ(state_findings(isa::encode(back_prop(2, 1))), (std::vector<std::string>{"grad_accumulate_missing"}));
  run(isa::encode(grad_accumulate(1, 1)), {{2}, {10}, {1}, {2}});
  EXPECT_TRUE(state_findings(isa::encode(back_prop(2, 1))).empty());
  std::vector<isa::Finding> findings;
  const auto plan = core.plan(isa::encode(back_prop(2, 1)), Registers{}, findings);
  EXPECT_EQ(plan->param_entries, (std::vector<int>{1}));  // 1/2
}

TEST_F(CoreTest, Stats2WritesTwoTriplesWithTheCountsOfTheWord) {
  auto word = statistics(isa::Opcode::batch_norm_stats2, 3, 6, 1);
  word.even_count_bits = numerics::bits_of(77);  // copied, not counted
  const auto triples = run(isa::encode(word), {{1, 10, 4}});
  EXPECT_EQ(triples, (Floats{77, 2.5f, 4.5f, 1, 10, 0}));
}

TEST_F(CoreTest, Stats2NamesTheParameterRamEntriesItReads) {
  std::vector<isa::Finding> findings;
  const auto plan = core.plan(isa::encode(statistics(isa::Opcode::batch_norm_stats2, 5, 6, 1)), Registers{}, findings);
  EXPECT_EQ(plan->param_entries, (std::vector<int>{0, 1, 2}));
}

TEST_F(CoreTest, StatsWritesOneTriple) {
  const auto triple = run(isa::encode(statistics(isa::Opcode::batch_norm_stats, 2, 3, 1)), {{1, 3}});
  EXPECT_EQ(triple, (Floats{1, 2, 2}));  // count: the even_count literal, ceil(2 / 2)
}

TEST_F(CoreTest, AggregateMergesTriples) {
  const auto merged = run(isa::encode(statistics(isa::Opcode::batch_norm_aggregate, 6, 2, 1)), {{2, 1, 2, 2, 3, 2}});
  EXPECT_EQ(merged, (Floats{2, 2}));  // {0, 2} and {2, 4}: mean 2, variance 2
}

TEST_F(CoreTest, TransposeStats2ExchangesChannelAndElementInsideBlocks) {
  // x[c][e] = 100 c + e on 32 channels x 32 elements: the transposed channel 3 is {3, 103, 203, ...}.
  Floats x;
  for (int c = 0; c < 32; ++c)
    for (int e = 0; e < 32; ++e) x.push_back(static_cast<float>(100 * c + e));
  const auto triples = run(isa::encode(statistics(isa::Opcode::transpose_batch_norm_stats2, 32, 6, 32)), {x});
  ASSERT_EQ(triples.size(), 32u * 6);
  // Even positions of channel 3: 3 + 100 * {0, 2, .., 30}, mean 3 + 1500; odd ones: mean 3 + 1600.
  EXPECT_NEAR(triples[3 * 6 + 1], 1503, 1e-2);
  EXPECT_NEAR(triples[3 * 6 + 4], 1603, 1e-2);
}

TEST_F(CoreTest, LoadParameterRamHandsOutItsEightValues) {
  isa::CtrlIm word;
  word.header = header(isa::Opcode::load_parameter_ram);
  word.param_ram_offset = 16;
  for (std::uint32_t i = 0; i < 8; ++i) word.immediate[i] = numerics::bits_of(static_cast<float>(i) + 0.5f);
  std::vector<isa::Finding> findings;
  const auto plan = core.plan(isa::encode(word), Registers{}, findings);
  const auto result = core.compute(*plan, {}, {});
  ASSERT_TRUE(result.param_ram);
  EXPECT_EQ(result.param_ram->first_entry, 16u);
  EXPECT_EQ(result.param_ram->values[7], 7.5f);
  EXPECT_TRUE(result.destination.empty());
}

TEST_F(CoreTest, ResultsAreRoundedOnceToTheOutputDtype) {
  auto word = grad_accumulate(2, 1);
  word.immediate_out_dtype.hi = isa::Dtype::bf16;
  std::vector<isa::Finding> findings;
  const auto plan = core.plan(isa::encode(word), Registers{}, findings);
  // sum of dy = 257: between the bf16 neighbours 256 and 258, a tie that goes to even (256).
  const auto result = core.compute(*plan, {packed({0, 0}), packed({256, 1}), packed({0}), packed({1})}, {});
  ASSERT_EQ(result.destination.size(), 6u);
  EXPECT_EQ(result.destination[0], 0x80);
  EXPECT_EQ(result.destination[1], 0x43);  // 0x4380 = 256
}

}  // namespace
}  // namespace dve::execute
