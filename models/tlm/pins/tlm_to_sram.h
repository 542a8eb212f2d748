// TLM accesses become accesses on the port of an SRAM.
#pragma once

#include <cstdint>
#include <systemc>

#include "clocked_calls.h"
#include "dve/tlm/tlm.h"
#include "pin_bundles.h"
#include "transfer.h"

namespace dve::pins {

// What TlmToSram is whatever its width: the TLM side and the machine.
class TlmToSramCore : public sc_core::sc_module, protected TargetModel {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> reset{"reset"};
  GuardedTarget in;

 protected:
  // Throws std::invalid_argument, naming the module, for a latency of 0, no words or more than the address reaches.
  TlmToSramCore(sc_core::sc_module_name name, std::uint64_t words, std::size_t word_bytes, unsigned address_bits,
                std::uint64_t latency, Stall stall);
  void step(const BusWord& rdata);
  const SramRequester& requester() const { return requester_; }

 private:
  bool transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;
  void collect(Transfer& transfer);

  std::size_t word_bytes_;
  SramRequester requester_;
  CallGate<Transfer> calls_;
  std::size_t answered_ = 0;  // pieces of the read that runs
};

// Stands for: whoever owns the port of an SRAM in RTL.
// TLM side: reads and writes of any address and length inside the SRAM, byte enables, streaming; word w of the SRAM has
// the bytes from w * Bits / 8 on. A write moves exactly the bytes that are enabled, by the byte enables of the port; a
// word of which none is enabled is not accessed. transport_dbg moves nothing and returns 0: the bytes are in the RTL.
// Several callers: one after the other. Time: b_transport first waits for its delay. A call between edges k and k + 1
// that touches n words and finds no stall has its accesses at k + 2 to k + n + 1, and returns at k + n + 1 when it
// writes and `latency` edges later when it reads; at k + 1 when no byte is enabled. Does not model: SRAM that says no.
template <unsigned Bits, unsigned AddressBits>
class TlmToSram : public TlmToSramCore {
 public:
  SramPins<sc_core::sc_out, sc_core::sc_in, Bits, AddressBits> pins;

  TlmToSram(sc_core::sc_module_name module_name, std::uint64_t words, std::uint64_t latency = 1, Stall stall = {})
      : TlmToSramCore(module_name, words, Bits / 8, AddressBits, latency, std::move(stall)) {
    SC_HAS_PROCESS(TlmToSram);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

 private:
  void edge() {
    step(to_word(pins.rdata.read()));
    const SramRequest& request = requester().request();
    pins.enable.write(requester().enable());
    pins.write.write(request.write);
    pins.address.write(from_integer<TwoState::Pin<AddressBits>>(request.word));
    pins.byte_enable.write(from_mask<TwoState::Pin<Bits / 8>>(request.bytes));
    pins.wdata.write(from_word<TwoState::Pin<Bits>>(request.data));
  }
};

}  // namespace dve::pins
