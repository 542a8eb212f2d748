#include "sync_state.h"

#include <fmt/format.h>

namespace dve {
namespace {

using isa::UpdateMode;
using isa::WaitMode;

constexpr std::size_t kRememberedChanges = 16;

bool satisfied(const WaitCondition& condition, std::int32_t value) {
  switch (condition.mode) {
    case WaitMode::sem_eq_imm:
    case WaitMode::sem_eq_reg:
      return value == condition.threshold;
    case WaitMode::sem_lt_imm:
    case WaitMode::sem_lt_reg:
      return value < condition.threshold;
    case WaitMode::sem_le_imm:
    case WaitMode::sem_le_reg:
      return value <= condition.threshold;
    case WaitMode::sem_gt_imm:
    case WaitMode::sem_gt_reg:
      return value > condition.threshold;
    case WaitMode::sem_ge_imm:
    case WaitMode::sem_ge_reg:
      return value >= condition.threshold;
    case WaitMode::evt_set:
    case WaitMode::evt_set_then_clear:
      return value != 0;
    case WaitMode::evt_clear:
    case WaitMode::evt_clear_then_set:
      return value == 0;
    default:
      return true;
  }
}

// New semaphore value; unsigned arithmetic wraps (isa.md 1.4).
std::int32_t updated(UpdateMode mode, std::int32_t value, std::uint32_t amount) {
  const auto v = static_cast<std::uint32_t>(value);
  switch (mode) {
    case UpdateMode::sem_inc_read:
    case UpdateMode::sem_inc_complete:
      return static_cast<std::int32_t>(v + 1);
    case UpdateMode::sem_dec_read:
    case UpdateMode::sem_dec_complete:
      return static_cast<std::int32_t>(v - 1);
    case UpdateMode::sem_add_imm_read:
    case UpdateMode::sem_add_imm_complete:
    case UpdateMode::sem_add_reg_read:
    case UpdateMode::sem_add_reg_complete:
      return static_cast<std::int32_t>(v + amount);
    case UpdateMode::sem_sub_imm_read:
    case UpdateMode::sem_sub_imm_complete:
    case UpdateMode::sem_sub_reg_read:
    case UpdateMode::sem_sub_reg_complete:
      return static_cast<std::int32_t>(v - amount);
    case UpdateMode::sem_write_imm_read:
    case UpdateMode::sem_write_imm_complete:
    case UpdateMode::sem_write_reg_read:
    case UpdateMode::sem_write_reg_complete:
      return static_cast<std::int32_t>(amount);
    default:
      return value;
  }
}

std::uint32_t operand(bool from_register, std::uint32_t value, const execute::Registers& registers) {
  return from_register ? registers[value % isa::kRegisters] : value;
}

std::string_view comparison(WaitMode mode) {
  switch (mode) {
    case WaitMode::sem_eq_imm:
    case WaitMode::sem_eq_reg:
      return "==";
    case WaitMode::sem_lt_imm:
    case WaitMode::sem_lt_reg:
      return "<";
    case WaitMode::sem_le_imm:
    case WaitMode::sem_le_reg:
      return "<=";
    case WaitMode::sem_gt_imm:
    case WaitMode::sem_gt_reg:
      return ">";
    default:
      return ">=";
  }
}

}  // namespace

void SyncState::Cell::set(std::int32_t v, const std::string& who, std::uint64_t femtoseconds) {
  value = v;
  changes.push_back({v, femtoseconds, who});
  if (changes.size() > kRememberedChanges) changes.pop_front();
}

const SyncState::Cell& SyncState::cell(const WaitCondition& condition) const {
  return isa::waits_on_event(condition.mode) ? events_[condition.index] : semaphores_[condition.index];
}

bool SyncState::holds(const WaitCondition& condition) const { return satisfied(condition, cell(condition).value); }

HeldSince SyncState::held_since(const WaitCondition& condition) const {
  const auto& changes = cell(condition).changes;
  HeldSince since;
  auto change = changes.rbegin();
  for (; change != changes.rend() && satisfied(condition, change->value); ++change)
    since = {change->femtoseconds, change->who};
  // Every remembered change left the condition true: it began to hold before the first of them, unless that one is the
  // first since reset and the reset value 0 did not satisfy it.
  const bool all_hold = change == changes.rend();
  const bool complete_memory = changes.size() < kRememberedChanges;
  if (all_hold && (!complete_memory || satisfied(condition, 0))) return {};
  return since;
}

bool SyncState::apply(const SyncUpdate& update, const std::string& who, std::uint64_t femtoseconds) {
  if (isa::updates_event(update.mode)) {
    const bool set = update.mode == UpdateMode::evt_set_read || update.mode == UpdateMode::evt_set_complete;
    Cell& event = events_[update.index];
    if ((event.value != 0) == set) return false;
    event.set(set ? 1 : 0, who, femtoseconds);
  } else if (isa::updates_semaphore(update.mode)) {
    Cell& semaphore = semaphores_[update.index];
    semaphore.set(updated(update.mode, semaphore.value, update.amount), who, femtoseconds);
  }
  return true;
}

void SyncState::consume(const WaitCondition& condition, const std::string& who, std::uint64_t femtoseconds) {
  if (condition.mode == WaitMode::evt_set_then_clear) events_[condition.index].set(0, who, femtoseconds);
  if (condition.mode == WaitMode::evt_clear_then_set) events_[condition.index].set(1, who, femtoseconds);
}

std::optional<HeldSince> SyncState::last_change(const WaitCondition& condition) const {
  const auto& changes = cell(condition).changes;
  if (changes.empty()) return std::nullopt;
  return HeldSince{changes.back().femtoseconds, changes.back().who};
}

WaitCondition wait_condition(const isa::Events& events, const execute::Registers& registers) {
  const std::uint32_t value = operand(isa::wait_uses_register(events.wait_mode), events.semaphore_value, registers);
  return {events.wait_mode, events.wait_idx, static_cast<std::int32_t>(value)};
}

SyncUpdate sync_update(const isa::Events& events, const execute::Registers& registers) {
  return {events.update_mode, events.update_idx,
          operand(isa::update_uses_register(events.update_mode), events.semaphore_value, registers)};
}

isa::Finding event_discipline(const SyncUpdate& update) {
  return {"event_discipline", "update_idx", 7, update.index,
          "an event that the update changes (set a clear one, clear a set one)"};
}

std::string to_string(const WaitCondition& condition) {
  if (isa::waits_on_semaphore(condition.mode))
    return fmt::format("sem[{}] {} {}", condition.index, comparison(condition.mode), condition.threshold);
  if (isa::waits_on_event(condition.mode)) {
    const bool set = condition.mode == WaitMode::evt_set || condition.mode == WaitMode::evt_set_then_clear;
    return fmt::format("evt[{}] {}", condition.index, set ? "set" : "clear");
  }
  return "no condition";
}

}  // namespace dve
