#include <gtest/gtest.h>

#include <climits>
#include <random>

#include "dve/seq/seq.h"

namespace dve {
namespace {

using isa::UpdateMode;
using isa::WaitMode;

std::int32_t sem(const SyncState& state, int index) {
  return state.semaphore(isa::SemaphoreIndex{static_cast<std::uint8_t>(index)});
}

TEST(SyncState, SemaphoreUpdatesWrapModulo2To32) {
  SyncState state;
  EXPECT_TRUE(state.apply({UpdateMode::sem_inc_complete, 3, 99}, "dve", 1));
  EXPECT_EQ(sem(state, 3), 1);
  state.apply({UpdateMode::sem_add_imm_read, 3, 10}, "dve", 2);
  EXPECT_EQ(sem(state, 3), 11);
  state.apply({UpdateMode::sem_sub_reg_complete, 3, 20}, "dve", 3);
  EXPECT_EQ(sem(state, 3), -9);
  state.apply({UpdateMode::sem_write_imm_complete, 3, 0x7FFFFFFF}, "dve", 4);
  state.apply({UpdateMode::sem_inc_read, 3, 0}, "dve", 5);
  EXPECT_EQ(sem(state, 3), INT_MIN);
  state.apply({UpdateMode::sem_dec_complete, 3, 0}, "dve", 6);
  EXPECT_EQ(sem(state, 3), INT_MAX);
  EXPECT_EQ(sem(state, 4), 0);
}

TEST(SyncState, EveryComparisonIsSigned) {
  for (std::int32_t value : {-2, -1, 0, 1, 2}) {
    SyncState state;
    state.apply({UpdateMode::sem_write_imm_complete, 0, static_cast<std::uint32_t>(value)}, "dve", 0);
    const auto holds = [&](WaitMode mode) { return state.holds({mode, 0, 0}); };
    EXPECT_EQ(holds(WaitMode::sem_eq_imm), value == 0);
    EXPECT_EQ(holds(WaitMode::sem_lt_imm), value < 0);
    EXPECT_EQ(holds(WaitMode::sem_le_imm), value <= 0);
    EXPECT_EQ(holds(WaitMode::sem_gt_imm), value > 0);
    EXPECT_EQ(holds(WaitMode::sem_ge_imm), value >= 0);
    EXPECT_EQ(holds(WaitMode::sem_eq_reg), value == 0);
    EXPECT_EQ(holds(WaitMode::sem_lt_reg), value < 0);
    EXPECT_EQ(holds(WaitMode::sem_le_reg), value <= 0);
    EXPECT_EQ(holds(WaitMode::sem_gt_reg), value > 0);
    EXPECT_EQ(holds(WaitMode::sem_ge_reg), value >= 0);
    EXPECT_TRUE(holds(WaitMode::none));
  }
}

TEST(SyncState, EventsSetClearAndAreConsumedByTheWaiter) {
  SyncState state;
  EXPECT_TRUE(state.holds({WaitMode::evt_clear, 7, 0}));
  EXPECT_FALSE(state.holds({WaitMode::evt_set, 7, 0}));
  EXPECT_TRUE(state.apply({UpdateMode::evt_set_complete, 7, 0}, "dve", 1));
  EXPECT_FALSE(state.apply({UpdateMode::evt_set_read, 7, 0}, "dve", 2)) << "a set event set again";
  EXPECT_TRUE(state.holds({WaitMode::evt_set_then_clear, 7, 0}));
  state.consume({WaitMode::evt_set, 7, 0}, "dve", 3);
  EXPECT_TRUE(state.event(isa::EventIndex{7}));
  state.consume({WaitMode::evt_set_then_clear, 7, 0}, "dve", 4);
  EXPECT_FALSE(state.event(isa::EventIndex{7}));
  EXPECT_FALSE(state.apply({UpdateMode::evt_clear_complete, 7, 0}, "dve", 5)) << "a clear event cleared again";
  state.consume({WaitMode::evt_clear_then_set, 7, 0}, "dve", 6);
  EXPECT_TRUE(state.event(isa::EventIndex{7}));
}

TEST(SyncState, HeldSinceIsTheMomentTheConditionBeganToHold) {
  SyncState state;
  const WaitCondition at_least_two{WaitMode::sem_ge_imm, 1, 2};
  state.apply({UpdateMode::sem_inc_complete, 1, 0}, "host", 100);
  EXPECT_FALSE(state.holds(at_least_two));
  state.apply({UpdateMode::sem_inc_complete, 1, 0}, "host", 200);
  state.apply({UpdateMode::sem_inc_complete, 1, 0}, "dve", 300);  // still holds: nothing new
  ASSERT_TRUE(state.holds(at_least_two));
  EXPECT_EQ(state.held_since(at_least_two).femtoseconds, 200u);
  EXPECT_EQ(state.held_since(at_least_two).who, "host");
  EXPECT_EQ(state.last_change(at_least_two)->who, "dve");
}

TEST(SyncState, ConditionThatHoldsSinceResetBelongsToNobody) {
  SyncState state;
  const WaitCondition at_least_zero{WaitMode::sem_ge_imm, 1, 0};
  EXPECT_EQ(state.held_since(at_least_zero).who, "");
  EXPECT_FALSE(state.last_change(at_least_zero));
  state.apply({UpdateMode::sem_inc_complete, 1, 0}, "host", 100);
  EXPECT_EQ(state.held_since(at_least_zero).who, "");
}

// A brute-force history against the bounded one: as long as the condition began to hold within the remembered changes,
// moment and author agree.
TEST(SyncState, HeldSinceAgreesWithACompleteHistory) {
  std::mt19937 random(5);
  SyncState state;
  std::vector<std::pair<std::int32_t, std::uint64_t>> history = {{0, 0}};
  for (std::uint64_t t = 1; t < 5000; ++t) {
    const auto value = static_cast<std::int32_t>(random() % 7) - 3;
    state.apply({UpdateMode::sem_write_imm_complete, 9, static_cast<std::uint32_t>(value)}, "host", t);
    history.emplace_back(value, t);
    const WaitCondition condition{WaitMode::sem_ge_imm, 9, static_cast<std::int32_t>(random() % 5) - 2};
    if (!state.holds(condition)) continue;
    std::size_t first = history.size() - 1;
    while (first > 0 && history[first - 1].first >= condition.threshold) --first;
    if (history.size() - first >= 15 || first == 0) continue;  // longer than the memory reaches
    ASSERT_EQ(state.held_since(condition).femtoseconds, history[first].second) << "at " << t;
  }
}

TEST(SyncState, OperandsComeFromTheWordOrARegister) {
  execute::Registers registers{};
  registers[5] = 42;
  isa::Events events;
  events.wait_mode = WaitMode::sem_ge_reg;
  events.update_mode = UpdateMode::sem_add_reg_complete;
  events.semaphore_value = 5;
  EXPECT_EQ(wait_condition(events, registers).threshold, 42);
  EXPECT_EQ(sync_update(events, registers).amount, 42u);
  events.wait_mode = WaitMode::sem_ge_imm;
  events.update_mode = UpdateMode::sem_add_imm_complete;
  EXPECT_EQ(wait_condition(events, registers).threshold, 5);
  EXPECT_EQ(sync_update(events, registers).amount, 5u);
}

TEST(SyncState, ConditionsReadWell) {
  EXPECT_EQ(to_string(WaitCondition{WaitMode::sem_ge_imm, 3, 16}), "sem[3] >= 16");
  EXPECT_EQ(to_string(WaitCondition{WaitMode::sem_lt_reg, 3, -1}), "sem[3] < -1");
  EXPECT_EQ(to_string(WaitCondition{WaitMode::evt_set_then_clear, 2, 0}), "evt[2] set");
  EXPECT_EQ(to_string(WaitCondition{WaitMode::evt_clear, 2, 0}), "evt[2] clear");
}

}  // namespace
}  // namespace dve
