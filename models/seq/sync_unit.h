// The core's semaphores and events as a module: shared by sequencers, reachable by plain TLM.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <utility>

#include "dve/control/control.h"
#include "dve/tlm/tlm.h"

namespace dve {

// Stands for: the EVT_SEM block, 256 semaphores and 256 events of one core (isa.md 14).
// Keeps: their values and recent changes. Window (local addresses, 4-byte accesses): event 0x0000 + 4n RW, bit 0;
// semaphore read 0x1000 + 4n RO; set 0x1400, add 0x1800, sub 0x1C00 + 4n WO. Everything else answers ADDRESS_ERROR, a
// forbidden direction COMMAND_ERROR.
// Time: none of its own; changes are stamped with the simulation time. Propagation (t_sem) is the waiter's business.
// Does not model: threshold notifications, the semaphores that a runtime keeps for itself.
class SyncUnit : public sc_core::sc_module, private TargetModel {
 public:
  explicit SyncUnit(sc_core::sc_module_name name);
  GuardedTarget in;

  const SyncState& state() const { return state_; }
  // Notified (delta) on every change.
  const sc_core::sc_event& changed() const { return changed_; }
  bool apply(const SyncUpdate& update, const std::string& who);
  void consume(const WaitCondition& condition, const std::string& who);

  // Told of every semaphore whose value changes: the new value, who changed it, and when. In order of time.
  using Observer = std::function<void(isa::SemaphoreIndex index, std::int32_t value, const std::string& who,
                                      std::uint64_t femtoseconds)>;
  void observe(Observer observer) { observer_ = std::move(observer); }

 private:
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;
  tlm::tlm_response_status read(std::uint64_t address, std::uint32_t& value) const;
  tlm::tlm_response_status write(std::uint64_t address, std::uint32_t value);

  SyncState state_;
  sc_core::sc_event changed_;
  Observer observer_;  // empty: nobody watches
};

}  // namespace dve
