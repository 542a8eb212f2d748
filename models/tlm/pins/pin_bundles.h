// The pins of each protocol as one bundle: of ports of the one side, of the other, of a monitor, or of signals.
#pragma once

#include <string>
#include <systemc>

#include "pin_types.h"

namespace dve::pins {

// ---- The pins of a stream of Bits data bits.
template <template <class> class FromSource, template <class> class FromSink, unsigned Bits, class Logic = TwoState>
struct StreamPins {
  static_assert(Bits % 8 == 0 && Bits > 0 && Bits / 8 <= kMostBusBytes, "whole bytes, at most 1024 bits");
  FromSource<typename Logic::template Pin<1>> valid;
  FromSink<typename Logic::template Pin<1>> ready;
  FromSource<typename Logic::template Pin<Bits>> data;
  FromSource<typename Logic::template Pin<1>> last;

  explicit StreamPins(const std::string& prefix = "")
      : valid((prefix + "valid").c_str()),
        ready((prefix + "ready").c_str()),
        data((prefix + "data").c_str()),
        last((prefix + "last").c_str()) {}
  template <class Signals>
  void bind(Signals& signals) {
    valid(signals.valid);
    ready(signals.ready);
    data(signals.data);
    last(signals.last);
  }
  // What stands on them.
  StreamCycle sample() const {
    StreamCycle now;
    now.valid = to_bool(valid.read());
    now.ready = to_bool(ready.read());
    now.beat = {to_word(data.read()), to_bool(last.read())};
    now.control_unknown = is_unknown(valid.read()) || is_unknown(ready.read());
    now.data_unknown = is_unknown(data.read()) || is_unknown(last.read());
    return now;
  }
};

// The port of an SRAM of words of Bits bits; the address counts words.
template <template <class> class FromRequester, template <class> class FromSram, unsigned Bits, unsigned AddressBits,
          class Logic = TwoState>
struct SramPins {
  static_assert(Bits % 8 == 0 && Bits > 0 && Bits / 8 <= kMostBusBytes, "whole bytes, at most 1024 bits");
  static_assert(AddressBits > 0 && AddressBits <= 64, "at most 64 bits of address");
  FromRequester<typename Logic::template Pin<1>> enable;
  FromRequester<typename Logic::template Pin<1>> write;
  FromRequester<typename Logic::template Pin<AddressBits>> address;
  FromRequester<typename Logic::template Pin<Bits / 8>> byte_enable;
  FromRequester<typename Logic::template Pin<Bits>> wdata;
  FromSram<typename Logic::template Pin<Bits>> rdata;

  explicit SramPins(const std::string& prefix = "")
      : enable((prefix + "enable").c_str()),
        write((prefix + "write").c_str()),
        address((prefix + "address").c_str()),
        byte_enable((prefix + "byte_enable").c_str()),
        wdata((prefix + "wdata").c_str()),
        rdata((prefix + "rdata").c_str()) {}
  template <class Signals>
  void bind(Signals& signals) {
    enable(signals.enable);
    write(signals.write);
    address(signals.address);
    byte_enable(signals.byte_enable);
    wdata(signals.wdata);
    rdata(signals.rdata);
  }
  // What stands on them.
  SramCycle sample() const {
    SramCycle now;
    now.enable = to_bool(enable.read());
    now.request = {to_bool(write.read()), to_integer(address.read()), to_mask(byte_enable.read()),
                   to_word(wdata.read())};
    now.rdata = to_word(rdata.read());
    now.control_unknown = is_unknown(enable.read()) || (now.enable && is_unknown(write.read()));
    now.address_unknown = is_unknown(address.read()) || is_unknown(byte_enable.read());
    now.wdata_unknown = unknown_bytes(wdata.read());
    now.rdata_unknown = unknown_bytes(rdata.read());
    return now;
  }
};

}  // namespace dve::pins
