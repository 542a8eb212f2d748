// Where threads, which call and wait, meet machines, which a clock steps. Both sides are kept apart in time: what
// happens at the moment of an edge counts for the next one, so that the order in which the simulator runs its processes
// never shows.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <systemc>
#include <tlm>
#include <type_traits>
#include <utility>

namespace dve::pins {

// TLM to pins: calls are handed to the machine one after the other. A Job owns all that it needs: its caller may be
// killed.
template <class Job>
class CallGate {
 public:
  // Thread side: waits for its turn and for the end of the job, which comes back with what the machine wrote into it.
  tlm::tlm_response_status run(Job& job) {
    const Turn turn(*this);
    while (job_) sc_core::wait(finished_);  // of a caller that was killed
    job_ = std::move(job);
    posted_ = sc_core::sc_time_stamp();
    running_ = ended_ = false;
    while (!ended_) sc_core::wait(finished_);
    job = std::move(*job_);
    job_.reset();
    return status_;
  }

  // Clock side: the job that begins at this edge, or null.
  Job* begin() {
    if (!job_ || running_ || ended_ || posted_ >= sc_core::sc_time_stamp()) return nullptr;
    running_ = true;
    return &*job_;
  }
  // The job that has begun and not ended, or null.
  Job* running() { return running_ ? &*job_ : nullptr; }
  void finish(tlm::tlm_response_status status) {
    status_ = status;
    running_ = false;
    ended_ = true;
    if (abandoned_) job_.reset();
    abandoned_ = false;
    finished_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  // Holds the turn, also while the kernel unwinds the thread.
  class Turn {
   public:
    explicit Turn(CallGate& gate) : gate_(gate) { gate_.turns_.lock(); }
    ~Turn() {
      if (gate_.ended_) gate_.job_.reset();
      gate_.abandoned_ = gate_.job_.has_value();
      gate_.turns_.unlock();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    CallGate& gate_;
  };

  sc_core::sc_mutex turns_;
  sc_core::sc_event finished_;
  std::optional<Job> job_;
  sc_core::sc_time posted_;
  bool running_ = false;
  bool ended_ = false;
  bool abandoned_ = false;
  tlm::tlm_response_status status_ = tlm::TLM_INCOMPLETE_RESPONSE;
};

// Pins to TLM: the calls that a machine asks for are made one after the other by a thread that does nothing else.
template <class Job>
class CallQueue {
 public:
  // Clock side.
  void post(Job job) {
    posted_jobs_.push_back(std::move(job));
    posted_.notify(sc_core::SC_ZERO_TIME);
  }
  // The oldest job whose answer came before this moment; with `at_once` in it too, which the caller must then tell from
  // the edge that may still come in it.
  std::optional<Job> take(bool at_once = false) {
    if (done_.empty()) return std::nullopt;
    const sc_core::sc_time now = sc_core::sc_time_stamp(), at = done_.front().second;
    if (at > now || (at == now && !at_once)) return std::nullopt;
    std::optional<Job> job(std::move(done_.front().first));
    done_.pop_front();
    return job;
  }
  // A call has returned.
  const sc_core::sc_event& returned() const { return returned_; }
  // Forgets all jobs. A call that runs comes to its end, and its answer is dropped.
  void clear() {
    posted_jobs_.clear();
    done_.clear();
    ++generation_;
  }

  // Thread side, never returns: `perform(job)` makes the call; when it returns a time, the answer comes so much later.
  template <class Perform>
  void serve(Perform perform) {
    for (;;) {
      while (posted_jobs_.empty()) sc_core::wait(posted_);
      Job job = std::move(posted_jobs_.front());
      posted_jobs_.pop_front();
      const std::uint64_t generation = generation_;
      sc_core::sc_time later;
      if constexpr (std::is_void_v<decltype(perform(job))>) {
        perform(job);
      } else {
        later = perform(job);
      }
      if (generation == generation_) done_.emplace_back(std::move(job), sc_core::sc_time_stamp() + later);
      returned_.notify(sc_core::SC_ZERO_TIME);
    }
  }

 private:
  sc_core::sc_event posted_, returned_;
  std::deque<Job> posted_jobs_;
  std::deque<std::pair<Job, sc_core::sc_time>> done_;
  std::uint64_t generation_ = 0;
};

}  // namespace dve::pins
