#include "lane_group_bench.h"

#include <fmt/format.h>

#include "golden/golden.h"

namespace dve::cosim {

namespace {

constexpr std::uint64_t kPatience = 2000;  // cycles without any beat after which a result is given up
constexpr std::uint64_t kAfterwards = 12;  // cycles in which a beat too many would show

Stalls stalls_of(StallPattern pattern, const StallSequence& sequence, Rng& random) {
  return pattern == StallPattern::sequence ? Stalls(sequence) : Stalls(pattern, random);
}

}  // namespace

std::string Violation::text() const { return fmt::format("stream {} breaks {} after {} beats", stream, rule, beat); }

// The ends of the four streams during a run.
struct LaneGroupBench::Traffic {
  Traffic(std::size_t parameters, std::size_t operands, std::size_t results, const StallPlan& stalls, Rng& random)
      : parameter(parameters, Stalls(stalls.parameter, random)),
        command(1, Stalls(stalls.command, random)),
        operand(operands, stalls_of(stalls.operand, stalls.operand_sequence, random)),
        result(stalls_of(stalls.result, stalls.result_sequence, random)),
        expected(results) {}

  Sender parameter;
  Sender command;
  Sender operand;
  Stalls result;
  std::size_t expected;              // results
  std::optional<std::uint64_t> end;  // cycle in which the run is cut off
  std::uint64_t cycle = 0;
  std::uint64_t command_cycle = 0;
};

LaneGroupBench::LaneGroupBench(LaneBuild build, std::uint64_t seed, PlantedBug bug)
    : shape_(shape_of(build)), rtl_(make_lane_group(build, static_cast<std::uint32_t>(seed), bug)), random_(seed) {
  *rtl_->pins.clk = 0;
  rtl_->eval();
  reset();
}

void LaneGroupBench::reset() {
  const rtl::LanePins& pins = rtl_->pins;
  *pins.parameter_valid = *pins.command_valid = *pins.operand_valid = *pins.result_ready = 0;
  *pins.reset = 1;
  for (int i = 0; i < 3; ++i) {
    rtl_->eval();
    clock();
  }
  *pins.reset = 0;
  rtl_->eval();
}

void LaneGroupBench::clock() {
  *rtl_->pins.clk = 1;
  rtl_->eval();
  *rtl_->pins.clk = 0;
  rtl_->eval();
}

void LaneGroupBench::set_parameter(const LaneWord& word, std::size_t beat) {
  const rtl::LanePins& pins = rtl_->pins;
  const std::size_t kind = beat % std::tuple_size_v<LaneParameters>;
  const std::size_t turn = beat / std::tuple_size_v<LaneParameters>;
  *pins.parameter_kind = static_cast<std::uint8_t>(kind);
  *pins.parameter_slot = static_cast<std::uint8_t>(turn);
  for (std::size_t lane = 0; lane < shape_.lanes; ++lane) {
    const std::size_t channel = turn * shape_.lanes + lane;
    pins.parameter_values[lane] = channel < word.channels() ? golden::bits_of_float(word.parameters[channel][kind])
                                                            : static_cast<std::uint32_t>(random_());
  }
}

void LaneGroupBench::set_operand(const LaneWord& word, std::size_t beat) {
  const std::size_t turns = turns_of(word.channels(), shape_);
  const std::size_t element = beat / turns;
  for (std::size_t lane = 0; lane < shape_.lanes; ++lane) {
    const std::size_t channel = beat % turns * shape_.lanes + lane;
    const bool real = channel < word.channels();
    rtl_->pins.operand_x[lane] =
        real ? golden::bits_of_float(word.x[channel][element]) : static_cast<std::uint32_t>(random_());
    rtl_->pins.operand_dy[lane] =
        real ? golden::bits_of_float(word.dy[channel][element]) : static_cast<std::uint32_t>(random_());
  }
}

void LaneGroupBench::set_command(const LaneWord& word) {
  const rtl::LanePins& pins = rtl_->pins;
  *pins.command_opcode = word.opcode;
  *pins.command_dst_interpreter = word.dst_interpreter;
  *pins.command_product_interpreter = word.product_interpreter;
  *pins.command_channels = static_cast<std::uint16_t>(word.channels());
  *pins.command_elements = static_cast<std::uint32_t>(word.elements());
}

// Valid bits and payloads of a cycle. A payload is written when its beat is first offered.
void LaneGroupBench::offer(const LaneWord& word, Traffic& traffic) {
  const rtl::LanePins& pins = rtl_->pins;
  const bool parameter = traffic.parameter.offers();
  if (parameter && *pins.parameter_valid == 0) set_parameter(word, traffic.parameter.current());
  *pins.parameter_valid = parameter;
  const bool parameters_pass = traffic.parameter.done() || (traffic.parameter.at_last() && parameter);
  *pins.command_valid = *pins.command_valid != 0 || (parameters_pass && traffic.command.offers());
  const bool operand = traffic.operand.offers();
  if (operand && *pins.operand_valid == 0) set_operand(word, traffic.operand.current());
  *pins.operand_valid = operand;
  *pins.result_ready = !traffic.result.next();
}

// What passes in this cycle; whether anything moved.
bool LaneGroupBench::record(WordRun& run, Traffic& traffic) {
  const rtl::LanePins& pins = rtl_->pins;
  bool moved = false;
  const auto pass = [&](std::uint8_t* valid, const std::uint8_t* ready, Sender& sender) {
    if (*valid == 0 || *ready == 0) return false;
    sender.pass();
    return moved = true;
  };
  if (pass(pins.command_valid, pins.command_ready, traffic.command)) traffic.command_cycle = traffic.cycle;
  pass(pins.parameter_valid, pins.parameter_ready, traffic.parameter);
  pass(pins.operand_valid, pins.operand_ready, traffic.operand);
  if (*pins.result_valid != 0 && *pins.result_ready != 0) {
    run.results.push_back(
        {{pins.result_values, pins.result_values + shape_.lanes}, *pins.result_keep, *pins.result_last != 0});
    run.cycles = traffic.cycle - traffic.command_cycle;
    moved = true;
  }
  if (*pins.trace_valid != 0) {
    TraceBeat beat;
    beat.turn = *pins.trace_slot;
    for (std::size_t lane = 0; lane < shape_.lanes; ++lane) {
      const std::uint32_t* sums = pins.trace_sums + 3 * lane;
      beat.sums.push_back({sums[0], sums[1], sums[2]});
    }
    run.trace.push_back(beat);
    moved = true;
  }
  run.fault = run.fault || *pins.fault != 0;
  return moved;
}

WordRun LaneGroupBench::drive(const LaneWord& word, Traffic& traffic) {
  const rtl::LanePins& pins = rtl_->pins;
  *pins.result_beats = static_cast<std::uint32_t>(traffic.expected);
  WordRun run;
  std::uint64_t idle = 0;
  for (; idle < kPatience && traffic.cycle != traffic.end; ++traffic.cycle) {
    offer(word, traffic);
    rtl_->eval();
    check_independence();
    const bool parameter = *pins.parameter_valid != 0 && *pins.parameter_ready != 0;
    const bool command = *pins.command_valid != 0 && *pins.command_ready != 0;
    const bool operand = *pins.operand_valid != 0 && *pins.operand_ready != 0;
    idle = record(run, traffic) ? 0 : idle + 1;
    clock();
    if (parameter) *pins.parameter_valid = 0;
    if (command) *pins.command_valid = 0;
    if (operand) *pins.operand_valid = 0;
    run.finished = traffic.command.done() && traffic.operand.done() && run.results.size() >= traffic.expected;
    if (run.finished && idle >= kAfterwards) break;
  }
  run.violations = violations();
  return run;
}

// One stream a cycle: the two sides of a hand-shake do not wait for each other within a cycle. Inputs are left as they
// were.
void LaneGroupBench::check_independence() {
  const rtl::LanePins& pins = rtl_->pins;
  struct Side {
    const char* stream;
    std::uint8_t* driven;
    const std::uint8_t* answer;
    const char* rule;
  };
  const Side sides[] = {{"parameter", pins.parameter_valid, pins.parameter_ready, "ready_depends_on_valid"},
                        {"command", pins.command_valid, pins.command_ready, "ready_depends_on_valid"},
                        {"operand", pins.operand_valid, pins.operand_ready, "ready_depends_on_valid"},
                        {"result", pins.result_ready, pins.result_valid, "valid_depends_on_ready"}};
  const Side& side = sides[random_() % 4];
  const std::uint8_t before = *side.answer;
  *side.driven ^= 1;
  rtl_->eval();
  if (*side.answer != before) dependences_ = {{side.stream, side.rule, 0}};
  *side.driven ^= 1;
  rtl_->eval();
}

std::vector<Violation> LaneGroupBench::violations() const {
  constexpr const char* kStreams[] = {"parameter", "command", "operand", "result"};
  const rtl::LanePins& pins = rtl_->pins;
  std::vector<Violation> found = dependences_;
  for (unsigned i = 0; i < std::size(kStreams); ++i) {
    if ((*pins.failed >> i & 1) == 0) continue;
    found.push_back({kStreams[i], rtl::stream_rule_name(*pins.failed_rule >> (4 * i) & 15U), pins.failed_beat[i]});
  }
  return found;
}

WordRun LaneGroupBench::run(const LaneWord& word, const StallPlan& stalls) {
  Traffic traffic = traffic_of(word, stalls);
  return drive(word, traffic);
}

WordRun LaneGroupBench::run_with_old_parameters(const LaneWord& word, const StallPlan& stalls) {
  Traffic traffic = traffic_of(word, stalls);
  traffic.parameter = Sender(0, Stalls(stalls.parameter, random_));
  return drive(word, traffic);
}

WordRun LaneGroupBench::run_into_reset(const LaneWord& word, const StallPlan& stalls, std::uint64_t cycle) {
  Traffic traffic = traffic_of(word, stalls);
  traffic.end = cycle;
  WordRun run = drive(word, traffic);
  reset();
  run.violations = violations();
  return run;
}

WordRun LaneGroupBench::command(std::uint8_t opcode, std::size_t channels, std::uint32_t elements) {
  LaneWord word;
  word.opcode = opcode;
  set_command(word);
  *rtl_->pins.command_channels = static_cast<std::uint16_t>(channels);
  *rtl_->pins.command_elements = elements;
  Traffic traffic(0, 0, 0, StallPlan{}, random_);
  return drive(word, traffic);
}

bool LaneGroupBench::parameter_faults(std::uint8_t kind, std::uint8_t slot) {
  const rtl::LanePins& pins = rtl_->pins;
  *pins.parameter_kind = kind;
  *pins.parameter_slot = slot;
  *pins.parameter_valid = 1;
  rtl_->eval();
  clock();
  *pins.parameter_valid = 0;
  rtl_->eval();
  return *pins.fault != 0;
}

LaneGroupBench::Traffic LaneGroupBench::traffic_of(const LaneWord& word, const StallPlan& stalls) {
  set_command(word);
  const std::size_t turns = turns_of(word.channels(), shape_);
  return {turns * std::tuple_size_v<LaneParameters>, turns * word.elements(), result_beats(word, shape_), stalls,
          random_};
}

}  // namespace dve::cosim
