// Waits, updates and registers, and when words run because of them: expected cycles by the formulas of docs/timing.md.
#include <gtest/gtest.h>

#include <algorithm>

#include "handle.h"
#include "support/control_words.h"
#include "support/expected_time.h"
#include "support/tensor_word_builder.h"

namespace dve::golden_tests {
namespace synchronisation_test {
namespace {

using namespace testing_support;
using isa::Engine;
using isa::UpdateMode;
using isa::WaitMode;

constexpr std::uint64_t kDveHz = 960'000'000, kActHz = 1'200'000'000;
constexpr std::uint64_t kSemNs = 30;
constexpr std::uint8_t kSem = 5, kEvt = 6;

// The cycle of an engine from which on a condition holds that another engine made true at that moment.
std::uint64_t seen_from(std::uint64_t moment, std::uint64_t hz) {
  return cycle_at(moment, hz) + cycles_of_ns(kSemNs, hz);
}

TEST(Waits, AWordThatWaitsChangesNothingAndCanBeTriedAgain) {
  Golden g;
  const isa::Word word = nop([] {
    isa::Events e = waits(WaitMode::sem_ge_imm, kSem, 1);
    return e;
  }());
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(g.run(word), DVE_GOLDEN_WAITING);
    EXPECT_EQ(g.message(), "dve: the word's wait condition does not hold, and no executed word will make it hold");
  }
  EXPECT_EQ(dve_golden_run(g.get(), 0, word.bytes.data(), 1, nullptr), DVE_GOLDEN_WAITING);
  EXPECT_EQ(g.findings().size(), 0u);
  ASSERT_EQ(dve_golden_set_semaphore(g.get(), kSem, 1), DVE_GOLDEN_OK);
  EXPECT_EQ(g.run(word), DVE_GOLDEN_OK);
  EXPECT_EQ(g.semaphore(kSem), 1) << "waiting takes nothing away";
  // Another word may come instead of the one that waits.
  Golden other;
  EXPECT_EQ(other.run(word), DVE_GOLDEN_WAITING);
  EXPECT_EQ(other.run(nop()), DVE_GOLDEN_OK);
  EXPECT_EQ(other.run(word), DVE_GOLDEN_WAITING);
}

TEST(Waits, TheFirstOfTwoStaysPassed) {
  Golden g;
  SecondEvents second;
  second.wait_mode = WaitMode::sem_ge_imm;
  second.wait_idx = 9;
  second.wait_value = 2;
  const isa::Word word = event_semaphore(waits(WaitMode::evt_set_then_clear, kEvt), second);
  EXPECT_EQ(g.run(word), DVE_GOLDEN_WAITING);
  ASSERT_EQ(dve_golden_set_event(g.get(), kEvt, 1), DVE_GOLDEN_OK);
  EXPECT_EQ(g.run(word), DVE_GOLDEN_WAITING);
  EXPECT_EQ(g.event(kEvt), 0) << "the first wait has consumed it";
  ASSERT_EQ(dve_golden_set_semaphore(g.get(), 9, 2), DVE_GOLDEN_OK);
  EXPECT_EQ(g.run(word), DVE_GOLDEN_OK) << "although the event is clear";
  EXPECT_EQ(g.run(word), DVE_GOLDEN_WAITING) << "the next such word waits anew";
}

TEST(Waits, AcrossEnginesAtTheMomentOfTheUpdate) {
  Golden g;
  const TensorWordBuilder build(isa::Generation::cayman);
  // 200 elements on the DVE: S 200, D 270, T 344.
  const isa::Word word = isa::encode(build.memset(row(sbuf(0, 0x100), 200), 7, 1));
  for (const bool at_read : {false, true}) {
    ASSERT_EQ(dve_golden_reset(g.get()), DVE_GOLDEN_OK);
    const isa::Word waiting = nop(waits(WaitMode::sem_ge_imm, kSem, 1));
    EXPECT_EQ(g.run(waiting, Engine::act), DVE_GOLDEN_WAITING);
    g.run_all({with_events(word, updates(at_read ? UpdateMode::sem_inc_read : UpdateMode::sem_inc_complete, kSem))});
    EXPECT_EQ(g.schedule().start, 0u);
    EXPECT_EQ(g.schedule().read_done, 200u);
    EXPECT_EQ(g.schedule().next_issue, 270u);
    EXPECT_EQ(g.schedule().complete, 344u);
    EXPECT_EQ(g.schedule().stream, 200u);
    ASSERT_EQ(g.run(waiting, Engine::act), DVE_GOLDEN_OK) << g.message();
    EXPECT_EQ(g.schedule(Engine::act).start, seen_from(femtoseconds(at_read ? 200 : 344, kDveHz), kActHz));
    EXPECT_EQ(g.semaphore(kSem), 1);
  }
}

// An event that one engine takes away is gone at the moment at which that engine's word could go on, not before.
TEST(Waits, WhatAWaitTakesAwayGoesWhenItIsOver) {
  Golden g;
  ASSERT_EQ(dve_golden_set_event(g.get(), kEvt, 1), DVE_GOLDEN_OK);
  g.run_all(nops(30));  // ten cycles each
  g.run_all({nop(waits(WaitMode::evt_set_then_clear, kEvt))});
  const std::uint64_t start = g.schedule().start;
  EXPECT_EQ(start, 300u);
  ASSERT_EQ(g.run(nop(waits(WaitMode::evt_clear, kEvt)), Engine::act), DVE_GOLDEN_OK);
  EXPECT_EQ(g.schedule(Engine::act).start, seen_from(femtoseconds(300, kDveHz), kActHz));
}

TEST(Waits, AskingForASemaphoreChangesNoSchedule) {
  const auto last_start = [](bool ask) {
    Golden g;
    const TensorWordBuilder build(isa::Generation::cayman);
    g.run_all({with_events(isa::encode(build.memset(row(sbuf(0, 0x100), 200), 7, 1)),
                           updates(UpdateMode::evt_set_complete, kEvt))});
    if (ask) {
      EXPECT_EQ(g.semaphore(kSem), 0);
      EXPECT_EQ(g.event(kEvt), 1);
    }
    EXPECT_EQ(g.run(nop(waits(WaitMode::evt_set_then_clear, kEvt)), Engine::pool), DVE_GOLDEN_OK);
    EXPECT_EQ(g.run(nop(waits(WaitMode::evt_clear, kEvt)), Engine::act), DVE_GOLDEN_OK);
    return g.schedule(Engine::act).start;
  };
  EXPECT_EQ(last_start(true), last_start(false));
}

TEST(Events, ChangeOrFault) {
  Golden g;
  g.run_all({nop(updates(UpdateMode::evt_set_complete, kEvt))});
  EXPECT_EQ(g.event(kEvt), 1);
  EXPECT_EQ(g.run(nop(updates(UpdateMode::evt_set_complete, kEvt))), DVE_GOLDEN_OK) << "it fires later";
  EXPECT_EQ(g.event(kEvt), 1);
  const auto findings = g.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_STREQ(findings[0].predicate, "event_discipline");
  EXPECT_EQ(findings[0].fault, 1);
  EXPECT_EQ(findings[0].word, 1u);
  EXPECT_EQ(findings[0].value, kEvt);
  EXPECT_EQ(g.run(nop()), DVE_GOLDEN_FAULT) << "its engine stands";
  EXPECT_EQ(g.run(nop(), Engine::act), DVE_GOLDEN_OK) << "others do not";
  ASSERT_EQ(dve_golden_reset(g.get()), DVE_GOLDEN_OK);
  EXPECT_EQ(g.run(nop()), DVE_GOLDEN_OK);
  EXPECT_EQ(g.event(kEvt), 0);
}

TEST(Semaphores, CountAndWrap) {
  Golden g;
  g.run_all(
      {nop(updates(UpdateMode::sem_add_imm_complete, kSem, 7)), nop(updates(UpdateMode::sem_dec_complete, kSem))});
  EXPECT_EQ(g.semaphore(kSem), 6);
  ASSERT_EQ(dve_golden_set_semaphore(g.get(), kSem, INT32_MAX), DVE_GOLDEN_OK);
  g.run_all({nop(updates(UpdateMode::sem_inc_complete, kSem))});
  EXPECT_EQ(g.semaphore(kSem), INT32_MIN);
  g.run_all({clear_range(0, 255)});
  EXPECT_EQ(g.semaphore(kSem), 0);
}

TEST(Registers, AreOfEachEngineAndSteerWords) {
  Golden g;
  ASSERT_EQ(dve_golden_set_register(g.get(), DVE_GOLDEN_ACT, 33, 12), DVE_GOLDEN_OK);
  g.run_all({move_immediates({{34, 5}}), move_registers({{35, 34}})});
  std::uint32_t value = 1;
  for (const auto& [engine, index, expected] :
       {std::tuple{DVE_GOLDEN_DVE, 33u, 0u}, {DVE_GOLDEN_DVE, 35u, 5u}, {DVE_GOLDEN_ACT, 33u, 12u}}) {
    ASSERT_EQ(dve_golden_register(g.get(), engine, index, &value), DVE_GOLDEN_OK);
    EXPECT_EQ(value, expected);
  }
  const isa::Word word = nop(waits(WaitMode::sem_ge_reg, kSem, 35));
  ASSERT_EQ(dve_golden_set_semaphore(g.get(), kSem, 4), DVE_GOLDEN_OK);
  EXPECT_EQ(g.run(word), DVE_GOLDEN_WAITING);
  ASSERT_EQ(dve_golden_set_register(g.get(), DVE_GOLDEN_DVE, 35, 4), DVE_GOLDEN_OK);
  EXPECT_EQ(g.run(word), DVE_GOLDEN_OK);
}

TEST(Programs, RunToTheirEndOrToHaltOrToAFault) {
  Golden g;
  const std::vector<isa::Word> words = {nop(), halt(), nop(updates(UpdateMode::sem_inc_complete, kSem))};
  std::vector<std::uint8_t> bytes;
  for (const isa::Word& word : words) bytes.insert(bytes.end(), word.bytes.begin(), word.bytes.end());
  std::size_t executed = 9;
  EXPECT_EQ(dve_golden_run(g.get(), 0, bytes.data(), 3, &executed), DVE_GOLDEN_OK);
  EXPECT_EQ(executed, 2u) << "Halt is the end";
  // A Halt ends its own program only.
  EXPECT_EQ(dve_golden_run(g.get(), 0, bytes.data() + 128, 1, &executed), DVE_GOLDEN_OK);
  std::vector<std::uint8_t> two(bytes.begin() + 128, bytes.end());
  two.insert(two.end(), bytes.begin() + 128, bytes.end());
  EXPECT_EQ(dve_golden_run(g.get(), 0, two.data(), 2, &executed), DVE_GOLDEN_OK);
  EXPECT_EQ(executed, 2u);
  EXPECT_EQ(g.semaphore(kSem), 3);
  two[64] = 0x63;  // illegal: an empty word
  EXPECT_EQ(dve_golden_run(g.get(), 0, two.data(), 2, &executed), DVE_GOLDEN_FAULT);
  EXPECT_EQ(executed, 1u);
  EXPECT_EQ(dve_golden_run(g.get(), 0, nullptr, 0, &executed), DVE_GOLDEN_OK);
  EXPECT_EQ(executed, 0u);
}

TEST(Schedules, AreThoseOfTheFormulas) {
  // U 64, g 70, L 144; two SBUF sources: c = 2 cycles an element.
  Golden g;
  const WordBuilder build(isa::Generation::cayman);
  const auto grad = [&](std::uint16_t n, bool psum_source) {
    return isa::encode(build.grad_accumulate2(row(psum_source ? psum(0, 0) : sbuf(0, 0), n), row(sbuf(0, 0x4000), n),
                                              row(sbuf(0, 0x8000), 3), row(sbuf(0, 0x9000), 1), row(sbuf(0, 0x9004), 1),
                                              1));
  };
  for (const std::uint16_t n : std::vector<std::uint16_t>{1, 20, 63, 64, 65, 1000}) {
    for (const bool psum_source : {false, true}) {
      ASSERT_EQ(dve_golden_reset(g.get()), DVE_GOLDEN_OK);
      g.write(sbuf(0, 0x4000), std::vector<float>(n, 1.0F));
      // No shorter than the three results take.
      const std::uint64_t stream = std::max<std::uint64_t>(3, std::uint64_t{n} * (psum_source ? 1 : 2));
      g.run_all({grad(n, psum_source)});
      const dve_golden_schedule s = g.schedule();
      EXPECT_EQ(s.stream, stream);
      EXPECT_EQ(s.start, 0u);
      EXPECT_EQ(s.read_done, stream);
      EXPECT_EQ(s.complete, stream + 144);
      EXPECT_EQ(s.next_issue, stream >= 64 ? stream + 70 : 64);
    }
  }
  Golden untimed("cayman", {"abstraction=functional"});
  untimed.run_all({grad(64, false)});
  const dve_golden_schedule s = untimed.schedule();
  EXPECT_EQ(s.start + s.read_done + s.complete + s.next_issue + s.stream, 0u);
}

}  // namespace
}  // namespace synchronisation_test
}  // namespace dve::golden_tests
