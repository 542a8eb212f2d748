#include "stream_to_tlm.h"

#include <stdexcept>
#include <string>

namespace dve::pins {

StreamToTlmCore::StreamToTlmCore(sc_core::sc_module_name name, const StreamWindow& window, std::size_t beat_bytes,
                                 Stall stall)
    : sc_module(name), window_(window), beat_bytes_(beat_bytes), sink_(window.places, std::move(stall)) {
  const auto refuse = [this](const std::string& what) {
    throw std::invalid_argument(std::string(this->name()) + ": " + what);
  };
  if (window.size == 0 || window.size % beat_bytes != 0) {
    refuse("window of " + std::to_string(window.size) + " bytes, expected whole beats of " +
           std::to_string(beat_bytes) + " bytes, at least one");
  }
  if (window.places == 0) refuse("0 places, expected at least 1");
  SC_HAS_PROCESS(StreamToTlmCore);
  SC_THREAD(serve);
}

void StreamToTlmCore::step(const StreamCycle& now) {
  std::size_t freed = 0;
  while (calls_.take()) ++freed;
  if (reset.read()) {
    calls_.clear();
    offset_ = 0;
  }
  if (!sink_.step(reset.read(), now.valid, freed)) return;
  calls_.post({window_.base + offset_, now.beat.data});
  offset_ = now.beat.last && window_.burst_at_base ? 0 : (offset_ + beat_bytes_) % window_.size;
}

void StreamToTlmCore::serve() {
  calls_.serve([this](Write& write) { perform(write); });
}

void StreamToTlmCore::perform(Write& write) {
  sc_core::sc_time delay;
  prepare(payload_, tlm::TLM_WRITE_COMMAND, write.address, write.data.bytes.data(), beat_bytes_);
  out->b_transport(payload_, delay);
  sc_core::wait(delay);
  if (payload_.is_response_ok()) return;
  ++failed_writes_;
  SC_REPORT_WARNING("/dve/pins/stream_to_tlm",
                    (std::string(name()) + ": the write of " + std::to_string(beat_bytes_) + " bytes at " +
                     std::to_string(write.address) + " was answered with " + payload_.get_response_string())
                        .c_str());
}

}  // namespace dve::pins
