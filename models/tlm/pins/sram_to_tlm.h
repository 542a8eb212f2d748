// Accesses on the port of an SRAM become TLM accesses.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>

#include "clocked_calls.h"
#include "dve/tlm/tlm.h"
#include "pin_bundles.h"

namespace dve::pins {

// What SramToTlm is whatever its width: the TLM side and the machine.
class SramToTlmCore : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> reset{"reset"};
  tlm_utils::simple_initiator_socket<SramToTlmCore> out{"out"};
  // Accesses not answered with OK, and reads answered too late; each was reported as a warning. An SRAM has no pin to
  // say so.
  std::uint64_t failed_accesses() const { return failed_accesses_; }
  std::uint64_t late_reads() const { return late_reads_; }

 protected:
  // Throws std::invalid_argument, naming the module, for a latency of 0.
  SramToTlmCore(sc_core::sc_module_name name, std::uint64_t base, std::size_t word_bytes, std::uint64_t latency);
  void step(const SramCycle& now);
  // Answers that have come since the edge.
  void answers();
  const sc_core::sc_event& returned() const { return calls_.returned(); }
  const BusWord& rdata() const { return responder_.rdata(); }

 private:
  void serve();
  sc_core::sc_time perform(SramRequest& request);
  void take_answers();
  void warn(const std::string& what) const;

  std::uint64_t base_;
  std::size_t word_bytes_;
  std::uint64_t latency_;
  SramResponder responder_;
  CallQueue<SramRequest> calls_;
  tlm::tlm_generic_payload payload_;
  std::vector<std::uint8_t> byte_enables_;
  sc_core::sc_time last_edge_;
  std::uint64_t failed_accesses_ = 0;
  std::uint64_t late_reads_ = 0;
};

// Stands for: an SRAM whose bytes are in TLM.
// TLM side: each access is one read or write of a word, at base + word * Bits / 8, in the moment of the edge at which
// it passed; a write of some bytes carries byte enables. An access that is not answered with OK is reported and reads
// as 0. Time: the delay that a read comes back with, and the time that the target itself waited, count towards the
// latency: the answer must be there within latency - 1 cycles after the edge, the last moment included. A target of no
// time does for latency 1. An answer that is later is reported, and rdata stays as it is. A delay does not hold up the
// next access.
template <unsigned Bits, unsigned AddressBits>
class SramToTlm : public SramToTlmCore {
 public:
  SramPins<sc_core::sc_in, sc_core::sc_out, Bits, AddressBits> pins;

  SramToTlm(sc_core::sc_module_name module_name, std::uint64_t base, std::uint64_t latency = 1)
      : SramToTlmCore(module_name, base, Bits / 8, latency) {
    SC_HAS_PROCESS(SramToTlm);
    SC_METHOD(edge);
    sensitive << clk.pos() << returned();
    dont_initialize();
  }

 private:
  void edge() {
    if (clk.posedge()) {
      step(pins.sample());
    } else {
      answers();
    }
    pins.rdata.write(from_word<TwoState::Pin<Bits>>(rdata()));
  }
};

}  // namespace dve::pins
