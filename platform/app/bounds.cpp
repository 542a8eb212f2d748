#include "bounds.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <thread>
#include <utility>

#include "exit_codes.h"
#include "interrupt.h"
#include "progress.h"
#include "report.h"
#include "say.h"
#include "session.h"

namespace dve::app {

// What a child process sends back.
struct PointAnswer {
  RunStatus status = RunStatus::ok;
  std::uint64_t cycles = 0;
  char error[200] = {};  // how the run broke off; then the rest means nothing
};

namespace {

struct PointChild {
  std::size_t point = 0;
  pid_t process = -1;
  int answer = -1;  // reading end of its pipe
};

void say_error(PointAnswer& answer, const std::string& what) { what.copy(answer.error, sizeof answer.error - 1); }

PointAnswer run_point(const config::Effective& effective, const CommonOptions& common, const HostTasks& tasks,
                      std::uint64_t host_memory_bytes) {
  PointAnswer answer;
  try {
    CommonOptions silent;  // no report, no traces, no progress bar of its own
    silent.quiet = true;
    silent.max_cycles = common.max_cycles;
    silent.no_data = common.no_data;
    Session session(effective, silent, tasks, host_memory_bytes);
    const RunOutcome outcome = session.run();
    answer.status = outcome.status;
    answer.cycles = outcome.cycles.value;
  } catch (const std::exception& error) {
    say_error(answer, std::string("failed: ") + error.what());
  }
  return answer;
}

// The child answers and ends at once: buffers, files and destructors belong to the parent.
[[noreturn]] void answer_and_end(int pipe_end, const PointAnswer& answer) {
  const ssize_t sent = write(pipe_end, &answer, sizeof answer);
  _exit(sent == static_cast<ssize_t>(sizeof answer) ? 0 : kInternal);
}

template <class Run>
PointChild start_child(std::size_t point, Run run) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error(fmt::format("--bounds: no pipe: {}", std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error(fmt::format("--bounds: no process: {}", std::strerror(errno)));
  if (process == 0) {
    close(ends[0]);
    answer_and_end(ends[1], run());
  }
  close(ends[1]);
  return {point, process, ends[0]};
}

// Waits for the child. One that ended without an answer is an error that says how it ended.
PointAnswer collect(const PointChild& child) {
  PointAnswer answer;
  ssize_t received = 0;
  do {
    received = read(child.answer, &answer, sizeof answer);
  } while (received < 0 && errno == EINTR);
  close(child.answer);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (received == static_cast<ssize_t>(sizeof answer)) return answer;
  answer = {};
  say_error(answer, WIFSIGNALED(status) ? fmt::format("was ended by signal {}", WTERMSIG(status))
                                        : fmt::format("ended with code {} and no answer", WEXITSTATUS(status)));
  return answer;
}

// "timing.pool.min_ii" matters only to programs with words for POOL, "dma.start_ns" to those that keep something in
// HBM; what belongs to nobody always does.
bool concerns(const config::Key& key, const HostTasks& tasks) {
  if (key.name.rfind("dma.", 0) == 0) return tasks.hbm_bytes != 0;
  for (const isa::Engine engine : isa::kEngines) {
    if (key.name.rfind(fmt::format("timing.{}.", isa::to_string(engine)), 0) != 0) continue;
    if (tasks.streams.empty()) return engine == isa::Engine::dve;
    return std::any_of(tasks.streams.begin(), tasks.streams.end(),
                       [engine](const runtime::Stream& s) { return s.engine == engine && s.count != 0; });
  }
  return true;
}

}  // namespace

std::uint64_t Bound::effect() const {
  const auto [least, most] = std::minmax({low.cycles, normal.cycles, high.cycles});
  return most - least;
}

BoundsStudy::BoundsStudy(const config::Effective& effective, const CommonOptions& common, const HostTasks& tasks,
                         std::uint64_t host_memory_bytes)
    : wanted_(true) {
  if (effective.config.abstraction == config::Abstraction::functional)
    throw UsageError("--bounds needs time: abstraction is functional, expected one with time");
  for (const config::Key& key : config::keys()) {
    const auto range = effective.ranges.find(key.name);
    if (range == effective.ranges.end() || !concerns(key, tasks)) continue;
    keys_.push_back({&key, key.get(effective.config), range->second});
    points_.push_back({&key, range->second.low, 0});
    points_.push_back({&key, range->second.high, 0});
  }
  Progress progress(common.progress, points_.size(), "runs");
  std::deque<PointChild> running;
  const auto finish_oldest = [&] {
    const PointChild child = running.front();
    running.pop_front();
    const PointAnswer answer = collect(child);
    progress.advance();
    keep(points_[child.point], answer, effective.config);
  };
  const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t k = 0; k < points_.size() && !failure_ && !interrupted(); ++k) {
    if (running.size() == most) finish_oldest();
    config::Effective changed = effective;
    points_[k].key->set(changed.config, points_[k].value);
    running.push_back(start_child(k, [&] { return run_point(changed, common, tasks, host_memory_bytes); }));
  }
  while (!running.empty()) finish_oldest();
  if (interrupted() && !failure_) failure_ = Failure{"--bounds: interrupted", kInterrupted};
}

void BoundsStudy::keep(Point& point, const PointAnswer& answer, const config::Config& normal) {
  point.cycles = answer.cycles;
  const bool broken = answer.error[0] != '\0';
  if (failure_ || (!broken && answer.status == RunStatus::ok)) return;
  const std::string how = broken ? answer.error : "ended with " + status_name(answer.status, false);
  failure_ = Failure{fmt::format("--bounds: the run with {} = {} {}, expected ok as with {}", point.key->name,
                                 config::to_string(point.value), how, config::to_string(point.key->get(normal))),
                     broken ? static_cast<int>(kInternal) : exit_code(answer.status)};
}

std::vector<Bound> BoundsStudy::around(isa::Cycles normal) const {
  std::vector<Bound> bounds;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const Point &low = points_[2 * k], &high = points_[2 * k + 1];
    bounds.push_back({keys_[k].key,
                      {low.value, low.cycles},
                      {keys_[k].normal, normal.value},
                      {high.value, high.cycles},
                      keys_[k].range.source});
  }
  return bounds;
}

int BoundsStudy::explain() const {
  if (!failure_) return kOk;
  say(stderr, "dve-sim: {}\n", failure_->text);
  return failure_->code;
}

}  // namespace dve::app
