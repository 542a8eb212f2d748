// TLM to AXI4 and back, joined.
#pragma once

#include "pin_bench.h"

namespace dve::test {

inline pins::AxiManager::Options manager_options(const pins::AxiStalls& stalls = {}, std::uint64_t outstanding = 1) {
  pins::AxiManager::Options options;
  options.id = 5;
  options.outstanding = outstanding;
  options.stalls = stalls;
  return options;
}
inline pins::AxiSubordinate::Options subordinate_options(const pins::AxiStalls& stalls = {},
                                                         std::uint64_t outstanding = 4) {
  pins::AxiSubordinate::Options options;
  options.outstanding = outstanding;
  options.stalls = stalls;
  return options;
}

// `size` bytes from address `base` of the bus on; the memory holds them, and those before.
template <unsigned Bits>
struct AxiBench : ClockedBench {
  pins::AxiPins<pins::Signal, pins::Signal, Bits, 40, 4> axi{"axi_"};
  pins::TlmToAxi<Bits, 40, 4> manager;
  pins::AxiToTlm<Bits, 40, 4> subordinate;
  pins::AxiMonitor<Bits, 40, 4> monitor{"monitor", {Bits / 8, 20000}};  // an address may wait for a long burst
  InitiatorTester tester{"tester"};
  TimedMemory memory;

  AxiBench(std::uint64_t base, std::uint64_t size, const pins::AxiManager::Options& manager_side,
           const pins::AxiSubordinate::Options& subordinate_side)
      : manager("manager", {base, size, manager_side}),
        subordinate("subordinate", subordinate_side),
        memory(static_cast<std::size_t>(base + size)) {
    clocked(manager);
    clocked(subordinate);
    clocked(monitor);
    manager.pins.bind(axi);
    subordinate.pins.bind(axi);
    monitor.pins.bind(axi);
    tester.socket.bind(manager.in.socket);
    subordinate.out.bind(memory.in.socket);
  }
  tlm::tlm_response_status send(Access& access) {
    sc_core::sc_time delay;
    return tester.send(access, delay);
  }
};

}  // namespace dve::test
