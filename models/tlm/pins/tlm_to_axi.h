// TLM accesses become bursts of an AXI4 manager.
#pragma once

#include <cstdint>
#include <systemc>

#include "axi_pins.h"
#include "clocked_calls.h"
#include "dve/tlm/tlm.h"
#include "transfer.h"

namespace dve::pins {

// What the manager reaches, and how.
struct AxiReach {
  std::uint64_t base = 0;  // address on the pins of the target's address 0
  std::uint64_t size = 0;  // bytes of the target's address range
  AxiManager::Options options;
};

// What TlmToAxi is whatever its widths: the TLM side and the machine.
class TlmToAxiCore : public sc_core::sc_module, protected TargetModel {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> reset{"reset"};
  GuardedTarget in;

 protected:
  // Throws std::invalid_argument, naming the module, when the range is empty or does not fit the address, the id does
  // not fit, or nothing may be outstanding.
  TlmToAxiCore(sc_core::sc_module_name name, const AxiReach& reach, std::size_t bus_bytes, unsigned address_bits,
               unsigned id_bits);
  void step(const AxiCycle& now);
  const AxiManager& manager() const { return manager_; }

 private:
  bool transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;

  std::uint64_t base_;
  std::size_t bus_bytes_;
  AxiManager manager_;
  CallGate<Transfer> calls_;
};

// Stands for: a manager that does what TLM asks.
// TLM side: reads and writes of any address and length inside of the range, byte enables, streaming. They become the
// fewest bursts that AXI4 allows (bursts_of in axi_manager.h): writes have strobes for the bytes that are enabled
// alone, reads may read the whole of a bus word of which they take a part. DECERR becomes ADDRESS_ERROR, SLVERR becomes
// GENERIC_ERROR, the worst of the bursts decides, after all of them; a read that failed leaves the data as it was.
// transport_dbg moves nothing and returns 0: the bytes are in the RTL. Several callers: one after the other. Time:
// b_transport first waits for its delay and returns at the edge at which the last response or read data passed. A call
// between edges k and k + 1 offers its address, and the first write data, after k + 1; with one burst outstanding the
// next address is offered after the edge at which the response before it passed. k + 1 when no byte is enabled. Does
// not model: exclusive accesses, several ids at a time, read data out of order.
template <unsigned Bits, unsigned AddressBits, unsigned IdBits>
class TlmToAxi : public TlmToAxiCore {
 public:
  AxiPins<sc_core::sc_out, sc_core::sc_in, Bits, AddressBits, IdBits> pins;

  TlmToAxi(sc_core::sc_module_name module_name, const AxiReach& reach)
      : TlmToAxiCore(module_name, reach, Bits / 8, AddressBits, IdBits) {
    SC_HAS_PROCESS(TlmToAxi);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

 private:
  void edge() {
    step(pins.sample());
    pins.drive_manager(manager().pins());
  }
};

}  // namespace dve::pins
