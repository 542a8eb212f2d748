// Wait conditions and updates as text (isa.md 1.3, 1.4; interfaces.md 3).
#pragma once

#include <cstdint>
#include <string>

#include "dve/isa/isa.h"
#include "scanner.h"

namespace dve::assembly {

// A wait or an update: mode byte, number of the semaphore or event, and the value where the mode takes one (threshold,
// amount, or register number).
struct EventText {
  std::uint8_t mode = 0;
  std::uint8_t index = 0;
  std::uint32_t value = 0;
  bool takes_value = false;
};

// "sem[3]>=16", "sem[3]==r7", "evt[2]", "!evt[2]", "evt[2]:clear", "!evt[2]:set". Thresholds are signed (isa.md 1.3).
bool read_wait(Scanner& in, EventText& wait);
// "sem[4]++", "sem[4]--", "sem[4]+=8", "sem[4]-=r7", "sem[4]=0", "evt[2]=1", "evt[2]=0"; then "@read" or "@complete".
bool read_update(Scanner& in, EventText& update);

// False, and nothing appended, for modes and registers without such a text.
bool append_wait(std::string& out, const EventText& wait);
bool append_update(std::string& out, const EventText& update);

}  // namespace dve::assembly
