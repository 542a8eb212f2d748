#include "tlm_to_axi.h"

#include <stdexcept>
#include <string>

namespace dve::pins {
namespace {

TargetCapabilities bytes_in_reach(std::uint64_t size) {
  TargetCapabilities capabilities;
  capabilities.size = size;
  return capabilities;
}

tlm::tlm_response_status status_of(AxiResponse response) {
  switch (response) {
    case AxiResponse::okay:
    case AxiResponse::exokay:
      return tlm::TLM_OK_RESPONSE;
    case AxiResponse::decerr:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case AxiResponse::slverr:
      break;
  }
  return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

bool fits(std::uint64_t value, unsigned bits) { return bits >= 64 || value >> bits == 0; }

}  // namespace

TlmToAxiCore::TlmToAxiCore(sc_core::sc_module_name name, const AxiReach& reach, std::size_t bus_bytes,
                           unsigned address_bits, unsigned id_bits)
    : sc_module(name),
      in("in", *this, bytes_in_reach(reach.size)),
      base_(reach.base),
      bus_bytes_(bus_bytes),
      manager_(bus_bytes, reach.options) {
  const auto refuse = [this](const std::string& what) {
    throw std::invalid_argument(std::string(this->name()) + ": " + what);
  };
  const std::uint64_t last = reach.base + (reach.size - 1);
  if (reach.size == 0 || last < reach.base || !fits(last, address_bits)) {
    refuse(std::to_string(reach.size) + " bytes from address " + std::to_string(reach.base) +
           " on, expected at least 1 that fit " + std::to_string(address_bits) + " bits of address");
  }
  if (!fits(reach.options.id, id_bits)) {
    refuse("id " + std::to_string(reach.options.id) + ", expected one of " + std::to_string(id_bits) + " bits");
  }
  if (reach.options.outstanding == 0) refuse("0 bursts outstanding, expected at least 1");
}

bool TlmToAxiCore::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  Transfer transfer = transfer_of(payload, bus_bytes_, base_);
  payload.set_response_status(calls_.run(transfer));
  if (payload.is_read() && payload.is_response_ok()) copy_back(transfer, payload);
  return true;
}

// Debug accesses alone come here.
tlm::tlm_response_status TlmToAxiCore::access(const PlainAccess&, sc_core::sc_time&) {
  return tlm::TLM_COMMAND_ERROR_RESPONSE;
}

void TlmToAxiCore::step(const AxiCycle& pins) {
  AxiCycle now = pins;
  now.reset = reset.read();
  if (now.reset) {
    if (calls_.running() != nullptr) calls_.finish(tlm::TLM_GENERIC_ERROR_RESPONSE);
  } else if (Transfer* transfer = calls_.begin()) {
    manager_.begin(*transfer);
  }
  manager_.step(now);
  if (calls_.running() != nullptr && manager_.idle()) calls_.finish(status_of(manager_.response()));
}

}  // namespace dve::pins
