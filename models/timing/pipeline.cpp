#include "pipeline.h"

#include <algorithm>

namespace dve::timing {
namespace {

// Cycles from `ready` to `until`; none when it lies before.
isa::Cycles delay(isa::Cycles ready, isa::Cycles until) { return until > ready ? until - ready : isa::Cycles(0); }

}  // namespace

bool Pipeline::ByteRange::overlaps(const ByteRange& other) const {
  return space == other.space && first_partition <= other.last_partition && other.first_partition <= last_partition &&
         first_byte <= other.last_byte && other.first_byte <= last_byte;
}

Pipeline::Pipeline(isa::Generation generation, const Parameters& parameters)
    : generation_(generation),
      parameters_(parameters),
      semaphore_latency_(parameters.semaphore_latency()),
      next_issue_(parameters.fetch_cycles) {}

Schedule Pipeline::issue(const isa::Word& word, const std::vector<isa::Operand>& operands, isa::Cycles wait_holds) {
  return close(open(word, operands, wait_holds), operands, {});
}

Opening Pipeline::open(const isa::Word& word, const std::vector<isa::Operand>& operands, isa::Cycles wait_holds) const {
  return open(cost(word, operands, generation_, parameters_), operands, wait_holds);
}

Opening Pipeline::open(const Cost& cost, const std::vector<isa::Operand>& operands, isa::Cycles wait_holds) const {
  return open(cost, wait_holds, hazard_clears(operands));
}

Schedule Pipeline::control(const std::vector<isa::Operand>& operands, isa::Cycles wait_holds, bool after_completion) {
  isa::Cycles clears = hazard_clears(operands);
  if (after_completion) clears = std::max(clears, last_completion_);
  return close(open(control_cost(parameters_), wait_holds, clears), operands, {});
}

void Pipeline::begin_at(isa::Cycles cycle) { next_issue_ = std::max(next_issue_, cycle); }

Opening Pipeline::open(const Cost& cost, isa::Cycles wait_holds, isa::Cycles hazard_clears) const {
  Opening opening{cost, {}, delay(next_issue_, wait_holds), {}};
  const isa::Cycles released = next_issue_ + opening.wait_wait;
  opening.hazard_wait = delay(released, hazard_clears);
  opening.start = released + opening.hazard_wait;
  return opening;
}

Schedule Pipeline::close(const Opening& opening, const std::vector<isa::Operand>& operands,
                         const contention::Stalls& stalls) {
  const isa::Cycles begin = opening.start + isa::Cycles(stalls.total());
  const Schedule schedule{opening.start,
                          begin + opening.cost.stream,
                          begin + opening.cost.total,
                          begin + opening.cost.interval,
                          opening.wait_wait,
                          opening.hazard_wait,
                          stalls};
  next_issue_ = schedule.next_issue;
  last_completion_ = std::max(last_completion_, schedule.complete);
  remember_writes(operands, schedule.complete);
  return schedule;
}

std::optional<Pipeline::ByteRange> Pipeline::bytes_of(const isa::Operand& operand) const {
  const auto place = isa::place_of(operand.address.partition_offset(), generation_);
  const auto size = static_cast<std::int64_t>(isa::storage_size(operand.dtype).value);
  if (!place || size == 0 || operand.channels == 0 || operand.pattern.count().value == 0) return std::nullopt;
  const isa::AccessPattern::Extent extent = operand.pattern.extent();
  const std::uint32_t first_partition = isa::number(place->partition);
  return ByteRange{place->space, first_partition, first_partition + operand.channels - 1,
                   place->offset + extent.lowest * size, place->offset + extent.highest * size + size - 1};
}

isa::Cycles Pipeline::hazard_clears(const std::vector<isa::Operand>& operands) const {
  isa::Cycles clears(0);
  for (const isa::Operand& operand : operands) {
    const auto bytes = bytes_of(operand);
    if (!bytes) continue;
    for (const WrittenRange& written : in_flight_) {
      if (written.bytes.overlaps(*bytes)) clears = std::max(clears, written.visible);
    }
  }
  return clears;
}

void Pipeline::remember_writes(const std::vector<isa::Operand>& operands, isa::Cycles complete) {
  if (parameters_.same_engine_raw == SameEngineRaw::none) return;
  // No later word starts before next_issue_, so what is visible by then delays nothing any more.
  in_flight_.erase(std::remove_if(in_flight_.begin(), in_flight_.end(),
                                  [this](const WrittenRange& written) { return written.visible <= next_issue_; }),
                   in_flight_.end());
  const isa::Cycles visible = complete + semaphore_latency_;
  if (visible <= next_issue_) return;
  for (const isa::Operand& operand : operands) {
    if (operand.role != isa::OperandRole::dst) continue;
    if (const auto bytes = bytes_of(operand)) in_flight_.push_back({*bytes, visible});
  }
}

}  // namespace dve::timing
