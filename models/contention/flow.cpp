#include "flow.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace dve::contention {
namespace {

Stream start_of(User user, const StreamJob& job, const Parameters& parameters) {
  if (job.runs.empty() || job.beats == 0 || job.every == 0) throw std::invalid_argument("a stream without beats");
  Stream s;
  s.write = job.write;
  s.path = path_of(user, job, parameters);
  s.bank = static_cast<std::uint16_t>(bank_number(job.runs[0].space, job.runs[0].bank));
  s.beats = job.beats;
  s.every = job.every;
  s.run_left = job.runs[0].beats;
  return s;
}

}  // namespace

Path path_of(User user, const StreamJob& stream, const Parameters& parameters) {
  const isa::Space space = stream.runs.front().space;
  const bool dve = user == User::dve, pool = user == User::pool;
  if (space == isa::Space::psum)
    return parameters.psum_shared == SharedPort::exclusive && (dve || user == User::act) ? Path::psum_exclusive
                                                                                         : Path::none;
  if ((!dve && !pool) || parameters.sbuf_shared == SharedPort::none) return Path::none;
  if (parameters.sbuf_shared == SharedPort::exclusive) return Path::sbuf_exclusive;
  if (stream.write) return Path::sbuf_write;
  return pool || stream.second_read ? Path::sbuf_read : Path::none;
}

Flow::Flow(Job job, const Parameters& parameters, std::uint64_t id)
    : buffer_(parameters.buffer_beats), rhythm_(job), id_(id), job_(std::move(job)) {
  if (job_.steps == 0 || job_.streams.empty() || job_.streams.size() > Streams::kMost || job_.denominator < 1)
    throw std::invalid_argument("a job without steps, or without 1 to 3 streams");
  for (const StreamJob& stream : job_.streams) {
    streams_.add(start_of(job_.user, stream, parameters));
    if (streams_[streams_.size() - 1].path != Path::none) on_paths_ |= 1U << (streams_.size() - 1);
    if (stream.write) pending_writes_ += stream.beats;
  }
  first_cycle_ = last_step_ = due_cycle();
  find_wanted();
}

void Flow::find_wanted() {
  for (const Stream& s : streams_) find_wanted(s);
}

bool Flow::grant(Stream& s) {
  ++s.granted;
  if (s.write) --pending_writes_;
  find_wanted(s);
  if (--s.run_left != 0) return false;
  next_run(s);
  return true;
}

void Flow::next_run(Stream& s) {
  const std::vector<BankRun>& runs = job_.streams[static_cast<std::size_t>(&s - streams_.begin())].runs;
  if (++s.run < runs.size()) {
    s.run_left = runs[s.run].beats;
    s.bank = static_cast<std::uint16_t>(bank_number(runs[s.run].space, runs[s.run].bank));
  }
}

bool Flow::step_or_wait(std::int64_t cycle) {
  if (read_is_missing()) {
    ++rhythm_.due.cycle;
    ++((refused_ >> missing_ & 1) != 0 ? stalls_.bank : stalls_.operand);
  } else if (!room_to_write()) {
    ++rhythm_.due.cycle;
    ++stalls_.write;
  } else {
    missing_ = 0;
    take_step(cycle);
    return stepped_out();
  }
  return false;
}

// The next step needs a beat that has not come; its stream is the first one of that kind. Once found to be there, a
// beat stays until the step, so the search goes on from where it was.
bool Flow::read_is_missing() {
  for (; missing_ < streams_.size(); ++missing_) {
    const Stream& s = streams_[missing_];
    if (!s.write && s.moved < s.beats && s.granted == s.moved) return true;
  }
  return false;
}

bool Flow::room_to_write() const {
  const bool last = step_ + 1 == job_.steps;
  for (const Stream& s : streams_) {
    if (!s.write) continue;
    if (last && elder_ != nullptr) return false;
    if (s.moved == s.granted) continue;
    const bool produces = s.phase + 1 == s.every && s.moved + 1 != s.beats;
    if (last || (produces && s.moved - s.granted >= buffer_)) return false;
  }
  return true;
}

void Flow::take_step(std::int64_t cycle) {
  ++step_;
  const bool last = stepped_out();
  std::uint32_t wanted = 0, own = 1;
  for (Stream& s : streams_) {
    if (s.write && last) {
      s.moved = s.beats;
    } else if (++s.phase == s.every) {
      s.phase = 0;
      if (s.moved + (s.write ? 1 : 0) < s.beats) ++s.moved;
    }
    if (wants(s)) wanted |= own;
    own <<= 1;
  }
  wanted_ = wanted;
  if (last) last_step_ = cycle;
  rhythm_.next();
  // Steps due faster than one a cycle: the ports are the limit.
  if (!last) stalls_.operand += rhythm_.one_a_cycle(cycle);
}

Outcome Flow::outcome() const { return {first_cycle_, last_step_, stalls_}; }

}  // namespace dve::contention
