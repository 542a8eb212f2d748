// Situations at the memories' ports: who streams what, when, and what the arbiters are like. Plain C++, no SystemC; the
// same scenarios run on the cycle-by-cycle policies, the engine that jumps, the golden and the SystemC models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dve/contention/contention.h"

namespace dve::scenarios {

// A job of a user, by their positions in the scenario.
struct JobRef {
  std::size_t user = 0;
  std::size_t job = 0;
};

// A job starts `gap` cycles after the user's job before it, and all jobs in `after`, have ended; its first cycle is
// (latest last cycle) + 1 + gap, or gap when it waits for nothing. `job.start` keeps only its fraction: the start lies
// in the cycle before the first one when the fraction is not 0.
struct PlannedJob {
  contention::Job job;
  std::int64_t gap = 0;
  std::vector<JobRef> after;
};

struct PortUser {
  contention::User user = contention::User::dve;
  std::vector<PlannedJob> jobs;  // one after the other
};

struct Scenario {
  std::string name;
  std::string family;
  contention::Parameters parameters;
  std::vector<PortUser> users;
};

// At least 60, each named after what it shows.
std::vector<Scenario> named_scenarios();

inline constexpr std::size_t kGenerated = 300;
// Scenario `index` of a family mix that is fixed: index modulo 9 chooses the family. Lengths are log-uniform
// in 16..8192 beats, in the family `short` 16..256. Equal seeds give equal scenarios.
Scenario generated_scenario(std::uint64_t seed, std::size_t index);
std::vector<Scenario> generated(std::uint64_t seed);

// Beats of all streams.
std::uint64_t beats(const Scenario& scenario);
// Scenarios of one family in which all jobs are kLongBeats to 8192 beats long.
inline constexpr std::uint64_t kLongBeats = 1024;
std::vector<Scenario> generated_long(std::uint64_t seed, const std::string& family, std::size_t count);

}  // namespace dve::scenarios
