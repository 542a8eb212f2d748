// The progress of one job: buffers, steps and lateness. The same class serves both abstractions: `at` moves its beats
// as TLM transactions, `lt` steps it in plain C++.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "job.h"
#include "parameters.h"

namespace dve::contention {

// Why a requested read beat did not come in a cycle.
enum class Denial : std::uint8_t {
  none,
  bank,  // another user had the bank
  path   // a shared path, a throttle, the other side's slot
};

// Paths that several users share (SharedPort); their numbers in Arbiter.
enum class Path : std::uint8_t { none, sbuf_read, sbuf_write, sbuf_exclusive, psum_exclusive };
inline constexpr std::size_t kPaths = 5;
Path path_of(User user, const StreamJob& stream, const Parameters& parameters);

// Progress of one stream. Within a cycle: requests, grants, then steps. A beat granted in a cycle can be used by a step
// of the same cycle; a beat produced by a step is requested from the next cycle on.
struct Stream {
  bool write = false;
  Path path = Path::none;
  std::uint16_t bank = 0;        // of the beat that is requested next, in the common numbering
  Denial denial = Denial::none;  // in the current cycle
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

class Flow {
 public:
  // `id`: of the job, ascending in the order of arrival.
  Flow(const Job& job, const Parameters& parameters, std::uint64_t id);
  std::uint64_t id() const { return id_; }

  User user() const { return job_.user; }
  const Job& job() const { return job_; }
  std::uint32_t buffer() const { return buffer_; }
  std::vector<Stream>& streams() { return streams_; }
  const std::vector<Stream>& streams() const { return streams_; }

  // A requested beat of stream s is granted. True: the next beat lies in another bank, or there is none.
  bool grant(Stream& s);
  // After the grants of a cycle: the step that is due, or lateness.
  void advance(std::int64_t cycle);

  // All steps are done: the outcome stands.
  bool stepped_out() const { return step_ == job_.steps; }
  // All beats are written as well: nothing is left of the job.
  bool ended() const { return stepped_out() && pending_writes_ == 0; }
  // The user's job before, of which beats are still to be written; null: none. This one's writes wait for it.
  void follow(const Flow* elder) { elder_ = elder; }
  const Flow* elder() const { return elder_; }
  bool wants(const Stream& s) const { return s.requests(buffer_) && !(s.write && elder_ != nullptr); }
  std::uint64_t step() const { return step_; }
  std::int64_t first_cycle() const { return first_cycle_; }
  // Whole cycle of the next step.
  std::int64_t due_cycle() const { return due_.cycle + (due_.fraction != 0 ? 1 : 0); }
  std::int64_t due_fraction() const { return due_.fraction; }
  std::uint64_t burst_left() const { return burst_left_; }
  const Stalls& stalls() const { return stalls_; }
  // Once stepped_out().
  Outcome outcome() const;

 private:
  friend class Leap;
  Denial blocking_read() const;
  bool reads_ready() const;
  bool room_to_write() const;
  void take_step(std::int64_t cycle);

  std::uint64_t id_;
  Job job_;
  std::uint32_t buffer_;
  std::vector<Stream> streams_;
  Moment due_;
  std::uint64_t step_ = 0;
  std::uint64_t burst_left_ = 0;
  std::uint64_t pending_writes_ = 0;  // beats of written streams that are not granted yet
  const Flow* elder_ = nullptr;
  std::int64_t first_cycle_ = 0;
  std::int64_t last_step_ = 0;
  Stalls stalls_;
};

}  // namespace dve::contention
