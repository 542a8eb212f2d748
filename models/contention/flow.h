// The progress of one job: buffers, steps and lateness. The same class serves both abstractions: `at` moves its beats
// as TLM transactions, `lt` steps it in plain C++.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "job.h"
#include "parameters.h"
#include "rhythm.h"

namespace dve::contention {

// Paths that several users share (SharedPort); their numbers in Arbiter.
enum class Path : std::uint8_t { none, sbuf_read, sbuf_write, sbuf_exclusive, psum_exclusive };
inline constexpr std::size_t kPaths = 5;
Path path_of(User user, const StreamJob& stream, const Parameters& parameters);

// Progress of one stream. Within a cycle: requests, grants, then steps. A beat granted in a cycle can be used by a step
// of the same cycle; a beat produced by a step is requested from the next cycle on.
struct Stream {
  bool write = false;
  Path path = Path::none;
  std::uint16_t bank = 0;  // of the beat that is requested next, in the common numbering
  std::uint64_t beats = 0;
  std::uint64_t every = 1;
  std::uint64_t granted = 0;
  std::uint64_t moved = 0;     // read: beats used up; write: beats produced
  std::uint64_t phase = 0;     // steps since the last beat was used up or produced
  std::uint64_t run_left = 0;  // beats of the current run that are not granted yet
  std::uint32_t run = 0;

  bool requests(std::uint32_t buffer) const {
    return write ? granted < moved : granted < beats && granted - moved < buffer;
  }
};

// The one to three streams of a flow.
class Streams {
 public:
  void add(const Stream& s) { all_[size_++] = s; }
  std::size_t size() const { return size_; }
  Stream& operator[](std::size_t i) { return all_[i]; }
  const Stream& operator[](std::size_t i) const { return all_[i]; }
  Stream* begin() { return all_.data(); }
  Stream* end() { return all_.data() + size_; }
  const Stream* begin() const { return all_.data(); }
  const Stream* end() const { return all_.data() + size_; }
  static constexpr std::size_t kMost = 3;

 private:
  std::array<Stream, kMost> all_;
  std::size_t size_ = 0;
};

class Flow {
 public:
  // `id`: of the job, ascending in the order of arrival.
  Flow(Job job, const Parameters& parameters, std::uint64_t id);
  std::uint64_t id() const { return id_; }

  User user() const { return job_.user; }
  const Job& job() const { return job_; }
  std::uint32_t buffer() const { return buffer_; }
  Streams& streams() { return streams_; }
  const Streams& streams() const { return streams_; }

  // The streams, one bit each, of which the arbiter gave the bank to another user in this cycle.
  void refuse(std::uint32_t streams) { refused_ = streams; }
  std::uint32_t refused() const { return refused_; }
  // A requested beat of stream s is granted. True: the next beat lies in another bank, or there is none.
  bool grant(Stream& s);
  // After the grants of a cycle: the step that is due, or lateness. True: it was the last step.
  bool advance(std::int64_t cycle) { return due_cycle() <= cycle && !stepped_out() && step_or_wait(cycle); }

  // All steps are done: the outcome stands.
  bool stepped_out() const { return step_ == job_.steps; }
  // All beats are written as well: nothing is left of the job.
  bool ended() const { return stepped_out() && pending_writes_ == 0; }
  // The user's job before, of which beats are still to be written; null: none. This one's writes wait for it.
  void follow(const Flow* elder) {
    elder_ = elder;
    find_wanted();
  }
  const Flow* elder() const { return elder_; }
  bool wants(const Stream& s) const { return s.requests(buffer_) && !(s.write && elder_ != nullptr); }
  // The streams that want a beat now, one bit each; and those that use a shared path.
  std::uint32_t wanted() const { return wanted_; }
  std::uint32_t on_paths() const { return on_paths_; }
  std::uint64_t step() const { return step_; }
  std::int64_t first_cycle() const { return first_cycle_; }
  // Whole cycle of the next step.
  std::int64_t due_cycle() const { return rhythm_.due_cycle(); }
  const Stalls& stalls() const { return stalls_; }
  // Once stepped_out().
  Outcome outcome() const;

 private:
  friend class CompactGroup;
  friend class Leap;
  friend class LoneFlow;
  bool step_or_wait(std::int64_t cycle);
  void next_run(Stream& s);
  bool read_is_missing();
  bool room_to_write() const;
  void take_step(std::int64_t cycle);
  void find_wanted();
  void find_wanted(const Stream& s) {
    const std::uint32_t own = 1U << (&s - streams_.begin());
    wanted_ = wants(s) ? wanted_ | own : wanted_ & ~own;
  }

  std::uint32_t wanted_ = 0, on_paths_ = 0, refused_ = 0;
  std::uint32_t missing_ = 0;  // streams before this one have the beat that the next step needs
  std::uint32_t buffer_;
  Rhythm rhythm_;
  Streams streams_;
  std::uint64_t id_;
  Job job_;
  std::uint64_t step_ = 0;
  std::uint64_t pending_writes_ = 0;  // beats of written streams that are not granted yet
  const Flow* elder_ = nullptr;
  std::int64_t first_cycle_ = 0;
  std::int64_t last_step_ = 0;
  Stalls stalls_;
};

// The order in which flows are looked at: by user, then by age.
inline bool comes_before(const Flow* a, const Flow* b) {
  return a->user() != b->user() ? a->user() < b->user() : a->id() < b->id();
}

}  // namespace dve::contention
