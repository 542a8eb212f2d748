// GoldenCore: updates of semaphores and events at their moments, findings.
#include <algorithm>
#include <utility>

#include "golden_core.h"

namespace dve::golden_library {

// ---- Updates ----

void GoldenCore::retire(Unit& u, const isa::Word& word) {
  u.last_completion = std::max(u.last_completion, u.schedule.complete);
  for (const SyncUpdate& update : sync_updates(word, u.registers)) {
    const isa::Cycles at = isa::update_at_read(update.mode) ? u.schedule.read_done : u.schedule.complete;
    const std::uint64_t moment = timed_ ? u.clock.femtoseconds(at) : 0;
    pending_.emplace(moment, Pending{update, u.engine, u.words, opcode_of(word)});
  }
  ++u.words;
  if (!timed_) fire_due(0);
}

void GoldenCore::fire_due(std::uint64_t femtoseconds) {
  while (!pending_.empty() && pending_.begin()->first <= femtoseconds) fire_first();
}

void GoldenCore::fire_first() {
  const auto [moment, due] = *pending_.begin();
  pending_.erase(pending_.begin());
  last_fired_ = std::max(last_fired_, moment);
  if (sync_.apply(due.update, std::string(isa::to_string(due.engine)), moment)) return;
  Unit& u = unit(due.engine);
  findings_.push_back({due.engine, true, due.word, due.opcode, event_discipline(due.update)});
  u.stopped = true;
}

std::uint64_t GoldenCore::last_moment() const {
  std::uint64_t last = last_fired_;
  for (const Unit& u : units_) last = std::max(last, timed_ ? u.clock.femtoseconds(u.last_completion) : 0);
  return last;
}

const SyncState& GoldenCore::sync() {
  fire_due(last_moment());
  return sync_;
}

void GoldenCore::set_semaphore(isa::SemaphoreIndex index, std::int32_t value) {
  fire_due(last_moment());
  sync_.apply(
      {isa::UpdateMode::sem_write_imm_complete, static_cast<std::uint8_t>(index), static_cast<std::uint32_t>(value)},
      "host", last_moment());
}

void GoldenCore::set_event(isa::EventIndex index, bool value) {
  fire_due(last_moment());
  if (sync_.event(index) == value) return;
  sync_.apply({value ? isa::UpdateMode::evt_set_complete : isa::UpdateMode::evt_clear_complete,
               static_cast<std::uint8_t>(index), 0},
              "host", last_moment());
}

// ---- Findings ----

void GoldenCore::fault(Unit& u, std::uint8_t opcode, const isa::Finding& finding) {
  findings_.push_back({u.engine, true, u.words, opcode, finding});
  u.stopped = true;
}

void GoldenCore::warn(const Unit& u, std::uint8_t opcode, const isa::Finding& finding) {
  findings_.push_back({u.engine, false, u.words, opcode, finding});
}

bool GoldenCore::report(Unit& u, std::uint8_t opcode, const std::vector<isa::Finding>& findings) {
  for (const isa::Finding& finding : findings) {
    if (strict_)
      fault(u, opcode, finding);
    else
      warn(u, opcode, finding);
  }
  return !u.stopped;
}

}  // namespace dve::golden_library
