// Watches the port of an SRAM.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "finding.h"
#include "sram.h"

namespace dve::pins {

// Rules; where several are broken in a cycle the first of this order is reported. Before the first reset none is looked
// at.
//
//   unknown_control       enable is X or Z, or write is in an access; not in the first cycle of reset
//   enable_in_reset       enable holds in reset, from the second cycle on
//   change_in_reset       write, address, byte enables or write data change in reset, from the third cycle on
//   unknown_address       an access, and a bit of its address or byte enables is X or Z
//   address_out_of_range  an access of a word that the SRAM does not have
//   byte_enables_on_read  a read with a byte enable
//   no_byte_enabled       a write without a byte enable
//   unknown_write_data    a bit of a byte that is written is X or Z
//   unknown_read_data     a bit of rdata is X or Z when the data of a read is due
//   wrong_read_data       a byte that was written through this port reads as something else when the data is due; only
//                         with `only_port`: nobody else writes the SRAM
// `beat` of a finding counts accesses; that of a read's data names the read.
class SramChecker {
 public:
  struct Limits {
    std::uint64_t words = 0;    // of the SRAM
    std::uint64_t latency = 1;  // of reads
    std::size_t word_bytes = 0;
    bool only_port = true;
  };
  explicit SramChecker(const Limits& limits) : limits_(limits) {}
  // A rising edge, with the pins as they were before it.
  void step(const SramCycle& now);
  const std::optional<Finding>& finding() const { return first_.get(); }
  void clear() { first_.clear(); }

 private:
  struct Written {
    BusWord data;
    ByteMask known;
  };
  struct Read {
    std::uint64_t due = 0;  // edge at which rdata is looked at
    std::uint64_t beat = 0;
    Written expected;
  };
  void check_in_reset(const SramCycle& now);
  const char* broken_access(const SramCycle& now) const;
  const char* broken_data(const SramCycle& now, const Read& read) const;
  void access(const SramRequest& request);

  Limits limits_;
  FirstFinding first_;
  std::map<std::uint64_t, Written> contents_;
  std::deque<Read> reads_;
  SramRequest before_;
  std::uint64_t edge_ = 0;
  std::uint64_t accesses_ = 0;
  std::uint64_t cycles_in_reset_ = 0;
  bool seen_reset_ = false;
};

}  // namespace dve::pins
