// Legality of incoming payloads and the lowering of byte enables and streaming: plain decisions, no simulation state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tlm>

#include "target_model.h"

namespace dve {

// Bytes of address space from the payload's address on that an interconnect can hold the payload to: its length, or the
// streaming width when that is smaller. 1 for tensor payloads: their length is packed data, and only the target knows
// which addresses the pattern reaches.
std::uint64_t address_span(const tlm::tlm_generic_payload& payload);

// Response of the guard's table to a plain read or write, OK when the model may see it.
tlm::tlm_response_status check_plain(const TargetCapabilities& capabilities, const TargetModel& model,
                                     const tlm::tlm_generic_payload& payload);

// The same for a debug access, where TLM-2.0 gives no meaning to byte enables and streaming width.
tlm::tlm_response_status check_debug(const TargetCapabilities& capabilities, const TargetModel& model,
                                     const tlm::tlm_generic_payload& payload);

// The same for a payload with a TensorExtension (tensor_extension.h says what is valid):
//   target without tensors, or without this direction                        COMMAND_ERROR
//   start address outside the target                                         ADDRESS_ERROR
//   channels, element bytes, element range, length or streaming width wrong  BURST_ERROR
//   byte enables                                                             BYTE_ENABLE_ERROR
// Where the pattern leads is for the target to check.
tlm::tlm_response_status check_tensor(const TargetCapabilities& capabilities, const tlm::tlm_generic_payload& payload,
                                      const TensorExtension& tensor);

// Bytes of a payload that are contiguous both in its data and at the target.
struct Run {
  std::uint64_t address = 0;
  std::uint64_t data_offset = 0;
  std::uint64_t length = 0;
};

// Lowers a checked payload: calls visit(Run) for its enabled bytes, in the order of the data, as few runs as possible.
// Byte i of the data goes to address + i mod streaming width, when byte enable i mod its length is set. Stops at the
// first response other than OK, and returns it.
template <class Visit>
tlm::tlm_response_status for_each_run(const tlm::tlm_generic_payload& payload, Visit&& visit) {
  const std::uint64_t length = payload.get_data_length();
  const std::uint64_t width = std::min<std::uint64_t>(payload.get_streaming_width(), length);
  const unsigned char* enables = payload.get_byte_enable_ptr();
  const std::uint64_t period = payload.get_byte_enable_length();
  const auto enabled = [=](std::uint64_t byte) {
    return enables == nullptr || enables[byte % period] == TLM_BYTE_ENABLED;
  };
  for (std::uint64_t first = 0; first < length;) {
    if (!enabled(first)) {
      ++first;
      continue;
    }
    const std::uint64_t wrap = std::min(length, (first / width + 1) * width);
    std::uint64_t end = enables == nullptr ? wrap : first + 1;
    while (end < wrap && enabled(end)) ++end;
    const tlm::tlm_response_status status = visit(Run{payload.get_address() + first % width, first, end - first});
    if (status != tlm::TLM_OK_RESPONSE) return status;
    first = end;
  }
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace dve
