#include "rtl_lanes.h"

#include <fmt/format.h>

#include "driver.h"

namespace dve::rtl {
namespace {

// A stream's stalls: one random sequence a word and stream.
pins::Stall stall(Stalls pattern, std::uint64_t seed) {
  if (pattern == Stalls::never) return {};
  return [pattern, random = std::mt19937_64(seed)](std::uint64_t) mutable {
    const std::uint64_t eighth = random() % 8;
    return pattern == Stalls::light ? eighth == 0 : pattern == Stalls::half ? eighth < 4 : eighth < 7;
  };
}

StreamStalls stalls_of(Stalls pattern, std::uint64_t seed) {
  return {stall(pattern, 4 * seed), stall(pattern, 4 * seed + 1), stall(pattern, 4 * seed + 2),
          stall(pattern, 4 * seed + 3)};
}

std::uint32_t low_half(std::uint64_t seed) { return static_cast<std::uint32_t>(seed); }

}  // namespace

RtlLanes::RtlLanes(MakeLaneModel make, const LaneShape& shape, const RtlOptions& options)
    : make_(std::move(make)),
      shape_(shape),
      options_(options),
      driver_(std::make_unique<LaneDriver>(make_(low_half(options.seed)), shape, options.clock_hz)) {
  if (!options_.waves.empty()) driver_->open_waves(options_.waves);
}

RtlLanes::~RtlLanes() = default;

void RtlLanes::finish_waves() { driver_->close_waves(); }

bool RtlLanes::serves(isa::Opcode opcode) const { return execute::is_lane_word(opcode); }

std::vector<isa::Finding> RtlLanes::compute(const execute::Plan& plan, const execute::Inputs& inputs,
                                            const std::vector<numerics::LaneParameters>& lanes,
                                            const kernels::ResultRows& results) {
  const LaneWord word = lane_word(plan, inputs, lanes, options_.switches);
  if (reset_after_) {
    Lockstep cut_off(word, shape_);
    driver_->run(word, cut_off, stalls_of(options_.stalls, options_.seed),
                 [this](std::uint64_t clocks) { return clocks == *reset_after_; });
    driver_->reset();
    reset_after_.reset();
  }
  Lockstep lockstep(word, shape_);
  stopped_ = false;
  if (auto finding = pass(*driver_, word, lockstep, options_.seed + counters_.words)) {
    show_mismatch(word, *finding);
    return {*finding};
  }
  if (stopped_) return {};
  ++counters_.words;
  counters_.elements += word.channels() * word.elements;
  counters_.cycles += counters_.last_cycles;
  const execute::Access& out = *plan.destination;
  for (std::uint32_t c = 0; c < out.channels; ++c)
    kernels::from_fp32(lockstep.values()[c].data(), out.dtype, out.elements.value, results.channel(c),
                       options_.switches);
  return {};
}

// The word through the lanes; what went wrong.
std::optional<isa::Finding> RtlLanes::pass(LaneDriver& driver, const LaneWord& word, Lockstep& lockstep,
                                           std::uint64_t word_seed) {
  constexpr std::uint64_t kClocks = 4096;  // between two looks
  const Passage passage =
      driver.run(word, lockstep, stalls_of(options_.stalls, word_seed), [this](std::uint64_t clocks) {
        return clocks % kClocks == kClocks - 1 && options_.stop_requested && options_.stop_requested();
      });
  counters_.last_cycles = passage.cycles;
  if (lockstep.finding()) return lockstep.finding();
  if (passage.stopped) {
    driver.reset();
    stopped_ = true;
    return std::nullopt;
  }
  if (passage.refused) return isa::Finding{"rtl_fault", "opcode", 0, word.opcode, "a word that the lanes execute"};
  if (!passage.finished)
    return isa::Finding{"rtl_hang", "results", 0, lockstep.results(), fmt::format("{} beats", lockstep.result_beats())};
  return driver.violation();
}

// The same word through fresh lanes with the same stalls, this time with waves. What the lanes had gone through before
// does not matter to right ones; where it does to these, the finding says so.
void RtlLanes::show_mismatch(const LaneWord& word, isa::Finding& finding) {
  if (options_.mismatch_waves.empty()) return;
  LaneDriver again(make_(low_half(options_.seed)), shape_, options_.clock_hz);
  again.open_waves(options_.mismatch_waves);
  Lockstep lockstep(word, shape_);
  const auto repeated = pass(again, word, lockstep, options_.seed + counters_.words);
  again.close_waves();
  finding.expected +=
      fmt::format("; waves of the word: {}{}", options_.mismatch_waves,
                  repeated && repeated->field == finding.field
                      ? ""
                      : " (on fresh lanes it does not show: it depends on the words before, see --waves)");
}

}  // namespace dve::rtl
