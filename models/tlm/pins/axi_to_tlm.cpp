#include "axi_to_tlm.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace dve::pins {
namespace {

AxiResponse response_of(tlm::tlm_response_status status) {
  if (status == tlm::TLM_OK_RESPONSE) return AxiResponse::okay;
  return status == tlm::TLM_ADDRESS_ERROR_RESPONSE ? AxiResponse::decerr : AxiResponse::slverr;
}

}  // namespace

AxiToTlmCore::AxiToTlmCore(sc_core::sc_module_name name, const AxiSubordinate::Options& options, std::size_t bus_bytes)
    : sc_module(name), subordinate_(bus_bytes, options) {
  if (options.outstanding == 0) {
    throw std::invalid_argument(std::string(this->name()) + ": 0 bursts outstanding, expected at least 1");
  }
  SC_HAS_PROCESS(AxiToTlmCore);
  SC_THREAD(serve_reads);
  SC_THREAD(serve_writes);
}

void AxiToTlmCore::step(const AxiCycle& pins) {
  AxiCycle now = pins;
  now.reset = reset.read();
  for (Caller* caller : {&reads_, &writes_}) {
    if (now.reset) caller->calls.clear();
    while (const auto access = caller->calls.take()) subordinate_.answer(*access);
  }
  subordinate_.step(now);
  for (AxiAccess& access : subordinate_.take_accesses()) {
    Caller& caller = access.write ? writes_ : reads_;
    caller.calls.post(std::move(access));
  }
}

void AxiToTlmCore::serve_reads() {
  reads_.calls.serve([this](AxiAccess& access) { perform(reads_, access); });
}

void AxiToTlmCore::serve_writes() {
  writes_.calls.serve([this](AxiAccess& access) { perform(writes_, access); });
}

void AxiToTlmCore::perform(Caller& caller, AxiAccess& access) {
  access.response = access.legal ? AxiResponse::okay : AxiResponse::slverr;
  if (!access.legal) return;
  std::size_t at = 0;
  for (const AxiSegment& segment : segments_of(access.address)) {
    access.response = response_of(call(caller, access, segment, at));
    if (access.response != AxiResponse::okay) return;
    at += segment.length;
  }
}

tlm::tlm_response_status AxiToTlmCore::call(Caller& caller, AxiAccess& access, const AxiSegment& segment,
                                            std::size_t at) {
  tlm::tlm_generic_payload& payload = caller.payload;
  prepare(payload, access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, segment.address, &access.data[at],
          segment.length);
  payload.set_streaming_width(static_cast<unsigned>(segment.width));
  if (access.write) {
    const auto first = access.enables.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = first + static_cast<std::ptrdiff_t>(segment.length);
    if (std::find(first, end, false) != end) {
      caller.byte_enables.assign(segment.length, TLM_BYTE_DISABLED);
      for (std::size_t i = 0; i < segment.length; ++i) {
        if (first[static_cast<std::ptrdiff_t>(i)]) caller.byte_enables[i] = TLM_BYTE_ENABLED;
      }
      payload.set_byte_enable_ptr(caller.byte_enables.data());
      payload.set_byte_enable_length(static_cast<unsigned>(segment.length));
    }
  }
  sc_core::sc_time delay;
  out->b_transport(payload, delay);
  sc_core::wait(delay);
  return payload.get_response_status();
}

}  // namespace dve::pins
