// The port of a synchronous SRAM, cycle by cycle: the side that asks and the side that answers.
//
// An access passes at every rising edge at which enable holds: nothing holds it up. The data of a read that passed at
// edge e stands on rdata when edge e + latency comes; with the usual latency of 1 it appears just after e. A write
// changes the bytes whose enables hold. All pins of the asking side come from registers. Reset is synchronous; answers
// of reads before it do not come any more.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "bus_word.h"
#include "stall.h"

namespace dve::pins {

struct SramRequest {
  bool write = false;
  std::uint64_t word = 0;  // address, in words
  ByteMask bytes;          // that a write changes; none in a read
  BusWord data;            // of a write
};

// All pins in one cycle.
struct SramCycle {
  bool reset = false;
  bool enable = false;
  SramRequest request;
  BusWord rdata;
  // In simulations of four states: X or Z on enable or write, on the address or the byte enables, on these bytes of the
  // data.
  bool control_unknown = false;
  bool address_unknown = false;
  ByteMask wdata_unknown;
  ByteMask rdata_unknown;
};

// Asks. Without stalls: a request appended before an edge stands on the pins after it, one a cycle.
class SramRequester {
 public:
  // `latency`: of reads, at least 1.
  SramRequester(std::uint64_t latency, Stall stall) : latency_(latency), stall_(std::move(stall)) {}
  void append(const SramRequest& request) { requests_.push_back(request); }
  // A rising edge, with rdata as it was before it.
  void step(bool reset, const BusWord& rdata);
  bool enable() const { return enable_; }
  // What stands on the pins: the access, or the one before; all zeros after reset.
  const SramRequest& request() const { return request_; }
  // The data of the oldest read that was not taken yet, if it has come.
  std::optional<BusWord> take_answer();
  bool idle() const { return requests_.empty() && !enable_ && due_.empty(); }

 private:
  std::uint64_t latency_;
  Stall stall_;
  std::deque<SramRequest> requests_;
  std::deque<std::uint64_t> due_;  // edges at which answers come
  std::deque<BusWord> answers_;
  SramRequest request_;
  bool enable_ = false;
  std::uint64_t edge_ = 0;
};

// Answers from somewhere that has the data later, or not in time.
class SramResponder {
 public:
  explicit SramResponder(std::uint64_t latency) : latency_(latency) {}
  // A rising edge, with the pins as they were before it. The access that passed, if one did.
  std::optional<SramRequest> step(const SramCycle& now);
  // The data of the oldest read without an answer. May come at any time before rdata is due.
  void answer(const BusWord& data);
  // After step() and after each answer() that comes in the moment of an edge: puts on rdata what is due.
  void settle();
  const BusWord& rdata() const { return rdata_; }
  // Words of reads whose answer was not there in time, since the last call; their cycle has passed without it.
  std::deque<std::uint64_t> take_late();

 private:
  struct Read {
    std::uint64_t word = 0;
    std::uint64_t due = 0;  // edge after which rdata shows it
    std::optional<BusWord> data;
    bool late = false;
  };
  std::uint64_t latency_;
  std::deque<Read> reads_;
  std::deque<std::uint64_t> late_;
  BusWord rdata_;
  std::uint64_t edge_ = 0;
};

}  // namespace dve::pins
