#include "events.h"

#include "code_name.h"

namespace dve::isa {
namespace {

constexpr std::size_t kEventsOffset = 4;

constexpr std::uint8_t byte_of(WaitMode mode) { return static_cast<std::uint8_t>(mode); }
constexpr std::uint8_t byte_of(UpdateMode mode) { return static_cast<std::uint8_t>(mode); }

// READ and COMPLETE forms differ by 0x10, register forms by bit 7 (isa.md 1.4).
constexpr std::uint8_t action_of(UpdateMode mode) { return byte_of(mode) & 0x0F; }

}  // namespace

bool waits_on_semaphore(WaitMode mode) {
  const std::uint8_t comparison = byte_of(mode) & 0x7F;
  return comparison >= byte_of(WaitMode::sem_eq_imm) && comparison <= byte_of(WaitMode::sem_ge_imm);
}

bool waits_on_event(WaitMode mode) {
  return mode == WaitMode::evt_set || mode == WaitMode::evt_set_then_clear || mode == WaitMode::evt_clear ||
         mode == WaitMode::evt_clear_then_set;
}

bool is_wait_mode_member(WaitMode mode, Generation generation) {
  if (mode == WaitMode::unordered) return core_version(generation) >= 5;
  return mode == WaitMode::none || waits_on_semaphore(mode) || waits_on_event(mode);
}

bool updates_semaphore(UpdateMode mode) {
  const std::uint8_t form = byte_of(mode) & 0xF0;
  const std::uint8_t action = action_of(mode);
  const bool takes_value = action == 0x5 || action == 0x7 || action == 0x9;
  if (form == 0x80 || form == 0x90) return takes_value;
  return (form == 0x00 || form == 0x10) && (takes_value || action == 0x3 || action == 0x4);
}

bool updates_event(UpdateMode mode) {
  const std::uint8_t form = byte_of(mode) & 0xF0;
  return (form == 0x00 || form == 0x10) && (action_of(mode) == 0x1 || action_of(mode) == 0x2);
}

bool is_update_mode_member(UpdateMode mode) {
  return mode == UpdateMode::none || updates_semaphore(mode) || updates_event(mode);
}

bool wait_uses_register(WaitMode mode) { return waits_on_semaphore(mode) && (byte_of(mode) & 0x80) != 0; }

bool update_uses_register(UpdateMode mode) { return updates_semaphore(mode) && (byte_of(mode) & 0x80) != 0; }

bool update_at_read(UpdateMode mode) {
  return (updates_semaphore(mode) || updates_event(mode)) && (byte_of(mode) & 0x10) == 0;
}

std::string_view name(WaitMode mode) {
  switch (mode) {
    case WaitMode::none:
      return "NONE";
    case WaitMode::sem_eq_imm:
      return "SEM_EQ_IMM";
    case WaitMode::sem_lt_imm:
      return "SEM_LT_IMM";
    case WaitMode::sem_le_imm:
      return "SEM_LE_IMM";
    case WaitMode::sem_gt_imm:
      return "SEM_GT_IMM";
    case WaitMode::sem_ge_imm:
      return "SEM_GE_IMM";
    case WaitMode::evt_set:
      return "EVT_SET";
    case WaitMode::evt_set_then_clear:
      return "EVT_SET_THEN_CLEAR";
    case WaitMode::evt_clear:
      return "EVT_CLEAR";
    case WaitMode::evt_clear_then_set:
      return "EVT_CLEAR_THEN_SET";
    case WaitMode::sem_eq_reg:
      return "SEM_EQ_REG";
    case WaitMode::sem_lt_reg:
      return "SEM_LT_REG";
    case WaitMode::sem_le_reg:
      return "SEM_LE_REG";
    case WaitMode::sem_gt_reg:
      return "SEM_GT_REG";
    case WaitMode::sem_ge_reg:
      return "SEM_GE_REG";
    case WaitMode::unordered:
      return "UNORDERED";
    case WaitMode::invalid:
      return "INVALID";
  }
  return hex_name(byte_of(mode));
}

std::string_view name(UpdateMode mode) {
  switch (mode) {
    case UpdateMode::none:
      return "NONE";
    case UpdateMode::evt_set_read:
      return "EVT_SET_READ";
    case UpdateMode::evt_clear_read:
      return "EVT_CLEAR_READ";
    case UpdateMode::sem_inc_read:
      return "SEM_INC_READ";
    case UpdateMode::sem_dec_read:
      return "SEM_DEC_READ";
    case UpdateMode::sem_add_imm_read:
      return "SEM_ADD_IMM_READ";
    case UpdateMode::sem_sub_imm_read:
      return "SEM_SUB_IMM_READ";
    case UpdateMode::sem_write_imm_read:
      return "SEM_WR_IMM_READ";
    case UpdateMode::evt_set_complete:
      return "EVT_SET_COMPLETE";
    case UpdateMode::evt_clear_complete:
      return "EVT_CLEAR_COMPLETE";
    case UpdateMode::sem_inc_complete:
      return "SEM_INC_COMPLETE";
    case UpdateMode::sem_dec_complete:
      return "SEM_DEC_COMPLETE";
    case UpdateMode::sem_add_imm_complete:
      return "SEM_ADD_IMM_COMPLETE";
    case UpdateMode::sem_sub_imm_complete:
      return "SEM_SUB_IMM_COMPLETE";
    case UpdateMode::sem_write_imm_complete:
      return "SEM_WR_IMM_COMPLETE";
    case UpdateMode::sem_add_reg_read:
      return "SEM_ADD_REG_READ";
    case UpdateMode::sem_sub_reg_read:
      return "SEM_SUB_REG_READ";
    case UpdateMode::sem_write_reg_read:
      return "SEM_WR_REG_READ";
    case UpdateMode::sem_add_reg_complete:
      return "SEM_ADD_REG_COMPLETE";
    case UpdateMode::sem_sub_reg_complete:
      return "SEM_SUB_REG_COMPLETE";
    case UpdateMode::sem_write_reg_complete:
      return "SEM_WR_REG_COMPLETE";
    case UpdateMode::invalid:
      return "INVALID";
  }
  return hex_name(byte_of(mode));
}

Header read_header(const Word& word) { return {word.bytes[0], word.bytes[1], word.bytes[2], word.bytes[3]}; }

Events read_events(const Word& word) {
  return {static_cast<WaitMode>(word.bytes[kEventsOffset]), word.bytes[kEventsOffset + 1],
          static_cast<UpdateMode>(word.bytes[kEventsOffset + 2]), word.bytes[kEventsOffset + 3],
          word.get<std::uint32_t>(kEventsOffset + 4)};
}

void write_header(Word& word, const Header& header) {
  word.bytes[0] = header.opcode;
  word.bytes[1] = header.inst_word_len;
  word.bytes[2] = header.debug_cmd;
  word.bytes[3] = header.debug_hint;
}

void write_events(Word& word, const Events& events) {
  word.bytes[kEventsOffset] = byte_of(events.wait_mode);
  word.bytes[kEventsOffset + 1] = events.wait_idx;
  word.bytes[kEventsOffset + 2] = byte_of(events.update_mode);
  word.bytes[kEventsOffset + 3] = events.update_idx;
  word.put(kEventsOffset + 4, events.semaphore_value);
}

}  // namespace dve::isa
