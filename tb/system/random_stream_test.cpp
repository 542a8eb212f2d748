// A million random words through sequencer and engine in relaxed mode. Behind every port stands a target of the test
// that holds each access against what the word may touch (word_reach.h): nothing crashes, hangs, faults without cause
// or reaches beside its operands, whatever the word says.
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <memory>

#include "dve/engine/engine.h"
#include "dve/seq/seq.h"
#include "random_stream_words.h"
#include "support/initiator_tester.h"
#include "support/random_operands.h"

namespace dve::random_stream {
namespace {

using test::InitiatorTester;

constexpr std::uint64_t kProgram = 0x100000000;  // where the fetch socket sees the program
constexpr std::uint64_t kRing = 0x7F0000000000;  // where the memory socket sees the notification ring
constexpr std::uint32_t kRingEntries = 64;

struct Setting {
  isa::Engine engine;
  isa::Generation generation;
  bool timed;
  numerics::BackpropForm backprop_form = numerics::BackpropForm::staged;
};

isa::LegalityOptions legality(const Setting& setting) {
  isa::LegalityOptions options;
  options.generation = setting.generation;
  return options;
}

SequencerConfig sequencer_config(const Setting& setting) {
  SequencerConfig c;
  c.engine = setting.engine;
  c.strict = false;
  c.legality = legality(setting);
  c.timed = setting.timed;
  c.quantum = sc_core::sc_time(1, sc_core::SC_US);
  return c;
}

EngineConfig engine_config(const Setting& setting) {
  EngineConfig c;
  c.core.legality = legality(setting);
  c.core.switches.backprop_form = setting.backprop_form;
  c.timed = setting.timed;
  c.strict = false;
  c.use_dmi = false;
  return c;
}

// Everything that sequencer and engine reach: program, memories, Parameter-RAM, notification ring. Reads bring noise.
class CheckingTarget : public sc_core::sc_module {
 public:
  enum Port { fetch, memory, read0, read1, write, param, port_count };
  using Socket = tlm_utils::simple_target_socket_tagged<CheckingTarget>;

  CheckingTarget(sc_core::sc_module_name name, isa::Generation generation, RandomWords& words, std::uint64_t seed)
      : sc_module(name), generation_(generation), words_(words) {
    testing_support::Rng random(seed);
    noise_ = testing_support::mixed_bytes(1 << 16, random);
    for (int port = 0; port < port_count; ++port) {
      sockets[port] = std::make_unique<Socket>();
      sockets[port]->register_b_transport(this, &CheckingTarget::b_transport, port);
      sockets[port]->register_get_direct_mem_ptr(this, &CheckingTarget::get_direct_mem_ptr, port);
    }
  }

  std::array<std::unique_ptr<Socket>, port_count> sockets;
  std::vector<WordBytes> program;
  std::function<std::size_t()> current;  // index in the program
  ReadRegister registers;
  std::map<std::uint8_t, std::uint64_t> accesses;  // by opcode, that moved an operand

 private:
  void b_transport(int port, tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
    EXPECT_EQ(payload.get_streaming_width(), payload.get_data_length());
    const std::string problem = port == fetch ? serve_fetch(payload) : serve(static_cast<Port>(port), payload);
    if (!problem.empty()) complain(port, payload, problem);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  bool get_direct_mem_ptr(int, tlm::tlm_generic_payload&, tlm::tlm_dmi&) {
    ADD_FAILURE() << "DMI is off";
    return false;
  }

  std::string serve_fetch(tlm::tlm_generic_payload& payload) const {
    const std::uint64_t offset = payload.get_address() - kProgram, size = 64 * program.size();
    if (!payload.is_read() || offset > size || payload.get_data_length() > size - offset) return "outside the program";
    std::memcpy(payload.get_data_ptr(), program.front().data() + offset, payload.get_data_length());
    return {};
  }

  std::string serve(Port port, tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address(), length = payload.get_data_length();
    const bool is_write = payload.is_write();
    if (payload.is_read()) fill(payload.get_data_ptr(), length, port == memory);
    const WordBytes& word = program[current()];
    switch (port) {
      case memory:
        if (is_write && length == 16 && address >= kRing && address + length <= kRing + 16 * kRingEntries) return {};
        return transfer_objection(word, is_write, address, length, registers);
      case param:
        return param_ram_objection(word, is_write, address, length);
      default:
        ++accesses[word[0]];
        if (is_write && port != write) return "a write on a read port";
        return objection(word, access_of(payload), generation_, registers);
    }
  }

  static Access access_of(const tlm::tlm_generic_payload& payload) {
    Access access;
    access.write = payload.is_write();
    access.address = payload.get_address();
    Block& block = access.block;
    const TensorExtension* tensor = nullptr;
    payload.get_extension(tensor);
    if (tensor == nullptr) {  // plain bytes
      block.channels = block.element_bytes = 1;
      block.counts[0] = static_cast<std::uint16_t>(payload.get_data_length());
      block.elements = payload.get_data_length();
      return access;
    }
    block.channels = tensor->channels;
    block.element_bytes = tensor->element_bytes;
    block.steps = tensor->pattern.step_elem;
    block.counts = tensor->pattern.num_elem;
    block.first = tensor->first_element;
    block.elements = tensor->element_count;
    EXPECT_EQ(payload.get_data_length(), tensor->channels * tensor->element_count * tensor->element_bytes);
    return access;
  }

  // Operands are noise; what TensorLoad takes into registers is most often an address.
  void fill(std::uint8_t* data, std::uint64_t length, bool for_registers) {
    if (for_registers && length == 4) {
      const std::uint32_t value = words_.address();
      std::memcpy(data, &value, sizeof value);
      return;
    }
    for (std::uint64_t at = 0; at < length;) {
      const std::uint32_t from = words_.below(1 << 15);
      const std::uint64_t piece = std::min<std::uint64_t>(length - at, noise_.size() - from);
      std::memcpy(data + at, noise_.data() + from, piece);
      at += piece;
    }
  }

  void complain(int port, const tlm::tlm_generic_payload& payload, const std::string& problem) {
    if (++complaints_ > 20) return;
    isa::Word word;
    word.bytes = program[current()];
    std::string text;
    for (const std::uint8_t byte : word.bytes) text += fmt::format("{:02x}", byte);
    ADD_FAILURE() << fmt::format("word {} {}: {} on port {}, {} of {} bytes at 0x{:x}", current(), text, problem, port,
                                 payload.is_write() ? "write" : "read", payload.get_data_length(),
                                 payload.get_address());
  }

  isa::Generation generation_;
  RandomWords& words_;
  std::vector<std::uint8_t> noise_;
  int complaints_ = 0;
};

// Sequencer and engine with the checking target behind all their sockets, and a host that starts, releases and
// restarts.
class Bench {
 public:
  Bench(const Setting& setting, std::size_t words, std::uint64_t seed)
      : setting_(setting),
        words_(setting.engine, setting.generation, seed),
        sync_("sync"),
        seq_("seq", sequencer_config(setting), sync_, hooks()),
        engine_("engine", engine_config(setting)),
        target_("target", setting.generation, words_, seed),
        host_("host"),
        sync_host_("sync_host") {
    for (std::size_t k = 0; k < words; ++k) target_.program.push_back(words_.next());
    target_.current = [this] { return (seq_.program_counter() - kProgram) / 64; };
    target_.registers = [this](unsigned r) { return read_register(4 * r); };
    bind();
  }

  void run() {
    sc_core::sc_spawn([this] { release_forever(); });
    test::run_in_thread([this] {
      set_up_ring();
      run_to_the_end();
      running_ = false;
    });
  }

  // Every opcode came often, and moved data often.
  void expect_coverage() const {
    for (const std::uint8_t opcode : control_opcodes()) EXPECT_GT(times(retired_, opcode), 100u) << named(opcode);
    for (const std::uint8_t opcode : opcodes_of(setting_.engine)) {
      EXPECT_GT(times(retired_, opcode), 1000u) << named(opcode);
      const bool moves_data = !format_of(opcode).operands.empty();
      EXPECT_GE(times(target_.accesses, opcode), moves_data ? 500u : 0u) << named(opcode);
    }
    EXPECT_GT(releases_, 10u) << "waits that the host had to end";
  }

 private:
  SequencerHooks hooks() {
    SequencerHooks hooks;
    hooks.retired = [this](const Retirement& word) { ++retired_[word.bits.bytes[0]]; };
    return hooks;
  }
  using ByOpcode = std::map<std::uint8_t, std::uint64_t>;
  static std::uint64_t times(const ByOpcode& counts, std::uint8_t opcode) {
    const auto found = counts.find(opcode);
    return found == counts.end() ? 0 : found->second;
  }
  static std::string named(std::uint8_t opcode) { return fmt::format("0x{:02x}", opcode); }

  void bind() {
    const auto socket = [this](CheckingTarget::Port port) -> CheckingTarget::Socket& { return *target_.sockets[port]; };
    seq_.fetch.bind(socket(CheckingTarget::fetch));
    seq_.memory.bind(socket(CheckingTarget::memory));
    seq_.issue.bind(engine_.issue.socket);
    engine_.read0.socket.bind(socket(CheckingTarget::read0));
    engine_.read1.socket.bind(socket(CheckingTarget::read1));
    engine_.write.socket.bind(socket(CheckingTarget::write));
    engine_.param.bind(socket(CheckingTarget::param));
    host_.socket.bind(seq_.control.socket);
    sync_host_.socket.bind(sync_.in.socket);
  }

  static test::Bytes word_of(std::uint32_t value) {
    test::Bytes bytes(4);
    std::memcpy(bytes.data(), &value, bytes.size());
    return bytes;
  }
  void put(std::uint64_t address, std::uint32_t value) {
    EXPECT_EQ(host_.write(address, word_of(value)), tlm::TLM_OK_RESPONSE);
  }
  std::uint32_t read_register(std::uint64_t address) {
    const test::Bytes bytes = host_.debug_read(address, 4);
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  void set_up_ring() {
    put(Sequencer::kRingBaseLow, static_cast<std::uint32_t>(kRing));
    put(Sequencer::kRingBaseHigh, static_cast<std::uint32_t>(kRing >> 32));
    put(Sequencer::kRingMode, 1);
    put(Sequencer::kRingEntries, kRingEntries);
  }

  // From word to word behind which the sequencer stopped, as long as it had a reason to stop.
  void run_to_the_end() {
    for (std::size_t from = 0; from < target_.program.size();) {
      const std::uint64_t base = kProgram + 64 * from;
      put(Sequencer::kBaseLow, static_cast<std::uint32_t>(base));
      put(Sequencer::kBaseHigh, static_cast<std::uint32_t>(base >> 32));
      put(Sequencer::kWordCount, static_cast<std::uint32_t>(target_.program.size() - from));
      put(Sequencer::kControl, 1);
      sc_core::wait(seq_.ended());
      const std::size_t next = stopped_before(from);
      ASSERT_GT(next, from) << "no progress";
      from = next;
    }
  }

  // Index of the word to go on with.
  std::size_t stopped_before(std::size_t from) const {
    if (seq_.state() == Sequencer::State::done) {
      const std::size_t next = from + seq_.current_word();
      const bool halted = next > from && target_.program[next - 1][0] == 0xA1;
      EXPECT_TRUE(halted || next == target_.program.size()) << "stopped without a Halt at word " << next;
      return next;
    }
    EXPECT_EQ(seq_.state(), Sequencer::State::fault);
    EXPECT_EQ(seq_.faults().size(), 1u);
    const WordFinding& fault = seq_.faults().back();
    const WordBytes& word = target_.program[from + fault.word];
    EXPECT_TRUE(may_fault(word, fault.finding.predicate))
        << fault.finding.predicate << " at word " << from + fault.word;
    return from + fault.word + 1;
  }

  // Opcodes without a handler, and integer division by zero (isa.md 13.2, 15.1).
  bool may_fault(const WordBytes& word, const std::string& predicate) const {
    const auto contains = [&](const std::vector<std::uint8_t>& opcodes) {
      return std::find(opcodes.begin(), opcodes.end(), word[0]) != opcodes.end();
    };
    if (predicate == "unknown_opcode") return !contains(opcodes_of(setting_.engine)) && !contains(control_opcodes());
    return predicate == "integer_divide_by_zero" && (word[0] == 0x41 || word[0] == 0x42 || word[0] == 0x43);
  }

  // The host: makes true what the sequencer waits for.
  void release_forever() {
    while (running_) {
      sc_core::wait(5, sc_core::SC_US);
      if (seq_.state() != Sequencer::State::waiting) continue;
      ++releases_;
      const WaitCondition& wanted = seq_.blocked_on();
      EXPECT_EQ(sync_host_.write(window_of(wanted), word_of(value_for(wanted))), tlm::TLM_OK_RESPONSE);
    }
  }
  static bool on_event(const WaitCondition& wanted) {
    const auto mode = static_cast<std::uint8_t>(wanted.mode);
    return mode == 0x06 || mode == 0x07 || mode == 0x0E || mode == 0x0F;
  }
  static std::uint64_t window_of(const WaitCondition& wanted) {
    return (on_event(wanted) ? 0 : 0x1400) + 4 * std::uint64_t{wanted.index};
  }
  static std::uint32_t value_for(const WaitCondition& wanted) {
    const auto threshold = static_cast<std::uint32_t>(wanted.threshold);
    switch (static_cast<std::uint8_t>(wanted.mode)) {
      case 0x02:
        return threshold - 1;
      case 0x04:
        return threshold + 1;
      case 0x06:
      case 0x07:
        return 1;
      case 0x0E:
      case 0x0F:
        return 0;
      default:
        return threshold;
    }
  }

  Setting setting_;
  RandomWords words_;
  SyncUnit sync_;
  Sequencer seq_;
  InstructionEngine engine_;
  CheckingTarget target_;
  InitiatorTester host_, sync_host_;
  ByOpcode retired_;
  std::uint64_t releases_ = 0;
  bool running_ = true;
};

void run(const Setting& setting, std::uint64_t seed) {
  Bench bench(setting, 125000, seed);
  bench.run();
  bench.expect_coverage();
}

constexpr auto kDve = isa::Engine::dve, kPool = isa::Engine::pool, kAct = isa::Engine::act;
constexpr auto kTextbook = numerics::BackpropForm::textbook;

TEST(RandomStream, DveOnSunda) { run({kDve, isa::Generation::sunda, true}, 1); }
TEST(RandomStream, DveOnCayman) { run({kDve, isa::Generation::cayman, true}, 2); }
TEST(RandomStream, DveOnCaymanUntimed) { run({kDve, isa::Generation::cayman, false, kTextbook}, 3); }
TEST(RandomStream, DveOnMariana) { run({kDve, isa::Generation::mariana, true, kTextbook}, 4); }
TEST(RandomStream, DveOnMaverick) { run({kDve, isa::Generation::maverick, false}, 5); }
TEST(RandomStream, PoolOnCayman) { run({kPool, isa::Generation::cayman, true}, 6); }
TEST(RandomStream, PoolOnMarianaPlus) { run({kPool, isa::Generation::mariana_plus, false}, 7); }
TEST(RandomStream, ActOnCayman) { run({kAct, isa::Generation::cayman, true}, 8); }

}  // namespace
}  // namespace dve::random_stream
