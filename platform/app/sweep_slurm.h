// The points of a sweep as job arrays of Slurm.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "dve/slurm/slurm.h"
#include "slurm_round.h"
#include "sweep_table.h"

namespace dve::app {

// Submits rounds of tasks, each a job array (SlurmRound), until no point is missing. A point whose tasks failed too
// often is recorded as crashed. slurm/failures.txt in the sweep's folder has a line for each task that failed.
class SweepSlurm {
 public:
  SweepSlurm(const sweep::Folder& folder, SweepTable& table, SlurmOptions options)
      : folder_(folder), table_(table), options_(std::move(options)) {}

  // Until done or interrupted; then, and when it throws, no task is left. slurm::Unavailable: Slurm is missing,
  // refuses, or its nodes cannot run the tasks; layer::OutputError: files cannot be written.
  void run(const std::vector<std::size_t>& points);

 private:
  void run_round(slurm::Dealer& dealer);
  void settle(slurm::Dealer& dealer, const slurm::Round& round, const SlurmRound& job);
  void take_failure(slurm::Dealer& dealer, const SlurmRound& job, std::size_t number);
  void note_failure(const SlurmRound& job, std::size_t number);
  void refuse_fruitless(bool fruitful);

  const sweep::Folder& folder_;
  SweepTable& table_;
  SlurmOptions options_;
  std::size_t fruitless_ = 0;  // rounds without a report, one after the other
  bool unsuitable_ = false;    // the last failure is one of the node
  std::string last_failure_;
};

}  // namespace dve::app
