// The command line of `dve-sim sweep`.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "slurm_round.h"

namespace dve::app {

struct SweepOptions {
  std::string file, out;
  std::size_t jobs = 0;  // local: processes at a time; 0: one a processor
  bool resume = false;
  bool no_data = false;
  bool progress = false, quiet = false;
  bool with_slurm = false;
  SlurmOptions slurm;  // all but the task
  std::string points;  // some of them beside the process of the sweep: list, or @FILE; empty: the whole sweep
  std::chrono::seconds stop_after{0};  // with points; 0: never
  bool help = false;
};

// UsageError.
SweepOptions sweep_options(const std::vector<std::string>& arguments);

}  // namespace dve::app
