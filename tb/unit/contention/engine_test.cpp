// The engine, which jumps over what repeats, against stepping the same policies cycle by cycle.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "dve/contention/contention.h"

namespace engine_test {
namespace {

using namespace dve::contention;

// What one user does: jobs one after the other, each `gap` cycles after the end of the one before.
struct Script {
  User user;
  std::vector<Job> jobs;
  std::vector<std::int64_t> gaps;
};

struct Done {
  User user;
  std::size_t job;
  Outcome outcome;
};

bool operator==(const Outcome& a, const Outcome& b) {
  return a.first_cycle == b.first_cycle && a.last_cycle == b.last_cycle && a.stalls.bank == b.stalls.bank &&
         a.stalls.operand == b.stalls.operand && a.stalls.write == b.stalls.write;
}

class Progress {
 public:
  explicit Progress(const std::vector<Script>& scripts) : scripts_(scripts), next_(scripts.size()) {
    for (const Script& s : scripts) start_.push_back(s.gaps[0]);
  }
  bool waiting(std::size_t s) const { return start_[s] >= 0 && next_[s] < scripts_[s].jobs.size(); }
  std::int64_t start(std::size_t s) const { return start_[s]; }
  Job take(std::size_t s) {
    Job job = scripts_[s].jobs[next_[s]];
    // The fraction of the job is kept: the moment lies before the whole cycle.
    job.start.cycle = start_[s] - (job.start.fraction != 0 ? 1 : 0);
    start_[s] = -1;
    return job;
  }
  void ended(std::size_t s, const Outcome& outcome, std::vector<Done>& done) {
    done.push_back({scripts_[s].user, next_[s], outcome});
    if (++next_[s] < scripts_[s].jobs.size()) start_[s] = outcome.last_cycle + 1 + scripts_[s].gaps[next_[s]];
  }
  std::size_t scripts() const { return scripts_.size(); }

 private:
  const std::vector<Script>& scripts_;
  std::vector<std::size_t> next_;
  std::vector<std::int64_t> start_;
};

struct Running {
  std::size_t script;
  std::unique_ptr<Flow> flow;
  bool reported = false;
};

void forget_ended(std::vector<Running>& live, Arbiter& arbiter) {
  for (std::size_t i = 0; i < live.size();) {
    if (!live[i].flow->ended()) {
      ++i;
      continue;
    }
    arbiter.ended(live[i].flow->user());
    for (Running& other : live) {
      if (other.flow->elder() == live[i].flow.get()) other.flow->follow(nullptr);
    }
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

std::vector<Done> stepped(const Parameters& parameters, const std::vector<Script>& scripts,
                          std::vector<std::uint64_t>& conflicts) {
  Arbiter arbiter(parameters);
  Progress progress(scripts);
  std::vector<Done> done;
  std::vector<Running> live;
  std::uint64_t ids = 0;
  for (std::int64_t cycle = 0;; ++cycle) {
    bool any = !live.empty();
    for (std::size_t s = 0; s < progress.scripts(); ++s) {
      any = any || progress.waiting(s);
      if (!progress.waiting(s) || progress.start(s) != cycle) continue;
      auto flow = std::make_unique<Flow>(progress.take(s), parameters, ++ids);
      for (const Running& r : live) {
        if (r.script == s) flow->follow(r.flow.get());
      }
      live.push_back({s, std::move(flow)});
    }
    if (!any) break;
    std::vector<Flow*> flows;
    for (const Running& r : live) flows.push_back(r.flow.get());
    std::sort(flows.begin(), flows.end(), [](const Flow* a, const Flow* b) {
      return a->user() != b->user() ? a->user() < b->user() : a->id() < b->id();
    });
    arbiter.step(cycle, flows);
    for (Flow* flow : flows) flow->advance(cycle);
    for (Running& r : live) {
      if (!r.flow->stepped_out() || r.reported) continue;
      r.reported = true;
      progress.ended(r.script, r.flow->outcome(), done);
    }
    forget_ended(live, arbiter);
  }
  conflicts.clear();
  for (std::uint32_t b = 0; b < kBanks; ++b) conflicts.push_back(arbiter.conflicts(b));
  return done;
}

std::vector<Done> jumped(const Parameters& parameters, const std::vector<Script>& scripts,
                         std::vector<std::uint64_t>& conflicts, double& stepped_share) {
  Engine engine(parameters);
  Progress progress(scripts);
  std::vector<Done> done;
  std::vector<JobId> ids(scripts.size(), 0);
  std::int64_t last = 0;
  while (true) {
    std::int64_t limit = std::numeric_limits<std::int64_t>::max();
    for (std::size_t s = 0; s < progress.scripts(); ++s)
      if (progress.waiting(s)) limit = std::min(limit, progress.start(s));
    if (const auto ended = engine.run(limit)) {
      for (std::size_t s = 0; s < ids.size(); ++s) {
        if (ids[s] != ended->id) continue;
        ids[s] = 0;
        progress.ended(s, ended->outcome, done);
        last = std::max(last, ended->outcome.last_cycle);
      }
      continue;
    }
    if (limit == std::numeric_limits<std::int64_t>::max()) break;
    for (std::size_t s = 0; s < progress.scripts(); ++s)
      if (progress.waiting(s) && progress.start(s) == limit) ids[s] = engine.add(progress.take(s));
  }
  conflicts.clear();
  for (std::uint32_t b = 0; b < kBanks; ++b) conflicts.push_back(engine.conflicts(b));
  stepped_share = static_cast<double>(engine.stepped()) / static_cast<double>(last + 1);
  return done;
}

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

struct Scenario {
  Parameters parameters;
  std::vector<Script> scripts;
};

Scenario scenario(std::uint64_t seed) {
  Random random(seed);
  Scenario sc;
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
    Script s{user, {}, {}};
    const std::int64_t jobs = random.in(1, 6);
    for (std::int64_t k = 0; k < jobs; ++k) {
      s.jobs.push_back(job(random, user, banks, longest));
      s.gaps.push_back(random.in(0, 200));
    }
    sc.scripts.push_back(s);
  }
  return sc;
}

TEST(ContentionEngine, EqualsSteppingTheSamePoliciesCycleByCycle) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Scenario sc = scenario(seed);
    std::vector<std::uint64_t> expected_conflicts, conflicts;
    double share = 0;
    const std::vector<Done> expected = stepped(sc.parameters, sc.scripts, expected_conflicts);
    const std::vector<Done> got = jumped(sc.parameters, sc.scripts, conflicts, share);
    ASSERT_EQ(got.size(), expected.size()) << "seed " << seed;
    for (const Done& e : expected) {
      const auto it =
          std::find_if(got.begin(), got.end(), [&](const Done& d) { return d.user == e.user && d.job == e.job; });
      ASSERT_NE(it, got.end());
      EXPECT_TRUE(it->outcome == e.outcome)
          << "seed " << seed << " " << name(e.user) << " job " << e.job << " ends " << it->outcome.last_cycle
          << " expected " << e.outcome.last_cycle << " stalls " << it->outcome.stalls.bank << "/"
          << it->outcome.stalls.operand << "/" << it->outcome.stalls.write
          << " expected " << e.outcome.stalls.bank << "/" << e.outcome.stalls.operand << "/" << e.outcome.stalls.write;
    }
    EXPECT_EQ(conflicts, expected_conflicts) << "seed " << seed;
  }
}

}  // namespace
}  // namespace engine_test
