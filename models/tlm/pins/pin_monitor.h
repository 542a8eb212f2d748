// Watches pins.
#pragma once

#include <systemc>

#include "axi_pins.h"
#include "pin_bundles.h"

namespace dve::pins {

// Holds a checker of models/pin_protocol to a bundle of pins at every rising edge; the checker's table has the rules.
// Monitors of pins of FourState see X and Z.
template <class Pins, class Checker>
class PinMonitor : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> reset{"reset"};
  Pins pins;
  Checker checker;

  PinMonitor(sc_core::sc_module_name module_name, const typename Checker::Limits& limits)
      : sc_module(module_name), checker(limits) {
    SC_HAS_PROCESS(PinMonitor);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

 private:
  void edge() {
    auto now = pins.sample();
    now.reset = reset.read();
    checker.step(now);
  }
};

template <unsigned Bits, class Logic = TwoState>
using StreamMonitor = PinMonitor<StreamPins<sc_core::sc_in, sc_core::sc_in, Bits, Logic>, StreamChecker>;
template <unsigned Bits, unsigned AddressBits, class Logic = TwoState>
using SramMonitor = PinMonitor<SramPins<sc_core::sc_in, sc_core::sc_in, Bits, AddressBits, Logic>, SramChecker>;
template <unsigned Bits, unsigned AddressBits, unsigned IdBits, class Logic = TwoState>
using AxiMonitor = PinMonitor<AxiPins<sc_core::sc_in, sc_core::sc_in, Bits, AddressBits, IdBits, Logic>, AxiChecker>;

}  // namespace dve::pins
