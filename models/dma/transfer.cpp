#include "transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace dve::dma {
namespace {

std::optional<std::string> place_problem(const Transfer& t, isa::Generation generation) {
  const isa::SpaceGeometry& geometry = isa::geometry(generation, t.place.space);
  if (!geometry.exists())
    return fmt::format("place is in {}, expected sbuf: {} has no PSUM", isa::to_string(t.place.space),
                       isa::to_string(generation));
  const std::uint64_t first = isa::number(t.place.partition);
  if (first >= isa::kPartitions || t.channels > isa::kPartitions - first)
    return fmt::format("{} rows from partition {} go past partition {}", t.channels, first, isa::kPartitions - 1);
  const std::uint64_t active = geometry.active_per_partition.value;
  if (t.place.offset > active || t.bytes_per_partition > active - t.place.offset)
    return fmt::format("{} bytes from offset {:#x} go past the {} active bytes of a partition of {}",
                       t.bytes_per_partition, t.place.offset, active, isa::to_string(t.place.space));
  return std::nullopt;
}

}  // namespace

std::optional<std::string> problem_of(const Transfer& t, isa::Generation generation) {
  if (t.channels == 0) return "channels is 0, expected at least 1";
  if (t.bytes_per_partition == 0) return "bytes_per_partition is 0, expected at least 1";
  if (t.engines == 0 || t.first_engine >= contention::kDmaEngines ||
      t.engines > contention::kDmaEngines - t.first_engine)
    return fmt::format("{} engines from engine {}, expected 1 or more of 0 to {}", t.engines, t.first_engine,
                       contention::kDmaEngines - 1);
  if (const auto problem = place_problem(t, generation)) return problem;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t room = kMost - t.bytes_per_partition;
  if (t.hbm > room || (t.row_stride != 0 && t.channels - 1 > (room - t.hbm) / t.row_stride))
    return fmt::format("{} rows of stride {} from {:#x} of HBM end past 2^64", t.channels, t.row_stride, t.hbm);
  return std::nullopt;
}

contention::Job job_of(const Transfer& transfer, const Rates& rates, const contention::Parameters& memory) {
  const std::uint64_t port = memory.port_bytes.value;
  const std::uint64_t beats = (transfer.bytes_per_partition + port - 1) / port;
  const std::uint64_t rows = (transfer.channels + transfer.engines - 1) / transfer.engines;  // of the busiest engine
  const double beat_ns = static_cast<double>(rows * port) / engine_rate(rates);
  const Fraction pace = simplest_fraction(beat_ns * static_cast<double>(memory.clock_hz) / 1e9, kPaceTolerance);

  contention::Job job;
  job.user = contention::dma_engine(transfer.first_engine);
  set_pace(job, pace);
  job.steps = beats;
  contention::StreamJob stream;
  stream.write = transfer.direction == Direction::load;
  stream.beats = beats;
  contention::append_span(stream.runs, transfer.place.space, transfer.place.offset, beats, port, memory);
  job.streams.push_back(std::move(stream));
  return job;
}

std::int64_t end_cycle(const contention::Job& job, const contention::Outcome& outcome) {
  return outcome.last_cycle + job.pace.cycle + (job.pace.fraction != 0 ? 1 : 0);
}

}  // namespace dve::dma
