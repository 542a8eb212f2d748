#include "support/port_jobs.h"

#include <algorithm>
#include <utility>

namespace dve::scenarios {

using contention::BankRun;
using contention::Job;
using contention::Parameters;
using contention::StreamJob;
using contention::User;

Area sbuf(std::uint32_t bank, std::uint64_t beat) { return {isa::Space::sbuf, bank, 12 - bank, beat}; }
Area psum(std::uint32_t bank, std::uint64_t beat) { return {isa::Space::psum, bank, 8 - bank, beat}; }

StreamJob read(const Parameters& p, Area from, std::uint64_t beats, std::uint64_t every) {
  StreamJob stream;
  stream.beats = beats;
  stream.every = every;
  const isa::Bytes bank_bytes = from.space == isa::Space::sbuf ? p.sbuf_bank_bytes : p.psum_bank_bytes;
  const std::uint64_t bank_beats = bank_bytes.value / p.port_bytes.value;
  std::uint64_t beat = from.beat % (from.banks * bank_beats);
  for (std::uint64_t left = beats; left != 0;) {
    const std::uint64_t run = std::min(left, bank_beats - beat % bank_beats);
    const std::uint32_t bank = from.first + static_cast<std::uint32_t>(beat / bank_beats);
    if (!stream.runs.empty() && stream.runs.back().bank == bank) {
      stream.runs.back().beats += run;
    } else {
      stream.runs.push_back({from.space, bank, run});
    }
    left -= run;
    beat = (beat + run) % (from.banks * bank_beats);
  }
  return stream;
}

StreamJob second(const Parameters& p, Area from, std::uint64_t beats, std::uint64_t every) {
  StreamJob stream = read(p, from, beats, every);
  stream.second_read = true;
  return stream;
}

StreamJob write(const Parameters& p, Area to, std::uint64_t beats, std::uint64_t every) {
  StreamJob stream = read(p, to, beats, every);
  stream.write = true;
  return stream;
}

Job job(User user, Pace pace, std::uint64_t steps, std::vector<StreamJob> streams) {
  Job j;
  j.user = user;
  j.denominator = pace.per;
  j.pace = {pace.cycles / pace.per, pace.cycles % pace.per};
  j.steps = steps;
  j.streams = std::move(streams);
  return j;
}

Job bursts(Job job, std::uint64_t steps, std::uint64_t gap) {
  job.burst_steps = steps;
  job.burst_gap = gap;
  return job;
}

}  // namespace dve::scenarios
