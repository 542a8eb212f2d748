#include "event_text.h"

#include <array>
#include <string_view>

namespace dve::assembly {
namespace {

using isa::UpdateMode;
using isa::WaitMode;

constexpr std::uint8_t kRegisterForm = 0x80;
constexpr std::uint8_t kCompleteForm = 0x10;

constexpr std::uint8_t byte_of(WaitMode mode) { return static_cast<std::uint8_t>(mode); }
constexpr std::uint8_t byte_of(UpdateMode mode) { return static_cast<std::uint8_t>(mode); }

struct ModeText {
  std::string_view text;
  std::uint8_t mode;
};

// Two-letter comparisons stand before the letter they begin with.
constexpr std::array kComparisons = {
    ModeText{"==", byte_of(WaitMode::sem_eq_imm)}, ModeText{"<=", byte_of(WaitMode::sem_le_imm)},
    ModeText{">=", byte_of(WaitMode::sem_ge_imm)}, ModeText{"<", byte_of(WaitMode::sem_lt_imm)},
    ModeText{">", byte_of(WaitMode::sem_gt_imm)}};

constexpr std::array kSteps = {ModeText{"++", byte_of(UpdateMode::sem_inc_read)},
                               ModeText{"--", byte_of(UpdateMode::sem_dec_read)}};
constexpr std::array kAssignments = {ModeText{"+=", byte_of(UpdateMode::sem_add_imm_read)},
                                     ModeText{"-=", byte_of(UpdateMode::sem_sub_imm_read)},
                                     ModeText{"=", byte_of(UpdateMode::sem_write_imm_read)}};

template <std::size_t N>
bool accept_mode(Scanner& in, const std::array<ModeText, N>& forms, std::uint8_t& mode) {
  for (const ModeText& form : forms) {
    if (in.accept(form.text)) {
      mode = form.mode;
      return true;
    }
  }
  return false;
}

template <std::size_t N>
std::string_view text_of(const std::array<ModeText, N>& forms, std::uint8_t mode) {
  for (const ModeText& form : forms) {
    if (form.mode == mode) return form.text;
  }
  return {};
}

// "[3]" behind "sem" or "evt".
bool read_index(Scanner& in, std::uint8_t& index) {
  if (!in.accept('[')) return in.fail("`[` and a number from 0 to 255");
  if (!read_unsigned(in, 255, index)) return false;
  return in.accept(']') || in.fail("`]` behind the number");
}

void append_index(std::string& out, std::string_view name, std::uint8_t index) {
  out += name;
  out += '[';
  append_decimal(out, std::uint64_t{index});
  out += ']';
}

// A number, or a register: that adds bit 7 to the mode.
bool read_operand(Scanner& in, std::int64_t least, EventText& event) {
  event.takes_value = true;
  if (in.peek() == 'r') {
    std::uint8_t number = 0;
    if (!read_register(in, number)) return false;
    event.value = number;
    event.mode |= kRegisterForm;
    return true;
  }
  std::int64_t number = 0;
  if (!read_number(in, least, 0xFFFFFFFF, number)) return false;
  event.value = static_cast<std::uint32_t>(number);
  return true;
}

bool read_event_wait(Scanner& in, bool set, EventText& wait) {
  if (!read_index(in, wait.index)) return false;
  const bool changes = in.accept(set ? ":clear" : ":set");
  const WaitMode mode = set ? (changes ? WaitMode::evt_set_then_clear : WaitMode::evt_set)
                            : (changes ? WaitMode::evt_clear_then_set : WaitMode::evt_clear);
  wait.mode = byte_of(mode);
  return true;
}

bool read_semaphore_wait(Scanner& in, EventText& wait) {
  if (!read_index(in, wait.index)) return false;
  if (!accept_mode(in, kComparisons, wait.mode)) return in.fail("one of == < <= > >=");
  return read_operand(in, -0x80000000LL, wait);
}

bool read_semaphore_update(Scanner& in, EventText& update) {
  if (!read_index(in, update.index)) return false;
  if (accept_mode(in, kSteps, update.mode)) return true;
  if (!accept_mode(in, kAssignments, update.mode)) return in.fail("one of ++ -- += -= =");
  return read_operand(in, 0, update);
}

bool read_event_update(Scanner& in, EventText& update) {
  if (!read_index(in, update.index)) return false;
  if (in.accept("=1")) {
    update.mode = byte_of(UpdateMode::evt_set_read);
  } else if (in.accept("=0")) {
    update.mode = byte_of(UpdateMode::evt_clear_read);
  } else {
    return in.fail("=0 or =1");
  }
  return true;
}

bool read_when(Scanner& in, EventText& update) {
  if (in.accept("@read")) return true;
  if (!in.accept("@complete") && in.peek() == '@') return in.fail("@read or @complete");
  update.mode |= kCompleteForm;
  return true;
}

bool append_register_operand(std::string& out, std::uint32_t value) {
  if (value >= isa::kRegisters) return false;
  append_register(out, static_cast<std::uint8_t>(value));
  return true;
}

bool append_semaphore_wait(std::string& out, const EventText& wait) {
  append_index(out, "sem", wait.index);
  out += text_of(kComparisons, wait.mode & 0x7F);
  if ((wait.mode & kRegisterForm) != 0) return append_register_operand(out, wait.value);
  append_decimal(out, std::int64_t{static_cast<std::int32_t>(wait.value)});
  return true;
}

bool append_semaphore_update(std::string& out, const EventText& update) {
  const std::uint8_t action = update.mode & 0x0F;
  append_index(out, "sem", update.index);
  if (const std::string_view step = text_of(kSteps, action); !step.empty()) {
    out += step;
    return true;
  }
  out += text_of(kAssignments, action);
  if ((update.mode & kRegisterForm) != 0) return append_register_operand(out, update.value);
  append_decimal(out, std::uint64_t{update.value});
  return true;
}

void append_event_wait(std::string& out, const EventText& wait) {
  const auto mode = static_cast<WaitMode>(wait.mode);
  if (mode == WaitMode::evt_clear || mode == WaitMode::evt_clear_then_set) out += '!';
  append_index(out, "evt", wait.index);
  if (mode == WaitMode::evt_set_then_clear) out += ":clear";
  if (mode == WaitMode::evt_clear_then_set) out += ":set";
}

}  // namespace

bool read_wait(Scanner& in, EventText& wait) {
  if (in.accept("sem")) return read_semaphore_wait(in, wait);
  if (in.accept("evt")) return read_event_wait(in, true, wait);
  if (in.accept("!evt")) return read_event_wait(in, false, wait);
  return in.fail("a condition such as sem[3]>=16, evt[2], !evt[2], evt[2]:clear or !evt[2]:set");
}

bool read_update(Scanner& in, EventText& update) {
  if (in.accept("sem")) return read_semaphore_update(in, update) && read_when(in, update);
  if (in.accept("evt")) return read_event_update(in, update) && read_when(in, update);
  return in.fail("an update such as sem[4]++, sem[4]+=8, sem[4]=r7 or evt[2]=1, then @read or @complete");
}

bool append_wait(std::string& out, const EventText& wait) {
  const std::size_t start = out.size();
  const auto mode = static_cast<WaitMode>(wait.mode);
  if (waits_on_event(mode)) {
    append_event_wait(out, wait);
    return true;
  }
  if (waits_on_semaphore(mode) && append_semaphore_wait(out, wait)) return true;
  out.resize(start);
  return false;
}

bool append_update(std::string& out, const EventText& update) {
  const std::size_t start = out.size();
  const auto mode = static_cast<UpdateMode>(update.mode);
  if (updates_event(mode)) {
    append_index(out, "evt", update.index);
    out += (update.mode & 0x0F) == byte_of(UpdateMode::evt_set_read) ? "=1" : "=0";
  } else if (!updates_semaphore(mode) || !append_semaphore_update(out, update)) {
    out.resize(start);
    return false;
  }
  if (update_at_read(mode)) out += "@read";
  return true;
}

}  // namespace dve::assembly
