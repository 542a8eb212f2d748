// The lane group against the independent golden, word by word and bit by bit: random words under random stalls of every
// hand-shake, tails, resets in the middle of a stream, refused commands, and its documented time.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <memory>

#include "cosim/lane_group_bench.h"
#include "cosim/long_tests.h"
#include "cosim/random_word.h"
#include "cosim/scoreboard.h"
#include "dve/numerics/numerics.h"

namespace dve::cosim {
namespace {

constexpr LaneBuild kBuilds[] = {LaneBuild::lanes4, LaneBuild::lanes3x4, LaneBuild::lanes1x2};
constexpr LaneOperation kOperations[] = {LaneOperation::grad_accum, LaneOperation::back_prop};

void expect_right(const LaneWord& word, const WordRun& run, const LaneShape& shape, std::uint64_t number,
                  const std::string& replay) {
  const auto difference = compare(word, golden_results(word), run, shape, number);
  ASSERT_FALSE(difference.has_value()) << difference->text << replay;
  ASSERT_TRUE(run.finished) << word.text() << replay;
  ASSERT_FALSE(run.fault) << word.text() << replay;
  for (const Violation& violation : run.violations) FAIL() << violation.text() << replay;
}

// A group of each build, made when it is first needed.
class Groups {
 public:
  explicit Groups(std::uint64_t seed) : seed_(seed) {}
  LaneGroupBench& operator[](LaneBuild build) {
    std::unique_ptr<LaneGroupBench>& group = groups_[build];
    if (!group) group = std::make_unique<LaneGroupBench>(build, seed_);
    return *group;
  }

 private:
  std::uint64_t seed_;
  std::map<LaneBuild, std::unique_ptr<LaneGroupBench>> groups_;
};

// Writes the coverage report cosim_coverage.md into the build folder. DVE_COSIM_WORD runs one word alone, on a fresh
// model.
TEST(LaneGroup, RandomWords) {
  const std::uint64_t seed = cosim_seed();
  const std::uint64_t first = number_from_environment("DVE_COSIM_WORD", 0);
  const bool one = std::getenv("DVE_COSIM_WORD") != nullptr;
  const std::uint64_t end = one ? first + 1 : (long_tests() ? 20 : 1) * lane_crosses();
  Coverage coverage = lane_coverage();
  Groups groups(seed);
  std::uint64_t resets = 0;
  for (std::uint64_t number = first; number < end; ++number) {
    const RandomWord made = random_word(seed, number);
    const std::string replay = "\nreplay: DVE_COSIM_SEED=" + std::to_string(seed) +
                               ", this word alone: DVE_COSIM_WORD=" + std::to_string(number);
    LaneGroupBench& group = groups[made.build];
    if (number % 4 == 3) {  // first into a reset, somewhere in the word
      group.run_into_reset(made.word, made.stalls, number * 7 % 120);
      ++resets;
    }
    const WordRun run = group.run(made.word, made.stalls);
    expect_right(made.word, run, group.shape(), number, replay);
    if (HasFatalFailure()) return;
    coverage.sample(made.point);
  }
  if (one) return;
  std::ofstream(DVE_COSIM_COVERAGE_REPORT)
      << coverage.report("Lock-step coverage of the lane group, seed " + std::to_string(seed));
  EXPECT_GE(resets, end / 5);
  EXPECT_TRUE(coverage.missing_pairs().empty())
      << coverage.missing_pairs().size() << ", first " << coverage.missing_pairs().front();
  EXPECT_TRUE(coverage.missing_crosses().empty())
      << coverage.missing_crosses().size() << ", first " << coverage.missing_crosses().front();
}

// The golden is one independent reference; the model's own arithmetic is the other.
TEST(LaneGroup, AgreesWithTheModel) {
  for (std::uint64_t number = 0; number < 120; ++number) {
    const RandomWord made = random_word(99, number);
    LaneGroupBench group(made.build, number);
    const WordRun run = group.run(made.word, made.stalls);
    const LaneWord& word = made.word;
    numerics::Switches switches;
    switches.dst_order = word.dst_interpreter ? numerics::DstOrder::interpreter : numerics::DstOrder::documented;
    switches.product_order =
        word.product_interpreter ? numerics::ProductOrder::interpreter : numerics::ProductOrder::documented;
    const std::size_t n = word.elements();
    LaneResults model;
    for (std::size_t c = 0; c < word.channels(); ++c) {
      const LaneParameters& p = word.parameters[c];
      const numerics::GradSums sums =
          numerics::grad_accumulate(word.x[c].data(), word.dy[c].data(), n, p[0], p[1], switches);
      model.sums.push_back(numerics::in_dst_order(sums, switches.dst_order));
      model.dx.emplace_back(n);
      numerics::back_propagate(word.x[c].data(), word.dy[c].data(), n, {p[2], p[3], p[4], p[5], p[6], 0},
                               numerics::ParamTable{}, switches, model.dx.back().data());
    }
    model.running = golden_results(word).running;
    const auto difference = compare(word, model, run, group.shape(), number);
    EXPECT_FALSE(difference.has_value()) << difference->text;
  }
}

TEST(LaneGroup, EveryTailOfChannelsAndElements) {
  for (const LaneBuild build : kBuilds) {
    LaneGroupBench group(build, 3);
    for (const LaneOperation operation : kOperations) {
      for (std::size_t channels = 1; channels <= group.shape().channels(); ++channels) {
        for (std::size_t elements = 0; elements <= 7; ++elements) {
          const LaneWord word = ordinary_word(operation, channels, elements, 100 * channels + elements);
          expect_right(word, group.run(word, {}), group.shape(), channels, "");
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(LaneGroup, ResetInEveryCycleOfAWordLeavesNothingBehind) {
  for (const LaneBuild build : kBuilds) {
    LaneGroupBench group(build, 5);
    for (const LaneOperation operation : kOperations) {
      const LaneWord word = ordinary_word(operation, group.shape().channels(), 6, 17);
      for (std::uint64_t cycle = 0; cycle < 110; ++cycle) {
        group.run_into_reset(word, {}, cycle);
        expect_right(word, group.run(word, {}), group.shape(), cycle, "");
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(LaneGroup, ParametersStayFromWordToWordAndAreZeroAfterReset) {
  for (const LaneBuild build : kBuilds) {
    LaneGroupBench group(build, 7);
    for (const LaneOperation operation : kOperations) {
      LaneWord word = ordinary_word(operation, group.shape().channels(), 5, 23);
      expect_right(word, group.run(word, {}), group.shape(), 0, "");
      LaneWord next = ordinary_word(operation, group.shape().channels(), 9, 24);
      next.parameters = word.parameters;
      expect_right(next, group.run_with_old_parameters(next, {}), group.shape(), 1, "");
      group.reset();
      for (LaneParameters& parameters : next.parameters) parameters.fill(0);
      expect_right(next, group.run_with_old_parameters(next, {}), group.shape(), 2, "");
    }
  }
}

// Not at random: every sequence of stalls of some cycles at one end, over and over, against several at the other.
TEST(LaneGroup, EverySequenceOfStalls) {
  constexpr std::uint32_t kLength = 8;
  constexpr std::uint32_t kOthers[] = {0b00000000, 0b01010101, 0b00001111, 0b11101110};
  for (const LaneBuild build : kBuilds) {
    LaneGroupBench group(build, 13);
    for (const LaneOperation operation : kOperations) {
      const LaneWord word = ordinary_word(operation, group.shape().channels(), 4, 41);
      for (std::uint32_t bits = 0; bits < (1U << kLength) - 1; ++bits) {
        for (const std::uint32_t other : kOthers) {
          StallPlan stalls;
          stalls.operand = stalls.result = StallPattern::sequence;
          stalls.operand_sequence = {bits, kLength};
          stalls.result_sequence = {other, kLength - 1};
          for (int side = 0; side < 2; ++side) {
            expect_right(word, group.run(word, stalls), group.shape(), bits, "");
            if (HasFatalFailure()) return;
            std::swap(stalls.operand_sequence, stalls.result_sequence);
          }
        }
      }
    }
  }
}

TEST(LaneGroup, RefusesWordsThatItCannotExecute) {
  for (const LaneBuild build : kBuilds) {
    LaneGroupBench group(build, 9);
    const std::size_t most = group.shape().channels();
    const auto refused = [&](std::uint8_t opcode, std::size_t channels) {
      const WordRun run = group.command(opcode, channels, 4);
      EXPECT_TRUE(run.results.empty());
      EXPECT_TRUE(run.violations.empty());
      return run.fault;
    };
    EXPECT_TRUE(refused(0x62, 1));
    EXPECT_TRUE(refused(0x64, 1));
    EXPECT_TRUE(refused(0x63, 0));
    EXPECT_TRUE(refused(0x65, most + 1));
    EXPECT_TRUE(refused(0x94, 0xFFFF));
    const LaneWord word = ordinary_word(LaneOperation::back_prop, most, 3, 31);
    expect_right(word, group.run(word, {}), group.shape(), 0, "");  // and goes on
  }
}

TEST(LaneGroup, RefusesParametersThatDoNotExist) {
  LaneGroupBench one(LaneBuild::lanes4, 1);
  LaneGroupBench four(LaneBuild::lanes3x4, 1);
  for (std::uint8_t kind = 0; kind < 7; ++kind) {
    EXPECT_FALSE(one.parameter_faults(kind, 0));
    EXPECT_TRUE(one.parameter_faults(kind, 1)) << "a lane of one channel has no second turn";
    EXPECT_FALSE(four.parameter_faults(kind, 3));
  }
  EXPECT_TRUE(one.parameter_faults(7, 0));
  EXPECT_TRUE(four.parameter_faults(7, 2));
}

TEST(LaneGroup, TimeOfAWordIsTheDocumentedOne) {
  for (const LaneBuild build : kBuilds) {
    LaneGroupBench group(build, 11);
    for (const LaneOperation operation : kOperations) {
      for (std::size_t channels = 1; channels <= group.shape().channels(); ++channels) {
        for (const std::size_t elements : {0U, 1U, 2U, 3U, 50U}) {
          if (operation == LaneOperation::back_prop && elements == 0) continue;
          const LaneWord word = ordinary_word(operation, channels, elements, channels);
          EXPECT_EQ(group.run(word, {}).cycles, documented_cycles(word, group.shape())) << word.text();
        }
      }
    }
  }
}

}  // namespace
}  // namespace dve::cosim
