// Beats of a valid/ready stream become TLM writes.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>

#include "clocked_calls.h"
#include "dve/tlm/tlm.h"
#include "pin_bundles.h"

namespace dve::pins {

// Where the beats go.
struct StreamWindow {
  std::uint64_t base = 0;      // address of the first beat
  std::uint64_t size = 0;      // bytes, whole beats; the beat that would lie behind goes to base again
  bool burst_at_base = false;  // the beat after one with `last` goes to base again
  std::size_t places = 2;      // beats that are taken before their writes have returned; 1: a beat every other cycle
};

// What StreamToTlm is whatever its width: the TLM side and the machine.
class StreamToTlmCore : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> reset{"reset"};
  tlm_utils::simple_initiator_socket<StreamToTlmCore> out{"out"};
  // Writes that were not answered with OK; each was reported as a warning. A stream has no pin to say so.
  std::uint64_t failed_writes() const { return failed_writes_; }

 protected:
  // Throws std::invalid_argument, naming the module, when the window is empty or no whole number of beats, or has no
  // place.
  StreamToTlmCore(sc_core::sc_module_name name, const StreamWindow& window, std::size_t beat_bytes, Stall stall);
  void step(const StreamCycle& now);
  bool ready() const { return sink_.ready(); }

 private:
  struct Write {
    std::uint64_t address = 0;
    BusWord data;
  };
  void serve();
  void perform(Write& write);

  StreamWindow window_;
  std::size_t beat_bytes_;
  StreamSink sink_;
  CallQueue<Write> calls_;
  tlm::tlm_generic_payload payload_;
  std::uint64_t offset_ = 0;  // of the next beat
  std::uint64_t failed_writes_ = 0;
};

// Stands for: the receiving end of a stream, emptied into TLM.
// TLM side: each beat is one write of all its bytes, lowest bits first, at the next address of the window. Reset goes
// back to the base. Time: the write of a beat begins in the moment of the edge at which it passed, when the write
// before has returned; its delay is waited for. With two places and a target that takes no time a beat passes every
// cycle.
template <unsigned Bits>
class StreamToTlm : public StreamToTlmCore {
 public:
  StreamPins<sc_core::sc_in, sc_core::sc_out, Bits> pins;

  StreamToTlm(sc_core::sc_module_name module_name, const StreamWindow& window, Stall stall = {})
      : StreamToTlmCore(module_name, window, Bits / 8, std::move(stall)) {
    SC_HAS_PROCESS(StreamToTlm);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

 private:
  void edge() {
    step(pins.sample());
    pins.ready.write(ready());
  }
};

}  // namespace dve::pins
