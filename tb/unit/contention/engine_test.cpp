// The engine, which jumps over what repeats, against stepping the same policies cycle by cycle.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "dve/contention/contention.h"
#include "golden/ports.h"
#include "support/port_runs.h"

namespace engine_test {
namespace {

using namespace dve::contention;
using namespace dve::scenarios;

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  std::int64_t in(std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(bits_);
  }
  bool once_in(int n) { return in(1, n) == 1; }
  template <class T>
  T of(std::initializer_list<T> list) {
    return list.begin()[in(0, static_cast<std::int64_t>(list.size()) - 1)];
  }

 private:
  std::mt19937_64 bits_;
};

StreamJob stream(Random& random, std::uint64_t steps, bool write, dve::isa::Space space, std::uint32_t banks) {
  StreamJob s;
  s.write = write;
  s.every = random.of<std::uint64_t>({1, 1, 1, 2, 4, 3});
  if (write && random.once_in(4)) s.every = steps;
  s.beats = (steps + s.every - 1) / s.every;
  if (write && random.once_in(6)) s.beats += static_cast<std::uint64_t>(random.in(0, 3));
  std::uint64_t left = s.beats;
  auto bank = static_cast<std::uint32_t>(random.in(0, banks - 1));
  while (left != 0) {
    const std::uint64_t beats = std::min<std::uint64_t>(left, static_cast<std::uint64_t>(random.in(1, 600)));
    s.runs.push_back({space, bank, beats});
    bank = (bank + 1) % banks;
    left -= beats;
  }
  return s;
}

Job job(Random& random, User user, std::uint32_t banks, std::int64_t longest) {
  Job j;
  j.user = user;
  j.denominator = random.of<std::int64_t>({1, 2, 4, 4, 12});
  j.start.fraction = random.in(0, j.denominator - 1);
  j.pace = {random.in(1, 5), random.in(0, j.denominator - 1)};
  if (random.once_in(20)) j.pace = {0, random.in(0, j.denominator - 1)};
  j.steps = static_cast<std::uint64_t>(random.in(1, longest));
  if (random.once_in(4)) {
    j.burst_steps = static_cast<std::uint64_t>(random.in(1, 200));
    j.burst_gap = static_cast<std::uint64_t>(random.in(1, 100));
  }
  const auto space = [&] {
    return user != User::pool && random.once_in(3) ? dve::isa::Space::psum : dve::isa::Space::sbuf;
  };
  const bool two = !is_dma(user) && random.once_in(2);
  const bool write_only = random.once_in(4);
  if (!write_only) j.streams.push_back(stream(random, j.steps, false, space(), banks));
  if (two && !write_only) {
    j.streams.push_back(stream(random, j.steps, false, space(), banks));
    j.streams.back().second_read = true;
  }
  if (write_only || !random.once_in(3)) j.streams.push_back(stream(random, j.steps, true, space(), banks));
  return j;
}

Scenario scenario(std::uint64_t seed) {
  Random random(seed);
  Scenario sc;
  sc.name = "seed " + std::to_string(seed);
  Parameters& p = sc.parameters;
  p.buffer_beats = static_cast<std::uint32_t>(random.of({1, 2, 8, 8, 16}));
  p.sbuf_shared =
      random.of({SharedPort::none, SharedPort::hold, SharedPort::hold, SharedPort::rotate, SharedPort::exclusive});
  p.psum_shared = random.of({SharedPort::none, SharedPort::exclusive});
  p.tdm.policy =
      random.of({TdmPolicy::work_conserving, TdmPolicy::work_conserving, TdmPolicy::none, TdmPolicy::strict});
  for (UserParameters& user : p.users) {
    if (random.once_in(6)) user.priority = static_cast<std::uint32_t>(random.in(0, 7));
    if (random.once_in(6)) user.weight = static_cast<std::uint32_t>(random.in(1, 15));
    if (random.once_in(8))
      user.read = {static_cast<std::uint32_t>(random.in(8, 100)), static_cast<std::uint32_t>(random.in(1, 60))};
    if (random.once_in(8))
      user.write = {static_cast<std::uint32_t>(random.in(8, 100)), static_cast<std::uint32_t>(random.in(1, 60))};
  }
  p.pe_priority = static_cast<std::uint32_t>(random.in(0, 1));
  const auto banks = static_cast<std::uint32_t>(random.in(1, 4));
  const std::int64_t longest = random.of<std::int64_t>({16, 256, 2048});
  for (const User user : {User::dve, User::pool, User::act, User::pe0, User::pe3, User::dma0, dma_engine(8)}) {
    if (random.once_in(3)) continue;
    PortUser s{user, {}};
    const std::int64_t jobs = random.in(1, 6);
    for (std::int64_t k = 0; k < jobs; ++k) {
      Job j = job(random, user, banks, longest);
      s.jobs.push_back({std::move(j), random.in(0, 200), {}});
    }
    sc.users.push_back(s);
  }
  return sc;
}

TEST(ContentionEngine, EqualsSteppingTheSamePoliciesCycleByCycle) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Scenario sc = scenario(seed);
    ASSERT_EQ(difference(sc, run_engine(sc), run_stepped(sc)), "");
  }
}

// Odd ratios, several operands, sparse results: what no instruction of today asks for.
TEST(ContentionEngine, EqualsTheGoldenOnOddJobs) {
  for (std::uint64_t seed = 501; seed <= 800; ++seed) {
    const Scenario sc = scenario(seed);
    ASSERT_EQ(difference(sc, run_engine(sc), golden::ports(sc)), "");
  }
}

// A job alone in closed form, then two users who meet in its banks: what the arbiters remember counts.
TEST(ContentionEngine, AloneInClosedFormEqualsStepping) {
  std::size_t free_runs = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    Scenario sc;
    sc.name = "alone, seed " + std::to_string(seed);
    sc.parameters.sbuf_shared =
        random.of({SharedPort::none, SharedPort::hold, SharedPort::rotate, SharedPort::exclusive});
    sc.parameters.tdm.policy = random.of({TdmPolicy::work_conserving, TdmPolicy::none});
    const User first = random.of({User::dve, User::pool, User::act, User::pe3, User::dma0});
    const User second = random.of({User::dve, User::act, User::pe0, dma_engine(8)});
    const Job alone = job(random, first, 1, 800);
    const std::int64_t gap = last_beat_alone(alone) - due_cycle(alone, alone.steps - 1) + random.in(0, 40);
    sc.users.push_back({first, {{alone, 0, {}}, {job(random, first, 1, 200), gap, {}}}});
    if (second != first) sc.users.push_back({second, {{job(random, second, 1, 200), gap, {{0, 0}}}}});

    Engine engine(sc.parameters);
    Schedule schedule(sc);
    const auto outcome = engine.alone(schedule.take(0));
    EXPECT_EQ(outcome.has_value(), alone.pace.cycle >= 1);
    if (!outcome) continue;
    ++free_runs;
    schedule.ended(0, outcome->last_cycle);
    RunResult got;
    got.outcomes.resize(sc.users.size());
    got.outcomes[0].push_back(*outcome);
    EXPECT_FALSE(engine.run(schedule.next_start()).has_value());
    std::vector<JobId> ids;
    for (std::size_t u = 0; u < sc.users.size(); ++u) ids.push_back(engine.add(schedule.take(u)));
    while (const auto ended = engine.run(Schedule::kNever))
      got.outcomes[ended->id == ids[0] ? 0 : 1].push_back(ended->outcome);
    for (std::uint32_t bank = 0; bank < kBanks; ++bank) got.conflicts.push_back(engine.conflicts(bank));
    ASSERT_EQ(difference(sc, got, run_stepped(sc)), "");
  }
  EXPECT_GT(free_runs, 300U);
}

}  // namespace
}  // namespace engine_test
