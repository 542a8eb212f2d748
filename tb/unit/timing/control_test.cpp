// Words that the sequencer executes itself, and programs that begin in the middle (microarchitecture.md 8).
#include <gtest/gtest.h>

#include <vector>

#include "operands.h"

namespace dve::timing {
namespace control_test {
namespace {

using isa::Cycles;
using isa::Generation;
using isa::Opcode;
using isa::OperandRole;
using isa::Space;
using test::operand;
using test::stream;
using test::word;

std::vector<isa::Operand> memset_operands(std::uint16_t n) {
  return {operand(OperandRole::dst, Space::sbuf, 0, 0x1000, stream(n))};
}
std::vector<isa::Operand> transfer(OperandRole role, std::uint32_t offset) {
  return {operand(role, Space::sbuf, 0, offset, stream(1))};
}

isa::Word memset() {
  isa::D4Mr w;
  w.header.opcode = isa::code(Opcode::memset);
  w.set_value = 7;
  return isa::encode(w);
}

TEST(ControlCost, IsTheEventIssueTimeAndNothingElse) {
  for (const std::uint64_t cycles : {0u, 10u, 77u}) {
    Parameters parameters;
    parameters.event_issue_cycles = Cycles(cycles);
    const Cost c = control_cost(parameters);
    EXPECT_EQ(c.stream.value, cycles);
    EXPECT_EQ(c.interval.value, cycles);
    EXPECT_EQ(c.total.value, cycles);
  }
}

TEST(ControlPipeline, ControlWordsFollowEachOtherWithoutAGap) {
  Pipeline pipeline(Generation::cayman, Parameters{});
  for (std::uint64_t i = 0; i < 4; ++i) {
    const Schedule s = pipeline.control({}, Cycles(0), false);
    EXPECT_EQ(s.start.value, 10 * i);
    EXPECT_EQ(s.read_done.value, 10 * i + 10);
    EXPECT_EQ(s.complete.value, 10 * i + 10);
    EXPECT_EQ(s.next_issue.value, 10 * i + 10);
  }
  EXPECT_EQ(pipeline.last_completion().value, 40u);
}

TEST(ControlPipeline, ControlWordsDoNotWaitForTheEngine) {
  Pipeline pipeline(Generation::cayman, Parameters{});
  pipeline.issue(memset(), memset_operands(1000), Cycles(0));  // S 1000, D 1070, T 1144
  const Schedule s = pipeline.control({}, Cycles(0), false);
  EXPECT_EQ(s.start.value, 1070u);
  EXPECT_EQ(s.complete.value, 1080u);
  EXPECT_EQ(pipeline.last_completion().value, 1144u);
}

TEST(ControlPipeline, DrainWaitsForEveryEarlierCompletion) {
  Parameters parameters;
  parameters.fill_drain = Cycles(5000);
  Pipeline pipeline(Generation::cayman, parameters);
  pipeline.issue(memset(), memset_operands(1000), Cycles(0));  // completes at 6000
  pipeline.issue(memset(), memset_operands(8), Cycles(0));
  const std::uint64_t last = pipeline.last_completion().value, free = pipeline.next_issue().value;
  const Schedule s = pipeline.control({}, Cycles(0), true);
  EXPECT_EQ(s.start.value, last);
  EXPECT_EQ(s.hazard_wait.value, last - free);
  EXPECT_EQ(s.wait_wait.value, 0u);
  EXPECT_EQ(s.next_issue.value, last + 10);
}

TEST(ControlPipeline, DrainOfAnIdleEngineWaitsForNothing) {
  Pipeline pipeline(Generation::cayman, Parameters{});
  EXPECT_EQ(pipeline.control({}, Cycles(0), true).start.value, 0u);
  EXPECT_EQ(pipeline.control({}, Cycles(25), true).start.value, 25u);
}

TEST(ControlPipeline, WaitsCountAsOnAnyWord) {
  Pipeline pipeline(Generation::cayman, Parameters{});
  const Schedule s = pipeline.control({}, Cycles(333), false);
  EXPECT_EQ(s.start.value, 333u);
  EXPECT_EQ(s.wait_wait.value, 333u);
}

TEST(ControlPipeline, TransfersTakePartInHazards) {
  // A memset of 1000 elements: visible at 1000 + 144 + 29.
  const auto start_of_load = [](std::uint32_t offset) {
    Pipeline pipeline(Generation::cayman, Parameters{});
    pipeline.issue(memset(), memset_operands(1000), Cycles(0));
    return pipeline.control(transfer(OperandRole::src0, offset), Cycles(0), false).start.value;
  };
  EXPECT_EQ(start_of_load(0x1000), 1173u);
  EXPECT_EQ(start_of_load(0x1000 + 3996), 1173u);
  EXPECT_EQ(start_of_load(0x1000 + 4000), 1070u);
  EXPECT_EQ(start_of_load(0x1000 - 4), 1070u);

  Pipeline pipeline(Generation::cayman, Parameters{});
  const Schedule store = pipeline.control(transfer(OperandRole::dst, 0x1000), Cycles(0), false);
  EXPECT_EQ(store.complete.value, 10u);
  EXPECT_EQ(pipeline.issue(memset(), memset_operands(8), Cycles(0)).start.value, 10u + 29u);
}

TEST(ControlPipeline, AProgramMayBeginLater) {
  Pipeline pipeline(Generation::cayman, Parameters{});
  pipeline.begin_at(Cycles(500));
  EXPECT_EQ(pipeline.control({}, Cycles(0), false).start.value, 500u);
  pipeline.begin_at(Cycles(100));  // the past: no word starts before those that are there
  EXPECT_EQ(pipeline.control({}, Cycles(0), false).start.value, 510u);
  pipeline.begin_at(Cycles(2000));
  const Schedule s = pipeline.issue(memset(), memset_operands(8), Cycles(0));
  EXPECT_EQ(s.start.value, 2000u);
  EXPECT_EQ(s.wait_wait.value, 0u);
  EXPECT_EQ(s.hazard_wait.value, 0u);
}

TEST(ControlPipeline, ABeginDoesNotForgetHazards) {
  Pipeline pipeline(Generation::cayman, Parameters{});
  pipeline.issue(memset(), memset_operands(1000), Cycles(0));
  pipeline.begin_at(Cycles(1100));
  EXPECT_EQ(pipeline.control(transfer(OperandRole::src0, 0x1000), Cycles(0), false).start.value, 1173u);
}

}  // namespace
}  // namespace control_test
}  // namespace dve::timing
