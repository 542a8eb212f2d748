// Running a scenario: cycle by cycle, and with the engine that jumps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "port_scenarios.h"

namespace dve::scenarios {

// Which job starts when. The driver takes the jobs that are due, and reports ends.
class Schedule {
 public:
  static constexpr std::int64_t kNever = INT64_MAX;
  explicit Schedule(const Scenario& scenario);

  // First cycle of the user's next job; kNever while it waits for another job to end, or has none left.
  std::int64_t next_start(std::size_t user) const { return start_[user]; }
  std::int64_t next_start() const;
  // The user's next job, its start filled in.
  contention::Job take(std::size_t user);
  // The job that the user last took has ended.
  void ended(std::size_t user, std::int64_t last_cycle);
  // std::logic_error: jobs are left that wait for each other for ever. To be called when nothing runs and nothing is
  // due.
  void check_finished() const;

 private:
  void find_start(std::size_t user);

  const Scenario& scenario_;
  std::vector<std::size_t> next_;                // of each user: the job that runs or comes next
  std::vector<std::int64_t> start_;              // of each user
  std::vector<bool> running_;                    // of each user
  std::vector<std::vector<std::int64_t>> last_;  // of each user's ended jobs
};

struct RunResult {
  std::vector<std::vector<contention::Outcome>> outcomes;  // by user and job
  std::vector<std::uint64_t> conflicts;                    // by bank, in the common numbering
  std::uint64_t stepped = 0;                               // cycles executed one by one
  std::int64_t last_cycle() const;
};

RunResult run_stepped(const Scenario& scenario);
RunResult run_engine(const Scenario& scenario);
// Every user has memories of its own: what the scenario takes without contention. Limits that a user alone meets too
// (throttle, strict wheel, port width) stay.
RunResult run_apart(const Scenario& scenario);

bool same(const contention::Outcome& a, const contention::Outcome& b);
std::string text(const contention::Outcome& outcome);
// What two results differ in, one line a job; empty: nothing.
std::string difference(const Scenario& scenario, const RunResult& got, const RunResult& expected);

}  // namespace dve::scenarios
