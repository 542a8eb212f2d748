#include "slurm_round.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "dve/layer/layer.h"
#include "say.h"

namespace dve::app {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kLongestSilence = 300s;  // of Slurm
constexpr auto kFileLag = 60s;          // until a file that a node has written is seen, NFS with usual options
constexpr auto kLongestEnd = 120s;      // of cancelled tasks

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

fs::path job_file(const fs::path& sweep) { return sweep / "slurm" / "job"; }

void remove_job_file(const fs::path& sweep) {
  std::error_code error;
  fs::remove(job_file(sweep), error);
  fs::remove(sweep / "slurm", error);  // when nothing else is in it
}

fs::path new_folder(const fs::path& sweep) {
  std::error_code error;
  for (std::size_t number = 1;; ++number) {
    fs::path folder = sweep / "slurm" / fmt::format("{:03}", number);
    if (fs::exists(folder, error)) continue;
    fs::create_directories(folder, error);
    if (error) throw layer::OutputError(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
    return folder;
  }
}

std::string new_name() {
  std::random_device random;
  return fmt::format("dve-sweep-{:08x}{:08x}", random(), random());
}

// All tasks have ended, or Slurm knows none.
bool is_quiet(const std::string& name) {
  const auto states = slurm::tasks_of(name);
  return states && std::all_of(states->begin(), states->end(), [](const auto& s) { return s.second.ended(); });
}

void cancel_and_wait(const std::string& name) {
  slurm::cancel(name);
  const auto begin = std::chrono::steady_clock::now();
  while (!is_quiet(name)) {
    if (std::chrono::steady_clock::now() - begin > kLongestEnd)
      throw slurm::Unavailable(fmt::format(
          "jobs named {} are cancelled but do not end, expected `squeue --name={}` to be empty", name, name));
    std::this_thread::sleep_for(200ms);
  }
}

}  // namespace

SlurmRound::SlurmRound(const sweep::Folder& folder, SweepTable& table, const SlurmOptions& options,
                       const slurm::Round& round)
    : folder_(folder),
      table_(table),
      quiet_(options.quiet),
      tasks_(round.chunks.size()),
      measuring_(round.measures ? tasks_.size() - 1 : tasks_.size()),
      files_(new_folder(folder.path())),
      name_(new_name()) {
  for (std::size_t k = 0; k < tasks_.size(); ++k) tasks_[k].points = round.chunks[k];
  begin_ = asked_ = answered_ = Clock::now();
  try {
    write_files(options, round.measures);
    job_ = slurm::submit({name_, files_ / "task.sh", tasks_.size(), options.jobs, options.arguments});
  } catch (...) {
    remove_files();
    remove_job_file(folder.path());
    throw;
  }
}

SlurmRound::~SlurmRound() {
  try {
    if (!over()) cancel_and_wait(name_);
    remove_job_file(folder_.path());
  } catch (const slurm::Unavailable& error) {
    say(stderr, "dve-sim: {}\n", error.what());  // --resume cancels it
  }
}

void SlurmRound::write_files(const SlurmOptions& options, bool measures) const {
  for (std::size_t k = 0; k < tasks_.size(); ++k)
    layer::write_file(files_ / fmt::format("{}.points", k), sweep::points_text(tasks_[k].points));
  const std::string measuring = measures ? fmt::format("{}", measuring_) : "";
  layer::write_file(files_ / "task.sh", task_script({files_, options.task, measuring, options.task_seconds}));
  layer::write_file(job_file(folder_.path()), fmt::format("{}\n{}\n", files_.filename().string(), name_));
}

std::string SlurmRound::name_of(std::size_t task) const {
  return fmt::format("slurm/{}/{}", files_.filename().string(), task);
}

void SlurmRound::remove_files() const {
  std::error_code error;
  fs::remove_all(files_, error);
}

// Of tasks that run; the others have none yet, or all of theirs are collected at their end.
void SlurmRound::collect_reports() {
  for (Task& task : tasks_) {
    if (!task.runs || task.over) continue;
    while (task.collected < task.points.size() && table_.collect(task.points[task.collected])) ++task.collected;
  }
}

void SlurmRound::poll() {
  const auto now = Clock::now();
  if (now - asked_ < std::clamp<Clock::duration>((now - begin_) / 20, 300ms, 10s)) return;
  asked_ = now;
  collect_reports();
  if (const auto states = slurm::tasks_of(name_)) {
    answered_ = now;
    take_answer(*states);
  } else if (now - answered_ > kLongestSilence) {
    throw slurm::Unavailable(
        fmt::format("squeue has failed for {} s, expected Slurm to answer", kLongestSilence.count()));
  }
}

void SlurmRound::take_answer(const std::map<std::size_t, slurm::TaskState>& states) {
  for (std::size_t k = 0; k < tasks_.size(); ++k) {
    if (tasks_[k].over) continue;
    const auto found = states.find(k);
    const slurm::TaskState state =
        found != states.end() ? found->second : slurm::TaskState{"forgotten by Slurm", "", "", 0, 0};
    if (state.state == "CANCELLED")
      throw slurm::Unavailable(fmt::format("job {} was cancelled, expected its tasks to run", job_));
    tasks_[k].runs = state.runs();
    tasks_[k].nodes = state.nodes;
    if (found == states.end() || state.ended()) take_end(k, state);
  }
  say_why_it_waits(states);
}

void SlurmRound::take_end(std::size_t number, const slurm::TaskState& state) {
  Task& task = tasks_[number];
  task.left = left_of(task);
  if (!task.left.empty()) task.verdict = judge(state, text_of(files_ / fmt::format("{}.log", number)));
  if (task.verdict.end == TaskEnd::well && !task.left.empty() && number != measuring_) {
    if (reports_may_come(number)) return;
    task.verdict = {TaskEnd::unsuitable, "has left no reports, expected the folder to be one that all nodes share"};
  }
  task.over = true;
  ++over_;
}

bool SlurmRound::reports_may_come(std::size_t number) {
  const auto now = Clock::now();
  return now - waits_for_reports_.emplace(number, now).first->second < kFileLag;
}

slurm::Chunk SlurmRound::left_of(const Task& task) {
  slurm::Chunk left;
  for (const std::size_t point : task.points)
    if (!table_.collect(point)) left.push_back(point);
  return left;
}

// Once for each reason that is more than a queue.
void SlurmRound::say_why_it_waits(const std::map<std::size_t, slurm::TaskState>& states) {
  static const std::vector<std::string> usual = {"None", "Priority", "Resources", "JobArrayTaskLimit", "BeginTime", ""};
  std::string reason;
  for (const auto& [number, state] : states) {
    if (state.runs()) return;
    if (state.state == "PENDING") reason = state.reason;
  }
  if (quiet_ || reason == said_ || std::find(usual.begin(), usual.end(), reason) != usual.end()) return;
  said_ = reason;
  say(stderr, "dve-sim: job {} waits, Slurm says why: {}\n", job_, reason);
}

void SlurmRound::cancel() {
  cancel_and_wait(name_);
  for (Task& task : tasks_) {
    if (!task.over) left_of(task);
    task.over = true;
  }
  over_ = tasks_.size();
}

void SlurmRound::cancel_left_over(const fs::path& folder) {
  const fs::path file = job_file(folder);
  std::istringstream lines(text_of(file));
  std::string round, name;
  if (!(lines >> round >> name)) return;
  try {
    cancel_and_wait(name);
  } catch (const slurm::Unavailable& error) {
    throw slurm::Unavailable(
        fmt::format("{} names jobs of a process that was killed: {}", file.string(), error.what()));
  }
  std::error_code error;
  fs::remove_all(file.parent_path() / round, error);
  remove_job_file(folder);
}

}  // namespace dve::app
