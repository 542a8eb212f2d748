// Building blocks of the named scenarios.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "port_jobs.h"
#include "port_scenarios.h"

namespace dve::scenarios {

using contention::Job;
using contention::Parameters;
using contention::User;

using Jobs = std::vector<Job>;
using Users = std::vector<Jobs>;  // of one user each

inline const Parameters kPlain;

inline PortUser plan(const Jobs& jobs, std::int64_t gap) {
  PortUser user;
  user.user = jobs.at(0).user;
  for (const Job& j : jobs) user.jobs.push_back({j, user.jobs.empty() ? 0 : gap, {}});
  return user;
}

class List {
 public:
  explicit List(std::string family) : family_(std::move(family)) {}
  Scenario& add(std::string name, const Users& users, const Parameters& p = kPlain, std::int64_t gap = 70) {
    Scenario s{std::move(name), family_, p, {}};
    for (const Jobs& jobs : users) s.users.push_back(plan(jobs, gap));
    all_.push_back(std::move(s));
    return all_.back();
  }
  void move_to(std::vector<Scenario>& all) {
    for (Scenario& s : all_) all.push_back(std::move(s));
  }

 private:
  std::string family_;
  std::vector<Scenario> all_;
};

// Reads from one place and writes to another, a beat of each a step.
inline Job through(User user, Pace pace, Area from, Area to, std::uint64_t beats) {
  return job(user, pace, beats, {read(kPlain, from, beats), write(kPlain, to, beats)});
}
inline Job reads(User user, Pace pace, Area from, std::uint64_t beats) {
  return job(user, pace, beats, {read(kPlain, from, beats)});
}
inline Job writes(User user, Pace pace, Area to, std::uint64_t beats) {
  return job(user, pace, beats, {write(kPlain, to, beats)});
}
inline Job combines(User user, Pace pace, Area a, Area b, Area to, std::uint64_t beats) {
  return job(user, pace, beats, {read(kPlain, a, beats), second(kPlain, b, beats), write(kPlain, to, beats)});
}
// Bn statistics: a stream read, six numbers (3 beats) written at the end.
inline Job statistics(Pace pace, Area from, Area to, std::uint64_t beats) {
  return job(User::dve, pace, beats, {read(kPlain, from, beats), write(kPlain, to, 3, beats)});
}
inline Jobs times(std::size_t n, const Job& job) { return Jobs(n, job); }

// Who comes first: ranks, throttles, bursts, short streams, five users.
void add_policy_scenarios(std::vector<Scenario>& all);

}  // namespace dve::scenarios
