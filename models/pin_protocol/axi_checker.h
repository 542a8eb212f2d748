// Watches the pins of AXI4.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "axi.h"
#include "finding.h"

namespace dve::pins {

// Rules; a finding names the channel. Where several are broken in a cycle one is reported: of the first channel in the
// order AW, W, B, AR, R (rules that look at data of W and its address together come last), of that the first in this
// table. Before the first reset none is looked at.
//
//   of every channel
//   unknown_control           valid or ready is X or Z, except in the first cycle of reset
//   valid_in_reset            valid holds in reset, from the second cycle on
//   valid_withdrawn           valid falls before the beat has passed
//   unknown_payload           valid holds and a bit of the payload is X or Z: of the data only bytes that count
//   payload_changed           the payload of a waiting beat changes
//   stalled                   a beat has waited for more than stall_limit cycles
//   AW and AR
//   burst_reserved, size_too_wide, fixed_length, wrap_length, wrap_alignment, crosses_4k: broken_burst_rule() in axi.h
//   W
//   strobe_outside_lanes      a strobe of a byte that the beat does not use
//   wlast_early               `last` before the burst's last beat
//   wlast_missing             the burst's last beat without it
//   B and R
//   response_without_request  no burst of that direction is open
//   wrong_id                  none of that id is
//   exokay_unasked            EXOKAY: exclusive accesses are not modelled
//   B
//   response_before_last      the oldest write of that id has not passed its last data
//   R
//   rlast_early               `last` before the burst's last beat
//   rlast_missing             the burst's last beat without it
//
// Data of W that comes before its address is held to the rules when the address passes. `beat` of a finding is the
// number of beats that had passed on the channel; of W, the beat meant.
class AxiChecker {
 public:
  struct Limits {
    std::size_t bus_bytes = 0;
    std::uint64_t stall_limit = 1000;
  };
  explicit AxiChecker(const Limits& limits) : limits_(limits) {}
  // A rising edge, with the pins as they were before it.
  void step(const AxiCycle& now);
  const std::optional<Finding>& finding() const { return first_.get(); }
  void clear() { first_.clear(); }
  // Bursts whose response has not passed.
  std::size_t open_writes() const { return writes_.size(); }
  std::size_t open_reads() const { return reads_.size(); }

 private:
  template <class Payload>
  struct Watch {
    const char* name;
    bool waiting = false;
    Payload before{};
    std::uint64_t waited = 0;
    std::uint64_t passed = 0;
  };
  struct Write {
    AxiAddress address;
    std::uint32_t beats = 0;  // of its data that have passed
    bool complete = false;
  };
  struct Read {
    AxiAddress address;
    std::uint32_t beats = 0;
  };
  struct Data {
    AxiWriteData beat;
    std::uint64_t number = 0;
  };

  template <class Payload>
  void check_channel(Watch<Payload>& watch, const AxiChannel<Payload>& channel, bool reset, bool data_unknown);
  void check_address(const Watch<AxiAddress>& watch, const AxiChannel<AxiAddress>& channel);
  void check_response(const AxiChannel<AxiWriteResponse>& channel);
  void check_read(const AxiChannel<AxiReadData>& channel);
  void match_data();
  void check_data(Write& write, const Data& data);
  bool read_data_unknown(const AxiChannel<AxiReadData>& channel) const;
  const Read* read_of(std::uint64_t id) const;
  void take_passed(const AxiCycle& now);
  void forget();

  Limits limits_;
  FirstFinding first_;
  Watch<AxiAddress> aw_{"AW"}, ar_{"AR"};
  Watch<AxiWriteData> w_{"W"};
  Watch<AxiWriteResponse> b_{"B"};
  Watch<AxiReadData> r_{"R"};
  std::deque<Write> writes_;
  std::deque<Read> reads_;
  std::deque<Data> data_;  // without an address so far
  bool was_reset_ = false;
  bool seen_reset_ = false;
};

}  // namespace dve::pins
