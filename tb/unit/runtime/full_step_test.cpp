#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "plan_checks.h"

namespace dve::test::full_step_test {
namespace {

using isa::Engine;
using isa::Space;
using runtime::PlanError;
using runtime::PlanRequest;
using runtime::Program;

PlanRequest request(std::uint32_t channels, std::uint64_t elements) {
  PlanRequest r;
  r.step = runtime::Step::full;
  r.channels = channels;
  r.elements = elements;
  r.statistics_given = false;
  return r;
}

// Words of each opcode and engine: "dve batch_norm_stats2".
std::map<std::string, std::size_t> counts(const Program& program) {
  std::map<std::string, std::size_t> counts;
  for (const runtime::Stream& stream : program.streams) {
    for (std::size_t i = 0; i < stream.count; ++i)
      ++counts[fmt::format("{} {}", isa::to_string(stream.engine),
                           isa::opcode_name(program.words[stream.first + i].opcode_byte()))];
  }
  return counts;
}

TEST(FullStep, CornersAreSoundOnEveryGeneration) {
  for (const isa::Generation generation : isa::kGenerations) {
    for (const std::uint32_t channels : {1U, 129U}) {
      for (const std::uint64_t elements : {1U, 2U, 513U, 20000U, 65536U}) {
        PlanRequest r = request(channels, elements);
        r.generation = generation;
        r.dtype = elements % 2 == 0 ? isa::Dtype::bf16 : isa::Dtype::fp32;
        check_plan(r, 4);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(FullStep, RandomRequestsAreSoundInEveryOrder) {
  std::mt19937 random(17);
  const auto pick = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (int i = 0; i < 250; ++i) {
    PlanRequest r = request(1 + pick(300), 1 + pick(i % 3 == 0 ? 70000 : i % 3 == 1 ? 3000 : 40));
    randomise(r, pick);
    check_plan(r, 3);
    if (HasFailure()) return;
  }
}

TEST(FullStep, WholeLayersNeedNoHostStepAndAreLoadedOnce) {
  PlanRequest r = request(130, 2048);
  r.microbatches = 3;
  const Program program = runtime::plan(r);
  EXPECT_TRUE(program.steps.empty());
  // Two passes of x, dy, gamma and beta.
  EXPECT_EQ(program.initial.size(), 8U);
  // Of a pass: three parts of y and dx, the three vectors.
  EXPECT_EQ(program.final.size(), 2U * (3 + 3 + 3));
  const std::map<std::string, std::size_t> expected = {{"dve load_parameter_ram", 32},
                                                       {"dve batch_norm_stats2", 2U * 3 * 2},
                                                       {"dve batch_norm_aggregate", 2},
                                                       {"dve tensor_scalar_arith_op", 2U * 2},  // shift, A
                                                       {"dve batch_norm_grad_accumulate2", 6},
                                                       {"dve batch_norm_param_load", 2},
                                                       {"dve batch_norm_back_prop", 6},
                                                       {"act activation_table_load", 1},
                                                       {"act activate", 2U * (1 + 3)},                  // rsqrt, y
                                                       {"pool tensor_tensor_arith_op", 2U * (1 + 2)}};  // scale, sums
  std::map<std::string, std::size_t> found = counts(program);
  found.erase("dve event_semaphore");
  found.erase("act event_semaphore");
  found.erase("pool event_semaphore");
  EXPECT_EQ(found, expected);
}

TEST(FullStep, StreamsThatDoNotFitAreReloaded) {
  const Program program = runtime::plan(request(4, 60000));
  ASSERT_GT(program.passes[0].tiles.size(), 1U);
  EXPECT_GE(program.steps.size(), 2 * program.passes[0].tiles.size());
  const auto found = counts(program);
  EXPECT_EQ(found.at("dve drain"), program.steps.size());
}

TEST(FullStep, TheNormalisedSourceIsMadeOnTheDevice) {
  PlanRequest r = request(4, 100);
  r.microbatches = 2;
  r.switches.backprop_form = numerics::BackpropForm::textbook;
  r.switches.src0_is = numerics::Src0Is::x_norm;
  EXPECT_TRUE(runtime::plan(r).steps.empty());
  EXPECT_EQ(counts(runtime::plan(r)).at("dve tensor_scalar_arith_op"), 4U) << "shift, A, two parts of x";
  check_plan(r, 20);
}

TEST(FullStep, EpsStandsInTheWord) {
  PlanRequest r = request(4, 100);
  r.eps = 0.125;
  check_plan(r, 1);
  bool found = false;
  for (const isa::Word& word : runtime::plan(r).words) {
    if (word.opcode_byte() != isa::code(isa::Opcode::activate)) continue;
    const auto w = isa::decode_as<isa::S3D3Ac>(word);
    if (w.activation_func == isa::ActivationFunc::rsqrt) found = w.bias.raw == 0x3E000000;
  }
  EXPECT_TRUE(found);
}

// Every wait is one that keeps something apart, or follows from others; every increment is waited for.
TEST(FullStep, WithoutASemaphoreSomeOrderFails) {
  PlanRequest r = request(4, 60000);
  const Program good = runtime::plan(r);
  const auto fails = [](const Program& program) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      Coverage coverage;
      if (!walk(program, coverage, seed).empty()) return true;
    }
    return false;
  };
  ASSERT_FALSE(fails(good));
  std::size_t waits = 0, noticed = 0;
  for (std::size_t i = 0; i < good.words.size(); ++i) {
    const isa::Events events = isa::read_events(good.words[i]);
    if (events.update_mode != isa::UpdateMode::none) {
      Program bad = good;
      isa::Events without = events;
      without.update_mode = isa::UpdateMode::none;
      isa::write_events(bad.words[i], without);
      Coverage coverage;
      EXPECT_FALSE(walk(bad, coverage, 1).empty()) << "increment of word " << i;
    }
    if (events.wait_mode == isa::WaitMode::none) continue;
    Program bad = good;
    isa::Events without = events;
    without.wait_mode = isa::WaitMode::none;
    isa::write_events(bad.words[i], without);
    ++waits;
    noticed += fails(bad);
  }
  EXPECT_GE(waits, 10U);
  EXPECT_GE(noticed, waits * 3 / 4) << noticed << " of " << waits;
}

TEST(FullStep, RefusesWhatCannotBePlaced) {
  const auto error = [](PlanRequest r) -> std::string {
    try {
      runtime::plan(r);
    } catch (const PlanError& e) {
      return e.what();
    }
    return "";
  };
  PlanRequest r = request(4, 100);
  r.statistics_given = true;
  EXPECT_NE(error(r).find("statistics are given, expected computed ones"), std::string::npos) << error(r);
  r = request(4, 100);
  r.place.y = Space::psum;
  EXPECT_EQ(error(r), "");
  r.dtype = isa::Dtype::fp16;
  EXPECT_NE(error(r).find("place.y is psum with dtype fp16"), std::string::npos) << error(r);
  r.place.y = Space::sbuf;
  r.place.x = Space::psum;
  EXPECT_EQ(error(r), "");
  r.switches.backprop_form = numerics::BackpropForm::textbook;
  r.switches.src0_is = numerics::Src0Is::x_norm;
  EXPECT_NE(error(r).find("place.x is psum with dtype fp16"), std::string::npos) << error(r);
  r = request(4, 100);
  r.place.y = Space::psum;
  r.generation = isa::Generation::maverick;
  EXPECT_NE(error(r).find("place.y is psum, expected sbuf: maverick has no PSUM"), std::string::npos) << error(r);
  EXPECT_NE(error(request(1, 100000000)).find("do not fit"), std::string::npos);
}

}  // namespace
}  // namespace dve::test::full_step_test
