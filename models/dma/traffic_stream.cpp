#include "traffic_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "rate.h"

namespace dve::dma {

std::optional<std::string> problem_of(const TrafficStream& stream, isa::Generation generation) {
  const isa::SpaceGeometry& memory = isa::geometry(generation, stream.start.space);
  if (stream.user == contention::User::dve) return "user is dve, expected pool, act, pe0 to pe4 or dma0 to dma15";
  if (!memory.exists()) return fmt::format("space is psum, expected sbuf: {} has no PSUM", isa::to_string(generation));
  if (stream.user == contention::User::pool && stream.start.space == isa::Space::psum)
    return "space is psum, expected sbuf: POOL has no access to PSUM";
  if (stream.bytes_per_partition == 0) return "bytes_per_partition is 0, expected at least 1";
  const std::uint64_t active = memory.active_per_partition.value;
  if (stream.start.offset >= active || stream.bytes_per_partition > active - stream.start.offset)
    return fmt::format("offset {} and bytes_per_partition {} reach past the {} bytes of a partition",
                       stream.start.offset, stream.bytes_per_partition, active);
  if (stream.repeat == 0) return "repeat is 0, expected at least 1";
  if (stream.burst_gap_cycles != 0 && stream.burst_beats == 0)
    return "burst_beats is 0 with a burst_gap_cycles, expected at least 1";
  return std::nullopt;
}

contention::Job job_of(const TrafficStream& stream, std::int64_t start, const contention::Parameters& memory) {
  contention::StreamJob s;
  s.write = stream.write;
  s.shape.start = stream.start;
  s.shape.element_bytes = 1;
  s.shape.channels = isa::kPartitions;
  s.shape.elements = isa::Elements(stream.bytes_per_partition);
  const std::uint64_t beat = memory.port_bytes.value;
  s.beats = (stream.bytes_per_partition + beat - 1) / beat;
  contention::append_span(s.runs, stream.start.space, stream.start.offset, s.beats, beat, memory);
  contention::Job job;
  job.user = stream.user;
  job.start.cycle = start;
  job.pace.cycle = 1;
  job.steps = s.beats;
  job.burst_steps = stream.burst_beats;
  job.burst_gap = stream.burst_gap_cycles;
  if (stream.bytes_per_ns > 0) {
    constexpr double kNsPerSecond = 1e9;
    const double cycles = static_cast<double>(beat * isa::kPartitions) * static_cast<double>(memory.clock_hz) /
                          (stream.bytes_per_ns * kNsPerSecond);
    set_pace(job, simplest_fraction(std::max(cycles, 1.0), kPaceTolerance));
    if (job.pace.cycle == 0) job.pace = {1, 0};
  }
  job.streams.push_back(std::move(s));
  return job;
}

}  // namespace dve::dma
