#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES  // for sc_spawn
#endif
#include "lane_streams.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstring>

#include "golden/golden.h"

namespace dve::cosim {

namespace {

constexpr std::uint64_t kPatience = 2000;  // cycles without a result after which the rest is given up
constexpr std::uint64_t kAfterwards = 12;  // cycles in which a beat too many would show
constexpr std::size_t kLaneBytes = 64;     // of the values of all lanes in a beat

sc_core::sc_time one_cycle() { return {10, sc_core::SC_NS}; }
std::uint64_t edge_now() { return static_cast<std::uint64_t>(sc_core::sc_time_stamp() / one_cycle()); }
void wait_cycles(std::uint64_t cycles) { sc_core::wait(static_cast<double>(cycles) * one_cycle()); }
void wait_until_between_edges() {
  sc_core::wait(static_cast<double>(edge_now()) * one_cycle() + one_cycle() / 2 - sc_core::sc_time_stamp());
}

using Bytes = std::vector<std::uint8_t>;

// Beats of a stream as the bytes of one TLM write.
class Beats {
 public:
  explicit Beats(std::size_t beat_bytes) : beat_bytes_(beat_bytes) {}
  void begin() { bytes_.resize(bytes_.size() + beat_bytes_); }
  void set(std::size_t offset, std::uint64_t value, std::size_t bytes) {
    std::memcpy(&bytes_[bytes_.size() - beat_bytes_ + offset], &value, bytes);
  }
  const Bytes& bytes() const { return bytes_; }

 private:
  std::size_t beat_bytes_;
  Bytes bytes_;
};

// A word as the payloads of its streams. Lanes without a channel carry anything.
struct WordBytes {
  Bytes parameters, command, operands;
};
WordBytes bytes_of(const LaneWord& word, const LaneShape& shape, Rng& random) {
  const std::size_t turns = turns_of(word.channels(), shape);
  const auto bits = [&](const auto& values, std::size_t channel, std::size_t index) {
    return channel < word.channels() ? golden::bits_of_float(values[channel][index])
                                     : static_cast<std::uint32_t>(random());
  };
  Beats parameters(kParameterBytes), command(kCommandBytes), operands(kOperandBytes);
  constexpr std::size_t kKinds = std::tuple_size_v<LaneParameters>;
  for (std::size_t beat = 0; beat < turns * kKinds; ++beat) {
    parameters.begin();
    for (std::size_t lane = 0; lane < shape.lanes; ++lane) {
      parameters.set(4 * lane, bits(word.parameters, beat / kKinds * shape.lanes + lane, beat % kKinds), 4);
    }
    parameters.set(kLaneBytes, beat % kKinds, 1);
    parameters.set(kLaneBytes + 1, beat / kKinds, 1);
  }
  for (std::size_t beat = 0; beat < turns * word.elements(); ++beat) {
    operands.begin();
    for (std::size_t lane = 0; lane < shape.lanes; ++lane) {
      const std::size_t channel = beat % turns * shape.lanes + lane;
      operands.set(4 * lane, bits(word.x, channel, beat / turns), 4);
      operands.set(kLaneBytes + 4 * lane, bits(word.dy, channel, beat / turns), 4);
    }
  }
  command.begin();
  command.set(0, word.opcode, 1);
  command.set(1, (word.dst_interpreter ? 1U : 0U) | (word.product_interpreter ? 2U : 0U), 1);
  command.set(2, word.channels(), 2);
  command.set(4, word.elements(), 4);
  return {parameters.bytes(), command.bytes(), operands.bytes()};
}

// An initiator of writes.
struct Writer : sc_core::sc_module {
  explicit Writer(sc_core::sc_module_name module_name) : sc_module(module_name) {}
  tlm_utils::simple_initiator_socket<Writer> out{"out"};
  bool write(Bytes& bytes) {
    if (bytes.empty()) return true;
    tlm::tlm_generic_payload payload;
    sc_core::sc_time delay;
    prepare(payload, tlm::TLM_WRITE_COMMAND, 0, bytes.data(), bytes.size());
    out->b_transport(payload, delay);
    return payload.is_response_ok();
  }
};

// Where results go: every write with its time.
struct ResultMemory : sc_core::sc_module, TargetModel {
  ResultMemory(sc_core::sc_module_name module_name, std::uint64_t size)
      : sc_module(module_name), in("in", *this, capabilities_of(size)) {}
  static TargetCapabilities capabilities_of(std::uint64_t size) {
    TargetCapabilities capabilities;
    capabilities.size = size;
    capabilities.readable = false;
    return capabilities;
  }
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time&) override {
    if (access.debug) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    beats.emplace_back(access.data, access.data + access.length);
    last_edge = edge_now();
    return tlm::TLM_OK_RESPONSE;
  }
  GuardedTarget in;
  std::vector<Bytes> beats;
  std::uint64_t last_edge = 0;
};

pins::StreamWindow results_window(std::size_t most_results) {
  pins::StreamWindow window;
  window.size = kResultBytes * most_results;
  window.burst_at_base = true;
  return window;
}

pins::StreamChecker::Limits stall_limit(std::uint64_t cycles) {
  pins::StreamChecker::Limits limits;
  limits.stall_limit = cycles;
  return limits;
}

}  // namespace

struct LaneStreams::Parts {
  Parts(LaneBuild build, std::uint64_t seed, std::size_t most_results, Rng& random)
      : stalls{Stalls(StallPattern::never, random), Stalls(StallPattern::never, random),
               Stalls(StallPattern::never, random), Stalls(StallPattern::never, random)},
        receiver("receiver", results_window(most_results), stall(3)),
        results("results", kResultBytes * most_results),
        lanes(make_lane_streams(build, static_cast<std::uint32_t>(seed), clk, signals)) {
    connect(parameter_writer, parameter_sender, parameter_monitor, signals.parameter);
    connect(command_writer, command_sender, command_monitor, signals.command);
    connect(operand_writer, operand_sender, operand_monitor, signals.operand);
    clocked(receiver);
    clocked(result_monitor);
    receiver.pins.bind(signals.result);
    result_monitor.pins.bind(signals.result);
    receiver.out.bind(results.in.socket);
  }
  template <class Module>
  void clocked(Module& module) {
    module.clk(clk);
    module.reset(signals.reset);
  }
  template <class Sender, class Monitor, class Stream>
  void connect(Writer& writer, Sender& sender, Monitor& monitor, Stream& stream) {
    clocked(sender);
    clocked(monitor);
    sender.pins.bind(stream);
    monitor.pins.bind(stream);
    writer.out.bind(sender.in.socket);
  }
  pins::Stall stall(std::size_t stream) {
    return [this, stream](std::uint64_t) { return stalls[stream].next(); };
  }
  void set_stalls(const StallPlan& plan, Rng& random) {
    const auto of = [&](StallPattern pattern, const StallSequence& sequence) {
      return pattern == StallPattern::sequence ? Stalls(sequence) : Stalls(pattern, random);
    };
    stalls[0] = of(plan.parameter, {});
    stalls[1] = of(plan.command, {});
    stalls[2] = of(plan.operand, plan.operand_sequence);
    stalls[3] = of(plan.result, plan.result_sequence);
  }

  std::array<Stalls, 4> stalls;  // parameter, command, operand, result
  sc_core::sc_clock clk{"clk", one_cycle()};
  LaneSignals signals;
  Writer parameter_writer{"parameter_writer"}, command_writer{"command_writer"}, operand_writer{"operand_writer"};
  // Every address of a stream's range is the same; the range is that of the longest payload.
  pins::TlmToStream<8 * kParameterBytes> parameter_sender{"parameter_sender", UINT32_MAX, stall(0)};
  pins::TlmToStream<8 * kCommandBytes> command_sender{"command_sender", UINT32_MAX, stall(1)};
  pins::TlmToStream<8 * kOperandBytes> operand_sender{"operand_sender", UINT32_MAX, stall(2)};
  pins::StreamToTlm<8 * kResultBytes> receiver;
  ResultMemory results;
  pins::StreamMonitor<8 * kParameterBytes> parameter_monitor{"parameter_monitor", stall_limit(1000)};
  pins::StreamMonitor<8 * kCommandBytes> command_monitor{"command_monitor", stall_limit(1000)};
  pins::StreamMonitor<8 * kOperandBytes> operand_monitor{"operand_monitor", stall_limit(10000)};
  pins::StreamMonitor<8 * kResultBytes> result_monitor{"result_monitor", stall_limit(1000)};
  std::unique_ptr<sc_core::sc_module> lanes;
};

LaneStreams::LaneStreams(sc_core::sc_module_name name, LaneBuild build, std::uint64_t seed, std::size_t most_results)
    : sc_module(name), shape_(shape_of(build)), random_(seed) {
  parts_ = std::make_unique<Parts>(build, seed, most_results, random_);
  SC_HAS_PROCESS(LaneStreams);
  SC_METHOD(record);
  sensitive << parts_->clk.posedge_event();
  dont_initialize();
}

LaneStreams::~LaneStreams() = default;

void LaneStreams::record() {
  const LaneSignals& pins = parts_->signals;
  if (pins.result.valid.read() && pins.result.ready.read() && !pins.reset.read()) {
    seen_.results.push_back({{}, 0, pins.result.last.read()});
  }
  seen_.fault = seen_.fault || pins.fault.read();
  if (!pins.trace_valid.read() || pins.reset.read()) return;
  TraceBeat beat;
  beat.turn = pins.trace_slot.read();
  const sc_dt::sc_bv<1536>& sums = pins.trace_sums.read();
  for (int lane = 0; lane < static_cast<int>(shape_.lanes); ++lane) {
    beat.sums.push_back({sums.get_word(3 * lane), sums.get_word(3 * lane + 1), sums.get_word(3 * lane + 2)});
  }
  seen_.trace.push_back(beat);
}

void LaneStreams::reset() {
  parts_->signals.reset.write(true);
  wait_cycles(3);
  parts_->signals.reset.write(false);
}

StreamRun LaneStreams::collect(std::size_t expected) const {
  StreamRun run;
  run.word = seen_;
  const ResultMemory& memory = parts_->results;
  run.word.finished = memory.beats.size() >= expected;
  run.word.results.resize(memory.beats.size());
  for (std::size_t i = 0; i < memory.beats.size(); ++i) {
    ResultBeat& beat = run.word.results[i];
    beat.values.resize(shape_.lanes);
    std::memcpy(beat.values.data(), memory.beats[i].data(), 4 * shape_.lanes);
    std::uint16_t keep = 0;
    std::memcpy(&keep, &memory.beats[i][kLaneBytes], sizeof keep);
    beat.keep = keep;
  }
  return run;
}

StreamRun LaneStreams::run(const LaneWord& word, const StallPlan& stalls, std::optional<std::uint64_t> reset_in) {
  Parts& parts = *parts_;
  const std::size_t expected = result_beats(word, shape_);
  WordBytes bytes = bytes_of(word, shape_, random_);
  seen_ = {};
  parts.results.beats.clear();
  parts.set_stalls(stalls, random_);
  parts.signals.result_beats.write(static_cast<std::uint32_t>(expected));
  parts.result_monitor.checker.set_burst_beats(expected);

  bool operands_done = false, words_done = false, ok = true;
  std::uint64_t called = 0, passed = 0;
  sc_core::sc_spawn([&] {
    if (!parts.operand_writer.write(bytes.operands)) ok = false;
    operands_done = true;
  });
  sc_core::sc_spawn([&] {
    ok = parts.parameter_writer.write(bytes.parameters) && ok;
    called = edge_now();
    ok = ok && parts.command_writer.write(bytes.command);
    passed = edge_now();
    words_done = true;
  });
  const auto done = [&] { return operands_done && words_done; };
  wait_for_results(expected, reset_in, done);
  wait_until_between_edges();
  if (!done()) reset();            // ends calls that wait for the lanes
  while (!done()) wait_cycles(1);  // one that had not begun is made now
  wait_until_between_edges();
  if (reset_in) reset();  // and has no effect
  StreamRun run = collect(expected);
  run.interrupted = !ok;
  run.word.cycles = parts.results.last_edge - passed;
  run.cycles_from_call = parts.results.last_edge - called;
  return run;
}

void LaneStreams::wait_for_results(std::size_t expected, std::optional<std::uint64_t> reset_in,
                                   const std::function<bool()>& done) {
  const auto moved = [&] { return parts_->results.beats.size() + seen_.trace.size(); };
  std::uint64_t idle = 0;
  for (std::uint64_t cycle = 0; idle < kPatience; ++cycle) {
    if (reset_in && cycle == *reset_in) {
      reset();
      return;
    }
    const std::size_t before = moved();
    wait_cycles(1);
    idle = moved() != before ? 0 : idle + 1;
    if (!reset_in && done() && parts_->results.beats.size() >= expected && idle >= kAfterwards) return;
  }
}

std::vector<std::string> LaneStreams::findings() const {
  constexpr const char* kStreams[] = {"parameter", "command", "operand", "result"};
  std::vector<std::string> found;
  const Parts& parts = *parts_;
  const std::optional<pins::Finding>* findings[] = {
      &parts.parameter_monitor.checker.finding(), &parts.command_monitor.checker.finding(),
      &parts.operand_monitor.checker.finding(), &parts.result_monitor.checker.finding()};
  for (std::size_t i = 0; i < std::size(kStreams); ++i) {
    if (*findings[i]) found.push_back(std::string(kStreams[i]) + ": " + (*findings[i])->text());
    if ((parts.signals.failed.read() >> i & 1) != 0) {
      found.push_back(std::string(kStreams[i]) + ": rule " +
                      std::to_string(parts.signals.failed_rule.read() >> 4 * i & 15) + " of dve_stream_checker");
    }
  }
  return found;
}

}  // namespace dve::cosim
