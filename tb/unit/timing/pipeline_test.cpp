#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "operands.h"

namespace dve::timing {
namespace {

using isa::Cycles;
using isa::Dtype;
using isa::Generation;
using isa::Opcode;
using isa::OperandRole;
using isa::Space;
using test::operand;
using test::stream;
using test::word;

constexpr std::uint32_t kLanes = 128;

isa::Operand sbuf(OperandRole role, std::uint32_t offset, std::uint16_t n) {
  return operand(role, Space::sbuf, 0, offset, stream(n), Dtype::fp32, kLanes);
}

// The check values of microarchitecture.md 8 are for cayman's defaults, written out here.
Parameters cayman() {
  Parameters parameters;
  parameters.clock_hz = 960'000'000;
  parameters.min_ii = Cycles(64);
  parameters.issue_gap = Cycles(70);
  parameters.fill_drain = Cycles(144);
  parameters.sem_ns = 30;
  return parameters;
}

TEST(Pipeline, PublishedForwardCheckValues) {
  Pipeline pipeline(Generation::cayman, cayman());
  const std::vector<std::uint64_t> starts = {0, 582, 1164, 1746};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const Schedule s =
        pipeline.issue(word(Opcode::batch_norm_stats2),
                       {sbuf(OperandRole::src0, 2048 * i, 512), sbuf(OperandRole::dst, 0x8000 + 24 * i, 6)}, Cycles(0));
    EXPECT_EQ(s.start.value, starts[i]);
    EXPECT_EQ(s.read_done.value, starts[i] + 512);
    EXPECT_EQ(s.complete.value, starts[i] + 656);
    EXPECT_EQ(s.next_issue.value, starts[i] + 582);
    EXPECT_EQ(s.hazard_wait.value, 0u);
  }
  const Schedule aggregate =
      pipeline.issue(word(Opcode::batch_norm_aggregate),
                     {sbuf(OperandRole::src0, 0x8000, 24), sbuf(OperandRole::dst, 0x8100, 2)}, Cycles(0));
  EXPECT_EQ(aggregate.start.value, 2431u);
  EXPECT_EQ(aggregate.hazard_wait.value, 2431u - 2328u);
  EXPECT_EQ(aggregate.wait_wait.value, 0u);
  EXPECT_EQ(pipeline.last_completion().value, 2679u);
}

struct BackwardTimes {
  std::uint64_t starts[3];
  std::uint64_t end;
};

// GradAccum(2048), ParamLoad on its sums, BackProp.
BackwardTimes backward(const Parameters& parameters, Generation generation) {
  Pipeline pipeline(generation, parameters);
  const auto x = sbuf(OperandRole::src0, 0, 2048), dy = sbuf(OperandRole::src1, 0x2000, 2048);
  const auto mean = sbuf(OperandRole::imm0, 0x6000, 1), inv_std = sbuf(OperandRole::imm1, 0x6004, 1);
  BackwardTimes times{};
  times.starts[0] = pipeline
                        .issue(word(Opcode::batch_norm_grad_accumulate),
                               {x, dy, mean, inv_std, sbuf(OperandRole::dst, 0x6100, 3)}, Cycles(0))
                        .start.value;
  times.starts[1] =
      pipeline.issue(word(Opcode::batch_norm_param_load), {sbuf(OperandRole::src0, 0x6100, 3), mean}, Cycles(0))
          .start.value;
  times.starts[2] =
      pipeline.issue(word(Opcode::batch_norm_back_prop), {x, dy, sbuf(OperandRole::dst, 0x4000, 2048)}, Cycles(0))
          .start.value;
  times.end = pipeline.last_completion().value;
  return times;
}

TEST(Pipeline, PublishedBackwardCheckValues) {
  const BackwardTimes times = backward(cayman(), Generation::cayman);
  EXPECT_EQ(times.starts[0], 0u);
  EXPECT_EQ(times.starts[1], 4269u);
  EXPECT_EQ(times.starts[2], 4403u);
  EXPECT_EQ(times.end, 8643u);
}

TEST(Pipeline, BackwardFollowsTheEquationsOnEveryClock) {
  // t_sem in cycles: 33.6 -> 34 at 1.12 GHz, 36 at 1.2 GHz.
  for (const auto& [hz, t_sem] : {std::pair{1'120'000'000u, 34u}, std::pair{1'200'000'000u, 36u}}) {
    for (const Generation generation : isa::kGenerations) {
      Parameters parameters = cayman();
      parameters.clock_hz = hz;
      const BackwardTimes times = backward(parameters, generation);
      const std::uint64_t load = 4096 + 144 + t_sem, apply = load + 134;
      EXPECT_EQ(times.starts[1], load);
      EXPECT_EQ(times.starts[2], apply);
      EXPECT_EQ(times.end, apply + 4096 + 144);
    }
  }
}

TEST(Pipeline, FirstWordStartsAfterTheFetchOnly) {
  Parameters parameters = cayman();
  parameters.fetch_cycles = Cycles(37);
  Pipeline pipeline(Generation::cayman, parameters);
  EXPECT_EQ(pipeline.next_issue().value, 37u);
  EXPECT_EQ(pipeline.last_completion().value, 0u);
  const Schedule first = pipeline.issue(word(Opcode::load_parameter_ram), {}, Cycles(0));
  EXPECT_EQ(first.start.value, 37u);
  EXPECT_EQ(first.wait_wait.value, 0u);
  EXPECT_EQ(pipeline.issue(word(Opcode::load_parameter_ram), {}, Cycles(0)).start.value, 37u + 134u);
}

TEST(Pipeline, ParameterRamAddsNoHazard) {
  Pipeline pipeline(Generation::cayman, cayman());
  for (std::uint64_t i = 0; i < 32; ++i) {
    const Schedule s = pipeline.issue(word(Opcode::load_parameter_ram), {}, Cycles(0));
    ASSERT_EQ(s.start.value, 134 * i);
    ASSERT_EQ(s.complete.value, 134 * i + 64 + 144);
  }
}

TEST(Pipeline, WaitDelaysTheWordAndNoEarlierOne) {
  Pipeline pipeline(Generation::cayman, cayman());
  pipeline.issue(word(Opcode::load_parameter_ram), {}, Cycles(0));
  const Schedule held = pipeline.issue(word(Opcode::load_parameter_ram), {}, Cycles(1000));
  EXPECT_EQ(held.start.value, 1000u);
  EXPECT_EQ(held.wait_wait.value, 1000u - 134u);
  EXPECT_EQ(held.hazard_wait.value, 0u);
  const Schedule past = pipeline.issue(word(Opcode::load_parameter_ram), {}, Cycles(1134));  // holds exactly when due
  EXPECT_EQ(past.start.value, 1134u);
  EXPECT_EQ(past.wait_wait.value, 0u);
}

TEST(Pipeline, WaitAndInterlockShareTheDelay) {
  const std::vector<isa::Operand> produce = {sbuf(OperandRole::src0, 0, 512), sbuf(OperandRole::dst, 0x8000, 6)};
  const std::vector<isa::Operand> consume = {sbuf(OperandRole::src0, 0x8000, 6), sbuf(OperandRole::dst, 0x8100, 2)};
  // The producer lets the next word issue at 582 and its result be seen at 656 + 29 = 685.
  struct Case {
    std::uint64_t holds, start, wait, hazard;
  };
  for (const Case& c :
       std::vector<Case>{{0, 685, 0, 103}, {600, 685, 18, 85}, {685, 685, 103, 0}, {700, 700, 118, 0}}) {
    SCOPED_TRACE(testing::Message() << "wait holds at " << c.holds);
    Pipeline pipeline(Generation::cayman, cayman());
    pipeline.issue(word(Opcode::batch_norm_stats2), produce, Cycles(0));
    const Schedule s = pipeline.issue(word(Opcode::batch_norm_aggregate), consume, Cycles(c.holds));
    EXPECT_EQ(s.start.value, c.start);
    EXPECT_EQ(s.wait_wait.value, c.wait);
    EXPECT_EQ(s.hazard_wait.value, c.hazard);
  }
}

TEST(Pipeline, LastCompletionAdvancesWithEachWord) {
  Pipeline pipeline(Generation::cayman, cayman());
  for (std::uint64_t i = 0; i < 3; ++i) {
    pipeline.issue(word(Opcode::batch_norm_stats2), {sbuf(OperandRole::src0, 0, 63), sbuf(OperandRole::dst, 0x100, 6)},
                   Cycles(1000 * i));
    EXPECT_EQ(pipeline.last_completion().value, 1000 * i + 63 + 144);
    EXPECT_EQ(pipeline.next_issue().value, 1000 * i + 64);
  }
}

TEST(Pipeline, RefusesParametersAndLeavesItsStateWhenAWordCannotBeTimed) {
  Parameters bad = cayman();
  bad.clock_hz = 0;
  EXPECT_THROW(Pipeline(Generation::cayman, bad), std::invalid_argument);

  Pipeline pipeline(Generation::cayman, cayman());
  auto endless = sbuf(OperandRole::src0, 0, 1);
  endless.pattern.num_elem = {65535, 65535, 65535, 65535};
  EXPECT_THROW(pipeline.issue(word(Opcode::batch_norm_stats2), {endless}, Cycles(500)), std::length_error);
  EXPECT_EQ(pipeline.next_issue().value, 0u);
  EXPECT_EQ(pipeline.last_completion().value, 0u);
}

}  // namespace
}  // namespace dve::timing
