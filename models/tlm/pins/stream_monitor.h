// Watches the pins of a stream.
#pragma once

#include <systemc>

#include "pin_types.h"

namespace dve::pins {

// Holds a StreamChecker to the pins at every rising edge; the checker's table has the rules. Logic: FourState where X
// and Z can be seen.
template <unsigned Bits, class Logic = TwoState>
class StreamMonitor : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> reset{"reset"};
  StreamPins<sc_core::sc_in, sc_core::sc_in, Bits, Logic> pins;
  StreamChecker checker;

  explicit StreamMonitor(sc_core::sc_module_name module_name, const StreamChecker::Limits& limits = {})
      : sc_module(module_name), checker(limits) {
    SC_HAS_PROCESS(StreamMonitor);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

 private:
  void edge() {
    StreamCycle now;
    now.reset = reset.read();
    now.valid = to_bool(pins.valid.read());
    now.ready = to_bool(pins.ready.read());
    now.beat = {to_word(pins.data.read()), to_bool(pins.last.read())};
    now.control_unknown = is_unknown(pins.valid.read()) || is_unknown(pins.ready.read());
    now.data_unknown = is_unknown(pins.data.read()) || is_unknown(pins.last.read());
    checker.step(now);
  }
};

}  // namespace dve::pins
