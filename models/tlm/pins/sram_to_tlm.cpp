#include "sram_to_tlm.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace dve::pins {

SramToTlmCore::SramToTlmCore(sc_core::sc_module_name name, std::uint64_t base, std::size_t word_bytes,
                             std::uint64_t latency)
    : sc_module(name), base_(base), word_bytes_(word_bytes), latency_(latency), responder_(latency) {
  if (latency == 0)
    throw std::invalid_argument(std::string(this->name()) + ": latency of 0 cycles, expected at least 1");
  SC_HAS_PROCESS(SramToTlmCore);
  SC_THREAD(serve);
}

void SramToTlmCore::step(const SramCycle& pins) {
  SramCycle now = pins;
  now.reset = reset.read();
  if (now.reset) calls_.clear();
  take_answers();
  if (const auto request = responder_.step(now)) calls_.post(*request);
  for (const std::uint64_t word : responder_.take_late()) {
    ++late_reads_;
    warn("word " + std::to_string(word) + " was not read within the latency of " + std::to_string(latency_) +
         " cycles");
  }
  responder_.settle();
  last_edge_ = sc_core::sc_time_stamp();
}

void SramToTlmCore::answers() {
  // An edge may still come in this moment: then step() takes them.
  if (sc_core::sc_time_stamp() != last_edge_) return;
  take_answers();
  responder_.settle();
}

void SramToTlmCore::take_answers() {
  while (const auto request = calls_.take(true)) {
    if (!request->write) responder_.answer(request->data);
  }
}

void SramToTlmCore::serve() {
  calls_.serve([this](SramRequest& request) { return perform(request); });
}

sc_core::sc_time SramToTlmCore::perform(SramRequest& request) {
  sc_core::sc_time delay;
  const tlm::tlm_command command = request.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
  prepare(payload_, command, base_ + request.word * word_bytes_, request.data.bytes.data(), word_bytes_);
  if (request.write && request.bytes != bytes_between(0, word_bytes_)) {
    byte_enables_.resize(word_bytes_);
    for (std::size_t i = 0; i < word_bytes_; ++i)
      byte_enables_[i] = request.bytes[i] ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    payload_.set_byte_enable_ptr(byte_enables_.data());
    payload_.set_byte_enable_length(static_cast<unsigned>(word_bytes_));
  }
  out->b_transport(payload_, delay);
  if (!payload_.is_response_ok()) {
    ++failed_accesses_;
    request.data = {};
    warn("the " + std::string(request.write ? "write" : "read") + " of word " + std::to_string(request.word) +
         " was answered with " + payload_.get_response_string());
  }
  return delay;
}

void SramToTlmCore::warn(const std::string& what) const {
  SC_REPORT_WARNING("/dve/pins/sram_to_tlm", (std::string(name()) + ": " + what).c_str());
}

}  // namespace dve::pins
