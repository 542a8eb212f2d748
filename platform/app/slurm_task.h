// A task of a sweep's job array: its script, and what its end means.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "dve/slurm/slurm.h"

namespace dve::app {

struct TaskScript {
  std::filesystem::path round;         // folder with the points of task 7 in 7.points; its output goes to 7.log
  std::vector<std::string> words;      // dve-sim sweep ..., but for --jobs, --points and --stop-after
  std::string measuring_task;          // its number; empty: none
  std::chrono::seconds stop_after{0};  // of the measuring task
};

std::string task_script(const TaskScript& script);

enum class TaskEnd {
  well,        // it did what it could
  failed,      // it may end otherwise another time
  unsuitable,  // its node cannot run tasks of this sweep: it sees no folder or program, or has other files
  full         // it could not write
};

struct TaskVerdict {
  TaskEnd end = TaskEnd::well;
  std::string why;  // unless well: "ended with code 3: LAST LINE OF THE LOG"
};

// Of a task that Slurm calls ended.
TaskVerdict judge(const slurm::TaskState& state, const std::string& log);

}  // namespace dve::app
