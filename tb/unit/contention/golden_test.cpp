// The engine against the independent golden, on everything that users do to each other at the ports.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "golden/ports.h"
#include "support/port_runs.h"
#include "support/port_scenarios.h"

namespace golden_test {
namespace {

using namespace dve::scenarios;

constexpr std::uint64_t kSeed = 1;

void expect_equal_to_golden(const std::vector<Scenario>& scenarios) {
  for (const Scenario& s : scenarios) EXPECT_EQ(difference(s, run_engine(s), golden::ports(s)), "");
}

// Scenarios that take at least 1.3 times as long as with memories of everybody's own.
std::size_t contended(const std::vector<Scenario>& scenarios) {
  std::size_t count = 0;
  for (const Scenario& s : scenarios) {
    const auto together = static_cast<double>(run_engine(s).last_cycle() + 1);
    const auto apart = static_cast<double>(run_apart(s).last_cycle() + 1);
    count += together >= 1.3 * apart ? 1 : 0;
  }
  return count;
}

TEST(PortScenarios, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Scenario& s : named_scenarios()) names.insert(s.name);
  EXPECT_GE(named_scenarios().size(), 60U);
  EXPECT_EQ(names.size(), named_scenarios().size());
}

TEST(PortScenarios, AreTheSameForTheSameSeed) {
  for (std::size_t k = 0; k < 9; ++k) {
    const Scenario a = generated_scenario(7, k), b = generated_scenario(7, k), other = generated_scenario(8, k);
    EXPECT_EQ(beats(a), beats(b));
    EXPECT_EQ(difference(a, run_engine(a), run_engine(b)), "");
    EXPECT_NE(beats(a), beats(other));
  }
}

TEST(PortScenarios, NamedOnesAreSlowedByContentionInAtLeastHalf) {
  const std::vector<Scenario> all = named_scenarios();
  const std::size_t slowed = contended(all);
  EXPECT_GE(2 * slowed, all.size());
  RecordProperty("contended", static_cast<int>(slowed));
}

TEST(PortScenarios, GeneratedOnesAreSlowedByContentionInAtLeastHalf) {
  const std::vector<Scenario> all = generated(kSeed);
  const std::size_t slowed = contended(all);
  EXPECT_GE(2 * slowed, all.size());
  RecordProperty("contended", static_cast<int>(slowed));
}

TEST(ContentionGolden, NamedScenarios) { expect_equal_to_golden(named_scenarios()); }

// One case a family, so that they run side by side.
class ContentionGoldenFamily : public testing::TestWithParam<const char*> {};

TEST_P(ContentionGoldenFamily, GeneratedScenarios) {
  std::vector<Scenario> family;
  for (Scenario& s : generated(kSeed)) {
    if (s.family == GetParam()) family.push_back(std::move(s));
  }
  EXPECT_GE(family.size(), kGenerated / 9);
  expect_equal_to_golden(family);
}

INSTANTIATE_TEST_SUITE_P(All, ContentionGoldenFamily,
                         testing::Values("sbuf", "psum", "throttled", "bursty", "dma", "shared", "ranks", "five",
                                         "short"),
                         [](const auto& family) { return std::string(family.param); });

}  // namespace
}  // namespace golden_test
