#include "child_pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace dve::warm {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTick{50};  // how often a stop is asked for
constexpr std::chrono::seconds kGrace{1};       // between SIGTERM and SIGKILL
constexpr char kAnswer = 'a', kFailure = 'f';   // first byte of what a child sends
constexpr int kNoAnswer = 70;

struct Child {
  std::size_t point = 0;
  pid_t process = -1;
  int pipe = -1;
  Clock::time_point deadline = Clock::time_point::max();
  std::string received;
  bool killed_late = false;
  bool told_to_stop = false;
};

// A stop that the parent asked for ends the child, too; kinds and length frame the answer, so that half of one is none.
std::string framed(char kind, const std::string& text) {
  const std::uint64_t length = text.size();
  std::string message(1, kind);
  message.append(reinterpret_cast<const char*>(&length), sizeof length);
  return message + text;
}

void send(int pipe, const std::string& message) {
  std::size_t sent = 0;
  while (sent < message.size()) {
    const ssize_t now = write(pipe, message.data() + sent, message.size() - sent);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) _exit(kNoAnswer);
    sent += static_cast<std::size_t>(now);
  }
}

// The child answers and ends at once: buffers, files and destructors belong to the parent.
[[noreturn]] void be_child(int pipe, pid_t parent, const ChildPool::Work& work, std::size_t point) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNoAnswer);  // it has died before
#else
  (void)parent;
#endif
  std::string message;
  try {
    message = framed(kAnswer, work(point));
  } catch (const std::exception& error) {
    message = framed(kFailure, error.what());
  }
  send(pipe, message);
  _exit(0);
}

Child start(std::size_t point, const ChildPool::Work& work, std::chrono::milliseconds timeout) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error(fmt::format("no pipe for a child process: {}", std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t parent = getpid();
  Child child;
  child.point = point;
  child.process = fork();
  if (child.process < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    throw std::runtime_error(fmt::format("no child process: {}", std::strerror(error)));
  }
  if (child.process == 0) {
    close(ends[0]);
    be_child(ends[1], parent, work, point);
  }
  close(ends[1]);
  child.pipe = ends[0];
  if (timeout.count() != 0) child.deadline = Clock::now() + timeout;
  return child;
}

// False at the end of the child's messages.
bool receive(Child& child) {
  char bytes[65536];
  const ssize_t now = read(child.pipe, bytes, sizeof bytes);
  if (now > 0) child.received.append(bytes, static_cast<std::size_t>(now));
  return now > 0 || (now < 0 && errno == EINTR);
}

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

ChildEnd end_of(Child& child) {
  close(child.pipe);
  const int status = wait_for(child.process);
  std::uint64_t length = 0;
  constexpr std::size_t kHead = 1 + sizeof length;
  const std::string& message = child.received;
  if (message.size() >= kHead) std::memcpy(&length, message.data() + 1, sizeof length);
  if (message.size() >= kHead && message.size() - kHead == length)
    return {message[0] == kAnswer ? ChildEnd::How::answered : ChildEnd::How::failed, message.substr(kHead)};
  if (child.killed_late) return {ChildEnd::How::timed_out, "took longer than the limit"};
  if (child.told_to_stop) return {ChildEnd::How::stopped, "was stopped"};
  return {ChildEnd::How::crashed, WIFSIGNALED(status)
                                      ? fmt::format("was ended by signal {}", WTERMSIG(status))
                                      : fmt::format("ended with code {} and no answer", WEXITSTATUS(status))};
}

void kill_all(std::vector<Child>& running) {
  for (Child& child : running) {
    kill(child.process, SIGKILL);
    close(child.pipe);
    wait_for(child.process);
  }
  running.clear();
}

// Kills children past their deadline; that of a child that was told to stop is the end of its grace.
void enforce_deadlines(std::vector<Child>& running) {
  const Clock::time_point now = Clock::now();
  for (Child& child : running) {
    if (child.deadline > now) continue;
    kill(child.process, SIGKILL);
    child.killed_late = !child.told_to_stop;
    child.deadline = Clock::time_point::max();
  }
}

void tell_to_stop(std::vector<Child>& running) {
  for (Child& child : running) {
    if (child.told_to_stop) continue;
    kill(child.process, SIGTERM);
    child.told_to_stop = true;
    child.deadline = Clock::now() + kGrace;
  }
}

// Waits a moment for messages; reports and removes the children that have ended.
void await(std::vector<Child>& running, const ChildPool::Report& ended) {
  std::vector<pollfd> pipes;
  for (const Child& child : running) pipes.push_back({child.pipe, POLLIN, 0});
  if (poll(pipes.data(), pipes.size(), static_cast<int>(kTick.count())) <= 0) return;
  std::vector<Child> left, over;
  for (std::size_t k = 0; k < running.size(); ++k) {
    const bool goes_on = pipes[k].revents == 0 || receive(running[k]);
    (goes_on ? left : over).push_back(std::move(running[k]));
  }
  running = std::move(left);
  std::vector<ChildEnd> ends;
  for (Child& child : over) ends.push_back(end_of(child));  // all of them, whatever `ended` throws
  for (std::size_t k = 0; k < over.size(); ++k) ended(over[k].point, ends[k]);
}

}  // namespace

ChildPool::ChildPool(const Limits& limits, Work work, std::function<bool()> stop)
    : limits_(limits), work_(std::move(work)), stop_(std::move(stop)) {
  if (limits_.at_once == 0) limits_.at_once = std::max(1U, std::thread::hardware_concurrency());
}

void ChildPool::run(std::size_t count, const Report& ended) {
  std::vector<Child> running;
  std::size_t next = 0;
  try {
    while (next < count || !running.empty()) {
      const bool stopping = stop_ && stop_();
      for (; stopping && next < count; ++next) ended(next, {ChildEnd::How::stopped, "was not started"});
      if (stopping) tell_to_stop(running);
      while (next < count && running.size() < limits_.at_once) {
        running.push_back(start(next, work_, limits_.timeout));
        ++next;
      }
      if (running.empty()) continue;
      await(running, ended);
      enforce_deadlines(running);
    }
  } catch (...) {
    kill_all(running);
    throw;
  }
}

}  // namespace dve::warm
