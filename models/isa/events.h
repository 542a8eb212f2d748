// HEADER and EVENTS: the twelve bytes every word begins with (isa.md 1.1 to 1.4).
#pragma once

#include <cstdint>
#include <string_view>

#include "generation.h"
#include "quantities.h"
#include "word.h"

namespace dve::isa {

inline constexpr std::uint8_t kInstWordLen = 0x10;  // 16 dwords (isa.md 1.1)

struct Header {
  std::uint8_t opcode = 0;
  std::uint8_t inst_word_len = kInstWordLen;
  std::uint8_t debug_cmd = 0;
  std::uint8_t debug_hint = 0;
  friend bool operator==(const Header& a, const Header& b) {
    return a.opcode == b.opcode && a.inst_word_len == b.inst_word_len && a.debug_cmd == b.debug_cmd &&
           a.debug_hint == b.debug_hint;
  }
};

// Condition that must hold before a word executes (isa.md 1.3).
// clang-format off
enum class WaitMode : std::uint8_t {
  none = 0x00, sem_eq_imm = 0x01, sem_lt_imm = 0x02, sem_le_imm = 0x03, sem_gt_imm = 0x04, sem_ge_imm = 0x05,
  evt_set = 0x06, evt_set_then_clear = 0x07, evt_clear = 0x0E, evt_clear_then_set = 0x0F,
  sem_eq_reg = 0x81, sem_lt_reg = 0x82, sem_le_reg = 0x83, sem_gt_reg = 0x84, sem_ge_reg = 0x85,
  unordered = 0xFE, invalid = 0xFF
};
// clang-format on

// Action after the reads or after completion (isa.md 1.4).
// clang-format off
enum class UpdateMode : std::uint8_t {
  none = 0x00,
  evt_set_read = 0x01, evt_clear_read = 0x02, sem_inc_read = 0x03, sem_dec_read = 0x04, sem_add_imm_read = 0x05,
  sem_sub_imm_read = 0x07, sem_write_imm_read = 0x09,
  evt_set_complete = 0x11, evt_clear_complete = 0x12, sem_inc_complete = 0x13, sem_dec_complete = 0x14,
  sem_add_imm_complete = 0x15, sem_sub_imm_complete = 0x17, sem_write_imm_complete = 0x19,
  sem_add_reg_read = 0x85, sem_sub_reg_read = 0x87, sem_write_reg_read = 0x89,
  sem_add_reg_complete = 0x95, sem_sub_reg_complete = 0x97, sem_write_reg_complete = 0x99,
  invalid = 0xFF
};
// clang-format on

// The one 32-bit value is compare threshold and update amount at once (isa.md 1.2); a register number in the *_reg
// forms.
struct Events {
  WaitMode wait_mode = WaitMode::none;
  std::uint8_t wait_idx = 0;
  UpdateMode update_mode = UpdateMode::none;
  std::uint8_t update_idx = 0;
  std::uint32_t semaphore_value = 0;
  friend bool operator==(const Events& a, const Events& b) {
    return a.wait_mode == b.wait_mode && a.wait_idx == b.wait_idx && a.update_mode == b.update_mode &&
           a.update_idx == b.update_idx && a.semaphore_value == b.semaphore_value;
  }
};

bool is_wait_mode_member(WaitMode mode,
                         Generation generation);  // UNORDERED 0xFE: v5 only (isa.md 1.3 DEFAULT); 0xFF: never
bool is_update_mode_member(UpdateMode mode);      // the table of isa.md 1.4; 0xFF and 0x93: never
bool waits_on_semaphore(WaitMode mode);
bool waits_on_event(WaitMode mode);
bool updates_semaphore(UpdateMode mode);
bool updates_event(UpdateMode mode);
bool wait_uses_register(WaitMode mode);      // bit 7 forms 0x81..0x85
bool update_uses_register(UpdateMode mode);  // bit 7 forms
bool update_at_read(UpdateMode mode);        // fires when the sources have been read; otherwise at completion
std::string_view name(WaitMode mode);        // header name, e.g. "SEM_GE_IMM"
std::string_view name(UpdateMode mode);

Header read_header(const Word& word);
Events read_events(const Word& word);
void write_header(Word& word, const Header& header);
void write_events(Word& word, const Events& events);

}  // namespace dve::isa
