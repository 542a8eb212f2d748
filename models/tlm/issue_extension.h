// What an engine reports back about a word that the sequencer issued to it.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <tlm>
#include <vector>

#include "dve/isa/isa.h"
#include "dve/timing/timing.h"

namespace dve {

// Bytes that a word moved through one engine port, and how many TLM accesses (or their DMI equivalents) that took.
struct PortTraffic {
  isa::Bytes read{};
  isa::Bytes written{};
  std::uint64_t transactions = 0;
  std::uint64_t beats = 0;  // cycles of the port that a streamed operand takes at least; none for immediates
};

// A word's use of memory banks: traffic of one bank.
struct BankTraffic {
  isa::Space space = isa::Space::sbuf;
  std::uint32_t bank = 0;
  isa::Bytes read{};
  isa::Bytes written{};
};

// Rides on the 64-byte issue payload. In: the word's place and the registers. Out: schedule, findings, traffic.
class IssueExtension : public tlm::tlm_extension<IssueExtension> {
 public:
  enum Port : std::size_t { read0, read1, write, param, port_count };

  // in
  const std::array<std::uint32_t, isa::kRegisters>* registers = nullptr;
  isa::Cycles wait_holds{};  // cycle at which the word's wait held, t_sem included; 0 without a wait
  // A word that starts at or after this simulation time (fs) must not touch memory before simulation time has reached
  // its start: others may still act on an update that fires in between.
  std::uint64_t synchronise_from = std::numeric_limits<std::uint64_t>::max();
  // A word that would complete later moves no data: over_limit.
  isa::Cycles latest_completion{std::numeric_limits<std::uint64_t>::max()};
  bool wants_crc = false;  // fill in the CRCs below
  // Called once the word's start is known and before its operands stream, which may take simulation time; optional.
  std::function<void(const timing::Opening&)> started;
  timing::Pipeline* pipeline = nullptr;  // of the issuing sequencer; null: the engine keeps a schedule of its own
  // out
  timing::Schedule schedule{};
  bool over_limit = false;
  std::vector<isa::Finding> faults;    // the word was not executed
  std::vector<isa::Finding> warnings;  // relaxed mode: executed (or dropped, predicate `not_executed`) nevertheless
  std::uint8_t fp_status = 0;          // execute::FpStatus of the results
  std::uint16_t input_crc = 0;         // of all operands as read, and of the results (firmware::crc16)
  std::uint16_t output_crc = 0;
  std::array<PortTraffic, port_count> traffic{};
  std::vector<BankTraffic> banks;

  // As a new one, but with the room that the lists have.
  void reset() {
    auto old_faults = std::move(faults), old_warnings = std::move(warnings);
    auto old_banks = std::move(banks);
    old_faults.clear();
    old_warnings.clear();
    old_banks.clear();
    *this = IssueExtension();
    faults = std::move(old_faults);
    warnings = std::move(old_warnings);
    banks = std::move(old_banks);
  }

  tlm::tlm_extension_base* clone() const override { return new IssueExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const IssueExtension&>(other); }
};

}  // namespace dve
