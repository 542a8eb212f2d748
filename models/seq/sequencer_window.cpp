// The sequencer's control window.
#include "sequencer.h"

namespace dve {
namespace {

constexpr std::uint64_t kRegisterBytes = std::uint64_t{4} * isa::kRegisters;

std::uint64_t with_low(std::uint64_t whole, std::uint32_t v) { return (whole & ~std::uint64_t{0xFFFFFFFF}) | v; }
std::uint64_t with_high(std::uint64_t whole, std::uint32_t v) {
  return (whole & 0xFFFFFFFF) | (std::uint64_t{v} << 32);
}
std::uint32_t low(std::uint64_t whole) { return static_cast<std::uint32_t>(whole); }
std::uint32_t high(std::uint64_t whole) { return static_cast<std::uint32_t>(whole >> 32); }

}  // namespace

tlm::tlm_response_status Sequencer::access(const PlainAccess& access, sc_core::sc_time&) {
  return access_registers(
      access, [this](std::uint64_t address, std::uint32_t& value) { return read_register(address, value); },
      [this](std::uint64_t address, std::uint32_t value) { return write_register(address, value); });
}

tlm::tlm_response_status Sequencer::read_register(std::uint64_t address, std::uint32_t& value) const {
  if (address < kRegisterBytes) {
    value = registers_[address / 4];
    return tlm::TLM_OK_RESPONSE;
  }
  switch (address) {
    case kPcLow:
      value = low(program_counter());
      break;
    case kPcHigh:
      value = high(program_counter());
      break;
    case kBaseLow:
      value = low(program_base_);
      break;
    case kBaseHigh:
      value = high(program_base_);
      break;
    case kWordCount:
      value = word_count_;
      break;
    case kState:
      value = static_cast<std::uint32_t>(state_);
      break;
    case kFaultRecord:
      value = fault_record_;
      break;
    case kRingBaseLow:
      value = low(ring_base_);
      break;
    case kRingBaseHigh:
      value = high(ring_base_);
      break;
    case kRingEntries:
      value = ring_entries_;
      break;
    case kRingWritten:
      value = ring_ ? low(ring_->written()) : 0;
      break;
    case kRingRead:
      value = ring_read_;
      break;
    case kRingMode:
      value = ring_mode_;
      break;
    case kControl:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    default:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status Sequencer::write_register(std::uint64_t address, std::uint32_t value) {
  if (address < kRegisterBytes) {
    registers_[address / 4] = value;
    return tlm::TLM_OK_RESPONSE;
  }
  switch (address) {
    case kBaseLow:
      program_base_ = with_low(program_base_, value);
      break;
    case kBaseHigh:
      program_base_ = with_high(program_base_, value);
      break;
    case kWordCount:
      word_count_ = value;
      break;
    case kControl:
      if (value == 1 && !busy_) {
        busy_ = true;
        state_ = State::running;
        window_.clear();
        faults_.clear();
        start_.notify(sc_core::SC_ZERO_TIME);
      }
      break;
    case kRingBaseLow:
      ring_base_ = with_low(ring_base_, value);
      break;
    case kRingBaseHigh:
      ring_base_ = with_high(ring_base_, value);
      break;
    case kRingEntries:
      ring_entries_ = value;
      set_up_ring();
      break;
    case kRingRead:
      if (!ring_ || !ring_->set_reader(value)) return tlm::TLM_COMMAND_ERROR_RESPONSE;
      ring_read_ = value;
      break;
    case kRingMode:
      if (value > 1) return tlm::TLM_COMMAND_ERROR_RESPONSE;
      ring_mode_ = value;
      break;
    case kPcLow:
    case kPcHigh:
    case kState:
    case kFaultRecord:
    case kRingWritten:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    default:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

void Sequencer::set_up_ring() {
  ring_.reset();
  ring_read_ = 0;
  record_lost_ = false;
  const auto mode =
      ring_mode_ == 1 ? firmware::NotificationRing::Mode::overwrite : firmware::NotificationRing::Mode::lossless;
  if (ring_entries_ != 0) ring_.emplace(ring_base_, ring_entries_, mode);
}

}  // namespace dve
