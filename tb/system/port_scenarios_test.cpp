// Every scenario at the ports of SBUF and PSUM in SystemC: a thread a user streams its jobs through the approximately
// timed ports, which move every beat, and through the loosely timed ones, which compute ahead. Each job ends alike.
#include "support/port_scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "dve/ports/ports.h"
#include "support/port_jobs.h"
#include "support/port_play.h"
#include "support/port_runs.h"

namespace dve {
namespace port_scenarios_test {
namespace {

using namespace scenarios;
using contention::User;

void count_conflicts(const PortTime& ports, RunResult& result) {
  for (std::uint32_t bank = 0; bank < contention::kSbufBanks; ++bank)
    result.conflicts.push_back(ports.conflicts(isa::Space::sbuf, bank));
  for (std::uint32_t bank = 0; bank < contention::kPsumBanks; ++bank)
    result.conflicts.push_back(ports.conflicts(isa::Space::psum, bank));
}

struct Totals {
  std::size_t scenarios = 0, jobs = 0, delayed = 0;
  std::uint64_t beats = 0, conflicts = 0;
};

// Scenarios on ports of their own, one after the other in simulated time.
class Comparison : public sc_core::sc_module {
 public:
  Comparison(sc_core::sc_module_name name, std::vector<Scenario> scenarios, bool synchronise)
      : sc_module(name), scenarios_(std::move(scenarios)), synchronise_(synchronise) {
    for (std::size_t k = 0; k < scenarios_.size(); ++k) {
      const Scenario& s = scenarios_[k];
      const std::string number = std::to_string(k);
      approximate_.push_back(
          std::make_unique<ApproximatelyTimedPorts>(("at" + number).c_str(), s.parameters, users_of(s)));
      loose_.push_back(std::make_unique<LooselyTimedPorts>(("lt" + number).c_str(), s.parameters));
    }
    SC_HAS_PROCESS(Comparison);
    SC_THREAD(run);
  }
  const Totals& totals() const { return totals_; }

 private:
  void run() {
    for (std::size_t k = 0; k < scenarios_.size(); ++k) {
      RunResult at = play(scenarios_[k], *approximate_[k], synchronise_);
      drain(scenarios_[k], *approximate_[k]);
      count_conflicts(*approximate_[k], at);
      RunResult lt = play(scenarios_[k], *loose_[k], synchronise_);
      count_conflicts(*loose_[k], lt);
      EXPECT_EQ(difference(scenarios_[k], lt, at), "") << "loosely timed; expected: approximately timed";
      EXPECT_EQ(difference(scenarios_[k], at, run_engine(scenarios_[k])), "") << "approximately timed; plain C++";
      add(at);
    }
  }
  // Results that come after the last steps are written; then all beats of all streams have been answered.
  void drain(const Scenario& scenario, const ApproximatelyTimedPorts& ports) {
    for (int k = 0; k < 1000 && ports.arbiter().beats() != beats(scenario); ++k) wait(1, sc_core::SC_US);
    wait(1, sc_core::SC_US);
    EXPECT_EQ(ports.arbiter().beats(), beats(scenario)) << scenario.name;
    EXPECT_FALSE(ports.outstanding()) << scenario.name;
    totals_.beats += ports.arbiter().beats();
  }
  void add(const RunResult& result) {
    ++totals_.scenarios;
    for (const auto& user : result.outcomes) {
      totals_.jobs += user.size();
      totals_.delayed += static_cast<std::size_t>(
          std::count_if(user.begin(), user.end(), [](const contention::Outcome& o) { return o.stalls.total() != 0; }));
    }
    totals_.conflicts = std::accumulate(result.conflicts.begin(), result.conflicts.end(), totals_.conflicts);
  }

  std::vector<Scenario> scenarios_;
  bool synchronise_;
  std::vector<std::unique_ptr<ApproximatelyTimedPorts>> approximate_;
  std::vector<std::unique_ptr<LooselyTimedPorts>> loose_;
  Totals totals_;
};

// Compares all; the totals go into the report of the test.
Totals compare(std::vector<Scenario> scenarios, bool synchronise) {
  const std::size_t count = scenarios.size();
  Comparison comparison("comparison", std::move(scenarios), synchronise);
  sc_core::sc_start();
  const Totals totals = comparison.totals();
  EXPECT_EQ(totals.scenarios, count);
  testing::Test::RecordProperty("scenarios", static_cast<int>(totals.scenarios));
  testing::Test::RecordProperty("jobs", static_cast<int>(totals.jobs));
  testing::Test::RecordProperty("delayed_jobs", static_cast<int>(totals.delayed));
  testing::Test::RecordProperty("beats", std::to_string(totals.beats));
  testing::Test::RecordProperty("conflicts", std::to_string(totals.conflicts));
  return totals;
}

TEST(NamedPortScenarios, EndAlikeWithInitiatorsThatRunAhead) {
  const Totals totals = compare(named_scenarios(), false);
  EXPECT_GE(totals.scenarios, 60U);
  EXPECT_GT(totals.delayed, 60U);
}

TEST(NamedPortScenarios, EndAlikeWithInitiatorsThatWait) { EXPECT_GE(compare(named_scenarios(), true).scenarios, 60U); }

// The DVE's results of a few beats, written after the last step, meet the next job, which follows at once.
Scenario tails(std::int64_t gap, std::uint32_t buffer, bool neighbour) {
  Scenario s;
  s.name = "tails_" + std::to_string(gap) + "_" + std::to_string(buffer) + (neighbour ? "_met" : "");
  s.parameters.buffer_beats = buffer;
  PortUser user;
  for (std::uint64_t k = 0; k < 6; ++k) {
    const std::uint64_t n = 20 + k;
    const std::uint64_t results = k % 2 == 0 ? 4 : n;
    contention::Job j = job(User::dve, kFull, n, {read(s.parameters, sbuf(0), n)});
    j.streams.push_back(write(s.parameters, sbuf(1), results, k % 2 == 0 ? n : 1));
    user.jobs.push_back({std::move(j), gap, {}});
  }
  s.users.push_back(std::move(user));
  if (!neighbour) return s;
  PortUser other;
  other.user = User::act;
  other.jobs.push_back({job(User::act, kFull, 50, {read(s.parameters, sbuf(1), 50)}), 60, {}});
  s.users.push_back(std::move(other));
  return s;
}

TEST(PortScenarios, EndAlikeWhenAJobStartsBeforeTheLastResultsAreWritten) {
  std::vector<Scenario> list;
  for (const std::int64_t gap : {0, 1, 2, 3, 4, 10}) {
    for (const std::uint32_t buffer : {1U, 2U, 8U}) {
      for (const bool neighbour : {false, true}) list.push_back(tails(gap, buffer, neighbour));
    }
  }
  EXPECT_GT(compare(std::move(list), false).delayed, 0U);
}

// Parts of the 300, so that they can run side by side.
constexpr std::size_t kParts = 4;
class GeneratedPortScenarios : public testing::TestWithParam<std::size_t> {};

TEST_P(GeneratedPortScenarios, EndAlike) {
  std::vector<Scenario> part;
  for (std::size_t k = GetParam(); k < kGenerated; k += kParts) part.push_back(generated_scenario(2, k));
  const Totals totals = compare(std::move(part), GetParam() % 2 == 1);
  EXPECT_GT(totals.delayed, totals.jobs / 20) << "most scenarios are contended";
}
INSTANTIATE_TEST_SUITE_P(Parts, GeneratedPortScenarios, testing::Range<std::size_t>(0, kParts));

}  // namespace
}  // namespace port_scenarios_test
}  // namespace dve
