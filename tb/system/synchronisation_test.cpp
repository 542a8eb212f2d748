// Every wait and update mode between engines: what they do, and when (isa.md 1.3, 1.4, 14; microarchitecture.md 8).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "support/control_words.h"
#include "support/core_bench.h"
#include "support/expected_time.h"
#include "support/tensor_word_builder.h"

namespace dve {
namespace synchronisation_test {
namespace {

using namespace testing_support;
using isa::Engine;
using isa::UpdateMode;
using isa::WaitMode;

constexpr std::uint64_t kDveHz = 960'000'000, kActHz = 1'200'000'000;
constexpr std::uint64_t kSemNs = 30;  // t_sem
constexpr std::uint8_t kSem = 5, kEvt = 6;
const TensorWordBuilder kBuild(isa::Generation::cayman);

std::uint64_t sync_window(std::uint64_t window, std::uint8_t index) {
  return address_map::kEventsAndSemaphores + window + 4 * std::uint64_t{index};
}
void set_semaphore(Host& host, std::uint8_t index, std::int32_t value) {
  host.write_register(sync_window(0x1400, index), static_cast<std::uint32_t>(value));
}
std::int32_t semaphore(Host& host, std::uint8_t index) {
  return static_cast<std::int32_t>(host.read_register(sync_window(0x1000, index)));
}
void set_event(Host& host, std::uint8_t index, bool set) { host.write_register(sync_window(0, index), set ? 1 : 0); }
bool event(Host& host, std::uint8_t index) { return host.read_register(sync_window(0, index)) != 0; }

// 200 elements on one partition: S 200, D 270, T 344 on the DVE.
isa::Word long_word() { return isa::encode(kBuild.memset(row(sbuf(0, 0x100), 200), 7, 1)); }

// The last word that the engine executed.
timing::Schedule last_of(const CoreBench& bench, Engine engine) { return bench.retired_by(engine).back().schedule; }

// The cycle of an engine at which a wait holds that another engine made true at that moment.
std::uint64_t seen_from(std::uint64_t moment, std::uint64_t hz) {
  return cycle_at(moment, hz) + cycles_of_ns(kSemNs, hz);
}

// ---- Waits ----

struct WaitCase {
  WaitMode imm, reg;
  std::int32_t before, after;  // of the semaphore: does not hold, holds
};
constexpr std::int32_t kThreshold = -3;
const std::vector<WaitCase> kWaits = {{WaitMode::sem_eq_imm, WaitMode::sem_eq_reg, -4, -3},
                                      {WaitMode::sem_lt_imm, WaitMode::sem_lt_reg, -3, -4},
                                      {WaitMode::sem_le_imm, WaitMode::sem_le_reg, -2, -3},
                                      {WaitMode::sem_gt_imm, WaitMode::sem_gt_reg, -3, 0},
                                      {WaitMode::sem_ge_imm, WaitMode::sem_ge_reg, -4, -3}};

// The DVE waits; ACT changes the semaphore after 100 Nops.
void expect_wait(CoreBench& bench, Host& host, const WaitCase& c, bool from_register) {
  SCOPED_TRACE(testing::Message() << isa::name(from_register ? c.reg : c.imm));
  const auto threshold = static_cast<std::uint32_t>(kThreshold);
  std::vector<isa::Word> waiter, changer = nops(100);
  if (from_register) waiter.push_back(move_immediates({{33, threshold}}));
  waiter.push_back(nop(from_register ? waits(c.reg, kSem, 33) : waits(c.imm, kSem, threshold)));
  changer.push_back(nop(updates(UpdateMode::sem_write_imm_complete, kSem, static_cast<std::uint32_t>(c.after))));

  set_semaphore(host, kSem, c.before);
  CoreBench::execute(host, {{Engine::dve, waiter}, {Engine::act, changer}});
  const std::uint64_t moment = femtoseconds(last_of(bench, Engine::act).complete.value, kActHz);
  const timing::Schedule held = last_of(bench, Engine::dve);
  EXPECT_EQ(held.start.value, seen_from(moment, kDveHz));
  EXPECT_GT(held.wait_wait.value, 0u);
  EXPECT_EQ(semaphore(host, kSem), c.after) << "waiting changes no semaphore";

  // The same when it holds from the start: no delay.
  CoreBench::execute(host, {{Engine::dve, waiter}, {Engine::act, nops(200)}});
  EXPECT_EQ(last_of(bench, Engine::dve).wait_wait.value, 0u);
}

TEST(Waits, EveryComparisonWithImmediateAndRegister) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([&](Host& host) {
    for (const WaitCase& c : kWaits) {
      for (const bool from_register : {false, true}) expect_wait(bench, host, c, from_register);
    }
  });
  EXPECT_EQ(outcome.status, RunStatus::ok);
}

struct EventCase {
  WaitMode mode;
  bool awaited;      // value of the event that is waited for
  bool left_behind;  // value afterwards
};

TEST(Waits, EveryEventFormAndWhatItLeavesBehind) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([&](Host& host) {
    for (const EventCase& c : std::vector<EventCase>{{WaitMode::evt_set, true, true},
                                                     {WaitMode::evt_set_then_clear, true, false},
                                                     {WaitMode::evt_clear, false, false},
                                                     {WaitMode::evt_clear_then_set, false, true}}) {
      SCOPED_TRACE(testing::Message() << isa::name(c.mode));
      set_event(host, kEvt, !c.awaited);
      std::vector<isa::Word> changer = nops(50);
      changer.push_back(nop(updates(c.awaited ? UpdateMode::evt_set_complete : UpdateMode::evt_clear_complete, kEvt)));
      CoreBench::execute(host, {{Engine::dve, {nop(waits(c.mode, kEvt))}}, {Engine::act, changer}});
      const std::uint64_t moment = femtoseconds(last_of(bench, Engine::act).complete.value, kActHz);
      EXPECT_EQ(last_of(bench, Engine::dve).start.value, seen_from(moment, kDveHz));
      EXPECT_EQ(event(host, kEvt), c.left_behind);
    }
  });
  EXPECT_EQ(outcome.status, RunStatus::ok);
}

TEST(Waits, TheHostIsAnotherAgentToo) {
  CoreBench bench(preset(isa::Generation::cayman));
  const auto request = static_cast<std::uint8_t>(number(runtime::kStepRequest));
  const auto done = static_cast<std::uint8_t>(number(runtime::kStepDone));
  HostTasks tasks;
  tasks.program = {nop(updates(UpdateMode::sem_inc_complete, request)), nop(waits(WaitMode::sem_ge_imm, done, 1))};
  tasks.steps = 1;
  tasks.step = [](std::size_t, Host& host) { set_event(host, kEvt, true); };
  bench.run([&](Host& host) { host.execute(tasks); });
  // The host sees the request at 10 cycles and answers at once: 10 + t_sem.
  EXPECT_EQ(last_of(bench, Engine::dve).start.value, 10u + 29u);
  EXPECT_TRUE(bench.core().sync.state().event(isa::EventIndex{kEvt}));
}

TEST(Waits, PropagationIsConfigured) {
  CoreBench none(preset(isa::Generation::cayman, {"timing.sem_ns=0"}), "none");
  CoreBench slow(preset(isa::Generation::cayman, {"timing.sem_ns=100"}), "slow");
  for (CoreBench* bench : {&none, &slow}) {
    bench->drive([](Host& host) {
      CoreBench::execute(host, {{Engine::dve, {nop(waits(WaitMode::sem_ge_imm, kSem, 1))}},
                                {Engine::act, {nop(), nop(updates(UpdateMode::sem_inc_complete, kSem))}}});
    });
  }
  EXPECT_EQ(none.finish().status, RunStatus::ok);
  EXPECT_EQ(slow.finish().status, RunStatus::ok);
  // ACT completes at cycle 20 of 1.2 GHz, 16.67 ns: cycle 16 of the DVE; 100 ns are 96 of its cycles.
  EXPECT_EQ(last_of(none, Engine::dve).start.value, 16u);
  EXPECT_EQ(last_of(slow, Engine::dve).start.value, 16u + 96u);
}

// ---- Updates ----

struct UpdateCase {
  UpdateMode mode;
  bool at_read;
  bool from_register;
  std::int32_t after;  // of a semaphore that was 10, with amount 3
};
const std::vector<UpdateCase> kUpdates = {
    {UpdateMode::sem_inc_read, true, false, 11},         {UpdateMode::sem_dec_read, true, false, 9},
    {UpdateMode::sem_add_imm_read, true, false, 13},     {UpdateMode::sem_sub_imm_read, true, false, 7},
    {UpdateMode::sem_write_imm_read, true, false, 3},    {UpdateMode::sem_inc_complete, false, false, 11},
    {UpdateMode::sem_dec_complete, false, false, 9},     {UpdateMode::sem_add_imm_complete, false, false, 13},
    {UpdateMode::sem_sub_imm_complete, false, false, 7}, {UpdateMode::sem_write_imm_complete, false, false, 3},
    {UpdateMode::sem_add_reg_read, true, true, 13},      {UpdateMode::sem_sub_reg_read, true, true, 7},
    {UpdateMode::sem_write_reg_read, true, true, 3},     {UpdateMode::sem_add_reg_complete, false, true, 13},
    {UpdateMode::sem_sub_reg_complete, false, true, 7},  {UpdateMode::sem_write_reg_complete, false, true, 3}};

// ACT waits until it sees what the DVE's long word did, and says when.
void expect_seen(const CoreBench& bench, bool at_read) {
  const timing::Schedule producer = last_of(bench, Engine::dve);
  EXPECT_EQ(producer.read_done.value, producer.start.value + 200);
  EXPECT_EQ(producer.complete.value, producer.start.value + 344);
  const std::uint64_t moment = femtoseconds(producer.start.value + (at_read ? 200 : 344), kDveHz);
  EXPECT_EQ(last_of(bench, Engine::act).start.value, seen_from(moment, kActHz));
}

TEST(Updates, EverySemaphoreFormFiresAtReadOrComplete) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([&](Host& host) {
    for (const UpdateCase& c : kUpdates) {
      SCOPED_TRACE(testing::Message() << isa::name(c.mode));
      set_semaphore(host, kSem, 10);
      const isa::Events update = updates(c.mode, kSem, c.from_register ? 40 : 3);
      CoreBench::execute(
          host, {{Engine::dve, {move_immediates({{40, 3}}), with_events(long_word(), update)}},
                 {Engine::act, {nop(waits(WaitMode::sem_eq_imm, kSem, static_cast<std::uint32_t>(c.after)))}}});
      EXPECT_EQ(semaphore(host, kSem), c.after);
      expect_seen(bench, c.at_read);
    }
  });
  EXPECT_EQ(outcome.status, RunStatus::ok);
}

TEST(Updates, EveryEventFormFiresAtReadOrComplete) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([&](Host& host) {
    for (const UpdateMode mode : {UpdateMode::evt_set_read, UpdateMode::evt_set_complete, UpdateMode::evt_clear_read,
                                  UpdateMode::evt_clear_complete}) {
      SCOPED_TRACE(testing::Message() << isa::name(mode));
      const bool sets = mode == UpdateMode::evt_set_read || mode == UpdateMode::evt_set_complete;
      set_event(host, kEvt, !sets);
      CoreBench::execute(host, {{Engine::dve, {with_events(long_word(), updates(mode, kEvt))}},
                                {Engine::act, {nop(waits(sets ? WaitMode::evt_set : WaitMode::evt_clear, kEvt))}}});
      EXPECT_EQ(event(host, kEvt), sets);
      expect_seen(bench, mode == UpdateMode::evt_set_read || mode == UpdateMode::evt_clear_read);
    }
  });
  EXPECT_EQ(outcome.status, RunStatus::ok);
}

TEST(Updates, WaitAndUpdateOfOneWordShareTheirValue) {
  CoreBench bench(preset(isa::Generation::cayman));
  bench.run([&](Host& host) {
    set_semaphore(host, kSem, 3);
    const isa::Events both{WaitMode::sem_ge_imm, kSem, UpdateMode::sem_sub_imm_complete, kSem, 3};
    CoreBench::execute(host, {nop(both)});
    EXPECT_EQ(semaphore(host, kSem), 0);
  });
}

// A later word of the same engine may pass the READ update of an earlier one only in time order.
TEST(Updates, FireInTheOrderOfTheirMoments) {
  CoreBench bench(preset(isa::Generation::cayman));
  bench.run([&](Host& host) {
    CoreBench::execute(host, {with_events(long_word(), updates(UpdateMode::sem_write_imm_complete, kSem, 1)),
                              with_events(isa::encode(kBuild.memset(row(sbuf(0, 0x1000), 8), 7, 1)),
                                          updates(UpdateMode::sem_write_imm_read, kSem, 2))});
    // Complete of the first: 344. Read of the second: 270 + 8.
    EXPECT_EQ(semaphore(host, kSem), 1);
  });
}

// ---- EventSemaphore ----

// The DVE waits for a semaphore and an event, which ACT gives it one after the other.
void await_both(Host& host, const std::vector<isa::Events>& given) {
  SecondEvents second;
  second.wait_mode = WaitMode::evt_set_then_clear;
  second.wait_idx = kEvt;
  second.update_mode = UpdateMode::sem_write_imm_complete;
  second.update_idx = 8;
  second.update_value = 99;
  const isa::Events first{WaitMode::sem_ge_imm, kSem, UpdateMode::sem_inc_complete, 7, 1};
  std::vector<isa::Word> changer;
  for (const isa::Events& change : given) {
    changer.insert(changer.end(), 25, nop());
    changer.push_back(nop(change));
  }
  CoreBench::execute(host, {{Engine::dve, {event_semaphore(first, second)}}, {Engine::act, changer}});
  EXPECT_EQ(semaphore(host, kSem), 1);
  EXPECT_FALSE(event(host, kEvt));
  EXPECT_EQ(semaphore(host, 7), 1);
  EXPECT_EQ(semaphore(host, 8), 99);
}

TEST(EventSemaphore, AwaitsBothInEitherOrderAndUpdatesBoth) {
  const isa::Events count = updates(UpdateMode::sem_inc_complete, kSem),
                    set = updates(UpdateMode::evt_set_complete, kEvt);
  CoreBench event_last(preset(isa::Generation::cayman), "event_last");
  CoreBench event_first(preset(isa::Generation::cayman), "event_first");
  event_last.drive([&](Host& host) { await_both(host, {count, set}); });
  event_first.drive([&](Host& host) { await_both(host, {set, count}); });
  for (CoreBench* bench : {&event_last, &event_first}) {
    EXPECT_EQ(bench->finish().status, RunStatus::ok);
    // The later of the two: 52 Nops of 10 cycles.
    const timing::Schedule s = last_of(*bench, Engine::dve);
    EXPECT_EQ(s.start.value, seen_from(femtoseconds(520, kActHz), kDveHz));
    EXPECT_EQ(s.complete.value, s.start.value + 10);
  }
}

TEST(EventSemaphore, SecondBlockTakesRegisters) {
  CoreBench bench(preset(isa::Generation::cayman));
  bench.run([&](Host& host) {
    SecondEvents second;
    second.wait_mode = WaitMode::sem_le_reg;
    second.wait_idx = kSem;
    second.wait_value = 20;
    second.update_mode = UpdateMode::sem_add_reg_complete;
    second.update_idx = kSem;
    second.update_value = 21;
    set_semaphore(host, kSem, -5);
    CoreBench::execute(
        host, {move_immediates({{20, static_cast<std::uint32_t>(-5)}, {21, 1000}}), event_semaphore({}, second)});
    EXPECT_EQ(semaphore(host, kSem), 995);
  });
}

// A barrier of three engines: each adds 1 and waits for 3 (microarchitecture.md 6.2).
TEST(EventSemaphore, Barrier) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([&](Host& host) {
    std::vector<EngineProgram> programs;
    for (const Engine engine : isa::kEngines) {
      std::vector<isa::Word> words = nops(10 + 50 * isa::index_of(engine));
      words.push_back(drain(updates(UpdateMode::sem_inc_complete, kSem)));
      words.push_back(nop(waits(WaitMode::sem_ge_imm, kSem, 3)));
      programs.push_back({engine, words});
    }
    CoreBench::execute(host, programs);
  });
  EXPECT_EQ(outcome.status, RunStatus::ok);
  // ACT comes last, after 110 Nops and its Drain; the others see that t_sem later, itself at once.
  const std::uint64_t moment = femtoseconds(1110, kActHz);
  EXPECT_EQ(last_of(bench, Engine::act).start.value, 1110u);
  EXPECT_EQ(last_of(bench, Engine::pool).start.value, seen_from(moment, kActHz));
  EXPECT_EQ(last_of(bench, Engine::dve).start.value, seen_from(moment, kDveHz));
}

}  // namespace
}  // namespace synchronisation_test
}  // namespace dve
