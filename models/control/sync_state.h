// Semaphores and events as plain state: values, conditions, updates, and who changed what when (isa.md 1.3, 1.4, 14).
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "dve/execute/execute.h"
#include "dve/isa/isa.h"

namespace dve {

// A wait condition with its operands resolved.
struct WaitCondition {
  isa::WaitMode mode = isa::WaitMode::none;
  std::uint8_t index = 0;
  std::int32_t threshold = 0;  // semaphore forms: compared signed
};

// An update with its operand resolved.
struct SyncUpdate {
  isa::UpdateMode mode = isa::UpdateMode::none;
  std::uint8_t index = 0;
  std::uint32_t amount = 0;
};

// The moment a condition that holds now began to hold, and who made it hold.
struct HeldSince {
  std::uint64_t femtoseconds = 0;
  std::string who;  // empty: holds since reset, or for longer than the state remembers
};

class SyncState {
 public:
  std::int32_t semaphore(isa::SemaphoreIndex index) const { return semaphores_[isa::number(index)].value; }
  bool event(isa::EventIndex index) const { return events_[isa::number(index)].value != 0; }

  bool holds(const WaitCondition& condition) const;
  // Requires holds(condition).
  HeldSince held_since(const WaitCondition& condition) const;

  // Applies an update (arithmetic modulo 2^32). False: event discipline broken, a set event set or a clear one cleared
  // (isa.md 14); the state is unchanged then.
  bool apply(const SyncUpdate& update, const std::string& who, std::uint64_t femtoseconds);
  // What EVT_SET_THEN_CLEAR and EVT_CLEAR_THEN_SET do once their wait has succeeded.
  void consume(const WaitCondition& condition, const std::string& who, std::uint64_t femtoseconds);

  // Who last changed what the condition looks at, and when; empty when nobody has.
  std::optional<HeldSince> last_change(const WaitCondition& condition) const;

 private:
  // A semaphore or an event: value and its most recent changes, newest last. The memory of changes is bounded; it only
  // has to reach back over the propagation time of a semaphore.
  struct Cell {
    struct Change {
      std::int32_t value;
      std::uint64_t femtoseconds;
      std::string who;
    };
    std::int32_t value = 0;
    std::deque<Change> changes;
    void set(std::int32_t v, const std::string& who, std::uint64_t femtoseconds);
  };
  const Cell& cell(const WaitCondition& condition) const;

  std::array<Cell, 256> semaphores_;
  std::array<Cell, 256> events_;
};

// The condition and update of a word, registers resolved.
WaitCondition wait_condition(const isa::Events& events, const execute::Registers& registers);
SyncUpdate sync_update(const isa::Events& events, const execute::Registers& registers);

// The finding of an update that SyncState refused.
isa::Finding event_discipline(const SyncUpdate& update);

// "sem[3] >= 16", "evt[2] set": for messages.
std::string to_string(const WaitCondition& condition);

}  // namespace dve
