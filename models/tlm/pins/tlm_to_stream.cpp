#include "tlm_to_stream.h"

#include <algorithm>

namespace dve::pins {
namespace {

TargetCapabilities whole_beats(std::uint64_t size, std::size_t beat_bytes) {
  TargetCapabilities capabilities;
  capabilities.size = size;
  capabilities.readable = false;
  capabilities.byte_enables = false;
  capabilities.alignment = static_cast<std::uint32_t>(beat_bytes);
  return capabilities;
}

}  // namespace

TlmToStreamCore::TlmToStreamCore(sc_core::sc_module_name name, std::uint64_t size, std::size_t beat_bytes, Stall stall)
    : sc_module(name),
      in("in", *this, whole_beats(size, beat_bytes)),
      beat_bytes_(beat_bytes),
      source_(std::move(stall)) {}

bool TlmToStreamCore::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  Beats beats(payload.get_data_length() / beat_bytes_);
  for (std::size_t i = 0; i < beats.size(); ++i) {
    std::copy_n(payload.get_data_ptr() + i * beat_bytes_, beat_bytes_, beats[i].data.bytes.begin());
  }
  beats.back().last = true;
  payload.set_response_status(calls_.run(beats));
  return true;
}

// Debug accesses alone come here.
tlm::tlm_response_status TlmToStreamCore::access(const PlainAccess&, sc_core::sc_time&) {
  return tlm::TLM_COMMAND_ERROR_RESPONSE;
}

void TlmToStreamCore::step(bool ready) {
  if (reset.read()) {
    if (calls_.running() != nullptr) calls_.finish(tlm::TLM_GENERIC_ERROR_RESPONSE);
  } else if (const Beats* beats = calls_.begin()) {
    for (const StreamBeat& beat : *beats) source_.append(beat);
  }
  source_.step(reset.read(), ready);
  if (calls_.running() != nullptr && source_.idle()) calls_.finish(tlm::TLM_OK_RESPONSE);
}

}  // namespace dve::pins
