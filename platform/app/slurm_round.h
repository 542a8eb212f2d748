// One job array of a sweep: its files, its tasks, and how these end.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "dve/slurm/slurm.h"
#include "dve/sweep/sweep.h"
#include "slurm_task.h"
#include "sweep_table.h"

namespace dve::app {

struct SlurmOptions {
  std::vector<std::string> arguments;     // of sbatch
  std::vector<std::string> task;          // command line of a task, but for its points
  std::size_t jobs = 0;                   // tasks at a time; 0: as many as Slurm likes
  std::size_t chunk = 0;                  // points a task; 0: measured
  std::chrono::seconds task_seconds{10};  // least work of a task
  std::size_t retries = 2;                // of a point whose task failed
  bool quiet = false;
};

// In the sweep's folder:
//
//   slurm/job            round and name of the job array, while it may be there
//   slurm/001/task.sh    script of the tasks of round 1
//   slurm/001/7.points   points of task 7
//   slurm/001/7.log      what it printed
class SlurmRound {
 public:
  // One task of it.
  struct Task {
    slurm::Chunk points;
    std::size_t collected = 0;  // reports of the first ones
    bool runs = false, over = false;
    TaskVerdict verdict;  // once it is over; well when nothing is left
    std::string nodes;
    slurm::Chunk left;  // points without a report, once it is over
  };

  // Writes the files and submits. layer::OutputError, slurm::Unavailable.
  SlurmRound(const sweep::Folder& folder, SweepTable& table, const SlurmOptions& options, const slurm::Round& round);
  // Cancels what is not over.
  ~SlurmRound();
  SlurmRound(const SlurmRound&) = delete;
  SlurmRound& operator=(const SlurmRound&) = delete;

  // Now and then, more seldom as time goes by, collects reports and asks Slurm. slurm::Unavailable: it does not answer
  // any more, or somebody has cancelled the job.
  void poll();
  bool over() const { return over_ == tasks_.size(); }
  const std::vector<Task>& tasks() const { return tasks_; }
  std::string name_of(std::size_t task) const;  // "slurm/001/7"

  // Cancels the tasks, waits until they have ended, and collects what they left.
  void cancel();
  // Removes the files of the round.
  void remove_files() const;

  // Cancels what a killed process has left in the folder of a sweep, and waits for its end. slurm::Unavailable.
  static void cancel_left_over(const std::filesystem::path& folder);

 private:
  using Clock = std::chrono::steady_clock;

  void write_files(const SlurmOptions& options, bool measures) const;
  void take_answer(const std::map<std::size_t, slurm::TaskState>& states);
  void take_end(std::size_t number, const slurm::TaskState& state);
  bool reports_may_come(std::size_t number);
  void say_why_it_waits(const std::map<std::size_t, slurm::TaskState>& states);
  void collect_reports();
  slurm::Chunk left_of(const Task& task);

  const sweep::Folder& folder_;
  SweepTable& table_;
  bool quiet_;
  std::vector<Task> tasks_;
  std::size_t measuring_;        // number of the task that does; tasks_.size(): none
  std::filesystem::path files_;  // folder of the round
  std::string name_, job_, said_;
  std::size_t over_ = 0;
  Clock::time_point begin_, asked_, answered_;
  std::map<std::size_t, Clock::time_point> waits_for_reports_;  // tasks that ended well, since when
};

}  // namespace dve::app
