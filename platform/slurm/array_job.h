// A job array: one script that runs once for each number of a task.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dve::slurm {

struct ArrayRequest {
  std::string name;                    // of the job; unique, for it is found by it
  std::filesystem::path script;        // gets its number in SLURM_ARRAY_TASK_ID
  std::size_t tasks = 1;               // numbers 0 to tasks - 1
  std::size_t at_once = 0;             // 0: as many as Slurm likes
  std::vector<std::string> arguments;  // further ones of sbatch
};

// sbatch. Returns the number of the job. A task that fails is not run again by Slurm. Unavailable: sbatch is not there
// or refuses.
std::string submit(const ArrayRequest& request);

// What Slurm says of a task.
struct TaskState {
  std::string state;   // PENDING, RUNNING, FAILED, ... (squeue(1), job state codes)
  std::string reason;  // why it waits or failed, in Slurm's word; "None"
  std::string nodes;
  int code = 0;    // exit code of the script
  int signal = 0;  // that ended it; 0: none

  bool runs() const { return state == "RUNNING" || state == "COMPLETING"; }
  bool ended() const;
  bool well() const { return state == "COMPLETED" || (state == "FAILED" && signal == 0 && code == 1); }
};

// The lines that squeue prints for tasks_of(), by number of the task. Lines of another form are left out.
std::map<std::size_t, TaskState> parse_tasks(const std::string& text);

// The tasks of the array by number; Slurm forgets those that ended some minutes ago (MinJobAge). Empty optional: it
// does not answer now. Unavailable: squeue is not there.
std::optional<std::map<std::size_t, TaskState>> tasks_of(const std::string& name);

// scancel: ends all tasks of the array, those that run by SIGTERM first. Unavailable.
void cancel(const std::string& name);

}  // namespace dve::slurm
