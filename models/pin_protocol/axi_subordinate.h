// The subordinate of AXI4, cycle by cycle: takes bursts, hands them out as accesses, and gives back what became of
// them.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "axi.h"

namespace dve::pins {

// A burst as bytes, in the order of its beats (segments_of tells where they lie).
struct AxiAccess {
  bool write = false;
  bool legal = true;  // by AXI4, with `last` where it belongs; others are not to be performed and end with SLVERR
  AxiAddress address;
  std::vector<std::uint8_t> data;
  std::vector<bool> enables;  // of a write, one a byte
  AxiResponse response = AxiResponse::okay;
};

// Answers reads in the order of their addresses, and writes, whatever their ids; so those of one id are in order. Data
// may come before its address. Without stalls: data and response of an access that is back before an edge stand on the
// pins after it, read data with a beat a cycle.
class AxiSubordinate {
 public:
  struct Options {
    std::uint64_t outstanding = 4;  // reads, and writes, between address and end of the response; at least 1
    AxiStalls stalls;
  };
  AxiSubordinate(std::size_t bus_bytes, const Options& options) : bus_bytes_(bus_bytes), options_(options) {}
  // A rising edge, with the pins as they were before it. Accesses that came by it are in take_accesses().
  void step(const AxiCycle& now);
  std::vector<AxiAccess> take_accesses();
  // Before the step of the edge at which it counts; in the order of the accesses of its direction. A read that ended
  // with an error gives zeros.
  void answer(const AxiAccess& access);
  // What stands on the pins: the channels that the subordinate drives, and its ready of the others.
  const AxiCycle& pins() const { return pins_; }

 private:
  void take_passed(const AxiCycle& now);
  void take_write_data(const AxiWriteData& beat);
  void begin_writes();
  void offer();

  std::size_t bus_bytes_;
  Options options_;
  std::deque<AxiAddress> write_addresses_;            // their data is not complete
  std::deque<std::vector<AxiWriteData>> write_data_;  // bursts; the last one may be open
  bool data_open_ = false;
  std::uint64_t open_reads_ = 0, open_writes_ = 0;
  std::uint64_t complete_data_ = 0;  // bursts of write data whose response has not passed
  std::vector<AxiAccess> accesses_;
  std::deque<AxiWriteResponse> responses_;
  std::deque<AxiReadData> read_data_;
  AxiCycle pins_;
  std::uint64_t edge_ = 0;
};

}  // namespace dve::pins
