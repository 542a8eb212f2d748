// Drives the verilated lane group cycle by cycle and records everything that leaves it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lane_group_rtl.h"
#include "lane_word.h"
#include "stream_driver.h"

namespace dve::cosim {

// Stalls of the four streams.
struct StallPlan {
  StallPattern parameter = StallPattern::never;
  StallPattern command = StallPattern::never;
  StallPattern operand = StallPattern::never;
  StallPattern result = StallPattern::never;
  // In place of the patterns above, where they say `sequence`.
  StallSequence operand_sequence = {};
  StallSequence result_sequence = {};
};

// A beat of the result stream: one value a lane.
struct ResultBeat {
  std::vector<std::uint32_t> values;
  std::uint32_t keep = 0;
  bool last = false;
};
// Running sums that left their adders: d_beta, d_gamma, coupling of each lane.
struct TraceBeat {
  std::size_t turn = 0;
  std::vector<std::array<std::uint32_t, 3>> sums;
};
// What a stream checker (bench/dve_stream_checker.sv) found first; or ready_depends_on_valid or valid_depends_on_ready
// within a cycle, which the bench sees.
struct Violation {
  std::string stream;
  std::string rule;
  std::uint64_t beat = 0;  // beats that had passed on the stream since the reset
  std::string text() const;
};

struct WordRun {
  std::vector<ResultBeat> results;
  std::vector<TraceBeat> trace;
  bool fault = false;
  bool finished = false;     // all expected results came
  std::uint64_t cycles = 0;  // from the cycle in which the command passed to the one in which the last result did
  std::vector<Violation> violations;  // of the whole life of the model so far
};

class LaneGroupBench {
 public:
  // Resets the model. Initial register contents and stalls come from the seed.
  LaneGroupBench(LaneBuild build, std::uint64_t seed, PlantedBug bug = PlantedBug::none);

  const LaneShape& shape() const { return shape_; }

  // Parameters of all channels, then the command, the last parameter in the same cycle if it happens so; operands from
  // the start on. Ends some cycles after the last expected result, or when nothing has moved for a long time.
  WordRun run(const LaneWord& word, const StallPlan& stalls);
  // The same without loading parameters.
  WordRun run_with_old_parameters(const LaneWord& word, const StallPlan& stalls);
  // Starts the same run and resets the group in its cycle `cycle`, 0 being the first.
  WordRun run_into_reset(const LaneWord& word, const StallPlan& stalls, std::uint64_t cycle);
  // A command alone, of any opcode and number of channels; no operand follows and no result is expected.
  WordRun command(std::uint8_t opcode, std::size_t channels, std::uint32_t elements);
  // One parameter, while no word runs; whether it gave a fault.
  bool parameter_faults(std::uint8_t kind, std::uint8_t slot);
  void reset();

 private:
  struct Traffic;
  Traffic traffic_of(const LaneWord& word, const StallPlan& stalls);
  void set_command(const LaneWord& word);
  void set_parameter(const LaneWord& word, std::size_t beat);
  void set_operand(const LaneWord& word, std::size_t beat);
  WordRun drive(const LaneWord& word, Traffic& traffic);
  void offer(const LaneWord& word, Traffic& traffic);
  bool record(WordRun& run, Traffic& traffic);
  void check_independence();
  void clock();
  std::vector<Violation> violations() const;

  LaneShape shape_;
  std::unique_ptr<rtl::LaneModel> rtl_;
  Rng random_;
  std::vector<Violation> dependences_;  // of one side of a hand-shake on the other
};

// Beats of the word's results.
std::size_t result_beats(const LaneWord& word, const LaneShape& shape);
// Turns that a lane takes for so many channels.
std::size_t turns_of(std::size_t channels, const LaneShape& shape);
// Cycles of a word without stalls, from its command to its last result: the formulas of dve_lane_group.sv.
std::uint64_t documented_cycles(const LaneWord& word, const LaneShape& shape);

}  // namespace dve::cosim
