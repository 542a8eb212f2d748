// Bursts of an AXI4 manager become TLM accesses.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "axi_pins.h"
#include "clocked_calls.h"
#include "dve/tlm/tlm.h"

namespace dve::pins {

// What AxiToTlm is whatever its widths: the TLM side and the machine.
class AxiToTlmCore : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> reset{"reset"};
  tlm_utils::simple_initiator_socket<AxiToTlmCore> out{"out"};

 protected:
  // Throws std::invalid_argument, naming the module, when nothing may be outstanding.
  AxiToTlmCore(sc_core::sc_module_name name, const AxiSubordinate::Options& options, std::size_t bus_bytes);
  void step(const AxiCycle& now);
  const AxiSubordinate& subordinate() const { return subordinate_; }

 private:
  // A thread with what it needs for its calls.
  struct Caller {
    CallQueue<AxiAccess> calls;
    tlm::tlm_generic_payload payload;
    std::vector<std::uint8_t> byte_enables;
  };
  void serve_reads();
  void serve_writes();
  void perform(Caller& caller, AxiAccess& access);
  tlm::tlm_response_status call(Caller& caller, AxiAccess& access, const AxiSegment& segment, std::size_t at);

  AxiSubordinate subordinate_;
  Caller reads_, writes_;
};

// Stands for: a subordinate whose bytes are in TLM.
// TLM side: a burst is one access at its address: INCR plain, FIXED with a streaming width of one beat, WRAP two
// accesses when it starts in the middle. Narrow and unaligned beats move their own bytes alone; strobes that are off
// become byte enables. ADDRESS_ERROR becomes DECERR, every other error SLVERR, for each beat of a read (with data 0);
// so does, without an access, a burst that AXI4 does not allow or whose WLAST stands in the wrong place. Bursts of a
// direction are served one after the other, reads and writes beside each other; answers come in that order, whatever
// the id. Time: the access of a read is made in the moment of the edge at which its address passed, that of a write at
// the edge at which address and all data had passed, once the one before has returned; its delay is waited for. Its
// answer stands on the pins after the first edge that is later than its return. Does not model: exclusive accesses,
// read data out of order.
template <unsigned Bits, unsigned AddressBits, unsigned IdBits>
class AxiToTlm : public AxiToTlmCore {
 public:
  AxiPins<sc_core::sc_in, sc_core::sc_out, Bits, AddressBits, IdBits> pins;

  AxiToTlm(sc_core::sc_module_name module_name, const AxiSubordinate::Options& options)
      : AxiToTlmCore(module_name, options, Bits / 8) {
    SC_HAS_PROCESS(AxiToTlm);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

 private:
  void edge() {
    step(pins.sample());
    pins.drive_subordinate(subordinate().pins());
  }
};

}  // namespace dve::pins
