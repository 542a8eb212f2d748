// What the error unit makes of a fault: record, notification, halt (isa.md 15.1); and floating-point status.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "support/control_words.h"
#include "support/core_bench.h"
#include "support/expected_time.h"
#include "support/tensor_word_builder.h"

namespace dve {
namespace faults_test {
namespace {

using namespace testing_support;
using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Opcode;
using isa::UpdateMode;
using isa::WaitMode;

constexpr std::uint64_t kHost = address_map::kHostMemory;
constexpr std::uint64_t kRing = kHost + 0x20000;
constexpr std::uint64_t kDveHz = 960'000'000;
const TensorWordBuilder kBuild(isa::Generation::cayman);

using Floats = std::vector<float>;
void put(Host& host, const isa::Place& place, const Floats& values) {
  host.write(place, reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * 4);
}
Floats get(Host& host, const isa::Place& place, std::size_t n) {
  Floats values(n);
  host.read(place, reinterpret_cast<std::uint8_t*>(values.data()), n * 4);
  return values;
}

isa::Word bare(std::uint8_t opcode) {
  isa::Word word;
  word.bytes[0] = opcode;
  word.bytes[1] = isa::kInstWordLen;
  return word;
}

isa::Word illegal_memset() {  // 9 elements announced, 8 in the tensor
  isa::D4Mr word = kBuild.memset(row(sbuf(0, 0x100), 8), 7, 1);
  word.element_count = 9;
  return isa::encode(word);
}

isa::Word divide_by_zero() {
  const TensorSpec a = row(sbuf(0, 0x100), 2, Dtype::int32), b = row(sbuf(0, 0x200), 2, Dtype::int32),
                   c = row(sbuf(0, 0x300), 2, Dtype::int32);
  return isa::encode(kBuild.tensor_tensor(Opcode::tensor_tensor_arith_op, a, b, c, AluOp::divide_int, 1));
}

void set_up_ring(Host& host, Engine engine) {
  const std::uint64_t control = address_map::sequencer_control(engine);
  host.write_register(control + 0x2018, static_cast<std::uint32_t>(kRing));
  host.write_register(control + 0x201C, static_cast<std::uint32_t>(kRing >> 32));
  host.write_register(control + 0x2020, 16);
}

std::vector<std::uint8_t> bytes_at(Host& host, std::uint64_t address, std::size_t n) {
  std::vector<std::uint8_t> bytes(n);
  host.read(address, bytes.data(), n);
  return bytes;
}

// ---- Records ----

struct Cause {
  std::string name;
  Engine engine;
  std::vector<isa::Word> words;  // the last one faults
  std::string predicate;
  std::vector<std::uint8_t> record;  // code; class and block; aux high; aux low
};

// The DVE's block id is set to 9; ACT has 1, POOL 3. Classes: the causes in the order of isa.md 15.1's table.
std::vector<Cause> causes() {
  const isa::Word set = nop(updates(UpdateMode::evt_set_complete, 3));
  return {{"unknown_opcode_dve", Engine::dve, {nop(), bare(0x45)}, "unknown_opcode", {0, 0x90, 0, 0}},
          {"unknown_opcode_act", Engine::act, {nop(), bare(0x61)}, "unknown_opcode", {0, 0x10, 0, 0}},
          {"unknown_opcode_pool", Engine::pool, {bare(0xA5)}, "unknown_opcode", {0, 0x30, 0, 0}},
          {"illegal_dve", Engine::dve, {nop(), illegal_memset()}, "d4_mr_element_cnt_check", {0, 0x91, 0, 0x49}},
          {"illegal_pool", Engine::pool, {illegal_memset()}, "d4_mr_element_cnt_check", {0, 0x31, 0, 0x49}},
          {"divide_dve", Engine::dve, {nop(), divide_by_zero()}, "integer_divide_by_zero", {2, 0x92, 0, 0}},
          {"divide_pool", Engine::pool, {divide_by_zero()}, "integer_divide_by_zero", {2, 0x32, 0, 0}},
          {"event_set_twice", Engine::dve, {set, set}, "event_discipline", {0, 0x91, 0, 0xA4}},
          {"event_cleared_when_clear",
           Engine::act,
           {nop(updates(UpdateMode::evt_clear_read, 3))},
           "event_discipline",
           {0, 0x11, 0, 0xA4}}};
}

class FaultCause : public testing::TestWithParam<Cause> {};

TEST_P(FaultCause, LeavesItsRecordInTheUserRegisterAndTheRing) {
  const Cause& cause = GetParam();
  CoreBench bench(preset(isa::Generation::cayman, {"seq.dve_block_id=9"}));
  const RunOutcome outcome = bench.run([&](Host& host) {
    put(host, sbuf(0, 0x200), {0, 0});
    set_up_ring(host, cause.engine);
    EXPECT_EQ(host.read_register(address_map::sequencer_control(cause.engine) + 0x2014), 0u);
    std::vector<isa::Word> words = cause.words;
    words.insert(words.end(), 20, move_immediates({{1, 1}}));
    CoreBench::execute(host, {{cause.engine, words}});
    const std::uint64_t control = address_map::sequencer_control(cause.engine);
    EXPECT_EQ(bytes_at(host, control + 0x2014, 4), cause.record);
    EXPECT_EQ(host.read_register(control + Sequencer::kState), static_cast<std::uint32_t>(Sequencer::State::fault));
    // One error record: PC in words, id 10 (sequencer fatal) above it; type 0x1F with phase 1.
    EXPECT_EQ(host.read_register(control + 0x2024), 1u);
    const auto note = bytes_at(host, kRing, 16);
    EXPECT_EQ(note[0], cause.words.size() - 1);
    EXPECT_EQ(note[1], 0);
    EXPECT_EQ(note[2], 10 << 4);
    EXPECT_EQ(note[3], 0x1F | 0x80);
    EXPECT_EQ(std::vector<std::uint8_t>(note.begin() + 4, note.begin() + 8), cause.record);
  });
  EXPECT_EQ(outcome.status, RunStatus::fault);
  const auto& faults = bench.core().seq(cause.engine).faults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].finding.predicate, cause.predicate);
  EXPECT_EQ(faults[0].word, cause.words.size() - 1);
  EXPECT_EQ(faults[0].pc, kHost + 64 * (cause.words.size() - 1));
  EXPECT_EQ(faults[0].engine, isa::to_string(cause.engine));
}

INSTANTIATE_TEST_SUITE_P(Each, FaultCause, testing::ValuesIn(causes()),
                         [](const testing::TestParamInfo<Cause>& cause) { return cause.param.name; });

TEST(Faults, DivisionByZeroWritesNothing) {
  CoreBench bench(preset(isa::Generation::cayman));
  bench.run([&](Host& host) {
    put(host, sbuf(0, 0x200), {0, 0});
    put(host, sbuf(0, 0x300), {5, 5});
    CoreBench::execute(host, {divide_by_zero()});
    EXPECT_EQ(get(host, sbuf(0, 0x300), 2), (Floats{5, 5}));
  });
}

TEST(Faults, EarlierWordsStillCompleteAndUpdate) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([&](Host& host) {
    CoreBench::execute(host, {with_events(isa::encode(kBuild.memset(row(sbuf(0, 0x100), 200), 7, 1)),
                                          updates(UpdateMode::sem_inc_complete, 5)),
                              bare(0x45)});
  });
  EXPECT_EQ(outcome.status, RunStatus::fault);
  EXPECT_EQ(bench.core().sync.state().semaphore(isa::SemaphoreIndex{5}), 1);
  EXPECT_EQ(sc_core::sc_time_stamp().value(), femtoseconds(344, kDveHz));
}

// A start is a reset: of faults, not of what earlier words still have to do.
TEST(Faults, AHostMayStartTheNextProgramAtOnce) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([&](Host& host) {
    CoreBench::execute(host, {with_events(isa::encode(kBuild.memset(row(sbuf(0, 0x100), 200), 7, 1)),
                                          updates(UpdateMode::sem_inc_complete, 5)),
                              bare(0x45)});
    EXPECT_EQ(bench.core().seq().faults().size(), 1u);
    CoreBench::execute(host, {move_immediates({{1, 1}}), nop(waits(WaitMode::sem_ge_imm, 5, 1))});
    EXPECT_EQ(host.read_register(address_map::kSequencerControl + 4), 1u);
  });
  EXPECT_EQ(outcome.status, RunStatus::ok);
  EXPECT_TRUE(bench.core().seq().faults().empty());
  EXPECT_EQ(bench.core().seq().executed(), 3u);
}

TEST(Faults, OtherEnginesRunOnAndTheirFaultsAreListedToo) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([&](Host& host) {
    std::vector<isa::Word> late = nops(100);
    late.push_back(bare(0x61));
    CoreBench::execute(host, {{Engine::dve, {nop(), bare(0x45)}}, {Engine::pool, nops(50)}, {Engine::act, late}});
  });
  EXPECT_EQ(outcome.status, RunStatus::fault);
  EXPECT_EQ(bench.core().seq(Engine::pool).state(), Sequencer::State::done);
  EXPECT_EQ(bench.core().seq(Engine::pool).executed(), 50u);
  EXPECT_EQ(bench.core().seq(Engine::act).executed(), 100u);
  const auto faults = faults_of(bench.core());
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].engine, "dve");
  EXPECT_EQ(faults[1].engine, "act");
  EXPECT_EQ(faults[1].word, 100u);
  EXPECT_EQ(executed_words(bench.core()), 1u + 50 + 100);
}

TEST(Faults, EveryFindingOfAWordIsListedAndEveryOneIsNoted) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([&](Host& host) {
    set_up_ring(host, Engine::dve);
    isa::D4Mr word = kBuild.memset(row(sbuf(0, 0x100), 8), 7, 200);
    word.element_count = 9;
    CoreBench::execute(host, {isa::encode(word)});
    EXPECT_EQ(host.read_register(address_map::kSequencerControl + 0x2024), bench.core().seq().faults().size());
  });
  EXPECT_EQ(outcome.status, RunStatus::fault);
  EXPECT_GE(bench.core().seq().faults().size(), 2u);
}

// An update that breaks the discipline while a later word waits, or just before it goes on.
TEST(Faults, OfAnUpdateIsNotLostInAWaitThatHolds) {
  CoreBench bench(preset(isa::Generation::cayman));
  const isa::Word set = nop(updates(UpdateMode::evt_set_complete, 3));
  const RunOutcome outcome = bench.run([&](Host& host) {
    CoreBench::execute(host, {set, set, nop(waits(WaitMode::sem_ge_imm, 5, 0)), nop(), nop()});
  });
  EXPECT_EQ(outcome.status, RunStatus::fault);
  EXPECT_EQ(bench.core().seq().state(), Sequencer::State::fault);
  ASSERT_EQ(bench.core().seq().faults().size(), 1u);
  EXPECT_EQ(bench.core().seq().faults()[0].word, 1u);
}

TEST(Faults, OfAnUpdateEndsAWaitThatDoesNotHold) {
  CoreBench bench(preset(isa::Generation::cayman));
  const auto memset = isa::encode(kBuild.memset(row(sbuf(0, 0x100), 200), 7, 1));
  const RunOutcome outcome = bench.run([&](Host& host) {
    CoreBench::execute(host, {{Engine::dve,
                               {nop(updates(UpdateMode::evt_set_complete, 3)),
                                with_events(memset, updates(UpdateMode::evt_set_complete, 3)),
                                nop(waits(WaitMode::sem_ge_imm, 5, 1))}},
                              {Engine::act, nops(100)}});
  });
  EXPECT_EQ(outcome.status, RunStatus::fault);
  ASSERT_EQ(bench.core().seq().faults().size(), 1u);
  EXPECT_EQ(bench.core().seq().faults()[0].word, 1u);
}

// A word that faults at once does not come before the update of an earlier word that is due first.
TEST(Faults, OfAnEarlierUpdateComesFirstWhateverTheQuantum) {
  const isa::Word set = nop(updates(UpdateMode::evt_set_complete, 3));
  std::vector<std::unique_ptr<CoreBench>> benches;
  for (const char* quantum : {"0", "1e9"}) {
    benches.push_back(std::make_unique<CoreBench>(
        preset(isa::Generation::cayman, {std::string("quantum_ns=") + quantum}), ("q" + std::string(quantum)).c_str()));
    benches.back()->drive([&](Host& host) { CoreBench::execute(host, {set, set, bare(0x45)}); });
  }
  for (const auto& bench : benches) {
    EXPECT_EQ(bench->finish().status, RunStatus::fault);
    ASSERT_EQ(bench->core().seq().faults().size(), 1u);
    EXPECT_EQ(bench->core().seq().faults()[0].word, 1u);
  }
}

// How far the sequencer runs ahead changes neither the order nor the moments of the records.
TEST(Faults, NotificationStandsAfterWhatCameBeforeItWhateverTheQuantum) {
  std::vector<std::unique_ptr<CoreBench>> benches;
  std::vector<std::vector<std::uint8_t>> rings(3);
  for (const char* quantum : {"0", "100", "1e9"}) {
    const std::size_t k = benches.size();
    benches.push_back(std::make_unique<CoreBench>(
        preset(isa::Generation::cayman, {std::string("quantum_ns=") + quantum}), ("q" + std::to_string(k)).c_str()));
    benches.back()->drive([&, k](Host& host) {
      set_up_ring(host, Engine::dve);
      isa::Word noted = nop();
      noted.bytes[2] = 7;  // START_END
      CoreBench::execute(host, {noted, noted, bare(0x45)});
      rings[k] = bytes_at(host, kRing, 5 * 16);
    });
  }
  for (const auto& bench : benches) EXPECT_EQ(bench->finish().status, RunStatus::fault);
  const std::vector<int> types = {0x90, 0x91, 0x90, 0x91, 0x9F};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < types.size(); ++i) EXPECT_EQ(rings[k][16 * i + 3], types[i]) << k << " record " << i;
    EXPECT_EQ(rings[k], rings[0]) << k;
  }
}

// ---- Floating-point status ----

struct StatusCase {
  std::string name;
  Floats x, y;  // two channels of one element: x * y
  std::vector<std::string> warnings;
};

const std::vector<StatusCase> kStatuses = {
    {"finite", {1, 2}, {3, 4}, {}},
    {"overflow", {3e38f, 1}, {10, 1}, {"fp_status_overflow"}},
    {"invalid", {INFINITY, 1}, {0, 1}, {"fp_status_invalid"}},
    {"infinite_operand", {INFINITY, 1}, {2, 1}, {}},
    {"nan_operand", {NAN, 1}, {2, 1}, {}},
    {"both", {INFINITY, 3e38f}, {0, 10}, {"fp_status_overflow", "fp_status_invalid"}}};

class Status : public testing::TestWithParam<std::tuple<StatusCase, bool>> {};

isa::Word product() {
  return isa::encode(kBuild.tensor_tensor(Opcode::tensor_tensor_arith_op, row(sbuf(0, 0x100), 1),
                                          row(sbuf(0, 0x200), 1), row(sbuf(0, 0x300), 1), AluOp::mult, 2));
}

TEST_P(Status, IsReportedAndOnlySeveralFlagsMayFault) {
  const auto& [c, firmware] = GetParam();
  CoreBench bench(preset(isa::Generation::cayman, {firmware ? "seq.fp_status=firmware" : "seq.fp_status=report"}));
  const RunOutcome outcome = bench.run([&, c = c](Host& host) {
    for (std::uint32_t p = 0; p < 2; ++p) {
      put(host, sbuf(p, 0x100), {c.x[p]});
      put(host, sbuf(p, 0x200), {c.y[p]});
      put(host, sbuf(p, 0x300), {-7});
    }
    CoreBench::execute(host, {product(), nop()});
    for (std::uint32_t p = 0; p < 2; ++p) EXPECT_NE(get(host, sbuf(p, 0x300), 1), Floats{-7}) << "results are written";
  });
  const bool faults = firmware && c.warnings.size() > 1;
  EXPECT_EQ(outcome.status, faults ? RunStatus::fault : RunStatus::ok);
  std::vector<std::string> warned;
  for (const WordFinding& warning : bench.warnings) {
    EXPECT_EQ(warning.word, 0u);
    EXPECT_EQ(warning.opcode, 0x41);
    warned.push_back(warning.finding.predicate);
  }
  EXPECT_EQ(warned, faults ? std::vector<std::string>{} : c.warnings);
  if (!faults) return;
  ASSERT_EQ(bench.core().seq().faults().size(), 1u);
  EXPECT_EQ(bench.core().seq().faults()[0].finding.predicate, "fp_status_several");
  EXPECT_EQ(bench.host().read_register(address_map::kSequencerControl + 0x2014), 0x00000400u) << "a failed assertion";
}

INSTANTIATE_TEST_SUITE_P(EachPolicy, Status, testing::Combine(testing::ValuesIn(kStatuses), testing::Bool()),
                         [](const auto& status) {
                           return std::get<0>(status.param).name +
                                  (std::get<1>(status.param) ? "_firmware" : "_report");
                         });

TEST(StatusOf, ReciprocalOfZeroIsADivisionByZero) {
  CoreBench bench(preset(isa::Generation::cayman));
  bench.run([&](Host& host) {
    put(host, sbuf(0, 0x100), {0, 2});
    CoreBench::execute(host, {isa::encode(kBuild.tensor_reduce(Opcode::reciprocal, row(sbuf(0, 0x100), 2),
                                                               row(sbuf(0, 0x300), 2), AluOp::bypass, 0, 1))});
    EXPECT_EQ(get(host, sbuf(0, 0x300), 2), (Floats{INFINITY, 0.5f}));
  });
  ASSERT_EQ(bench.warnings.size(), 1u);
  EXPECT_EQ(bench.warnings[0].finding.predicate, "fp_status_divide_by_zero");
}

TEST(StatusOf, WordsThatOnlyMoveBitsHaveNone) {
  CoreBench bench(preset(isa::Generation::cayman));
  bench.run([&](Host& host) {
    put(host, sbuf(0, 0x100), {INFINITY, NAN});
    const TensorSpec x = row(sbuf(0, 0x100), 2), y = row(sbuf(0, 0x300), 2);
    CoreBench::execute(host, {isa::encode(kBuild.tensor_reduce(Opcode::copy, x, y, AluOp::bypass, 0, 1)),
                              isa::encode(kBuild.memset(y, 0x7F800000, 1))});
  });
  EXPECT_TRUE(bench.warnings.empty());
}

TEST(StatusOf, NarrowingThatOverflowsCounts) {
  CoreBench bench(preset(isa::Generation::cayman));
  bench.run([&](Host& host) {
    put(host, sbuf(0, 0x100), {100000});
    CoreBench::execute(host,
                       {isa::encode(kBuild.tensor_reduce(Opcode::cast, row(sbuf(0, 0x100), 1),
                                                         row(sbuf(0, 0x300), 1, Dtype::fp16), AluOp::bypass, 0, 1))});
  });
  ASSERT_EQ(bench.warnings.size(), 1u);
  EXPECT_EQ(bench.warnings[0].finding.predicate, "fp_status_overflow");
}

}  // namespace
}  // namespace faults_test
}  // namespace dve
