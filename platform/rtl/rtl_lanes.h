// The verilated lanes as a LaneArray.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "dve/config/config.h"
#include "dve/execute/execute.h"
#include "dve/pin_protocol/pin_protocol.h"
#include "lane_model.h"

namespace dve::rtl {

class LaneDriver;
class Lockstep;
struct LaneWord;

// Of both ends of each hand-shake: the driver stalls parameters, commands, operands and results, each by its own random
// sequence.
using Stalls = config::RtlStalls;

struct RtlOptions {
  numerics::Switches switches;  // sequential accumulator, staged form: the RTL has no other
  Stalls stalls = Stalls::never;
  std::uint64_t seed = 1;      // of stalls and of the registers' initial contents
  std::uint64_t clock_hz = 0;  // of the lanes: the time axis of waves
  std::string waves;           // FST of the whole run; empty: none
  // Asked now and then inside a word; true: the word is given up in RTL, the model's results stand. Empty: never.
  std::function<bool()> stop_requested;
  std::string mismatch_waves;  // FST of the first word that differs; empty: none
};

// What went through the lanes.
struct RtlCounters {
  std::uint64_t words = 0, elements = 0;  // elements: of all channels
  std::uint64_t cycles = 0;               // of each word from its command to its last result (tb/cosim/README.md)
  std::uint64_t last_cycles = 0;          // the same of the last word alone
};

// Stands for: lanes of the DVE in RTL (tb/cosim/rtl), driven through valid/ready streams by the machines of the
// pin_protocol block. A word goes through in whole: parameters of its channels, command, operands; every running sum
// and every result is compared with the scalar specification as it leaves. Stream checkers in the RTL's bench watch the
// four streams. Time: the lanes have a clock of their own, counted in RtlCounters; it advances while a word is computed
// and costs no simulation time. Does not model: walking of memory and conversion of dtypes (the engine's), words other
// than GradAccum and BackProp, parameters staying in the lanes from word to word (they are loaded with each).
class RtlLanes : public execute::LaneArray {
 public:
  // Throws std::runtime_error when a file for waves cannot be written.
  RtlLanes(MakeLaneModel make, const LaneShape& shape, const RtlOptions& options);
  ~RtlLanes() override;

  bool serves(isa::Opcode opcode) const override;
  // Findings: rtl_mismatch (the first bit that differs: channel, element, what; value: what the RTL gave),
  // rtl_protocol (a stream broke a rule), rtl_hang (results that do not come), rtl_fault (the lanes refused the word).
  std::vector<isa::Finding> compute(const execute::Plan& plan, const execute::Inputs& inputs,
                                    const std::vector<numerics::LaneParameters>& lanes,
                                    const kernels::ResultRows& results) override;

  // Ends RtlOptions::waves. Throws std::runtime_error when they are not whole.
  void finish_waves();

  const LaneShape& shape() const { return shape_; }
  const RtlCounters& counters() const { return counters_; }
  // Resets the lanes in the middle of the next word, after so many clocks, and then computes it anew: for tests.
  void reset_next_word_after(std::uint64_t cycles) { reset_after_ = cycles; }

 private:
  std::optional<isa::Finding> pass(LaneDriver& driver, const LaneWord& word, Lockstep& lockstep,
                                   std::uint64_t word_seed);
  void show_mismatch(const LaneWord& word, isa::Finding& finding);

  MakeLaneModel make_;
  LaneShape shape_;
  RtlOptions options_;
  std::unique_ptr<LaneDriver> driver_;
  RtlCounters counters_;
  std::optional<std::uint64_t> reset_after_;
  bool stopped_ = false;  // the word under way has been given up
};

}  // namespace dve::rtl
