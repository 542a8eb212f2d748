// The verilated lanes behind the pin adapters, driven and read by TLM alone: bit for bit the golden's results, in the
// documented number of cycles and the adapters' two.
#include "cosim/lane_streams.h"

#include <gtest/gtest.h>

#include "cosim/long_tests.h"
#include "cosim/random_word.h"
#include "cosim/scoreboard.h"

namespace dve::cosim {

// Names the instances of the tests.
void PrintTo(LaneBuild build, std::ostream* out) {
  *out << shape_of(build).lanes << " lanes of " << shape_of(build).interleave;
}

namespace {

constexpr LaneOperation kOperations[] = {LaneOperation::grad_accum, LaneOperation::back_prop};
// The call of the command is taken up at the next edge, and the command passes at the one after.
constexpr std::uint64_t kAdapterCycles = 2;

class LanesOnStreams : public testing::TestWithParam<LaneBuild> {
 protected:
  // Runs the body as a thread process, after a reset.
  void simulate(std::uint64_t seed, const std::function<void(LaneStreams&)>& body) {
    LaneStreams lanes("bench", GetParam(), seed, 1024);
    bool finished = false;
    sc_core::sc_spawn([&] {
      sc_core::wait(5, sc_core::SC_NS);
      lanes.reset();
      body(lanes);
      finished = true;
      sc_core::sc_stop();
    });
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_SEC));
    EXPECT_TRUE(finished);
    for (const std::string& finding : lanes.findings()) ADD_FAILURE() << finding;
  }
  static void expect_right(const LaneWord& word, const StreamRun& run, const LaneShape& shape, std::uint64_t number,
                           const std::string& replay = "") {
    const auto difference = compare(word, golden_results(word), run.word, shape, number);
    EXPECT_FALSE(difference.has_value()) << difference->text << replay;
    EXPECT_TRUE(run.word.finished && !run.word.fault && !run.interrupted) << word.text() << replay;
  }
};

TEST_P(LanesOnStreams, EveryWordTakesTheDocumentedCyclesAndTwoOfTheAdapters) {
  simulate(11, [](LaneStreams& lanes) {
    for (const LaneOperation operation : kOperations) {
      for (std::size_t channels = 1; channels <= lanes.shape().channels(); ++channels) {
        for (const std::size_t elements : {0U, 1U, 2U, 3U, 50U}) {
          if (operation == LaneOperation::back_prop && elements == 0) continue;
          const LaneWord word = ordinary_word(operation, channels, elements, channels);
          const StreamRun run = lanes.run(word, {});
          expect_right(word, run, lanes.shape(), elements);
          EXPECT_EQ(run.word.cycles, documented_cycles(word, lanes.shape())) << word.text();
          EXPECT_EQ(run.cycles_from_call, documented_cycles(word, lanes.shape()) + kAdapterCycles) << word.text();
        }
      }
    }
  });
}

// DVE_COSIM_SEED repeats a run.
TEST_P(LanesOnStreams, RandomWordsUnderStallsAndResets) {
  const std::uint64_t seed = cosim_seed();
  const std::uint64_t end = (long_tests() ? 20 : 1) * lane_crosses() / 2;
  std::size_t words = 0, resets = 0, interrupted = 0;
  simulate(seed, [&](LaneStreams& lanes) {
    for (std::uint64_t number = 0; number < end; ++number) {
      const RandomWord made = random_word(seed, number);
      if (made.build != GetParam()) continue;
      if (++words % 4 == 0) {
        ++resets;
        if (lanes.run(made.word, made.stalls, number * 7 % 120).interrupted) ++interrupted;
      }
      expect_right(made.word, lanes.run(made.word, made.stalls), lanes.shape(), number,
                   "\nreplay: DVE_COSIM_SEED=" + std::to_string(seed));
      if (HasFailure()) return;
    }
  });
  EXPECT_GE(words, end / 5) << "of " << end;
  EXPECT_GE(interrupted, resets / 4) << "of " << resets;
}

INSTANTIATE_TEST_SUITE_P(Builds, LanesOnStreams,
                         testing::Values(LaneBuild::lanes4, LaneBuild::lanes3x4, LaneBuild::lanes1x2),
                         [](const auto& instance) {
                           const LaneShape shape = shape_of(instance.param);
                           return std::to_string(shape.lanes) + "x" + std::to_string(shape.interleave);
                         });

}  // namespace
}  // namespace dve::cosim
