// Random legal words through the C interface against the independent golden, bit for bit, on all three engines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "golden/golden.h"
#include "handle.h"
#include "support/random_batch_norm.h"
#include "support/tensor_batches.h"

namespace dve::golden_tests {
namespace {

using namespace testing_support;
using isa::Generation;

golden::Space golden_space(isa::Space space) {
  return space == isa::Space::sbuf ? golden::Space::sbuf : golden::Space::psum;
}

void expect_bytes(Golden& g, const isa::Place& place, const std::uint8_t* expected, std::size_t count) {
  std::vector<std::uint8_t> actual(count);
  g.read(place, actual.data(), count);
  const auto at = std::mismatch(actual.begin(), actual.end(), expected).first;
  ASSERT_TRUE(at == actual.end()) << isa::to_string(place.space) << " partition " << isa::number(place.partition)
                                  << ", byte " << at - actual.begin();
}

// ---- Batch norm ----

struct BatchNormCase {
  Generation generation;
  BatchNormVariant variant;
};

class BatchNormWords : public testing::TestWithParam<BatchNormCase> {};

constexpr unsigned kRounds = 25;

TEST_P(BatchNormWords, EqualTheIndependentGolden) {
  const auto& [generation, variant] = GetParam();
  const golden::Options options = golden_options(variant);
  golden::Device device(options, kBatchNormSbufBytes, kBatchNormPsumBytes);
  device.load_reciprocals();
  Golden g(std::string(isa::to_string(generation)), settings_of(variant));
  g.run_all(WordBuilder(generation).load_reciprocals());
  std::vector<isa::Place> windows = {sbuf(0, 0)};
  if (generation != Generation::maverick) windows.push_back(psum(0, 0));
  for (unsigned seed = 0; seed < kRounds; ++seed) {
    SCOPED_TRACE(seed);
    const BatchNormRound round(7000 + seed, generation, options, device);
    const auto over_windows = [&](auto&& visit) {
      for (const isa::Place& window : windows) {
        for (std::uint32_t p = round.partition(); p < round.partition() + round.channels() && !HasFailure(); ++p)
          visit(window.space == isa::Space::sbuf ? sbuf(p, 0) : psum(p, 0),
                &device.memory.at(golden_space(window.space), p, 0),
                window.space == isa::Space::sbuf ? kBatchNormSbufBytes : kBatchNormPsumBytes);
      }
    };
    over_windows([&](const isa::Place& p, const std::uint8_t* bytes, std::size_t n) { g.write(p, bytes, n); });
    g.run_all(round.words());
    round.apply(device);
    over_windows([&](const isa::Place& p, const std::uint8_t* bytes, std::size_t n) { expect_bytes(g, p, bytes, n); });
    if (HasFailure()) return;
  }
}

std::vector<BatchNormCase> batch_norm_cases() {
  std::vector<BatchNormCase> cases;
  for (int bits = 0; bits < 16; ++bits)
    cases.push_back({Generation::cayman, {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0}});
  for (const Generation generation : isa::kGenerations) cases.push_back({generation, {true, false, true, false}});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(EverySwitch, BatchNormWords, testing::ValuesIn(batch_norm_cases()), [](const auto& c) {
  const BatchNormVariant& v = c.param.variant;
  return std::to_string(c.index) + "_" + std::string(isa::to_string(c.param.generation)) +
         (v.interpreter_dst ? "_dst" : "") + (v.interpreter_product ? "_product" : "") +
         (v.textbook ? "_textbook" : "") + (v.wide ? "_wide" : "");
});

// ---- Around batch norm: DVE, POOL, ACT ----

void run_batch(Golden& g, const Batch& batch, bool has_psum, std::vector<BatchWarning>& warnings) {
  for (std::uint32_t p = 0; p < isa::kPartitions; ++p) {
    g.write(sbuf(p, 0), batch.sbuf_before.data() + p * kBatchSbufBytes, kBatchSbufBytes);
    if (has_psum) g.write(psum(p, 0), batch.psum_before.data() + p * kBatchPsumBytes, kBatchPsumBytes);
  }
  for (std::size_t k = 0; k < batch.words.size(); ++k) {
    const std::size_t before = dve_golden_finding_count(g.get());
    ASSERT_EQ(g.run(batch.words[k], batch.engine), DVE_GOLDEN_OK) << g.message();
    const auto findings = g.findings();
    for (std::size_t f = before; f < findings.size(); ++f) {
      EXPECT_EQ(findings[f].fault, 0);
      EXPECT_EQ(findings[f].engine, static_cast<int>(batch.engine));
      warnings.push_back({k, findings[f].predicate});
    }
  }
  for (std::uint32_t p = 0; p < isa::kPartitions; ++p) {
    expect_bytes(g, sbuf(p, 0), batch.sbuf_after.data() + p * kBatchSbufBytes, kBatchSbufBytes);
    if (has_psum) expect_bytes(g, psum(p, 0), batch.psum_after.data() + p * kBatchPsumBytes, kBatchPsumBytes);
  }
}

void run_batches(Golden& g, Generation generation, const std::vector<Batch>& batches) {
  for (std::size_t i = 0; i < batches.size() && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("batch " + std::to_string(i));
    std::vector<BatchWarning> warnings;
    run_batch(g, batches[i], generation != Generation::maverick, warnings);
    EXPECT_TRUE(warnings == batches[i].warnings)
        << warnings.size() << " warnings, expected " << batches[i].warnings.size();
  }
}

class TensorWordsOf : public testing::TestWithParam<Generation> {};

TEST_P(TensorWordsOf, EveryEngineEqualsTheIndependentGolden) {
  const Generation generation = GetParam();
  BatchMaker maker(generation, {}, 11);
  const std::vector<Batch> batches = maker.make_all(60);
  for (const isa::Engine engine : isa::kEngines) {
    for (const isa::Opcode opcode : batch_opcodes(engine)) {
      if (generation == Generation::maverick && opcode == isa::Opcode::activation_read_accumulator) continue;
      EXPECT_GE((maker.made[{engine, opcode}]), 10) << isa::to_string(engine) << ' ' << isa::mnemonic(opcode);
    }
  }
  Golden g{std::string(isa::to_string(generation))};
  run_batches(g, generation, batches);
}

INSTANTIATE_TEST_SUITE_P(EveryGeneration, TensorWordsOf, testing::ValuesIn(isa::kGenerations),
                         [](const auto& c) { return std::string(isa::to_string(c.param)); });

TEST(TensorWords, FollowTheSwitches) {
  golden::TensorOptions options;
  options.clr_tree = options.scalar_fused = options.affine_fused = true;
  options.activation_error = 0.001;
  options.elements.narrow_saturate = options.elements.e4m3_fn = options.elements.newton = true;
  options.elements.fp32r_mantissa = 11;
  BatchMaker maker(Generation::mariana, options, 12);
  Golden g("mariana", {"numerics.clr_order=tree", "numerics.tensor_scalar_contraction=fused",
                       "numerics.act_affine_contraction=fused", "numerics.act_relative_error=0.001",
                       "numerics.narrow_overflow=saturate", "numerics.e4m3_variant=fn", "numerics.divide=newton",
                       "numerics.fp32r_mantissa=11"});
  run_batches(g, Generation::mariana, maker.make_all(45));
}

}  // namespace
}  // namespace dve::golden_tests
