#include "support/port_play.h"

#include <numeric>
#include <systemc>
#include <utility>

namespace dve::scenarios {
namespace {

// A scenario between other scenarios in simulated time begins at a multiple of its wheel and of its throttles' windows:
// there it finds the ports as at cycle 0.
std::uint64_t repetition(const contention::Parameters& p) {
  std::uint64_t cycles = p.tdm.slots;
  for (const contention::UserParameters& user : p.users) {
    for (const contention::ThrottleParameters& throttle : {user.read, user.write}) {
      if (throttle.active()) cycles = std::lcm(cycles, std::uint64_t{throttle.window});
    }
  }
  return cycles;
}

class Play {
 public:
  Play(const Scenario& scenario, PortTime& ports, bool synchronise)
      : scenario_(scenario),
        ports_(ports),
        synchronise_(synchronise),
        schedule_(scenario),
        clock_(scenario.parameters.clock_hz) {
    const std::uint64_t period = repetition(scenario.parameters);
    const std::uint64_t now = clock_.cycles_at_or_after(sc_core::sc_time_stamp().value()).value;
    origin_ = static_cast<std::int64_t>((now / period + 1) * period);
    result_.outcomes.resize(scenario.users.size());
  }
  RunResult run() {
    for (std::size_t u = 0; u < scenario_.users.size(); ++u) {
      ++live_;
      sc_core::sc_spawn([this, u] { stream(u); });
    }
    while (live_ != 0) sc_core::wait(changed_);
    schedule_.check_finished();
    return result_;
  }

 private:
  void stream(std::size_t user) {
    const std::size_t jobs = scenario_.users[user].jobs.size();
    while (result_.outcomes[user].size() < jobs) {
      if (schedule_.next_start(user) == Schedule::kNever) {
        sc_core::wait(changed_);
        continue;
      }
      contention::Job job = schedule_.take(user);
      job.start.cycle += origin_;
      contention::Outcome outcome = ports_.stream(job, synchronise_);
      outcome.first_cycle -= origin_;
      outcome.last_cycle -= origin_;
      result_.outcomes[user].push_back(outcome);
      schedule_.ended(user, outcome.last_cycle);
      changed_.notify(sc_core::SC_ZERO_TIME);
    }
    --live_;
    changed_.notify(sc_core::SC_ZERO_TIME);
  }

  const Scenario& scenario_;
  PortTime& ports_;
  bool synchronise_;
  Schedule schedule_;
  timing::Clock clock_;
  std::int64_t origin_ = 0;
  std::size_t live_ = 0;
  sc_core::sc_event changed_;
  RunResult result_;
};

}  // namespace

std::vector<contention::User> users_of(const Scenario& scenario) {
  std::vector<contention::User> users;
  for (const PortUser& user : scenario.users) users.push_back(user.user);
  return users;
}

RunResult play(const Scenario& scenario, PortTime& ports, bool synchronise) {
  return Play(scenario, ports, synchronise).run();
}

}  // namespace dve::scenarios
