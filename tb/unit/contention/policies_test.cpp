// Each arbitration rule by itself: cycle-by-cycle expectations written by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/port_jobs.h"
#include "support/port_runs.h"

namespace policies_test {
namespace {

using namespace dve::contention;
using namespace dve::scenarios;

constexpr auto kEqualWeights = [](std::uint32_t) { return 1U; };

// Sides of the wheel: E engine, D DMA, B both, - nobody.
std::string winners_of(TdmPolicy policy, bool engine, bool dma) {
  TdmParameters p;
  p.policy = policy;
  p.dma_slots = 2;
  const TdmWheel wheel(p);
  std::string sides;
  for (std::int64_t cycle = 0; cycle < 10; ++cycle) {
    const UserMask may = wheel.eligible(cycle, (engine ? bit(User::act) : 0) | (dma ? bit(User::dma0) : 0));
    sides += may == 0 ? '-' : may == bit(User::act) ? 'E' : may == bit(User::dma0) ? 'D' : 'B';
  }
  return sides;
}

TEST(ContentionPolicies, WheelGivesEachSideItsSlots) {
  EXPECT_EQ(winners_of(TdmPolicy::work_conserving, true, true), "EEEEEEDDEE");
  EXPECT_EQ(winners_of(TdmPolicy::strict, true, true), "EEEEEEDDEE");
  EXPECT_EQ(winners_of(TdmPolicy::none, true, true), "BBBBBBBBBB");
}

TEST(ContentionPolicies, WheelPassesUnusedSlotsOnOnlyWhenWorkConserving) {
  EXPECT_EQ(winners_of(TdmPolicy::work_conserving, true, false), "EEEEEEEEEE");
  EXPECT_EQ(winners_of(TdmPolicy::work_conserving, false, true), "DDDDDDDDDD");
  EXPECT_EQ(winners_of(TdmPolicy::strict, true, false), "EEEEEE--EE");
  EXPECT_EQ(winners_of(TdmPolicy::strict, false, true), "------DD--");
}

TEST(ContentionPolicies, RoundRobinGoesOnBehindTheLastWinner) {
  RoundRobin turn;
  const UserMask all = 0b1101;
  EXPECT_EQ(turn.choose(all, kEqualWeights), 0U);
  EXPECT_EQ(turn.choose(all, kEqualWeights), 2U);
  EXPECT_EQ(turn.choose(all, kEqualWeights), 3U);
  EXPECT_EQ(turn.choose(all, kEqualWeights), 0U);
  EXPECT_EQ(turn.choose(0b0001, kEqualWeights), 0U);
  EXPECT_EQ(turn.choose(UserMask{1} << 23, kEqualWeights), 23U);
  EXPECT_EQ(turn.choose(all, kEqualWeights), 0U);
}

TEST(ContentionPolicies, RoundRobinLetsTheWinnerGoOnForItsWeight) {
  RoundRobin turn;
  const auto weights = [](std::uint32_t user) { return user == 1 ? 3U : 1U; };
  std::string order;
  for (int k = 0; k < 9; ++k) order += static_cast<char>('0' + turn.choose(0b111, weights));
  EXPECT_EQ(order, "011120111");
  // A user that pauses gives up the rest of its grants.
  turn = {};
  EXPECT_EQ(turn.choose(0b010, weights), 1U);
  EXPECT_EQ(turn.choose(0b101, weights), 2U);
  EXPECT_EQ(turn.choose(0b111, weights), 0U);
}

TEST(ContentionPolicies, TokensAreRefilledAtWindowsFromCycleZero) {
  TokenBucket bucket({10, 2});
  EXPECT_EQ(bucket.tokens(7), 2U);
  bucket.spend();
  bucket.spend();
  bucket.spend();
  EXPECT_EQ(bucket.tokens(9), 0U);
  EXPECT_EQ(bucket.tokens(10), 2U);
  bucket.spend();
  EXPECT_EQ(bucket.tokens(19), 1U);
  EXPECT_EQ(bucket.tokens(40), 2U);
  EXPECT_FALSE(TokenBucket().active());
}

TEST(ContentionPolicies, PathIsHeldUntilTheBankGrants) {
  SharedPath path;
  EXPECT_EQ(path.choose(0b11, SharedPort::hold), 0U);
  EXPECT_EQ(path.choose(0b11, SharedPort::hold), 0U);
  path.granted(SharedPort::hold);
  EXPECT_EQ(path.choose(0b11, SharedPort::hold), 1U);
  // The holder does not ask any more: the other one passes.
  EXPECT_EQ(path.choose(0b01, SharedPort::hold), 0U);
}

TEST(ContentionPolicies, RotatingPathIsOfferedEveryCycle) {
  SharedPath path;
  EXPECT_EQ(path.choose(0b11, SharedPort::rotate), 0U);
  EXPECT_EQ(path.choose(0b11, SharedPort::rotate), 1U);
  EXPECT_EQ(path.choose(0b11, SharedPort::rotate), 0U);
}

TEST(ContentionPolicies, ExclusivePathIsKeptToTheEnd) {
  SharedPath path;
  EXPECT_EQ(path.choose(0b11, SharedPort::exclusive), 0U);
  path.granted(SharedPort::exclusive);
  EXPECT_EQ(path.choose(0b10, SharedPort::exclusive), 0U);
  path.ended(1);
  EXPECT_EQ(path.choose(0b10, SharedPort::exclusive), 0U);
  path.ended(0);
  EXPECT_EQ(path.choose(0b11, SharedPort::exclusive), 1U);
}

// Grants cycle by cycle: who got bank 0 of SBUF.
std::string grants(const Parameters& p, const std::vector<Job>& jobs, std::int64_t cycles) {
  Arbiter arbiter(p);
  std::vector<Flow> flows;
  for (const Job& j : jobs) flows.emplace_back(j, p, flows.size());
  std::vector<Flow*> all;
  for (Flow& flow : flows) all.push_back(&flow);
  std::string order;
  for (std::int64_t cycle = 0; cycle < cycles; ++cycle) {
    std::vector<std::uint64_t> before;
    for (const Flow& flow : flows) before.push_back(flow.streams()[0].granted);
    arbiter.step(cycle, all);
    char who = '-';
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (flows[f].streams()[0].granted == before[f]) continue;
      EXPECT_EQ(who, '-') << "two users in one bank in cycle " << cycle;
      who = static_cast<char>('a' + f);
    }
    order += who;
    for (Flow& flow : flows) flow.advance(cycle);
  }
  return order;
}

Job reader(User user) { return job(user, kFull, 1000, {read({}, sbuf(0), 1000)}); }

TEST(ContentionArbiter, EnginesTakeTurnsAndDmaHasItsSlot) {
  EXPECT_EQ(grants({}, {reader(User::act), reader(User::dve)}, 8), "babababa");
  EXPECT_EQ(grants({}, {reader(User::act), reader(User::dma0)}, 16), "aaaaaaabaaaaaaab");
}

TEST(ContentionArbiter, WithoutAWheelDmaTakesTurns) {
  Parameters p;
  p.tdm.policy = TdmPolicy::none;
  EXPECT_EQ(grants(p, {reader(User::act), reader(User::dma0), reader(dma_engine(3))}, 9), "abcabcabc");
}

TEST(ContentionArbiter, OneTurnForAllUsersWithoutAWheel) {
  Parameters p;
  p.tdm.policy = TdmPolicy::none;
  // dma0 has the bank to itself at first; the turn then is the next user's, dma1's, and not that of the first engine.
  Job late = reader(User::act);
  late.start.cycle = 0;
  const Job first = job(User::dma0, kFull, 1, {read(p, sbuf(0), 1)});
  Arbiter arbiter(p);
  Flow a(first, p, 1), b(late, p, 2), c(reader(dma_engine(1)), p, 3);
  arbiter.step(0, {&a});
  const std::vector<Flow*> both{&b, &c};
  arbiter.step(1, both);
  EXPECT_EQ(c.streams()[0].granted, 1U);
  EXPECT_EQ(b.streams()[0].granted, 0U);
}

TEST(ContentionArbiter, PriorityFirst) {
  Parameters p;
  p.users[index_of(User::pool)].priority = 3;
  EXPECT_EQ(grants(p, {reader(User::act), reader(User::pool)}, 4), "bbbb");
  p.users[index_of(User::act)].priority = 3;
  EXPECT_EQ(grants(p, {reader(User::act), reader(User::pool)}, 4), "baba");
}

TEST(ContentionArbiter, WeightsAreGrantsInARow) {
  Parameters p;
  p.users[index_of(User::act)].weight = 3;
  EXPECT_EQ(grants(p, {reader(User::act), reader(User::pool)}, 9), "baaabaaab");
}

TEST(ContentionArbiter, TensorClientsHaveOneTurnTogether) {
  EXPECT_EQ(grants({}, {reader(User::pe0), reader(User::pe3), reader(User::act)}, 8), "cacbcacb");
}

TEST(ContentionArbiter, TensorEngineHasItsOwnPriorityAndWeight) {
  Parameters p;
  p.pe_priority = 1;
  EXPECT_EQ(grants(p, {reader(User::pe0), reader(User::act)}, 4), "aaaa");
  p.pe_priority = 0;
  p.users[index_of(User::pe0)].priority = 7;  // of stage 1 only
  EXPECT_EQ(grants(p, {reader(User::pe0), reader(User::act)}, 4), "baba");
  p.pe_weight = 2;
  EXPECT_EQ(grants(p, {reader(User::pe0), reader(User::act)}, 6), "baabaa");
}

TEST(ContentionArbiter, PriorityAmongTensorClientsInStageOne) {
  Parameters p;
  p.users[index_of(User::pe3)].priority = 1;
  EXPECT_EQ(grants(p, {reader(User::pe0), reader(User::pe3), reader(User::act)}, 6), "cbcbcb");
  p.users[index_of(User::pe3)] = {0, 2, {}, {}};
  EXPECT_EQ(grants(p, {reader(User::pe0), reader(User::pe3), reader(User::act)}, 8), "cacbcbca");
}

TEST(ContentionArbiter, ThrottleCountsBeatsAWindow) {
  Parameters p;
  p.users[index_of(User::act)].read = {8, 3};
  EXPECT_EQ(grants(p, {reader(User::act)}, 18), "aaa-----aaa-----aa");
}

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

TEST(ContentionArbiter, TwoReadsOfAUserInOneBankDoNotConflict) {
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
}  // namespace policies_test
