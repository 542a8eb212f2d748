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
  // After dma0, which had the bank to itself, comes the next user, dma1, and not the first one again.
  const Job first = job(User::dma0, kFull, 1, {read(p, sbuf(0), 1)});
  Arbiter arbiter(p);
  Flow a(first, p, 1), b(reader(User::act), p, 2), c(reader(dma_engine(1)), p, 3);
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

}  // namespace
}  // namespace policies_test
