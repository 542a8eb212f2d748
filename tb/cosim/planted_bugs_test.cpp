// A bug in each unit of the lane group is found, and named, by the scoreboard or a stream checker.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "cosim/lane_group_bench.h"
#include "cosim/random_word.h"
#include "cosim/scoreboard.h"

namespace dve::cosim {
namespace {

// What a run of words brings to light first.
struct Finding {
  std::optional<Difference> difference;
  std::vector<Violation> violations;
};

constexpr StallPlan kStalled = {StallPattern::never, StallPattern::never, StallPattern::never, StallPattern::bursts};

// Words of three channels, a whole turn and half of one, and at times of one.
Finding hunt(PlantedBug bug, LaneOperation operation, const StallPlan& stalls) {
  LaneGroupBench group(LaneBuild::planted, 1, bug);
  Finding finding;
  for (std::uint64_t seed = 0; seed < 20 && !finding.difference && finding.violations.empty(); ++seed) {
    const LaneWord word = ordinary_word(operation, seed % 4 == 3 ? 1 : 3, 24, seed);
    const WordRun run = group.run(word, stalls);
    finding.difference = compare(word, golden_results(word), run, group.shape(), seed);
    finding.violations = run.violations;
  }
  return finding;
}

bool names(const Finding& finding, DifferenceKind kind) {
  return finding.difference && finding.difference->kind == kind;
}

TEST(PlantedBugs, NothingIsFoundWithoutABug) {
  for (const LaneOperation operation : {LaneOperation::grad_accum, LaneOperation::back_prop}) {
    const Finding finding = hunt(PlantedBug::none, operation, kStalled);
    EXPECT_FALSE(finding.difference.has_value()) << finding.difference->text;
    EXPECT_TRUE(finding.violations.empty());
  }
}

TEST(PlantedBugs, OnlyThePlantedBuildTakesABug) {
  EXPECT_THROW(LaneGroupBench(LaneBuild::lanes4, 1, PlantedBug::lane_swaps_sums), std::invalid_argument);
}

TEST(PlantedBugs, WrongRoundingIsNamedByElementAndBothValues) {
  const Finding finding = hunt(PlantedBug::add_loses_sticky, LaneOperation::grad_accum, {});
  ASSERT_TRUE(names(finding, DifferenceKind::running_sum));
  const Difference& d = *finding.difference;
  EXPECT_EQ(std::max(d.expected, d.got) - std::min(d.expected, d.got), 1U) << "one unit in the last place: " << d.text;
  for (const char* part : {"GradAccum 0x63, ", "channel ", "element ", "expected ", "got ", "(0x"}) {
    EXPECT_NE(d.text.find(part), std::string::npos) << part << " in " << d.text;
  }
}

TEST(PlantedBugs, WrongRoundingOfAProductReachesDx) {
  // With N = 1 and m, B, C = 0: dx = dy * A. The product ends in half a unit of the last place, the bit above it is
  // even.
  LaneGroupBench group(LaneBuild::planted, 1, PlantedBug::multiply_ties_away);
  LaneWord word = ordinary_word(LaneOperation::back_prop, 3, 4, 1);
  for (LaneParameters& p : word.parameters) p = {0, 0, 1, 0, 1.5F, 0, 0};
  for (std::vector<float>& row : word.dy) std::fill(row.begin(), row.end(), 1.0F);
  word.dy[2][3] = 0x1.000006p0F;  // 1.5 and 4.5 units
  const auto difference = compare(word, golden_results(word), group.run(word, {}), group.shape(), 7);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->kind, DifferenceKind::dx);
  EXPECT_EQ(difference->channel, 2U) << difference->text;
  EXPECT_EQ(difference->element, 3U) << difference->text;
  EXPECT_EQ(difference->expected, 0x3FC00004U) << difference->text;
  EXPECT_EQ(difference->got, 0x3FC00005U) << difference->text;
}

TEST(PlantedBugs, FlushedSubnormalReachesDx) {
  LaneGroupBench group(LaneBuild::planted, 1, PlantedBug::multiply_flushes);
  LaneWord word = ordinary_word(LaneOperation::back_prop, 3, 4, 1);
  for (LaneParameters& p : word.parameters) p = {0, 0, 1, 0, 0.5F, 0, 0};
  word.dy[1][2] = 0x1p-126F;
  const auto difference = compare(word, golden_results(word), group.run(word, {}), group.shape(), 7);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->channel, 1U);
  EXPECT_EQ(difference->element, 2U);
  EXPECT_EQ(difference->expected, 0x00400000U);
  EXPECT_EQ(difference->got, 0U);
  EXPECT_EQ(difference->text,
            "word 7 (BackProp 0x65, 3 channels of 4 elements): channel 1, element 2, dx: expected 5.87747175e-39 "
            "(0x00400000), "
            "got 0 (0x00000000)");
}

TEST(PlantedBugs, SwappedSumsAreNamed) {
  const Finding finding = hunt(PlantedBug::lane_swaps_sums, LaneOperation::grad_accum, {});
  ASSERT_TRUE(names(finding, DifferenceKind::running_sum));
  EXPECT_EQ(finding.difference->element, 0U);
  EXPECT_NE(finding.difference->text.find("running sum d_gamma"), std::string::npos) << finding.difference->text;
}

TEST(PlantedBugs, ForgottenBypassIsNamedAtTheSecondElement) {
  LaneGroupBench group(LaneBuild::planted, 1, PlantedBug::lane_forgets_bypass);
  const LaneWord word = ordinary_word(LaneOperation::grad_accum, 2, 8, 1);  // one turn: sums go straight back
  const auto difference = compare(word, golden_results(word), group.run(word, {}), group.shape(), 0);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->kind, DifferenceKind::running_sum);
  EXPECT_EQ(difference->element, 1U) << difference->text;
}

TEST(PlantedBugs, IgnoredHazardIsNamedAtTheSecondElement) {
  LaneGroupBench group(LaneBuild::planted, 1, PlantedBug::group_ignores_hazard);
  const LaneWord word = ordinary_word(LaneOperation::grad_accum, 2, 8, 1);
  const auto difference = compare(word, golden_results(word), group.run(word, {}), group.shape(), 0);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->kind, DifferenceKind::running_sum);
  EXPECT_EQ(difference->element, 1U) << difference->text;
}

TEST(PlantedBugs, KeptTailIsNamed) {
  for (const LaneOperation operation : {LaneOperation::grad_accum, LaneOperation::back_prop}) {
    const Finding finding = hunt(PlantedBug::group_keeps_tail, operation, {});
    ASSERT_TRUE(names(finding, DifferenceKind::keep));
    EXPECT_NE(finding.difference->text.find("channel 3 is kept"), std::string::npos) << finding.difference->text;
  }
}

TEST(PlantedBugs, PipelineThatDoesNotStandStillIsNamed) {
  EXPECT_FALSE(hunt(PlantedBug::pipe_ignores_enable, LaneOperation::back_prop, {}).difference.has_value())
      << "no stall, no bug";
  EXPECT_TRUE(names(hunt(PlantedBug::pipe_ignores_enable, LaneOperation::back_prop, kStalled), DifferenceKind::dx));
}

TEST(PlantedBugs, DroppedBeatIsNamed) {
  const Finding results = hunt(PlantedBug::slice_drops_beat, LaneOperation::back_prop, kStalled);
  ASSERT_TRUE(results.difference.has_value());
  EXPECT_EQ(results.difference->kind, DifferenceKind::dx)
      << "the next dx comes in its place: " << results.difference->text;
  const Finding sums = hunt(PlantedBug::slice_drops_beat, LaneOperation::grad_accum, {});
  ASSERT_TRUE(names(sums, DifferenceKind::running_sum)) << "the operand after the lost one is added in its place";
}

TEST(PlantedBugs, LateValidIsFound) {
  const Finding finding = hunt(PlantedBug::slice_late_valid, LaneOperation::back_prop, kStalled);
  ASSERT_TRUE(finding.difference.has_value());
  EXPECT_EQ(finding.difference->kind, DifferenceKind::extra_beat) << finding.difference->text;
}

TEST(PlantedBugs, WithdrawnValidIsNamedByTheChecker) {
  const Finding finding = hunt(PlantedBug::slice_withdraws, LaneOperation::back_prop, kStalled);
  ASSERT_FALSE(finding.violations.empty());
  EXPECT_EQ(finding.violations[0].stream, "result");
  EXPECT_EQ(finding.violations[0].rule, "valid_withdrawn") << finding.violations[0].text();
}

TEST(PlantedBugs, ReadyThatWaitsForValidIsNamed) {
  const Finding finding = hunt(PlantedBug::slice_ready_waits, LaneOperation::back_prop, kStalled);
  ASSERT_FALSE(finding.violations.empty());
  EXPECT_EQ(finding.violations[0].text(), "stream operand breaks ready_depends_on_valid after 0 beats");
}

}  // namespace
}  // namespace dve::cosim
