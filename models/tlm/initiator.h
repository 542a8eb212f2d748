// What initiators share: preparing a plain payload, simulation time in femtoseconds.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

namespace dve {

// Makes the payload a plain read or write of `length` bytes, whatever it was before; extensions on it stay.
inline void prepare(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address,
                    std::uint8_t* data, std::uint64_t length) {
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(static_cast<unsigned>(length));
  payload.set_streaming_width(static_cast<unsigned>(length));
  payload.set_byte_enable_ptr(nullptr);
  payload.set_byte_enable_length(0);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

// The platform runs at 1 fs resolution: sc_time values are femtoseconds.
inline std::uint64_t now_femtoseconds() { return sc_core::sc_time_stamp().value(); }
inline sc_core::sc_time from_femtoseconds(std::uint64_t femtoseconds) {
  return sc_core::sc_time::from_value(femtoseconds);
}
// Distance from now to a moment that may already have passed.
inline sc_core::sc_time until_femtoseconds(std::uint64_t femtoseconds) {
  const std::uint64_t now = now_femtoseconds();
  return from_femtoseconds(femtoseconds > now ? femtoseconds - now : 0);
}

}  // namespace dve
