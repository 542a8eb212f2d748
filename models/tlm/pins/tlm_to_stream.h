// TLM writes become beats of a valid/ready stream.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "clocked_calls.h"
#include "dve/tlm/tlm.h"
#include "pin_bundles.h"

namespace dve::pins {

// What TlmToStream is whatever its width: the TLM side and the machine.
class TlmToStreamCore : public sc_core::sc_module, protected TargetModel {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> reset{"reset"};
  GuardedTarget in;

 protected:
  TlmToStreamCore(sc_core::sc_module_name name, std::uint64_t size, std::size_t beat_bytes, Stall stall);
  void step(bool ready);
  const StreamSource& source() const { return source_; }

 private:
  using Beats = std::vector<StreamBeat>;
  bool transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;

  std::size_t beat_bytes_;
  StreamSource source_;
  CallGate<Beats> calls_;
};

// Stands for: the sending end of a stream, fed by TLM.
// TLM side: writes only; every byte of a payload goes out in the order of its data, first byte in the lowest bits,
// whatever its address and streaming width; the last beat of a payload carries `last`. Length and address are whole
// beats (BURST_ERROR), the address lies inside `size` and says nothing more. No byte enables. transport_dbg moves
// nothing and returns 0: what has not passed on the pins has not been sent. Several callers: one after the other. Time:
// b_transport first waits for its delay and returns at the edge at which its last beat passed. A call between edges k
// and k + 1 offers its first beat after k + 1; without stalls n beats pass at k + 2 to k + n + 1. Does not model: beats
// that are not full.
template <unsigned Bits>
class TlmToStream : public TlmToStreamCore {
 public:
  StreamPins<sc_core::sc_out, sc_core::sc_in, Bits> pins;

  // `size`: bytes of the local address range.
  TlmToStream(sc_core::sc_module_name module_name, std::uint64_t size, Stall stall = {})
      : TlmToStreamCore(module_name, size, Bits / 8, std::move(stall)) {
    SC_HAS_PROCESS(TlmToStream);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

 private:
  void edge() {
    step(pins.ready.read());
    pins.valid.write(source().valid());
    if (!source().valid()) return;
    pins.data.write(from_word<typename TwoState::Pin<Bits>>(source().beat().data));
    pins.last.write(source().beat().last);
  }
};

}  // namespace dve::pins
