// Windows of 32-bit registers.
#pragma once

#include <cstdint>
#include <cstring>
#include <tlm>

#include "target_model.h"

namespace dve {

// Splits an access of whole, aligned registers (capabilities: alignment 4) into single ones, in address order.
// `read(address, value)` fills in the value, `write(address, value)` takes it; the first one that does not answer OK
// ends the access.
template <class Read, class Write>
tlm::tlm_response_status access_registers(const PlainAccess& access, Read read, Write write) {
  for (std::uint64_t at = 0; at < access.length; at += sizeof(std::uint32_t)) {
    std::uint32_t value = 0;
    if (access.write) std::memcpy(&value, access.data + at, sizeof value);
    const tlm::tlm_response_status status =
        access.write ? write(access.address + at, value) : read(access.address + at, value);
    if (status != tlm::TLM_OK_RESPONSE) return status;
    if (!access.write) std::memcpy(access.data + at, &value, sizeof value);
  }
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace dve
