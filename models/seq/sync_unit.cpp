#include "sync_unit.h"

namespace dve {
namespace {

constexpr std::uint64_t kApertureBytes = 0x100000;
constexpr std::uint64_t kBlockBytes = 1024;  // 256 registers
constexpr std::uint64_t kEvent = 0x0000, kRead = 0x1000, kSet = 0x1400, kAdd = 0x1800, kSub = 0x1C00;

const std::string kHost = "host";

bool in_block(std::uint64_t address, std::uint64_t block) { return address >= block && address - block < kBlockBytes; }
std::uint8_t index_in(std::uint64_t address, std::uint64_t block) {
  return static_cast<std::uint8_t>((address - block) / 4);
}

TargetCapabilities capabilities() {
  TargetCapabilities c;
  c.size = kApertureBytes;
  c.byte_enables = false;
  c.streaming = false;
  c.alignment = 4;
  return c;
}

}  // namespace

SyncUnit::SyncUnit(sc_core::sc_module_name name) : sc_module(name), in("in", *this, capabilities()) {}

bool SyncUnit::apply(const SyncUpdate& update, const std::string& who) {
  const isa::SemaphoreIndex index{update.index};
  const std::int32_t before = state_.semaphore(index);
  const bool allowed = state_.apply(update, who, now_femtoseconds());
  // An update of an event leaves the semaphore of its number as it was.
  if (observer_ && state_.semaphore(index) != before)
    observer_(index, state_.semaphore(index), who, now_femtoseconds());
  changed_.notify(sc_core::SC_ZERO_TIME);
  return allowed;
}

void SyncUnit::consume(const WaitCondition& condition, const std::string& who) {
  state_.consume(condition, who, now_femtoseconds());
  changed_.notify(sc_core::SC_ZERO_TIME);
}

tlm::tlm_response_status SyncUnit::access(const PlainAccess& access, sc_core::sc_time&) {
  return access_registers(
      access, [this](std::uint64_t address, std::uint32_t& value) { return read(address, value); },
      [this](std::uint64_t address, std::uint32_t value) { return write(address, value); });
}

tlm::tlm_response_status SyncUnit::read(std::uint64_t address, std::uint32_t& value) const {
  if (in_block(address, kEvent)) {
    value = state_.event(isa::EventIndex{index_in(address, kEvent)}) ? 1 : 0;
    return tlm::TLM_OK_RESPONSE;
  }
  if (in_block(address, kRead)) {
    value = static_cast<std::uint32_t>(state_.semaphore(isa::SemaphoreIndex{index_in(address, kRead)}));
    return tlm::TLM_OK_RESPONSE;
  }
  const bool write_only = in_block(address, kSet) || in_block(address, kAdd) || in_block(address, kSub);
  return write_only ? tlm::TLM_COMMAND_ERROR_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

tlm::tlm_response_status SyncUnit::write(std::uint64_t address, std::uint32_t value) {
  using isa::UpdateMode;
  if (in_block(address, kEvent)) {
    // A plain register write: setting a set event is no violation here, unlike an instruction's update.
    apply({(value & 1) != 0 ? UpdateMode::evt_set_complete : UpdateMode::evt_clear_complete, index_in(address, kEvent),
           0},
          kHost);
    return tlm::TLM_OK_RESPONSE;
  }
  const auto update = [&](std::uint64_t block, UpdateMode mode) {
    if (!in_block(address, block)) return false;
    apply({mode, index_in(address, block), value}, kHost);
    return true;
  };
  if (update(kSet, UpdateMode::sem_write_imm_complete) || update(kAdd, UpdateMode::sem_add_imm_complete) ||
      update(kSub, UpdateMode::sem_sub_imm_complete))
    return tlm::TLM_OK_RESPONSE;
  return in_block(address, kRead) ? tlm::TLM_COMMAND_ERROR_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

}  // namespace dve
