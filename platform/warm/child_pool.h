// Pieces of work in forked children of a process that has prepared what they share.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace dve::warm {

// How one child ended.
struct ChildEnd {
  enum class How {
    answered,   // text: what the work returned
    failed,     // the work threw; text: what()
    crashed,    // text: "was ended by signal 11", "ended with code 3 and no answer"
    timed_out,  // it took longer than the limit and was killed
    stopped     // a stop was requested before it had answered
  };
  How how = How::crashed;
  std::string text;
};

// SystemC elaborates once a process, and starting a process, reading a configuration and planning a program cost more
// than a short run. So a process prepares all that once and forks a child for each point: the child has everything in
// its (shared) memory, elaborates, runs, and answers through a pipe. Results do not depend on how many run at once.
// Nothing of a child reaches its parent but the answer: not what it prints to buffers, not what it changes in memory. A
// child that crashes, hangs or is killed costs its point and no other. Children die with their parent (Linux).
class ChildPool {
 public:
  struct Limits {
    std::size_t at_once = 0;               // 0: as many as there are processors
    std::chrono::milliseconds timeout{0};  // of each child; 0: none
  };
  using Work = std::function<std::string(std::size_t point)>;                  // in a child; the answer may be long
  using Report = std::function<void(std::size_t point, const ChildEnd& end)>;  // in the parent, as children end

  // `stop`: asked now and then; once true, no child is started any more and those that run are told to end (SIGTERM,
  // then SIGKILL after a second). May be empty.
  ChildPool(const Limits& limits, Work work, std::function<bool()> stop);

  // Points 0 to count - 1. To be called before this process elaborates a simulation of its own. Points that were never
  // started because of a stop are reported as stopped. std::runtime_error when no pipe or process can be had (children
  // that run by then are killed).
  void run(std::size_t count, const Report& ended);

 private:
  Limits limits_;
  Work work_;
  std::function<bool()> stop_;
};

}  // namespace dve::warm
