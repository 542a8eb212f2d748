// DVE, POOL and ACT at work together: which words they take, that they overlap, how they meet, and when.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "support/control_words.h"
#include "support/core_bench.h"
#include "support/expected_time.h"
#include "support/tensor_word_builder.h"

namespace dve {
namespace engines_test {
namespace {

using namespace testing_support;
using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Opcode;
using isa::UpdateMode;
using isa::WaitMode;

// cayman: microarchitecture.md 2; L of POOL is the start-up of 7.1.
constexpr std::uint64_t kDveHz = 960'000'000, kPoolHz = 1'200'000'000, kActHz = 1'200'000'000;
constexpr std::uint64_t kG = 70, kL = 144, kPoolL = 150;
const TensorWordBuilder kBuild(isa::Generation::cayman);

template <class T>
void put(Host& host, const isa::Place& place, const std::vector<T>& values) {
  host.write(place, reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T));
}
template <class T>
std::vector<T> get(Host& host, const isa::Place& place, std::size_t n) {
  std::vector<T> values(n);
  host.read(place, reinterpret_cast<std::uint8_t*>(values.data()), n * sizeof(T));
  return values;
}
using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

CoreBench& run(CoreBench& bench, const Host::Body& body) {
  EXPECT_EQ(bench.run(body).status, RunStatus::ok);
  for (const WordFinding& fault : faults_of(bench.core()))
    ADD_FAILURE() << fault.engine << ": " << isa::to_string(fault.finding);
  return bench;
}

timing::Schedule schedule(const CoreBench& bench, Engine engine, std::size_t word) {
  return bench.retired_by(engine).at(word).schedule;
}

isa::Word activate(isa::ActivationFunc func, const TensorSpec& src, const TensorSpec& dst, std::uint8_t channels) {
  return isa::encode(kBuild.activate(func, src, dst, channels));
}

// ---- What each engine takes ----

TEST(Pool, ExecutesTensorTensorAndCrossLaneReduce) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    const TensorSpec a = row(sbuf(0, 0x100), 3), b = row(sbuf(0, 0x200), 3), sum = row(sbuf(0, 0x300), 3);
    const TensorSpec ia = row(sbuf(0, 0x400), 2, Dtype::int32), ib = row(sbuf(0, 0x500), 2, Dtype::int32),
                     bits = row(sbuf(0, 0x600), 2, Dtype::int32);
    const TensorSpec lanes = row(sbuf(0, 0x700), 2), folded = row(sbuf(0, 0x800), 2),
                     masks = row(sbuf(0, 0x900), 1, Dtype::int32), all_masks = row(sbuf(0, 0xA00), 1, Dtype::int32);
    put<float>(host, a.place, {1, 2, 3});
    put<float>(host, b.place, {10, 20, -30});
    put<std::int32_t>(host, ia.place, {0x0F0F, -1});
    put<std::int32_t>(host, ib.place, {0x00FF, 0x1234});
    for (std::uint32_t p = 0; p < 5; ++p) {
      put<float>(host, sbuf(p, 0x700), {static_cast<float>(p), static_cast<float>(100 * p)});
      put<std::int32_t>(host, sbuf(p, 0x900), {1 << p});
    }
    CoreBench::execute(
        host,
        {{Engine::pool,
          {isa::encode(kBuild.tensor_tensor(Opcode::tensor_tensor_arith_op, a, b, sum, AluOp::add, 1)),
           isa::encode(kBuild.tensor_tensor(Opcode::tensor_tensor_bitvec_op, ia, ib, bits, AluOp::bitwise_xor, 1)),
           isa::encode(kBuild.cross_lane_reduce(Opcode::cross_lane_reduce_arith_op, lanes, folded, 0, 1, 5)),
           isa::encode(kBuild.cross_lane_reduce(Opcode::cross_lane_reduce_bitvec_op, masks, all_masks, 3, 1, 5))}}});
    EXPECT_EQ(get<float>(host, sum.place, 3), (Floats{11, 22, -27}));
    EXPECT_EQ(get<std::int32_t>(host, bits.place, 2), (Ints{0x0FF0, ~0x1234}));
    EXPECT_EQ(get<float>(host, folded.place, 2), (Floats{10, 1000}));
    EXPECT_EQ(get<std::int32_t>(host, all_masks.place, 1), (Ints{31}));
  });
  EXPECT_EQ(bench.core().seq(Engine::pool).executed(), 4u);
  EXPECT_EQ(bench.core().seq(Engine::dve).executed(), 0u);
}

TEST(Act, ExecutesActivateTableLoadAndReadAccumulator) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    const TensorSpec x = row(sbuf(0, 0x100), 4), y = row(sbuf(0, 0x200), 4), z = row(sbuf(0, 0x300), 4),
                     total = row(sbuf(0, 0x400), 1);
    put<float>(host, x.place, {1, 4, 16, 64});
    auto square = kBuild.activate(isa::ActivationFunc::square, x, y, 1);
    square.accumulator_cmd = static_cast<std::uint8_t>(isa::AccumCmd::zero_accumulate);
    const std::uint8_t roots = *isa::table_set_of(isa::ActivationFunc::rsqrt);
    CoreBench::execute(host, {{Engine::act,
                               {isa::encode(kBuild.table_load(roots)), activate(isa::ActivationFunc::rsqrt, x, z, 1),
                                isa::encode(square), isa::encode(kBuild.read_accumulator(total, 1))}}});
    EXPECT_EQ(get<float>(host, y.place, 4), (Floats{1, 16, 256, 4096}));
    EXPECT_EQ(get<float>(host, z.place, 4), (Floats{1, 0.5f, 0.25f, 0.125f}));
    EXPECT_EQ(get<float>(host, total.place, 1), (Floats{1 + 16 + 256 + 4096}));
  });
  // S of the table load: 368 ns at 1.2 GHz, 441.6 cycles; the Activates follow at S + g; U = 64 for the read-out.
  EXPECT_EQ(schedule(bench, Engine::act, 0).read_done.value, 442u);
  EXPECT_EQ(schedule(bench, Engine::act, 1).start.value, 442u + kG);
  EXPECT_EQ(schedule(bench, Engine::act, 1).complete.value, 442u + kG + 4 + kL);
  EXPECT_EQ(schedule(bench, Engine::act, 3).read_done.value, schedule(bench, Engine::act, 3).start.value + 64);
}

TEST(Act, AFunctionWithoutItsTableFaults) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([&](Host& host) {
    CoreBench::execute(
        host,
        {{Engine::act, {activate(isa::ActivationFunc::rsqrt, row(sbuf(0, 0x100), 4), row(sbuf(0, 0x200), 4), 1)}}});
  });
  EXPECT_EQ(outcome.status, RunStatus::fault);
  EXPECT_EQ(bench.core().seq(Engine::act).faults().at(0).finding.predicate, "act_table_missing");
}

struct Foreign {
  Engine engine;
  std::uint8_t opcode;
};
std::string foreign_name(const testing::TestParamInfo<Foreign>& info) {
  return std::string(isa::to_string(info.param.engine)) + "_" + std::string(isa::opcode_name(info.param.opcode));
}
std::vector<Foreign> foreign_words() {
  std::vector<Foreign> list;
  for (const Opcode opcode : isa::kBatchNormOpcodes) {
    list.push_back({Engine::pool, isa::code(opcode)});
    list.push_back({Engine::act, isa::code(opcode)});
  }
  for (const Opcode opcode : {Opcode::activate, Opcode::activation_table_load, Opcode::activation_read_accumulator}) {
    list.push_back({Engine::dve, isa::code(opcode)});
    list.push_back({Engine::pool, isa::code(opcode)});
  }
  for (const Opcode opcode : {Opcode::cross_lane_reduce_arith_op, Opcode::cross_lane_reduce_bitvec_op}) {
    list.push_back({Engine::dve, isa::code(opcode)});
    list.push_back({Engine::act, isa::code(opcode)});
  }
  return list;
}

class ForeignWord : public testing::TestWithParam<Foreign> {};

TEST_P(ForeignWord, IsRefusedByName) {
  const Foreign foreign = GetParam();
  CoreBench bench(preset(isa::Generation::cayman));
  isa::Word word;
  word.bytes[0] = foreign.opcode;
  word.bytes[1] = isa::kInstWordLen;
  const RunOutcome outcome = bench.run([&](Host& host) {
    CoreBench::execute(host, {{foreign.engine, {nop(), word, nop()}}});
  });
  EXPECT_EQ(outcome.status, RunStatus::fault);
  const auto& faults = bench.core().seq(foreign.engine).faults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].engine, isa::to_string(foreign.engine));
  EXPECT_EQ(faults[0].word, 1u);
  EXPECT_EQ(faults[0].finding.predicate, "unknown_opcode");
  EXPECT_NE(faults[0].finding.expected.find(isa::opcode_name(foreign.opcode)), std::string::npos)
      << faults[0].finding.expected;
  EXPECT_EQ(bench.core().seq(foreign.engine).executed(), 1u);
}

INSTANTIATE_TEST_SUITE_P(EachEngine, ForeignWord, testing::ValuesIn(foreign_words()), foreign_name);

// ---- Overlap ----

isa::Word memset_word(std::uint32_t offset, std::uint16_t n) {
  return isa::encode(kBuild.memset(row(sbuf(0, offset), n), 0x3F800000, 1));
}

TEST(Concurrency, TotalTimeIsTheLongestEnginesNotTheSum) {
  CoreBench bench(preset(isa::Generation::cayman));
  RunOutcome outcome = bench.run([&](Host& host) {
    put<float>(host, sbuf(0, 0x8000), Floats(3000, 2));
    CoreBench::execute(
        host, {{Engine::dve, {memset_word(0x0000, 2000)}},
               {Engine::pool, {memset_word(0x4000, 2500)}},
               {Engine::act,
                {activate(isa::ActivationFunc::square, row(sbuf(0, 0x8000), 3000), row(sbuf(0, 0xC000), 3000), 1)}}});
  });
  EXPECT_EQ(outcome.status, RunStatus::ok);
  const std::uint64_t dve = femtoseconds(2000 + kL, kDveHz), pool = femtoseconds(2500 + kPoolL, kPoolHz),
                      act = femtoseconds(3000 + kL, kActHz);
  EXPECT_EQ(bench.core().seq(Engine::dve).cycles().value, 2000 + kL);
  EXPECT_EQ(bench.core().seq(Engine::pool).cycles().value, 2500 + kPoolL);
  EXPECT_EQ(bench.core().seq(Engine::act).cycles().value, 3000 + kL);
  const std::uint64_t longest = std::max({dve, pool, act});
  EXPECT_EQ(longest, act);
  EXPECT_EQ(outcome.femtoseconds, longest);
  EXPECT_EQ(outcome.cycles.value, cycle_at(longest, kDveHz)) << "in DVE clocks, rounded up";
  EXPECT_EQ(sc_core::sc_time_stamp().value(), longest);
}

TEST(Concurrency, EachEnginesCyclesAreAttributedToItself) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    CoreBench::execute(host, {{Engine::dve, {memset_word(0x0000, 200), memset_word(0x1000, 300)}},
                              {Engine::pool, {memset_word(0x4000, 100)}}});
  });
  Statistics statistics;
  for (const Retirement& word : bench.retired) statistics.retire(word, bench.core().seq(word.engine).clock());
  statistics.finish(bench.core());
  const CycleBuckets& dve = statistics.engine(Engine::dve).buckets();
  const CycleBuckets& pool = statistics.engine(Engine::pool).buckets();
  // The gap after the last stream counts too; what L leaves beyond it is busy.
  EXPECT_EQ(dve.busy, 200u + 300 + kL - kG);
  EXPECT_EQ(dve.issue_gap, 2 * kG);
  EXPECT_EQ(dve.cycles, 200 + kG + 300 + kL);
  EXPECT_EQ(pool.busy, 100u + kPoolL - kG);
  EXPECT_EQ(pool.cycles, 100u + kPoolL);
  EXPECT_EQ(statistics.engine(Engine::act).buckets().cycles, 0u);
  EXPECT_EQ(dve.sum(), dve.cycles);
  EXPECT_EQ(pool.sum(), pool.cycles);
  EXPECT_EQ(statistics.engine(Engine::pool).port(IssueExtension::write).write_bytes, 400u);
}

// ---- Meeting ----

struct Chain {
  std::uint64_t dve = 0, act = 0, pool = 0, end = 0;  // starts, and the completion of the last word, own cycles
};

// DVE fills x with ones and tells ACT; ACT doubles it and tells POOL; POOL adds both.
Chain expected_chain(std::uint64_t n, std::uint64_t t_sem_ns) {
  Chain chain;
  const std::uint64_t x_ready = femtoseconds(n + kL, kDveHz);
  chain.act = cycle_at(x_ready, kActHz) + cycles_of_ns(t_sem_ns, kActHz);
  const std::uint64_t y_ready = femtoseconds(chain.act + n + kL, kActHz);
  chain.pool = cycle_at(y_ready, kPoolHz) + cycles_of_ns(t_sem_ns, kPoolHz);
  chain.end = chain.pool + n + kPoolL;  // POOL streams one element a cycle, whatever the sources
  return chain;
}

std::vector<EngineProgram> chain_programs(std::uint16_t n, bool events) {
  const UpdateMode tell = events ? UpdateMode::evt_set_complete : UpdateMode::sem_inc_complete;
  const auto hear = [events](std::uint8_t index) {
    return events ? waits(WaitMode::evt_set_then_clear, index) : waits(WaitMode::sem_ge_imm, index, 1);
  };
  const TensorSpec x = row(sbuf(0, 0x0000), n), y = row(sbuf(0, 0x4000), n), z = row(sbuf(0, 0x8000), n);
  auto twice = kBuild.activate(isa::ActivationFunc::identity, x, y, 1);
  kBuild.put_scale(twice, literal(2));
  isa::Events in_the_middle = hear(1);
  in_the_middle.update_mode = tell;
  in_the_middle.update_idx = 2;
  return {{Engine::dve, {with_events(memset_word(0x0000, n), updates(tell, 1))}},
          {Engine::act, {with_events(isa::encode(twice), in_the_middle)}},
          {Engine::pool,
           {with_events(isa::encode(kBuild.tensor_tensor(Opcode::tensor_tensor_arith_op, x, y, z, AluOp::add, 1)),
                        hear(2))}}};
}

class Meeting : public testing::TestWithParam<std::tuple<bool, const char*>> {};

TEST_P(Meeting, ProducersAndConsumersOnThreeClocks) {
  const auto [events, quantum] = GetParam();
  constexpr std::uint16_t n = 777;
  CoreBench bench(preset(isa::Generation::cayman, {std::string("quantum_ns=") + quantum}));
  run(bench, [&, with_events = events](Host& host) {
    CoreBench::execute(host, chain_programs(n, with_events));
    EXPECT_EQ(get<float>(host, sbuf(0, 0x8000), n), Floats(n, 3));
  });
  const Chain expected = expected_chain(n, 30);
  EXPECT_EQ(schedule(bench, Engine::dve, 0).start.value, 0u);
  EXPECT_EQ(schedule(bench, Engine::act, 0).start.value, expected.act);
  EXPECT_EQ(schedule(bench, Engine::pool, 0).start.value, expected.pool);
  EXPECT_EQ(schedule(bench, Engine::pool, 0).complete.value, expected.end);
  EXPECT_EQ(sc_core::sc_time_stamp().value(), femtoseconds(expected.end, kPoolHz));
}

INSTANTIATE_TEST_SUITE_P(SemaphoresAndEvents, Meeting,
                         testing::Combine(testing::Bool(), testing::Values("0", "1000", "1e9")));

// Two engines hand a buffer to and fro: the data depends on every hand-over.
TEST(PingPong, EveryHandOverIsSeen) {
  constexpr int kRounds = 20;
  constexpr std::uint16_t n = 64;
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    const TensorSpec x = row(sbuf(0, 0), n);
    put<float>(host, x.place, Floats(n, 1));
    auto add = kBuild.tensor_scalar(Opcode::tensor_scalar_arith_op, x, x, literal(1), literal(0), 1);
    add.op0 = AluOp::add;
    auto twice = kBuild.activate(isa::ActivationFunc::identity, x, x, 1);
    kBuild.put_scale(twice, literal(2));
    std::vector<isa::Word> dve, act;
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      isa::Events my_turn = waits(WaitMode::sem_ge_imm, 2, round);
      my_turn.update_mode = UpdateMode::sem_inc_complete;
      my_turn.update_idx = 1;
      dve.push_back(with_events(isa::encode(add), my_turn));
      isa::Events your_turn = waits(WaitMode::sem_ge_imm, 1, round + 1);
      your_turn.update_mode = UpdateMode::sem_inc_complete;
      your_turn.update_idx = 2;
      act.push_back(with_events(isa::encode(twice), your_turn));
    }
    CoreBench::execute(host, {{Engine::dve, dve}, {Engine::act, act}});
    float expected = 1;
    for (int round = 0; round < kRounds; ++round) expected = (expected + 1) * 2;
    EXPECT_EQ(get<float>(host, x.place, n), Floats(n, expected));
  });
  // Each hand-over costs the word, t_sem and the rounding to the other clock.
  std::uint64_t dve_ready = 0, act_ready = 0;
  for (std::size_t round = 0; round < kRounds; ++round) {
    EXPECT_EQ(schedule(bench, Engine::dve, round).start.value, dve_ready);
    act_ready = cycle_at(femtoseconds(dve_ready + n + kL, kDveHz), kActHz) + 36;
    EXPECT_EQ(schedule(bench, Engine::act, round).start.value, act_ready);
    dve_ready = cycle_at(femtoseconds(act_ready + n + kL, kActHz), kDveHz) + 29;
  }
}

TEST(Windows, TheHostMeetsEnginesThroughPlainTlm) {
  constexpr std::uint64_t kSync = address_map::kEventsAndSemaphores;
  CoreBench bench(preset(isa::Generation::cayman));
  HostTasks tasks;
  const auto request = static_cast<std::uint8_t>(number(runtime::kStepRequest));
  tasks.program = {nop(updates(UpdateMode::sem_inc_complete, request)), nop(waits(WaitMode::sem_eq_imm, 100, 41)),
                   nop(waits(WaitMode::evt_set, 200)), nop(updates(UpdateMode::sem_add_imm_complete, 100, 1))};
  tasks.streams = {{Engine::act, 0, 2}, {Engine::pool, 2, 2}};
  tasks.steps = 1;
  tasks.step = [](std::size_t, Host& host) {
    host.write_register(kSync + 0x1400 + 400, 50);
    host.write_register(kSync + 0x1800 + 400, 1);
    host.write_register(kSync + 0x1C00 + 400, 10);
    host.write_register(kSync + 800, 1);
    EXPECT_EQ(host.read_register(kSync + 0x1000 + 400), 41u);
    EXPECT_EQ(host.read_register(kSync + 800), 1u);
  };
  run(bench, [&](Host& host) {
    host.execute(tasks);
    EXPECT_EQ(host.read_register(kSync + 0x1000 + 400), 42u);
  });
  // The host acts when ACT's first Nop has completed.
  EXPECT_EQ(schedule(bench, Engine::act, 1).start.value, 10u + 36);
  EXPECT_EQ(schedule(bench, Engine::pool, 0).start.value, 10u + 36);
}

TEST(Generations, ClocksAreThoseOfThePreset) {
  std::vector<std::unique_ptr<CoreBench>> benches;
  const std::vector<std::array<std::uint64_t, 3>> hertz = {{1'120'000'000, 1'400'000'000, 1'400'000'000},
                                                           {960'000'000, 1'200'000'000, 1'200'000'000},
                                                           {1'200'000'000, 1'200'000'000, 1'200'000'000}};
  const std::vector<isa::Generation> generations = {isa::Generation::sunda, isa::Generation::cayman,
                                                    isa::Generation::mariana};
  for (const isa::Generation generation : generations) {
    benches.push_back(std::make_unique<CoreBench>(preset(generation), std::string(isa::to_string(generation)).c_str()));
    benches.back()->drive([](Host& host) {
      CoreBench::execute(host, {{Engine::dve, nops(7)}, {Engine::pool, nops(11)}, {Engine::act, nops(13)}});
    });
  }
  for (std::size_t g = 0; g < benches.size(); ++g) {
    SCOPED_TRACE(isa::to_string(generations[g]));
    const RunOutcome outcome = benches[g]->finish();
    EXPECT_EQ(outcome.status, RunStatus::ok);
    for (const Engine engine : isa::kEngines)
      EXPECT_EQ(benches[g]->core().seq(engine).clock().hz(), hertz[g][isa::index_of(engine)]);
    EXPECT_EQ(outcome.femtoseconds, femtoseconds(130, hertz[g][2]));
  }
}

TEST(Functional, EnginesMeetWithoutTime) {
  CoreBench bench(preset(isa::Generation::cayman, {"abstraction=functional"}));
  run(bench, [&](Host& host) {
    CoreBench::execute(host, chain_programs(100, false));
    EXPECT_EQ(get<float>(host, sbuf(0, 0x8000), 100), Floats(100, 3));
  });
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

TEST(MaxCycles, BoundsEveryEngineByTheSameMoment) {
  // 1000 DVE cycles are 1250 of the others.
  CoreBench bench(preset(isa::Generation::cayman), "core", 1000);
  const RunOutcome outcome = bench.run([&](Host& host) {
    CoreBench::execute(host, {{Engine::dve, nops(100)}, {Engine::pool, nops(125)}, {Engine::act, nops(126)}});
  });
  EXPECT_EQ(outcome.status, RunStatus::timeout);
  EXPECT_EQ(bench.core().seq(Engine::dve).state(), Sequencer::State::done);
  EXPECT_EQ(bench.core().seq(Engine::pool).state(), Sequencer::State::done);
  EXPECT_EQ(bench.core().seq(Engine::act).state(), Sequencer::State::timeout);
  EXPECT_EQ(bench.core().seq(Engine::act).executed(), 125u);
  EXPECT_EQ(bench.core().seq(Engine::act).timed_out_at(), femtoseconds(1260, kActHz));
}

TEST(Interrupt, AStopRequestEndsEveryEngine) {
  CoreBench bench(preset(isa::Generation::cayman));
  bench.stop_requested = [&] { return bench.retired.size() >= 10; };
  const RunOutcome outcome = bench.run([&](Host& host) {
    CoreBench::execute(host, {{Engine::dve, nops(1000)}, {Engine::act, nops(1000)}});
  });
  EXPECT_EQ(outcome.status, RunStatus::interrupted);
  EXPECT_LT(executed_words(bench.core()), 200u);
}

}  // namespace
}  // namespace engines_test
}  // namespace dve
