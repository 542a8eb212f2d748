// The progress of jobs: steps, buffers, bandwidth at its edges. Expected cycles are worked out by hand.
#include <gtest/gtest.h>

#include <vector>

#include "support/port_jobs.h"
#include "support/port_runs.h"

namespace flow_test {
namespace {

using namespace dve::contention;
using namespace dve::scenarios;

RunResult run(const Parameters& p, const std::vector<std::vector<Job>>& users, std::int64_t gap = 0) {
  Scenario s;
  s.name = "unit";
  s.parameters = p;
  for (const auto& jobs : users) {
    s.users.push_back({jobs.at(0).user, {}});
    for (const Job& j : jobs) s.users.back().jobs.push_back({j, s.users.back().jobs.empty() ? 0 : gap, {}});
  }
  const RunResult result = run_engine(s);
  EXPECT_EQ(difference(s, result, run_stepped(s)), "");
  return result;
}

std::uint64_t stalls(const RunResult& result) {
  std::uint64_t sum = 0;
  for (const auto& user : result.outcomes) {
    for (const Outcome& o : user) sum += o.stalls.total();
  }
  return sum;
}

TEST(ContentionFlow, TwoReadsOfAUserInOneBankDoNotConflict) {
  const Job two = job(User::dve, kFull, 100, {read({}, sbuf(0), 100), second({}, sbuf(0, 300), 100)});
  const RunResult r = run({}, {{two}});
  EXPECT_EQ(r.outcomes[0][0].last_cycle, 99);
  EXPECT_EQ(stalls(r), 0U);
}

// Step k of a job alone is due at ceil(start + k * pace) and is never late.
TEST(ContentionFlow, AloneStepsComeWhenTheyAreDue) {
  const RunResult copy = run({}, {{job(User::dve, kDveCopy, 101, {read({}, sbuf(0), 101), write({}, sbuf(1), 101)})}});
  EXPECT_EQ(copy.outcomes[0][0].last_cycle, 125);  // 100 * 5/4
  const RunResult dma = run({}, {{job(User::dma0, kDma, 8, {write({}, sbuf(0), 8)})}});
  EXPECT_EQ(dma.outcomes[0][0].last_cycle, 24);  // ceil(7 * 10/3)
  const RunResult pauses = run({}, {{bursts(job(User::act, kFp32, 100, {read({}, sbuf(0), 100)}), 10, 7)}});
  EXPECT_EQ(pauses.outcomes[0][0].last_cycle, 99 * 2 + 9 * 7);
  EXPECT_EQ(stalls(copy) + stalls(dma) + stalls(pauses), 0U);
}

TEST(ContentionFlow, BuffersReadAheadOverAShortConflict) {
  Parameters p;
  p.users[index_of(User::pe0)].priority = p.pe_priority = 7;
  const auto late_by = [&](std::uint32_t depth, std::uint64_t blocked) {
    p.buffer_beats = depth;
    const Job slow = job(User::act, kBf16, 200, {read(p, sbuf(0), 200)});
    Job wall = job(User::pe0, kFull, blocked, {read(p, sbuf(0), blocked)});
    Scenario s{"unit", "", p, {{User::act, {{slow, 0, {}}}}, {User::pe0, {{wall, 100, {}}}}}};
    const RunResult r = run_engine(s);
    EXPECT_EQ(r.outcomes[0][0].stalls.bank, r.outcomes[0][0].stalls.total());
    return r.outcomes[0][0].stalls.total();
  };
  // Eight beats at 4 cycles each last for 32 cycles; the step of cycle 100 takes the first of them.
  EXPECT_EQ(late_by(8, 32), 0U);
  EXPECT_EQ(late_by(8, 33), 1U);
  EXPECT_EQ(late_by(1, 4), 0U);
  EXPECT_EQ(late_by(1, 10), 6U);
}

TEST(ContentionFlow, WritesOfTheNextJobWaitForThoseOfTheOneBefore) {
  Parameters p;
  p.users[index_of(User::pe0)].priority = p.pe_priority = 7;
  const Job reduce = job(User::act, kFull, 10, {write(p, sbuf(0), 4, 10)});
  const Job copy = job(User::act, kFull, 20, {write(p, sbuf(1), 20)});
  // Bank 0 is taken for 60 cycles: the four beats leave from cycle 60 on, and copy's 8 beats of buffer are full before.
  const RunResult r = run(p, {{reduce, copy}, {job(User::pe0, kFull, 60, {read(p, sbuf(0), 60)})}});
  EXPECT_EQ(r.outcomes[0][0].last_cycle, 9);
  EXPECT_EQ(r.outcomes[0][1].first_cycle, 10);
  EXPECT_EQ(r.outcomes[0][1].stalls.write, r.outcomes[0][1].stalls.total());
  // Beats 1 to 8 wait in the buffer; the first of them leaves in cycle 64, and step 8 (due at 18) takes its place.
  // Its last step, 19, needs an empty buffer: 8 more cycles after step 18 in cycle 74.
  EXPECT_EQ(r.outcomes[0][1].last_cycle, 64 + 10 + 8);
}

TEST(ContentionFlow, TheLastStepWaitsForAnEmptyBuffer) {
  Parameters p;
  p.users[index_of(User::pe0)].priority = p.pe_priority = 7;
  const Job copy = job(User::act, kFull, 8, {write(p, sbuf(0), 8)});
  const RunResult r = run(p, {{copy}, {job(User::pe0, kFull, 30, {read(p, sbuf(0), 30)})}});
  // Seven beats leave in cycles 30 to 36.
  EXPECT_EQ(r.outcomes[0][0].last_cycle, 36);
  EXPECT_EQ(r.outcomes[0][0].stalls.write, 36U - 7U);
}

// A user that needs `bytes` of each partition a cycle, for 600 cycles, on ports of `port` bytes: beats arrive
// ceil(bytes / port) a step, one step a cycle.
std::uint64_t stalls_of_demand(std::uint64_t bytes, std::uint64_t port) {
  Parameters p;
  p.port_bytes = dve::isa::Bytes(port);
  p.sbuf_bank_bytes = dve::isa::Bytes(port * 2048);
  const std::uint64_t steps = 600, beats = (bytes * steps + port - 1) / port;
  Job j = job(User::act, kFull, beats, {read(p, sbuf(0), beats)});
  // `beats` steps in the time of `steps` cycles.
  j.denominator = static_cast<std::int64_t>(beats);
  j.pace = {static_cast<std::int64_t>(steps / beats), static_cast<std::int64_t>(steps % beats)};
  return stalls(run(p, {{j}}));
}

TEST(ContentionBandwidth, DemandAtTheLimitGivesNoStalls) {
  EXPECT_EQ(stalls_of_demand(8, 8), 0U);
  EXPECT_EQ(stalls_of_demand(4, 4), 0U);
}

TEST(ContentionBandwidth, OneByteACycleMoreGivesSome) {
  // 9 bytes a cycle through 8: 675 beats in 600 cycles; the last step is due at ceil(674 * 600 / 675) = 600, comes at
  // 674.
  EXPECT_EQ(stalls_of_demand(9, 8), 74U);
  EXPECT_GT(stalls_of_demand(5, 4), 0U);
}

TEST(ContentionBandwidth, UnlimitedPortsGiveNone) {
  EXPECT_EQ(stalls_of_demand(9, 1 << 20), 0U);
  EXPECT_EQ(stalls_of_demand(1 << 12, 1 << 20), 0U);
}

TEST(ContentionBandwidth, TwoUsersAtTheLimitOfABank) {
  const auto both = [](Pace pace) {
    const Job a = job(User::act, kFp32, 600, {read({}, sbuf(0), 600)});
    const Job b = job(User::pool, pace, 600, {read({}, sbuf(0), 600)});
    return stalls(run({}, {{a}, {b}}));
  };
  // The first beats of both are due in the same cycle: one waits for one cycle, and never again.
  EXPECT_EQ(both(kFp32), 1U);
  EXPECT_GT(both({15, 8}), 1U);
}

}  // namespace
}  // namespace flow_test
