// The sequencer with an engine that only writes down what reaches it.
#include <cstring>
#include <deque>

#include "dve/seq/seq.h"
#include "support/control_words.h"
#include "support/initiator_tester.h"

namespace dve {
namespace sequencer_test {
namespace {

using namespace test;
using namespace testing_support;

// A memory of a few KiB: instructions, and what TensorLoad and TensorStore reach.
struct Memory : sc_core::sc_module, private TargetModel {
  GuardedTarget in;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(0x4000);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> reads;  // address, length
  explicit Memory(sc_core::sc_module_name name) : sc_module(name), in("in", *this, capabilities()) {}
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time&) override {
    if (!access.write) reads.emplace_back(access.address, access.length);
    std::uint8_t* at = bytes.data() + access.address;
    std::memcpy(access.write ? at : access.data, access.write ? access.data : at, access.length);
    return tlm::TLM_OK_RESPONSE;
  }
  static TargetCapabilities capabilities() {
    TargetCapabilities c;
    c.size = 0x4000;
    return c;
  }
};

// Takes every word; what it answers is set by the test.
struct ScriptedEngine : sc_core::sc_module, private TargetModel {
  struct Seen {
    isa::Word word;
    std::uint32_t r7;
    std::uint64_t wait_holds;
    bool wants_crc;
  };
  GuardedTarget in;
  std::vector<Seen> seen;
  std::function<void(IssueExtension&)> answer;
  bool refuse = false;
  explicit ScriptedEngine(sc_core::sc_module_name name) : sc_module(name), in("in", *this, capabilities()) {}
  bool transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    IssueExtension* issue = nullptr;
    payload.get_extension(issue);
    Seen s{{}, (*issue->registers)[7], issue->wait_holds.value, issue->wants_crc};
    std::memcpy(s.word.bytes.data(), payload.get_data_ptr(), isa::kWordBytes);
    seen.push_back(s);
    issue->schedule = issue->pipeline->control({}, issue->wait_holds, false);
    if (answer) answer(*issue);
    payload.set_response_status(refuse ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    return true;
  }
  tlm::tlm_response_status access(const PlainAccess&, sc_core::sc_time&) override { return tlm::TLM_OK_RESPONSE; }
  static TargetCapabilities capabilities() {
    TargetCapabilities c;
    c.size = isa::kWordBytes;
    return c;
  }
};

struct Bench {
  std::vector<WordFinding> warnings;
  std::vector<Retirement> retired;
  SyncUnit sync{"sync"};
  Sequencer seq;
  InitiatorTester tester{"tester"}, sync_tester{"sync_tester"};
  Memory program{"program"}, data{"data"};
  ScriptedEngine engine{"engine"};
  explicit Bench(const SequencerConfig& config) : seq("seq", config, sync, hooks()) {
    sync_tester.socket.bind(sync.in.socket);
    tester.socket.bind(seq.control.socket);
    seq.fetch.bind(program.in.socket);
    seq.memory.bind(data.in.socket);
    seq.issue.bind(engine.in.socket);
  }
  SequencerHooks hooks() {
    SequencerHooks h;
    h.warned = [this](const WordFinding& warning) { warnings.push_back(warning); };
    h.retired = [this](const Retirement& word) { retired.push_back(word); };
    return h;
  }
  void put(std::uint64_t address, const std::vector<isa::Word>& words) {
    for (std::size_t k = 0; k < words.size(); ++k)
      std::memcpy(program.bytes.data() + address + 64 * k, words[k].bytes.data(), 64);
  }
  void write(std::uint64_t reg, std::uint32_t value) {
    Bytes bytes(4);
    std::memcpy(bytes.data(), &value, 4);
    EXPECT_EQ(tester.write(reg, bytes), tlm::TLM_OK_RESPONSE);
  }
  void run(std::uint64_t base, std::uint32_t count) {
    write(Sequencer::kBaseLow, static_cast<std::uint32_t>(base));
    write(Sequencer::kWordCount, count);
    write(Sequencer::kControl, 1);
    sc_core::wait(seq.ended());
  }
};

// Words of the engine: legal ones that a stub can take for anything.
isa::Word engine_word(std::uint8_t debug_cmd = 0) {
  isa::CtrlIm w;
  w.header.opcode = isa::code(isa::Opcode::load_parameter_ram);
  w.header.debug_cmd = debug_cmd;
  return isa::encode(w);
}

TEST(Sequencer, HandsWordRegistersAndWaitToTheEngine) {
  Bench bench{SequencerConfig{}};
  bench.put(0, {move_immediates({{7, 0xCAFE}}), engine_word(), nop(),
                with_events(engine_word(), waits(isa::WaitMode::sem_ge_imm, 1, 0))});
  run_in_thread([&] { bench.run(0, 4); });
  ASSERT_EQ(bench.engine.seen.size(), 2u) << "control words stay in the sequencer";
  EXPECT_EQ(bench.engine.seen[0].word.bytes, engine_word().bytes);
  EXPECT_EQ(bench.engine.seen[0].r7, 0xCAFEu);
  EXPECT_EQ(bench.engine.seen[0].wait_holds, 0u);
  EXPECT_EQ(bench.engine.seen[1].word.bytes[4], 5) << "EVENTS are part of the word";
  EXPECT_EQ(bench.seq.executed(), 4u);
  EXPECT_EQ(bench.seq.cycles().value, 40u) << "one schedule for both kinds of words";
}

TEST(Sequencer, AsksForCrcsOnlyWhereAnEndRecordWillShowThem) {
  Bench bench{SequencerConfig{}};
  bench.put(0, {engine_word(5), engine_word(3), engine_word(7)});
  run_in_thread([&] {
    bench.run(0, 1);
    bench.write(Sequencer::kRingBaseLow, 0x100);
    bench.write(Sequencer::kRingEntries, 4);
    bench.run(0, 3);
  });
  std::vector<bool> wants;
  for (const auto& seen : bench.engine.seen) wants.push_back(seen.wants_crc);
  EXPECT_EQ(wants, (std::vector<bool>{false, true, false, true}));
}

TEST(Sequencer, CrcsOfTheEngineStandInTheEndRecord) {
  Bench bench{SequencerConfig{}};
  bench.engine.answer = [](IssueExtension& issue) {
    issue.input_crc = 0x1234;
    issue.output_crc = 0xABCD;
  };
  bench.put(0, {engine_word(5)});
  run_in_thread([&] {
    bench.write(Sequencer::kRingBaseLow, 0x100);
    bench.write(Sequencer::kRingEntries, 4);
    bench.run(0, 1);
  });
  const Bytes body(bench.data.bytes.begin() + 0x104, bench.data.bytes.begin() + 0x108);
  EXPECT_EQ(body, (Bytes{0x34, 0x12, 0xCD, 0xAB}));
}

TEST(Sequencer, FetchesWindowsOf512WordsAndNoMoreThanTheProgram) {
  Bench bench{SequencerConfig{}};
  bench.put(0x80, nops(10));
  run_in_thread([&] {
    bench.run(0x80, 10);
    bench.run(0x80, 3);
  });
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected = {{0x80, 640}, {0x80, 192}};
  EXPECT_EQ(bench.program.reads, expected);
  EXPECT_EQ(bench.seq.fetched().read.value, 832u);
  EXPECT_EQ(bench.seq.fetched().transactions, 2u);
}

TEST(Sequencer, AFlushFetchesAgainFromTheNextWordOn) {
  Bench bench{SequencerConfig{}};
  bench.put(0, {nop(), nop(), instruction_flush(), nop(), nop()});
  run_in_thread([&] { bench.run(0, 5); });
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected = {{0, 320}, {192, 128}};
  EXPECT_EQ(bench.program.reads, expected);
}

TEST(Sequencer, AWindowPastTheEndFallsBackToSingleWords) {
  Bench bench{SequencerConfig{}};
  bench.put(0x4000 - 192, {nop(), nop(), halt()});
  run_in_thread([&] { bench.run(0x4000 - 192, Sequencer::kUntilHalt); });
  EXPECT_TRUE(bench.seq.faults().empty());
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected = {
      {0x4000 - 192, 64}, {0x4000 - 128, 64}, {0x4000 - 64, 64}};
  EXPECT_EQ(bench.program.reads, expected);
}

TEST(Sequencer, FindingsOfTheEngineAreFaultsAndWarnings) {
  Bench bench{SequencerConfig{}};
  bench.put(0, {engine_word(), engine_word(), engine_word()});
  bench.engine.answer = [&](IssueExtension& issue) {
    issue.warnings.push_back({"odd", "dst", 48, 1, "even"});
    if (bench.engine.seen.size() == 2) issue.faults.push_back({"bad", "src", 16, 2, "good"});
  };
  run_in_thread([&] { bench.run(0, 3); });
  EXPECT_EQ(bench.engine.seen.size(), 2u);
  EXPECT_EQ(bench.retired.size(), 1u);
  ASSERT_EQ(bench.warnings.size(), 2u);
  EXPECT_EQ(bench.warnings[1].word, 1u);
  EXPECT_EQ(bench.warnings[1].finding.predicate, "odd");
  ASSERT_EQ(bench.seq.faults().size(), 1u);
  EXPECT_EQ(bench.seq.faults()[0].finding.predicate, "bad");
  EXPECT_EQ(bench.seq.faults()[0].opcode, 0x66);
  EXPECT_EQ(bench.seq.state(), Sequencer::State::fault);
}

TEST(Sequencer, AnEngineThatDoesNotAnswerIsAFault) {
  Bench bench{SequencerConfig{}};
  bench.engine.refuse = true;
  bench.put(0, {engine_word()});
  run_in_thread([&] { bench.run(0, 1); });
  ASSERT_EQ(bench.seq.faults().size(), 1u);
  EXPECT_EQ(bench.seq.faults()[0].finding.predicate, "issue_response");
}

TEST(Sequencer, FloatingPointStatusIsOneWarningAFlag) {
  Bench bench{SequencerConfig{}};
  std::deque<std::uint8_t> statuses = {0, 1, 2, 4, 8, 16, 31};
  bench.put(0, std::vector<isa::Word>(7, engine_word()));
  bench.engine.answer = [&](IssueExtension& issue) {
    issue.fp_status = statuses.front();
    statuses.pop_front();
  };
  run_in_thread([&] { bench.run(0, 7); });
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (const WordFinding& w : bench.warnings) found.emplace_back(w.word, w.finding.predicate);
  const std::vector<std::string> names = {"fp_status_inexact", "fp_status_underflow", "fp_status_overflow",
                                          "fp_status_divide_by_zero", "fp_status_invalid"};
  std::vector<std::pair<std::uint64_t, std::string>> expected;
  for (std::uint64_t k = 0; k < 5; ++k) expected.emplace_back(k + 1, names[k]);
  for (const std::string& name : names) expected.emplace_back(6, name);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(bench.seq.state(), Sequencer::State::done);
}

TEST(Sequencer, FirmwarePolicyFaultsOnSeveralFlagsOnly) {
  SequencerConfig config;
  config.fp_status = FpStatusPolicy::firmware;
  Bench bench{config};
  std::deque<std::uint8_t> statuses = {16, 12, 0};
  bench.put(0, std::vector<isa::Word>(3, engine_word()));
  bench.engine.answer = [&](IssueExtension& issue) {
    issue.fp_status = statuses.front();
    statuses.pop_front();
  };
  run_in_thread([&] { bench.run(0, 3); });
  ASSERT_EQ(bench.warnings.size(), 1u);
  EXPECT_EQ(bench.warnings[0].finding.predicate, "fp_status_invalid");
  ASSERT_EQ(bench.seq.faults().size(), 1u);
  EXPECT_EQ(bench.seq.faults()[0].finding.predicate, "fp_status_several");
  EXPECT_EQ(bench.seq.faults()[0].finding.value, 12u);
  EXPECT_EQ(bench.seq.faults()[0].word, 1u);
}

TEST(Sequencer, RelaxedModeWarnsAboutControlWordsWithoutMeaningAndGoesOn) {
  SequencerConfig config;
  config.strict = false;
  Bench bench{config};
  isa::Word move = move_immediates({{7, 1}, {200, 2}});
  isa::Word load = isa::encode(tensor_load(isa::Dtype::bf16, 0, {7}));
  bench.put(0, {move, load, move_immediates({{8, 3}})});
  run_in_thread([&] {
    bench.run(0, 3);
    EXPECT_EQ(bench.tester.read(4 * 7, 4), Bytes(4, 0)) << "nothing of the word is done";
    EXPECT_EQ(bench.tester.read(4 * 8, 4), (Bytes{3, 0, 0, 0}));
  });
  std::vector<std::string> names;
  for (const WordFinding& w : bench.warnings) names.push_back(w.finding.predicate);
  EXPECT_EQ(names, (std::vector<std::string>{"ctrl_mv_register", "move_register", "mem_2d_dtype", "transfer_dtype"}));
  EXPECT_EQ(bench.seq.state(), Sequencer::State::done);
  EXPECT_EQ(bench.seq.cycles().value, 30u);
}

TEST(Sequencer, StartsWhereTheClockStands) {
  Bench bench{SequencerConfig{}};
  bench.put(0, nops(2));
  run_in_thread([&] {
    sc_core::wait(1001, sc_core::SC_NS);  // 960.96 cycles of 0.96 GHz: the next edge is 961
    bench.run(0, 2);
  });
  ASSERT_EQ(bench.retired.size(), 2u);
  EXPECT_EQ(bench.retired[0].schedule.start.value, 961u);
  EXPECT_EQ(bench.retired[0].schedule.wait_wait.value, 0u);
  EXPECT_EQ(bench.seq.cycles().value, 981u);
}

}  // namespace
}  // namespace sequencer_test
}  // namespace dve
