// The lane group behind pin adapters: words go in and results come out as TLM transactions.
//
//   parameter, command, operand   TLM write -> TlmToStream -> pins of the verilated lanes
//   result                        pins -> StreamToTlm -> TLM write into a memory of this module
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "lane_group_bench.h"
#include "lane_streams_rtl.h"

namespace dve::cosim {

// A run and its place in time.
struct StreamRun {
  WordRun word;  // cycles: from the edge at which the command passed to the one of the last result
  std::uint64_t cycles_from_call = 0;  // from the last edge before the TLM write of the command was called
  bool interrupted = false;            // a call ended with an error: reset
};

class LaneStreams : public sc_core::sc_module {
 public:
  // Results of up to `most_results` beats a word.
  LaneStreams(sc_core::sc_module_name name, LaneBuild build, std::uint64_t seed, std::size_t most_results);
  ~LaneStreams() override;

  const LaneShape& shape() const { return shape_; }
  // Both are for a thread process, and begin and return between two edges. Parameters, then the command, beside them
  // the operands; returns when all results have come, or nothing has for a long time. With `reset_in` a reset comes
  // after so many cycles, and the run ends.
  StreamRun run(const LaneWord& word, const StallPlan& stalls, std::optional<std::uint64_t> reset_in = std::nullopt);
  void reset();
  // Of the checkers on both sides of the language border, by the names of the streams.
  std::vector<std::string> findings() const;

 private:
  struct Parts;
  void record();
  void wait_for_results(std::size_t expected, std::optional<std::uint64_t> reset_in, const std::function<bool()>& done);
  StreamRun collect(std::size_t results) const;

  LaneShape shape_;
  Rng random_;
  WordRun seen_;  // what the pins showed beside the results: trace, `last`, fault
  std::unique_ptr<Parts> parts_;
};

}  // namespace dve::cosim
