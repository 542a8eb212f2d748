// Random legal words around the batch-norm path through whole cores, on DVE, POOL and ACT, against the independent
// golden: every byte of the memories and every floating-point warning, whatever the abstraction and with or without
// DMI.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/core_bench.h"
#include "support/tensor_batches.h"
#include "support/tensor_word_builder.h"

namespace dve {
namespace tensor_words_test {

using namespace testing_support;
using isa::ActivationFunc;
using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;

// ---- Cores ----

class Core {
 public:
  Core(Generation generation, const std::vector<std::string>& settings, const std::string& name)
      : bench_(preset(generation, settings), name.c_str()), has_psum_(generation != Generation::maverick) {}

  void drive(const std::vector<Batch>& batches) {
    bench_.drive([this, &batches](Host& host) {
      for (std::size_t i = 0; i < batches.size() && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(bench_.core().name() + std::string(", batch ") + std::to_string(i));
        run(host, batches[i]);
      }
    });
  }
  void finish() {
    EXPECT_EQ(bench_.finish().status, RunStatus::ok) << bench_.core().name();
    EXPECT_EQ(bench_.retired.size(), words_) << bench_.core().name();
  }

 private:
  void run(Host& host, const Batch& batch) {
    for (std::uint32_t p = 0; p < isa::kPartitions; ++p) {
      host.write(sbuf(p, 0), batch.sbuf_before.data() + p * kBatchSbufBytes, kBatchSbufBytes);
      if (has_psum_) host.write(psum(p, 0), batch.psum_before.data() + p * kBatchPsumBytes, kBatchPsumBytes);
    }
    bench_.warnings.clear();
    HostTasks tasks;
    tasks.program = batch.words;
    tasks.streams = {{batch.engine, 0, batch.words.size()}};
    host.execute(tasks);
    words_ += batch.words.size();
    for (const auto& fault : faults_of(bench_.core()))
      ADD_FAILURE() << isa::opcode_name(fault.opcode) << ", word " << fault.word << ": "
                    << isa::to_string(fault.finding);
    std::vector<BatchWarning> warnings;
    for (const WordFinding& w : bench_.warnings) warnings.push_back({w.word, w.finding.predicate});
    EXPECT_TRUE(warnings == batch.warnings) << warnings.size() << " warnings, expected " << batch.warnings.size();
    for (std::uint32_t p = 0; p < isa::kPartitions; ++p) {
      compare(host, sbuf(p, 0), batch.sbuf_after.data() + p * kBatchSbufBytes, kBatchSbufBytes);
      if (has_psum_) compare(host, psum(p, 0), batch.psum_after.data() + p * kBatchPsumBytes, kBatchPsumBytes);
    }
  }

  static void compare(Host& host, const isa::Place& place, const std::uint8_t* expected, std::uint32_t count) {
    std::vector<std::uint8_t> actual(count);
    host.read(place, actual.data(), count);
    const auto at = std::mismatch(actual.begin(), actual.end(), expected).first;
    if (at == actual.end()) return;
    ADD_FAILURE() << isa::to_string(place.space) << " partition " << isa::number(place.partition) << ", byte "
                  << at - actual.begin() << " is " << int{*at} << ", expected " << int{expected[at - actual.begin()]};
  }

  CoreBench bench_;
  bool has_psum_;
  std::size_t words_ = 0;
};

void expect_every_word(const BatchMaker& maker, Generation generation, int least) {
  const auto expect = [&](Engine engine) {
    for (const Opcode opcode : batch_opcodes(engine)) {
      if (generation == Generation::maverick && opcode == Opcode::activation_read_accumulator) continue;
      const auto found = maker.made.find({engine, opcode});
      EXPECT_GE(found == maker.made.end() ? 0 : found->second, least)
          << isa::to_string(engine) << ' ' << isa::mnemonic(opcode);
    }
  };
  expect(Engine::dve);
  expect(Engine::pool);
  expect(Engine::act);
}

TEST(TensorWords, EqualTheGoldenWhateverTheAbstractionAndDmi) {
  BatchMaker maker(Generation::cayman, {}, 1);
  const std::vector<Batch> all = maker.make_all(150);
  expect_every_word(maker, Generation::cayman, 50);  // some 3000 words
  const std::vector<std::vector<std::string>> variants = {
      {}, {"dmi=false"}, {"abstraction=functional"}, {"abstraction=functional", "dmi=false"}};
  std::vector<std::unique_ptr<Core>> cores;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    cores.push_back(std::make_unique<Core>(Generation::cayman, variants[i], "core" + std::to_string(i)));
    cores.back()->drive(all);
  }
  for (const auto& core : cores) core->finish();
}

class TensorWordsOf : public testing::TestWithParam<Generation> {};

TEST_P(TensorWordsOf, EqualTheGolden) {
  BatchMaker maker(GetParam(), {}, 2);
  const std::vector<Batch> all = maker.make_all(60);
  expect_every_word(maker, GetParam(), 15);
  Core core(GetParam(), {}, "core");
  core.drive(all);
  core.finish();
}

INSTANTIATE_TEST_SUITE_P(EveryGeneration, TensorWordsOf, testing::ValuesIn(isa::kGenerations),
                         [](const auto& generation) { return std::string(isa::to_string(generation.param)); });

TEST(TensorWords, FollowTheSwitches) {
  golden::TensorOptions options;
  options.clr_tree = options.scalar_fused = options.affine_fused = true;
  options.activation_error = 0.001;
  options.elements.narrow_saturate = options.elements.e4m3_fn = options.elements.newton = true;
  options.elements.fp32r_mantissa = 11;
  BatchMaker maker(Generation::mariana, options, 3);
  const std::vector<Batch> all = maker.make_all(60);
  Core core(
      Generation::mariana,
      {"numerics.clr_order=tree", "numerics.tensor_scalar_contraction=fused", "numerics.act_affine_contraction=fused",
       "numerics.act_relative_error=0.001", "numerics.narrow_overflow=saturate", "numerics.e4m3_variant=fn",
       "numerics.divide=newton", "numerics.fp32r_mantissa=11"},
      "core");
  core.drive(all);
  core.finish();
}

// ---- Words that stop an engine ----

// 12 bytes of a partition before and after one word on a core, and how it ended.
struct Stopped {
  RunStatus status = RunStatus::ok;
  std::string finding;  // of the fault, or of the first warning
  std::vector<std::uint8_t> written = std::vector<std::uint8_t>(12);
};

Stopped run_one(Engine engine, const isa::Word& word, const std::vector<std::string>& settings) {
  CoreBench bench(preset(Generation::cayman, settings));
  Stopped stopped;
  stopped.status = bench
                       .run([&](Host& host) {
                         const std::vector<std::uint8_t> operands = {6, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0,
                                                                     2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0};
                         host.write(sbuf(0, 0), operands.data(), operands.size());
                         host.write(sbuf(0, 0x40), std::vector<std::uint8_t>(12, 0xA5).data(), 12);
                         HostTasks tasks;
                         tasks.program = {word};
                         tasks.streams = {{engine, 0, 1}};
                         host.execute(tasks);
                         host.read(sbuf(0, 0x40), stopped.written.data(), 12);
                       })
                       .status;
  const auto faults = faults_of(bench.core());
  if (!faults.empty()) {
    stopped.finding = faults.front().finding.predicate;
  } else if (!bench.warnings.empty()) {
    stopped.finding = bench.warnings.front().finding.predicate;
  }
  return stopped;
}

const std::vector<std::uint8_t> kUntouched(12, 0xA5);

TEST(TensorWords, DivisionByZeroStopsTheEngineAndWritesNothing) {
  const TensorSpec a = row(sbuf(0, 0), 3, Dtype::int32), b = row(sbuf(0, 12), 3, Dtype::int32),
                   dst = row(sbuf(0, 0x40), 3, Dtype::int32);
  const auto word = isa::encode(TensorWordBuilder(Generation::cayman)
                                    .tensor_tensor(Opcode::tensor_tensor_arith_op, a, b, dst, AluOp::divide_int, 1));
  const Stopped stopped = run_one(Engine::dve, word, {"seq.legality=relaxed"});  // whatever the legality
  EXPECT_EQ(stopped.status, RunStatus::fault);
  EXPECT_EQ(stopped.finding, "integer_divide_by_zero");
  EXPECT_EQ(stopped.written, kUntouched);
}

isa::Word root_of_three_integers() {
  return isa::encode(
      TensorWordBuilder(Generation::cayman)
          .activate(ActivationFunc::sqrt, row(sbuf(0, 0), 3, Dtype::int32), row(sbuf(0, 0x40), 3, Dtype::int32), 1));
}

TEST(TensorWords, AMissingFunctionSetIsAFault) {
  const Stopped stopped = run_one(Engine::act, root_of_three_integers(), {});
  EXPECT_EQ(stopped.status, RunStatus::fault);
  EXPECT_EQ(stopped.finding, "act_table_missing");
  EXPECT_EQ(stopped.written, kUntouched);
}

TEST(TensorWords, AMissingFunctionSetIsAWarningInRelaxedMode) {
  const Stopped stopped = run_one(Engine::act, root_of_three_integers(), {"seq.legality=relaxed"});
  EXPECT_EQ(stopped.status, RunStatus::ok);
  EXPECT_EQ(stopped.finding, "act_table_missing");
  EXPECT_EQ(stopped.written, (std::vector<std::uint8_t>{2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0}));
}

}  // namespace tensor_words_test
}  // namespace dve
