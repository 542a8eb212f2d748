#include "sweep_slurm.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "dve/layer/layer.h"
#include "interrupt.h"
#include "say.h"

namespace dve::app {
namespace {

constexpr std::chrono::milliseconds kTick{100};

// Rounds without a single report, beyond the retries, after which the nodes are blamed and not the points.
constexpr std::size_t kPatience = 2;

}  // namespace

void SweepSlurm::run(const std::vector<std::size_t>& points) {
  for (const std::size_t point : points)
    folder_.remove_report(point);  // of crashed ones, so that one there is a task's
  slurm::Dealer::Limits limits;
  limits.chunk = options_.chunk;
  limits.retries = options_.retries;
  slurm::Dealer dealer(points, limits);
  while (!dealer.empty() && !interrupted()) run_round(dealer);
}

void SweepSlurm::run_round(slurm::Dealer& dealer) {
  const slurm::Round round = dealer.next();
  const std::size_t before = table_.done();
  SlurmRound job(folder_, table_, options_, round);
  while (!job.over() && !interrupted()) {
    std::this_thread::sleep_for(kTick);
    job.poll();
  }
  if (interrupted()) {
    job.cancel();
    job.remove_files();
  } else {
    settle(dealer, round, job);
  }
  refuse_fruitless(interrupted() || dealer.empty() || table_.done() > before);
}

void SweepSlurm::settle(slurm::Dealer& dealer, const slurm::Round& round, const SlurmRound& job) {
  bool failed = false;
  for (std::size_t k = 0; k < job.tasks().size(); ++k) {
    const SlurmRound::Task& task = job.tasks()[k];
    if (task.verdict.end != TaskEnd::well) {
      failed = true;
      take_failure(dealer, job, k);
      continue;
    }
    if (round.measures && k + 1 == round.chunks.size()) dealer.measured(task.points.size() - task.left.size());
    dealer.ended(task.left);
  }
  if (!failed) job.remove_files();
}

void SweepSlurm::take_failure(slurm::Dealer& dealer, const SlurmRound& job, std::size_t number) {
  const SlurmRound::Task& task = job.tasks()[number];
  note_failure(job, number);
  unsuitable_ = task.verdict.end == TaskEnd::unsuitable;
  if (task.verdict.end == TaskEnd::full) throw layer::OutputError(last_failure_);
  for (const std::size_t point : dealer.failed(task.points, task.left)) {
    if (unsuitable_) throw slurm::Unavailable(last_failure_);
    table_.fail(point, "crashed", "its task " + task.verdict.why);
  }
}

void SweepSlurm::note_failure(const SlurmRound& job, std::size_t number) {
  const SlurmRound::Task& task = job.tasks()[number];
  last_failure_ = fmt::format("task {} on node {} {}", job.name_of(number), task.nodes, task.verdict.why);
  const std::string line = fmt::format("{}; {} of {} points done\n", last_failure_,
                                       task.points.size() - task.left.size(), task.points.size());
  if (!options_.quiet) say(stderr, "dve-sim: {}", line);
  const std::filesystem::path file = folder_.path() / "slurm" / "failures.txt";
  std::FILE* notes = std::fopen(file.c_str(), "a");
  if (notes == nullptr) return;  // the line is for people; reports say what became of points
  std::fputs(line.c_str(), notes);
  std::fclose(notes);
}

void SweepSlurm::refuse_fruitless(bool fruitful) {
  fruitless_ = fruitful ? 0 : fruitless_ + 1;
  if (fruitless_ > options_.retries + (unsuitable_ ? 0 : kPatience))
    throw slurm::Unavailable(
        fmt::format("{} job arrays one after the other have left no report: {}", fruitless_, last_failure_));
}

}  // namespace dve::app
