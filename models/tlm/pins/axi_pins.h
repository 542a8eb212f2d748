// The pins of AXI4 as one bundle.
#pragma once

#include <string>
#include <systemc>

#include "pin_types.h"

namespace dve::pins {

// What stands on the hand-shake of a channel.
template <class Valid, class Ready, class Payload>
void sample_control(AxiChannel<Payload>& channel, const Valid& valid, const Ready& ready) {
  channel.valid = to_bool(valid.read());
  channel.ready = to_bool(ready.read());
  channel.control_unknown = is_unknown(valid.read()) || is_unknown(ready.read());
}

// Names and widths of the pins are those of the AXI4 specification. Each side's template argument is the kind of port
// that it drives the pin with.
template <template <class> class FromManager, template <class> class FromSubordinate, unsigned Bits,
          unsigned AddressBits, unsigned IdBits, class Logic = TwoState>
struct AxiPins {
  static_assert(Bits >= 8 && Bits <= 1024 && (Bits & (Bits - 1)) == 0, "8 to 1024 bits of data, a power of two");
  static_assert(AddressBits > 12 && AddressBits <= 64 && IdBits > 0 && IdBits <= 32, "13 to 64, 1 to 32 bits");
  template <unsigned Width>
  using Pin = typename Logic::template Pin<Width>;
  template <unsigned Width>
  using M = FromManager<Pin<Width>>;
  template <unsigned Width>
  using S = FromSubordinate<Pin<Width>>;

  // One of the two address channels.
  struct Address {
    M<IdBits> id;
    M<AddressBits> addr;
    M<8> len;
    M<3> size;
    M<2> burst;
    M<1> valid;
    S<1> ready;

    explicit Address(const std::string& name)
        : id((name + "id").c_str()),
          addr((name + "addr").c_str()),
          len((name + "len").c_str()),
          size((name + "size").c_str()),
          burst((name + "burst").c_str()),
          valid((name + "valid").c_str()),
          ready((name + "ready").c_str()) {}
    template <class Signals>
    void bind(Signals& signals) {
      id(signals.id);
      addr(signals.addr);
      len(signals.len);
      size(signals.size);
      burst(signals.burst);
      valid(signals.valid);
      ready(signals.ready);
    }
    AxiChannel<AxiAddress> sample() const {
      AxiChannel<AxiAddress> channel;
      sample_control(channel, valid, ready);
      channel.payload = {
          to_integer(id.read()), to_integer(addr.read()), static_cast<std::uint32_t>(to_integer(len.read())),
          static_cast<std::uint32_t>(to_integer(size.read())), static_cast<AxiBurst>(to_integer(burst.read()))};
      channel.payload_unknown = is_unknown(id.read()) || is_unknown(addr.read()) || is_unknown(len.read()) ||
                                is_unknown(size.read()) || is_unknown(burst.read());
      return channel;
    }
    void drive(const AxiChannel<AxiAddress>& channel) {
      valid.write(channel.valid);
      if (!channel.valid) return;
      id.write(from_integer<Pin<IdBits>>(channel.payload.id));
      addr.write(from_integer<Pin<AddressBits>>(channel.payload.address));
      len.write(from_integer<Pin<8>>(channel.payload.length));
      size.write(from_integer<Pin<3>>(channel.payload.size));
      burst.write(from_integer<Pin<2>>(static_cast<std::uint64_t>(channel.payload.burst)));
    }
  };

  Address aw;
  M<Bits> wdata;
  M<Bits / 8> wstrb;
  M<1> wlast;
  M<1> wvalid;
  S<1> wready;
  S<IdBits> bid;
  S<2> bresp;
  S<1> bvalid;
  M<1> bready;
  Address ar;
  S<IdBits> rid;
  S<Bits> rdata;
  S<2> rresp;
  S<1> rlast;
  S<1> rvalid;
  M<1> rready;

  explicit AxiPins(const std::string& prefix = "")
      : aw(prefix + "aw"),
        wdata((prefix + "wdata").c_str()),
        wstrb((prefix + "wstrb").c_str()),
        wlast((prefix + "wlast").c_str()),
        wvalid((prefix + "wvalid").c_str()),
        wready((prefix + "wready").c_str()),
        bid((prefix + "bid").c_str()),
        bresp((prefix + "bresp").c_str()),
        bvalid((prefix + "bvalid").c_str()),
        bready((prefix + "bready").c_str()),
        ar(prefix + "ar"),
        rid((prefix + "rid").c_str()),
        rdata((prefix + "rdata").c_str()),
        rresp((prefix + "rresp").c_str()),
        rlast((prefix + "rlast").c_str()),
        rvalid((prefix + "rvalid").c_str()),
        rready((prefix + "rready").c_str()) {}

  template <class Signals>
  void bind(Signals& signals) {
    aw.bind(signals.aw);
    wdata(signals.wdata);
    wstrb(signals.wstrb);
    wlast(signals.wlast);
    wvalid(signals.wvalid);
    wready(signals.wready);
    bid(signals.bid);
    bresp(signals.bresp);
    bvalid(signals.bvalid);
    bready(signals.bready);
    ar.bind(signals.ar);
    rid(signals.rid);
    rdata(signals.rdata);
    rresp(signals.rresp);
    rlast(signals.rlast);
    rvalid(signals.rvalid);
    rready(signals.rready);
  }

  // What stands on them.
  AxiCycle sample() const {
    AxiCycle now;
    now.aw = aw.sample();
    now.ar = ar.sample();
    sample_control(now.w, wvalid, wready);
    now.w.payload_unknown = is_unknown(wstrb.read()) || is_unknown(wlast.read());
    if (now.w.valid) {
      now.w.payload = {to_word(wdata.read()), to_mask(wstrb.read()), to_bool(wlast.read())};
      now.w.data_unknown = unknown_bytes(wdata.read());
    }
    sample_control(now.b, bvalid, bready);
    now.b.payload = {to_integer(bid.read()), static_cast<AxiResponse>(to_integer(bresp.read()))};
    now.b.payload_unknown = is_unknown(bid.read()) || is_unknown(bresp.read());
    sample_control(now.r, rvalid, rready);
    now.r.payload_unknown = is_unknown(rid.read()) || is_unknown(rresp.read()) || is_unknown(rlast.read());
    if (now.r.valid) {
      now.r.payload = {to_integer(rid.read()), to_word(rdata.read()),
                       static_cast<AxiResponse>(to_integer(rresp.read())), to_bool(rlast.read())};
      now.r.data_unknown = unknown_bytes(rdata.read());
    }
    return now;
  }

  void drive_manager(const AxiCycle& pins) {
    aw.drive(pins.aw);
    ar.drive(pins.ar);
    bready.write(pins.b.ready);
    rready.write(pins.r.ready);
    wvalid.write(pins.w.valid);
    if (!pins.w.valid) return;
    wdata.write(from_word<Pin<Bits>>(pins.w.payload.data));
    wstrb.write(from_mask<Pin<Bits / 8>>(pins.w.payload.strobes));
    wlast.write(pins.w.payload.last);
  }

  void drive_subordinate(const AxiCycle& pins) {
    aw.ready.write(pins.aw.ready);
    ar.ready.write(pins.ar.ready);
    wready.write(pins.w.ready);
    bvalid.write(pins.b.valid);
    if (pins.b.valid) {
      bid.write(from_integer<Pin<IdBits>>(pins.b.payload.id));
      bresp.write(from_integer<Pin<2>>(static_cast<std::uint64_t>(pins.b.payload.response)));
    }
    rvalid.write(pins.r.valid);
    if (!pins.r.valid) return;
    rid.write(from_integer<Pin<IdBits>>(pins.r.payload.id));
    rdata.write(from_word<Pin<Bits>>(pins.r.payload.data));
    rresp.write(from_integer<Pin<2>>(static_cast<std::uint64_t>(pins.r.payload.response)));
    rlast.write(pins.r.payload.last);
  }
};

}  // namespace dve::pins
