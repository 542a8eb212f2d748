#include "support/port_runs.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

namespace dve::scenarios {

using namespace dve::contention;

Schedule::Schedule(const Scenario& scenario)
    : scenario_(scenario),
      next_(scenario.users.size()),
      start_(scenario.users.size()),
      running_(scenario.users.size()),
      last_(scenario.users.size()) {
  for (std::size_t u = 0; u < scenario.users.size(); ++u) find_start(u);
}

std::int64_t Schedule::next_start() const {
  return start_.empty() ? kNever : *std::min_element(start_.begin(), start_.end());
}

void Schedule::find_start(std::size_t user) {
  start_[user] = kNever;
  const std::vector<PlannedJob>& jobs = scenario_.users[user].jobs;
  const std::size_t next = next_[user];
  if (next == jobs.size()) return;
  std::int64_t after = next == 0 ? -1 : last_[user][next - 1];
  for (const JobRef& ref : jobs[next].after) {
    if (last_[ref.user].size() <= ref.job) return;
    after = std::max(after, last_[ref.user][ref.job]);
  }
  start_[user] = after + 1 + jobs[next].gap;
}

Job Schedule::take(std::size_t user) {
  Job job = scenario_.users[user].jobs[next_[user]].job;
  job.start.cycle = start_[user] - (job.start.fraction != 0 ? 1 : 0);
  start_[user] = kNever;
  running_[user] = true;
  return job;
}

void Schedule::ended(std::size_t user, std::int64_t last_cycle) {
  last_[user].push_back(last_cycle);
  running_[user] = false;
  ++next_[user];
  for (std::size_t u = 0; u < start_.size(); ++u) {
    if (!running_[u] && start_[u] == kNever) find_start(u);
  }
}

void Schedule::check_finished() const {
  for (std::size_t u = 0; u < next_.size(); ++u) {
    if (next_[u] != scenario_.users[u].jobs.size())
      throw std::logic_error(scenario_.name + ": job " + std::to_string(next_[u]) + " of " +
                             name(scenario_.users[u].user) + " waits for ever");
  }
}

std::int64_t RunResult::last_cycle() const {
  std::int64_t last = 0;
  for (const auto& user : outcomes) {
    for (const Outcome& outcome : user) last = std::max(last, outcome.last_cycle);
  }
  return last;
}

namespace {

// The users' flows in one arbiter, a cycle at a time.
class Stepper {
 public:
  explicit Stepper(const Parameters& parameters) : parameters_(parameters), arbiter_(parameters) {}
  bool idle() const { return live_.empty(); }
  void add(std::size_t user, const Job& job) {
    auto flow = std::make_unique<Flow>(job, parameters_, ++ids_);
    for (const Live& live : live_) {
      if (live.user == user) flow->follow(live.flow.get());
    }
    live_.push_back({user, std::move(flow)});
    list_flows();
  }
  // Executes the cycle; ends are reported to the schedule.
  void step(std::int64_t cycle, Schedule& schedule, RunResult& result) {
    if (idle()) return;
    arbiter_.step(cycle, flows_);
    ++result.stepped;
    for (Flow* flow : flows_) flow->advance(cycle);
    for (Live& live : live_) {
      if (!live.flow->stepped_out() || live.reported) continue;
      live.reported = true;
      result.outcomes[live.user].push_back(live.flow->outcome());
      schedule.ended(live.user, live.flow->outcome().last_cycle);
    }
    forget_ended();
  }
  void add_conflicts(std::vector<std::uint64_t>& conflicts) const {
    conflicts.resize(kBanks);
    for (std::uint32_t bank = 0; bank < kBanks; ++bank) conflicts[bank] += arbiter_.conflicts(bank);
  }

 private:
  struct Live {
    std::size_t user;
    std::unique_ptr<Flow> flow;
    bool reported = false;
  };
  void list_flows() {
    flows_.clear();
    for (const Live& live : live_) flows_.push_back(live.flow.get());
    std::sort(flows_.begin(), flows_.end(), comes_before);
  }
  void forget_ended() {
    bool changed = false;
    for (std::size_t i = 0; i < live_.size();) {
      Flow* flow = live_[i].flow.get();
      if (!flow->ended()) {
        ++i;
        continue;
      }
      arbiter_.ended(flow->user());
      for (Live& other : live_) {
        if (other.flow->elder() == flow) other.flow->follow(nullptr);
      }
      live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(i));
      changed = true;
    }
    if (changed) list_flows();
  }

  Parameters parameters_;
  Arbiter arbiter_;
  std::uint64_t ids_ = 0;
  std::vector<Live> live_;
  std::vector<Flow*> flows_;
};

// `arbiter_of[u]`: which of the `arbiters` user u goes to.
RunResult step_all(const Scenario& scenario, std::size_t arbiters, const std::vector<std::size_t>& arbiter_of) {
  Schedule schedule(scenario);
  RunResult result;
  result.outcomes.resize(scenario.users.size());
  std::vector<Stepper> steppers;
  for (std::size_t a = 0; a < arbiters; ++a) steppers.emplace_back(scenario.parameters);
  for (std::int64_t cycle = 0;; ++cycle) {
    if (std::all_of(steppers.begin(), steppers.end(), [](const Stepper& s) { return s.idle(); })) {
      if (schedule.next_start() == Schedule::kNever) break;
      cycle = std::max(cycle, schedule.next_start());
    }
    for (std::size_t u = 0; u < scenario.users.size(); ++u) {
      if (schedule.next_start(u) == cycle) steppers[arbiter_of[u]].add(u, schedule.take(u));
    }
    for (Stepper& stepper : steppers) stepper.step(cycle, schedule, result);
  }
  schedule.check_finished();
  for (const Stepper& stepper : steppers) stepper.add_conflicts(result.conflicts);
  return result;
}

}  // namespace

RunResult run_stepped(const Scenario& scenario) {
  return step_all(scenario, 1, std::vector<std::size_t>(scenario.users.size(), 0));
}

RunResult run_apart(const Scenario& scenario) {
  std::vector<std::size_t> own(scenario.users.size());
  for (std::size_t u = 0; u < own.size(); ++u) own[u] = u;
  return step_all(scenario, own.size(), own);
}

RunResult run_engine(const Scenario& scenario) {
  Engine engine(scenario.parameters);
  Schedule schedule(scenario);
  RunResult result;
  result.outcomes.resize(scenario.users.size());
  std::vector<JobId> running(scenario.users.size(), 0);
  while (true) {
    const std::int64_t limit = schedule.next_start();
    if (const auto ended = engine.run(limit)) {
      const auto user =
          static_cast<std::size_t>(std::find(running.begin(), running.end(), ended->id) - running.begin());
      running.at(user) = 0;
      result.outcomes[user].push_back(ended->outcome);
      schedule.ended(user, ended->outcome.last_cycle);
      continue;
    }
    if (limit == Schedule::kNever) break;
    for (std::size_t u = 0; u < scenario.users.size(); ++u) {
      if (schedule.next_start(u) == limit) running[u] = engine.add(schedule.take(u));
    }
  }
  schedule.check_finished();
  result.stepped = engine.stepped();
  for (std::uint32_t bank = 0; bank < kBanks; ++bank) result.conflicts.push_back(engine.conflicts(bank));
  return result;
}

bool same(const Outcome& a, const Outcome& b) {
  return a.first_cycle == b.first_cycle && a.last_cycle == b.last_cycle && a.stalls.bank == b.stalls.bank &&
         a.stalls.operand == b.stalls.operand && a.stalls.write == b.stalls.write;
}

std::string text(const Outcome& o) {
  const auto number = [](auto value) { return std::to_string(value); };
  return "cycles " + number(o.first_cycle) + ".." + number(o.last_cycle) + ", stalls bank " + number(o.stalls.bank) +
         " operand " + number(o.stalls.operand) + " write " + number(o.stalls.write);
}

std::string difference(const Scenario& scenario, const RunResult& got, const RunResult& expected) {
  std::string lines;
  for (std::size_t u = 0; u < scenario.users.size(); ++u) {
    const std::string user = scenario.name + ": " + name(scenario.users[u].user);
    if (got.outcomes[u].size() != expected.outcomes[u].size()) {
      lines += user + " ended " + std::to_string(got.outcomes[u].size()) + " jobs, expected " +
               std::to_string(expected.outcomes[u].size()) + "\n";
      continue;
    }
    for (std::size_t k = 0; k < got.outcomes[u].size(); ++k) {
      const Outcome &g = got.outcomes[u][k], &e = expected.outcomes[u][k];
      if (!same(g, e)) lines += user + " job " + std::to_string(k) + ": " + text(g) + "; expected " + text(e) + "\n";
    }
  }
  for (std::size_t bank = 0; bank < kBanks; ++bank) {
    if (got.conflicts[bank] != expected.conflicts[bank])
      lines += scenario.name + ": bank " + std::to_string(bank) + " had " + std::to_string(got.conflicts[bank]) +
               " conflicts, expected " + std::to_string(expected.conflicts[bank]) + "\n";
  }
  return lines;
}

}  // namespace dve::scenarios
