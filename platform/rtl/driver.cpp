#include "driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "fst_file.h"

namespace dve::rtl {
namespace {

constexpr std::uint64_t kPatience = 4000;   // clocks without any beat after which a result is given up
constexpr std::uint64_t kAfterwards = 12;   // clocks in which a beat too many would show
constexpr std::size_t kQueued = 3;          // operand beats kept ready for the pins
constexpr std::size_t kLaneBytes = 16 * 4;  // of the operands' x on lane_group_top's pins, and of their dy

constexpr const char* kStreams[] = {"parameter", "command", "operand", "result"};

void put(pins::BusWord& bus, std::size_t word, float value) {
  const std::uint32_t bits = numerics::bits_of(value);
  for (std::size_t byte = 0; byte < 4; ++byte) bus.bytes[4 * word + byte] = static_cast<std::uint8_t>(bits >> 8 * byte);
}

}  // namespace

const char* stream_rule_name(unsigned rule) {
  constexpr const char* kNames[] = {
      "none",         "valid_in_reset", "valid_withdrawn", "data_changed",    "last_early",
      "last_missing", "stalled",        "ready_in_reset",  "unknown_control", "unknown_data"};
  return rule < std::size(kNames) ? kNames[rule] : "no such rule";
}

// The ends of the four streams while a word runs.
struct LaneDriver::Streams {
  explicit Streams(const StreamStalls& stalls)
      : parameter(stalls.parameter), command(stalls.command), operand(stalls.operand), result(2, stalls.result) {}
  pins::StreamSource parameter, command, operand;
  pins::StreamSink result;
  std::size_t parameters = 0, operands = 0;  // appended
  std::size_t passed_operands = 0;
  bool commanded = false, command_passed = false;
  std::uint64_t command_clock = 0;
};

LaneDriver::LaneDriver(std::unique_ptr<LaneModel> model, const LaneShape& shape, std::uint64_t clock_hz)
    : model_(std::move(model)), shape_(shape), rate_(clock_hz) {
  *model_->pins.clk = 0;
  model_->eval();
  reset();
}

void LaneDriver::open_waves(const std::string& file) {
  require_fst_target(file);
  model_->open_waves(file);
  waves_ = file;
}

void LaneDriver::close_waves() {
  if (waves_.empty()) return;
  model_->close_waves();
  require_whole_fst(std::exchange(waves_, {}));
}

void LaneDriver::reset() {
  const LanePins& p = model_->pins;
  *p.parameter_valid = *p.command_valid = *p.operand_valid = *p.result_ready = 0;
  *p.reset = 1;
  for (int i = 0; i < 3; ++i) {
    model_->eval();
    clock();
  }
  *p.reset = 0;
  model_->eval();
}

// A rising edge and the falling one after it, on the time axis of the lanes' own clock.
void LaneDriver::clock() {
  const std::uint64_t now = rate_.femtoseconds(isa::Cycles(clocks_)),
                      next = rate_.femtoseconds(isa::Cycles(clocks_ + 1));
  *model_->pins.clk = 1;
  model_->eval();
  model_->dump_waves(now);
  *model_->pins.clk = 0;
  model_->eval();
  model_->dump_waves(now + (next - now) / 2);
  ++clocks_;
}

// One beat: the values of a kind of parameter in all lanes of a turn.
pins::StreamBeat LaneDriver::parameter_beat(const LaneWord& word, std::size_t beat) const {
  const std::size_t kinds = word.end_kind() - word.first_kind();
  const std::size_t turn = beat / kinds, kind = word.first_kind() + beat % kinds;
  pins::StreamBeat result;
  for (std::size_t lane = 0; lane < shape_.lanes; ++lane) {
    const std::size_t channel = turn * shape_.lanes + lane;
    if (channel < word.channels()) put(result.data, lane, word.parameters[channel][kind]);
  }
  result.data.bytes[kLaneBytes] = static_cast<std::uint8_t>(kind);
  result.data.bytes[kLaneBytes + 1] = static_cast<std::uint8_t>(turn);
  return result;
}

// One beat: x, then dy, of one element in all lanes of a turn.
pins::StreamBeat LaneDriver::operand_beat(const LaneWord& word, std::size_t turns, std::size_t beat) const {
  const std::size_t turn = beat % turns, element = beat / turns;
  pins::StreamBeat result;
  for (std::size_t lane = 0; lane < shape_.lanes; ++lane) {
    const std::size_t channel = turn * shape_.lanes + lane;
    if (channel >= word.channels()) break;
    put(result.data, lane, word.x[channel][element]);
    put(result.data, kLaneBytes / 4 + lane, word.dy[channel][element]);
  }
  return result;
}

// Gives the sources what they are to offer next; an edge follows.
void LaneDriver::feed(const LaneWord& word, const Lockstep& lockstep, Streams& s) const {
  const std::size_t parameters = lockstep.turns() * (word.end_kind() - word.first_kind());
  while (s.parameters < parameters) s.parameter.append(parameter_beat(word, s.parameters++));
  if (!s.commanded && s.parameter.idle()) {
    s.command.append({});
    s.commanded = true;
  }
  while (s.operands < lockstep.operand_beats() && s.operands - s.passed_operands < kQueued)
    s.operand.append(operand_beat(word, lockstep.turns(), s.operands++));
}

void LaneDriver::drive(const LaneWord& word, const Lockstep& lockstep, const Streams& s) {
  const LanePins& p = model_->pins;
  *p.result_beats = static_cast<std::uint32_t>(lockstep.result_beats());
  *p.parameter_valid = s.parameter.valid();
  const auto& parameter = s.parameter.beat().data.bytes;
  std::memcpy(p.parameter_values, parameter.data(), kLaneBytes);
  *p.parameter_kind = parameter[kLaneBytes];
  *p.parameter_slot = parameter[kLaneBytes + 1];
  *p.command_valid = s.command.valid();
  *p.command_opcode = word.opcode;
  *p.command_dst_interpreter = word.switches.dst_order == numerics::DstOrder::interpreter;
  *p.command_product_interpreter = word.switches.product_order == numerics::ProductOrder::interpreter;
  *p.command_channels = static_cast<std::uint16_t>(word.channels());
  *p.command_elements = static_cast<std::uint32_t>(word.elements);
  *p.operand_valid = s.operand.valid();
  const auto& operand = s.operand.beat().data.bytes;
  std::memcpy(p.operand_x, operand.data(), kLaneBytes);
  std::memcpy(p.operand_dy, operand.data() + kLaneBytes, kLaneBytes);
  *p.result_ready = s.result.ready();
}

// What passes at the edge to come; whether anything moved.
bool LaneDriver::observe(Lockstep& lockstep, Streams& s, Passage& passage) {
  const LanePins& p = model_->pins;
  const bool parameter_ready = *p.parameter_ready != 0, command_ready = *p.command_ready != 0,
             operand_ready = *p.operand_ready != 0, result_valid = *p.result_valid != 0;
  bool moved = (s.parameter.valid() && parameter_ready) || *p.trace_valid != 0;
  if (s.command.valid() && command_ready) {
    s.command_passed = moved = true;
    s.command_clock = clocks_;
  }
  if (s.operand.valid() && operand_ready) {
    ++s.passed_operands;
    moved = true;
  }
  if (result_valid && s.result.ready()) {
    lockstep.result({p.result_values, *p.result_keep, *p.result_last != 0});
    passage.cycles = clocks_ - s.command_clock;
    moved = true;
  }
  if (*p.trace_valid != 0) lockstep.sums(*p.trace_slot, p.trace_sums);
  passage.refused = passage.refused || *p.fault != 0;
  s.parameter.step(false, parameter_ready);
  s.command.step(false, command_ready);
  s.operand.step(false, operand_ready);
  s.result.step(false, result_valid, result_valid && s.result.ready() ? 1 : 0);
  return moved;
}

Passage LaneDriver::run(const LaneWord& word, Lockstep& lockstep, const StreamStalls& stalls, const Stop& stop) {
  Streams streams(stalls);
  Passage passage;
  std::uint64_t idle = 0;
  for (std::uint64_t n = 0; idle < kPatience; ++n) {
    if ((passage.stopped = stop(n))) break;
    feed(word, lockstep, streams);
    drive(word, lockstep, streams);
    model_->eval();
    idle = observe(lockstep, streams, passage) ? 0 : idle + 1;
    clock();
    passage.finished = streams.command_passed && streams.passed_operands == lockstep.operand_beats() &&
                       lockstep.results() == lockstep.result_beats();
    if (lockstep.finding() || passage.refused || (passage.finished && idle >= kAfterwards)) break;
  }
  return passage;
}

std::optional<isa::Finding> LaneDriver::violation() const {
  const LanePins& p = model_->pins;
  for (std::size_t stream = 0; stream < std::size(kStreams); ++stream) {
    if ((*p.failed >> stream & 1) == 0) continue;
    const unsigned rule = *p.failed_rule >> (4 * stream) & 15U;
    return isa::Finding{"rtl_protocol", fmt::format("stream {} beat", kStreams[stream]), 0, p.failed_beat[stream],
                        fmt::format("a stream that keeps the rule {}", stream_rule_name(rule))};
  }
  return std::nullopt;
}

}  // namespace dve::rtl
