// Programs that come to a standstill: who waits for what, and what would have brought it about.
#include <gtest/gtest.h>

#include "support/control_words.h"
#include "support/core_bench.h"
#include "support/tensor_word_builder.h"

namespace dve {
namespace deadlock_test {
namespace {

using namespace testing_support;
using isa::Engine;
using isa::UpdateMode;
using isa::WaitMode;

RunOutcome stuck(CoreBench& bench, const std::vector<EngineProgram>& programs) {
  const RunOutcome outcome = bench.run([&](Host& host) { CoreBench::execute(host, programs); });
  EXPECT_EQ(outcome.status, RunStatus::deadlock);
  return outcome;
}

const Waiting& waiting(const RunOutcome& outcome, const std::string& who) {
  for (const Waiting& w : outcome.deadlock.waits) {
    if (w.who == who) return w;
  }
  ADD_FAILURE() << who << " does not wait";
  static const Waiting none;
  return none;
}

// ACT tells the wrong semaphore: 4 where the DVE waits for 3. The DVE's answer never comes.
TEST(Deadlock, AWrongNumberIsShownFromBothSides) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome =
      stuck(bench,
            {{Engine::dve, {nop(), nop(waits(WaitMode::sem_ge_imm, 3, 1)), nop(updates(UpdateMode::sem_inc_read, 5))}},
             {Engine::act, {nop(updates(UpdateMode::sem_inc_complete, 4)), drain(waits(WaitMode::sem_gt_imm, 5, 0))}}});
  ASSERT_EQ(outcome.deadlock.waits.size(), 2u);
  const Waiting& dve = waiting(outcome, "dve");
  EXPECT_EQ(dve.word, 1u);
  EXPECT_EQ(dve.pc, address_map::kHostMemory + 64);
  EXPECT_EQ(dve.opcode, 0xA4);
  EXPECT_EQ(dve.condition, "sem[3] >= 1");
  EXPECT_EQ(dve.value, "0");
  EXPECT_EQ(dve.last_change, "never changed");
  EXPECT_EQ(dve.updated_by, "no word of the program changes it");
  const Waiting& act = waiting(outcome, "act");
  EXPECT_EQ(act.word, 1u);
  EXPECT_EQ(act.pc, address_map::kHostMemory + 4 * 64) << "its stream begins at word 3";
  EXPECT_EQ(act.opcode, 0xA2);
  EXPECT_EQ(act.condition, "sem[5] > 0");
  EXPECT_EQ(act.updated_by, "changed by dve word 2 (not reached)");
  ASSERT_EQ(outcome.deadlock.unawaited.size(), 1u);
  EXPECT_EQ(outcome.deadlock.unawaited[0], "sem[4] is changed by act word 0, but no word waits for it");
  EXPECT_EQ(
      to_string(dve),
      "dve word 1 (pc 0x4000000040, nop) waits for sem[3] >= 1, which is 0 (never changed); no word of the program "
      "changes it");
}

TEST(Deadlock, ATooHighThresholdShowsValueAndLastChange) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome =
      stuck(bench, {{Engine::dve, {nop(waits(WaitMode::sem_ge_imm, 3, 7))}},
                    {Engine::act, std::vector<isa::Word>(6, nop(updates(UpdateMode::sem_inc_complete, 3)))}});
  const Waiting& dve = waiting(outcome, "dve");
  EXPECT_EQ(dve.condition, "sem[3] >= 7");
  EXPECT_EQ(dve.value, "6");
  EXPECT_EQ(dve.last_change, "last changed by act at 50 ns") << "60 cycles at 1.2 GHz";
  EXPECT_EQ(
      dve.updated_by,
      "changed by act word 0 (executed), act word 1 (executed), act word 2 (executed), act word 3 (executed) and 2 "
      "more");
  EXPECT_TRUE(outcome.deadlock.unawaited.empty());
}

TEST(Deadlock, RegisterThresholdsShowTheirValue) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = stuck(
      bench, {{Engine::pool,
               {move_immediates({{9, static_cast<std::uint32_t>(-4)}}), nop(waits(WaitMode::sem_lt_reg, 3, 9))}}});
  EXPECT_EQ(waiting(outcome, "pool").condition, "sem[3] < -4");
}

TEST(Deadlock, EventsAreSetOrClear) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = stuck(
      bench, {{Engine::dve, {nop(waits(WaitMode::evt_set_then_clear, 8))}},
              {Engine::act, {nop(updates(UpdateMode::evt_set_complete, 9)), nop(waits(WaitMode::evt_clear, 9))}}});
  EXPECT_EQ(waiting(outcome, "dve").condition, "evt[8] set");
  EXPECT_EQ(waiting(outcome, "dve").value, "clear");
  EXPECT_EQ(waiting(outcome, "act").condition, "evt[9] clear");
  EXPECT_EQ(waiting(outcome, "act").value, "set");
  EXPECT_EQ(waiting(outcome, "act").updated_by, "changed by act word 0 (executed)");
  EXPECT_TRUE(outcome.deadlock.unawaited.empty()) << "event 9 is waited for";
}

// Semaphores and events of one number are different things.
TEST(Deadlock, AnEventIsNoSemaphore) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = stuck(bench, {{Engine::dve, {nop(waits(WaitMode::sem_ge_imm, 3, 1))}},
                                           {Engine::act, {nop(updates(UpdateMode::evt_set_complete, 3))}}});
  EXPECT_EQ(waiting(outcome, "dve").updated_by, "no word of the program changes it");
  ASSERT_EQ(outcome.deadlock.unawaited.size(), 1u);
  EXPECT_EQ(outcome.deadlock.unawaited[0], "evt[3] is changed by act word 0, but no word waits for it");
}

// EVT_CLEAR_THEN_SET and EVT_SET_THEN_CLEAR change their event too.
TEST(Deadlock, AWaitThatChangesItsEventCountsAsAChange) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = stuck(
      bench, {{Engine::dve, {nop(waits(WaitMode::evt_set, 8))}},
              {Engine::act, {nop(waits(WaitMode::sem_ge_imm, 3, 1)), nop(waits(WaitMode::evt_clear_then_set, 8))}}});
  EXPECT_EQ(waiting(outcome, "dve").updated_by, "changed by act word 1 (not reached)");
}

TEST(Deadlock, TheSecondConditionOfEventSemaphoreIsNamedWhenTheFirstHolds) {
  CoreBench bench(preset(isa::Generation::cayman));
  SecondEvents second;
  second.wait_mode = WaitMode::sem_eq_imm;
  second.wait_idx = 44;
  second.wait_value = 2;
  const RunOutcome outcome =
      stuck(bench, {{Engine::dve, {event_semaphore(waits(WaitMode::sem_ge_imm, 3, 0), second)}}});
  EXPECT_EQ(waiting(outcome, "dve").condition, "sem[44] == 2");
  EXPECT_EQ(waiting(outcome, "dve").opcode, 0xA0);
}

TEST(Deadlock, AHostStepThatNobodyRequests) {
  CoreBench bench(preset(isa::Generation::cayman));
  HostTasks tasks;
  tasks.program = {nop(waits(WaitMode::sem_ge_imm, static_cast<std::uint8_t>(number(runtime::kStepDone)), 1))};
  tasks.steps = 1;
  tasks.step = [](std::size_t, Host&) {};
  const RunOutcome outcome = bench.run([&](Host& host) { host.execute(tasks); });
  EXPECT_EQ(outcome.status, RunStatus::deadlock);
  ASSERT_EQ(outcome.deadlock.waits.size(), 2u);
  const Waiting& dve = waiting(outcome, "dve");
  EXPECT_EQ(dve.condition, "sem[17] >= 1");
  EXPECT_EQ(dve.updated_by, "the host's steps bring it about");
  const Waiting& host = waiting(outcome, "host");
  EXPECT_EQ(host.word, 1u);
  EXPECT_EQ(host.condition, "sem[16] >= 1");
  EXPECT_EQ(host.updated_by, "no word of the program changes it");
  EXPECT_EQ(to_string(host).rfind("host step 1 waits for sem[16] >= 1, which is 0 (", 0), 0u) << to_string(host);
}

TEST(Deadlock, AProgramThatEndsBeforeTheHostsSteps) {
  CoreBench bench(preset(isa::Generation::cayman));
  HostTasks tasks;
  tasks.program = {
      nop(updates(UpdateMode::sem_inc_complete, static_cast<std::uint8_t>(number(runtime::kStepRequest))))};
  tasks.steps = 2;
  tasks.step = [](std::size_t, Host&) {};
  const RunOutcome outcome = bench.run([&](Host& host) { host.execute(tasks); });
  EXPECT_EQ(outcome.status, RunStatus::deadlock);
  ASSERT_EQ(outcome.deadlock.waits.size(), 1u);
  EXPECT_EQ(waiting(outcome, "host").word, 2u);
  EXPECT_EQ(waiting(outcome, "host").value, "1");
  EXPECT_EQ(waiting(outcome, "host").updated_by, "changed by dve word 0 (executed)");
}

TEST(Deadlock, FunctionalModeExplainsAsWell) {
  CoreBench bench(preset(isa::Generation::cayman, {"abstraction=functional"}));
  const RunOutcome outcome = stuck(bench, {{Engine::dve, {nop(waits(WaitMode::sem_ge_imm, 3, 2))}},
                                           {Engine::act, {nop(updates(UpdateMode::sem_inc_complete, 3))}}});
  EXPECT_EQ(waiting(outcome, "dve").value, "1");
}

TEST(Deadlock, WhatRunsToItsEndIsNone) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([](Host& host) {
    CoreBench::execute(host, {{Engine::dve, {nop(waits(WaitMode::sem_ge_imm, 3, 1))}},
                              {Engine::act, {nop(updates(UpdateMode::sem_inc_complete, 3))}}});
  });
  EXPECT_EQ(outcome.status, RunStatus::ok);
  EXPECT_TRUE(outcome.deadlock.waits.empty());
}

}  // namespace
}  // namespace deadlock_test
}  // namespace dve
