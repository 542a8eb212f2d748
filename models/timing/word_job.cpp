#include "word_job.h"

#include <algorithm>
#include <numeric>

namespace dve::timing {
namespace {

using contention::BankRun;
using contention::StreamJob;
using contention::StreamShape;

__extension__ typedef unsigned __int128 Wide;

// Paces are kept as fractions of an engine cycle with at most this denominator, the closest one that is not longer than
// the word's S allows: few denominators make patterns of grants repeat soon.
constexpr std::uint64_t kFinestPace = 64;
// Results of up to this many beats come after the last step: sums, statistics.
constexpr std::uint64_t kTailBeats = 4;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t beat_bytes(const StreamShape& shape, const contention::Parameters& ports) {
  return std::max<std::uint64_t>(ports.port_bytes.value, shape.element_bytes);
}

bool row_contiguous(const isa::AccessPattern& pattern) { return pattern.num_elem[0] <= 1 || pattern.step_elem[0] == 1; }

// Element index, relative to the start, of each row of the pattern (dimensions 1 to 3).
template <class Visit>
void for_each_row(const isa::AccessPattern& p, Visit visit) {
  for (std::int64_t k = 0; k < p.num_elem[3]; ++k) {
    for (std::int64_t j = 0; j < p.num_elem[2]; ++j) {
      for (std::int64_t i = 0; i < p.num_elem[1]; ++i)
        visit(k * p.step_elem[3] + j * p.step_elem[2] + i * p.step_elem[1]);
    }
  }
}

std::int64_t element_of(const isa::AccessPattern& p, std::uint64_t index) {
  std::int64_t element = 0;
  for (std::size_t d = 0; d < 4; ++d) {
    element += static_cast<std::int64_t>(index % p.num_elem[d]) * p.step_elem[d];
    index /= p.num_elem[d];
  }
  return element;
}

std::vector<BankRun> row_runs(const StreamShape& shape, std::uint64_t beat, const contention::Parameters& ports) {
  const std::uint64_t row_bytes = std::uint64_t{shape.pattern.num_elem[0]} * shape.element_bytes;
  std::vector<BankRun> runs;
  for_each_row(shape.pattern, [&](std::int64_t element) {
    const auto first = static_cast<std::uint64_t>(shape.start.offset + element * shape.element_bytes);
    contention::append_span(runs, shape.start.space, first, ceil_div(row_bytes, beat), beat, ports);
  });
  return runs;
}

std::vector<BankRun> element_runs(const StreamShape& shape, std::uint64_t beats, const contention::Parameters& ports) {
  const isa::Space space = shape.start.space;
  const auto bank_of = [&](std::int64_t element) {
    const auto byte = static_cast<std::uint64_t>(shape.start.offset + element * shape.element_bytes);
    return static_cast<std::uint32_t>(byte / contention::bank_bytes(ports, space).value);
  };
  const isa::AccessPattern::Extent extent = shape.pattern.extent();
  if (bank_of(extent.lowest) == bank_of(extent.highest)) return {{space, bank_of(0), beats}};
  std::vector<BankRun> runs;
  for (std::uint64_t b = 0; b < beats; ++b)
    contention::append_beats(runs, space, bank_of(element_of(shape.pattern, b * shape.elements.value / beats)), 1);
  return runs;
}

std::optional<StreamShape> shape_of(const isa::Operand& operand, isa::Generation generation) {
  const auto place = isa::place_of(operand.address.partition_offset(), generation);
  const auto bytes = static_cast<std::uint32_t>(isa::storage_size(operand.dtype).value);
  if (!place || bytes == 0 || operand.channels == 0 || operand.pattern.count().value == 0) return std::nullopt;
  return StreamShape{*place, operand.pattern, bytes, operand.channels, operand.pattern.count()};
}

// Engine cycles a step.
struct Pace {
  std::uint64_t cycles = 0;
  std::uint64_t steps = 1;
};

// The largest fraction up to `cycles` / `steps` with a denominator of at most kFinestPace.
Pace pace_up_to(Wide cycles, Wide steps) {
  Pace best;
  for (std::uint64_t d = 1; d <= kFinestPace; ++d) {
    const auto now = static_cast<std::uint64_t>(cycles * d / steps);
    if (Wide{now} * best.steps > Wide{best.cycles} * d) best = {now, d};
    if (Wide{best.cycles} * steps == cycles * best.steps) break;
  }
  return best;
}

// Whether the ports can move so many beats within the word's S.
bool in_time(std::uint64_t beats, isa::Cycles stream, const Parameters& engine, const contention::Parameters& ports) {
  return Wide{stream.value} * ports.clock_hz >= Wide{beats} * engine.clock_hz;
}

// Pace of the densest operand's steps: S over its beats, which are not rounded up when the whole operand is contiguous.
// The last step, which comes in a whole memory cycle, begins a memory cycle before the end of S or earlier, so that no
// word ends before its last beat; where the ports are the limit, word_stalls() sees to that.
Pace pace_of(const contention::Job& job, isa::Cycles stream, const Parameters& engine,
             const contention::Parameters& ports) {
  Wide cycles = stream.value, steps = job.steps;
  for (const StreamJob& s : job.streams) {
    if (s.beats != job.steps || !s.shape.pattern.contiguous()) continue;
    cycles = Wide{stream.value} * beat_bytes(s.shape, ports);
    steps = s.shape.elements.value * s.shape.element_bytes;
  }
  const Wide all = Wide{stream.value} * ports.clock_hz;
  const Wide but_one = all > engine.clock_hz ? all - engine.clock_hz : 0,
             intervals = Wide{job.steps - 1} * ports.clock_hz;
  const bool too_late = cycles * intervals > but_one * steps && in_time(job.steps, stream, engine, ports);
  return too_late ? pace_up_to(but_one, intervals) : pace_up_to(cycles, steps);
}

// Memory cycles from the end of a word's stream to the earliest start of the next word: D - S.
std::uint64_t cycles_between(isa::Cycles stream, const Parameters& engine, const contention::Parameters& ports) {
  const isa::Cycles gap = stream >= engine.min_ii ? engine.issue_gap : engine.min_ii - stream;
  return static_cast<std::uint64_t>(Wide{gap.value} * ports.clock_hz / engine.clock_hz);
}

// A few results come at the end when they are written before the next word can start; if not, they would hold up a word
// that is alone, so they come one by one, the last of them at the end.
void set_intervals(contention::Job& job, std::uint64_t cycles_after) {
  for (StreamJob& s : job.streams) {
    s.every = job.steps / s.beats;
    if (s.write && s.beats <= std::min(kTailBeats, cycles_after) && s.beats < job.steps) s.every = job.steps;
  }
}

}  // namespace

std::vector<BankRun> bank_runs(const StreamShape& shape, isa::Cycles stream, const contention::Parameters& ports) {
  const std::uint64_t beat = beat_bytes(shape, ports);
  if (shape.pattern.contiguous()) {
    const std::uint64_t bytes = shape.elements.value * shape.element_bytes;
    std::vector<BankRun> runs;
    contention::append_span(runs, shape.start.space, shape.start.offset, ceil_div(bytes, beat), beat, ports);
    return runs;
  }
  const std::uint64_t n = shape.elements.value;
  const std::uint64_t at_least = ceil_div(n * shape.element_bytes, beat);
  const std::uint64_t beats = std::min(n, std::max(stream.value, at_least));
  if (row_contiguous(shape.pattern)) {
    const std::uint64_t in_rows =
        n / shape.pattern.num_elem[0] * ceil_div(std::uint64_t{shape.pattern.num_elem[0]} * shape.element_bytes, beat);
    if (in_rows <= beats) return row_runs(shape, beat, ports);
  }
  return element_runs(shape, beats, ports);
}

contention::Moment memory_moment(isa::Cycles engine_cycle, std::uint64_t engine_hz, std::uint64_t memory_hz,
                                 std::int64_t denominator) {
  const std::uint64_t common = std::gcd(engine_hz, memory_hz);
  const std::uint64_t parts = engine_hz / common;
  const Wide ticks = Wide{engine_cycle.value} * (memory_hz / common);
  const auto rest = static_cast<std::int64_t>(ticks % parts);
  return {static_cast<std::int64_t>(ticks / parts), rest * (denominator / static_cast<std::int64_t>(parts))};
}

std::optional<contention::Job> word_job(contention::User user, const std::vector<isa::Operand>& operands,
                                        isa::Cycles start, isa::Cycles stream, isa::Generation generation,
                                        const Parameters& engine, const contention::Parameters& ports) {
  contention::Job job;
  job.user = user;
  for (const isa::Operand& operand : operands) {
    using isa::OperandRole;
    if (operand.role != OperandRole::src0 && operand.role != OperandRole::src1 && operand.role != OperandRole::dst)
      continue;
    const auto shape = shape_of(operand, generation);
    if (!shape) continue;
    StreamJob s;
    s.write = operand.role == OperandRole::dst;
    s.second_read = operand.role == OperandRole::src1;
    s.shape = *shape;
    s.runs = bank_runs(*shape, stream, ports);
    for (const BankRun& run : s.runs) s.beats += run.beats;
    job.steps = std::max(job.steps, s.beats);
    job.streams.push_back(std::move(s));
  }
  if (job.streams.empty()) return std::nullopt;
  set_intervals(job, cycles_between(stream, engine, ports));
  const std::uint64_t common = std::gcd(engine.clock_hz, ports.clock_hz);
  const Pace step = pace_of(job, stream, engine, ports);
  const std::uint64_t den = step.steps * (engine.clock_hz / common);
  const Wide pace = Wide{step.cycles} * (ports.clock_hz / common);
  job.denominator = static_cast<std::int64_t>(den);
  job.pace = {static_cast<std::int64_t>(pace / den), static_cast<std::int64_t>(pace % den)};
  if (job.pace.cycle == 0 && in_time(job.steps, stream, engine, ports)) job.pace = {1, 0};
  job.start = memory_moment(start, engine.clock_hz, ports.clock_hz, job.denominator);
  return job;
}

contention::Stalls word_stalls(const contention::Outcome& outcome, isa::Cycles start, isa::Cycles stream,
                               std::uint64_t engine_hz, std::uint64_t memory_hz) {
  contention::Stalls stalls = engine_stalls(outcome.stalls, engine_hz, memory_hz);
  const isa::Cycles end = start + stream + isa::Cycles(stalls.total());
  const isa::Cycles after(static_cast<std::uint64_t>(Wide(outcome.last_cycle) * engine_hz / memory_hz) + 1);
  if (after > end) stalls.operand += (after - end).value;
  return stalls;
}

contention::Stalls engine_stalls(const contention::Stalls& memory, std::uint64_t engine_hz, std::uint64_t memory_hz) {
  const auto up = [&](std::uint64_t cycles) {
    return static_cast<std::uint64_t>((Wide{cycles} * engine_hz + (memory_hz - 1)) / memory_hz);
  };
  contention::Stalls s;
  s.bank = up(memory.bank);
  s.operand = up(memory.bank + memory.operand) - s.bank;
  s.write = up(memory.total()) - s.bank - s.operand;
  return s;
}

}  // namespace dve::timing
