// The words that a sequencer executes itself, on a whole core (isa.md 13.1).
#include "support/control_words.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "support/core_bench.h"
#include "support/tensor_word_builder.h"

namespace dve {
namespace control_words_test {
namespace {

using namespace testing_support;
using isa::Dtype;
using isa::Engine;
using isa::UpdateMode;
using isa::WaitMode;

const TensorWordBuilder kBuild(isa::Generation::cayman);
constexpr std::uint64_t kHost = address_map::kHostMemory;
constexpr std::uint64_t kData = kHost + 0x8000;  // host memory past every program here
constexpr std::uint64_t kControl = address_map::kSequencerControl;

std::uint32_t register_of(Host& host, std::uint32_t r) { return host.read_register(kControl + 4 * std::uint64_t{r}); }
void set_register(Host& host, std::uint32_t r, std::uint32_t value) {
  host.write_register(kControl + 4 * std::uint64_t{r}, value);
}
using Bytes = std::vector<std::uint8_t>;
Bytes bytes_at(Host& host, std::uint64_t address, std::size_t count) {
  Bytes bytes(count);
  host.read(address, bytes.data(), count);
  return bytes;
}
void put(Host& host, std::uint64_t address, const Bytes& bytes) { host.write(address, bytes.data(), bytes.size()); }

// Runs a body in which programs are executed; the run must end well.
CoreBench& run(CoreBench& bench, const Host::Body& body) {
  EXPECT_EQ(bench.run(body).status, RunStatus::ok);
  for (const WordFinding& fault : faults_of(bench.core())) ADD_FAILURE() << isa::to_string(fault.finding);
  return bench;
}

const timing::Schedule& schedule(const CoreBench& bench, std::size_t word) { return bench.retired.at(word).schedule; }

isa::Word memset_at(std::uint32_t offset, std::uint16_t n, std::uint32_t value) {
  return isa::encode(kBuild.memset(row(sbuf(0, offset), n), value, 1));
}

// ---- Move ----

TEST(MoveWord, FromImmediatesRegistersAndTheProgramCounter) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    CoreBench::execute(host, {nop(), move_immediates({{1, 11}, {2, 0x80000000}, {63, 3}}),
                              move_registers({{10, 1}, {11, 63}, {12, 128}, {13, 129}}),
                              move_immediates({{128, 0x1234}, {129, 0x5678}}), nop()});
    EXPECT_EQ(register_of(host, 1), 11u);
    EXPECT_EQ(register_of(host, 2), 0x80000000u);
    EXPECT_EQ(register_of(host, 10), 11u);
    EXPECT_EQ(register_of(host, 11), 3u);
    EXPECT_EQ(register_of(host, 12), static_cast<std::uint32_t>(kHost + 2 * 64)) << "the address of the Move itself";
    EXPECT_EQ(register_of(host, 13), static_cast<std::uint32_t>(kHost >> 32));
  });
  EXPECT_EQ(bench.core().seq().executed(), 5u) << "writes to the program counter are ignored";
}

TEST(MoveWord, EngineRegistersAreTheirOwn) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    CoreBench::execute(host, {{Engine::dve, {move_immediates({{5, 1}})}},
                              {Engine::pool, {move_immediates({{5, 2}})}},
                              {Engine::act, {move_immediates({{5, 3}})}}});
    for (const Engine engine : isa::kEngines)
      EXPECT_EQ(host.read_register(address_map::sequencer_control(engine) + 4 * 5), isa::index_of(engine) + 1);
  });
}

TEST(MoveWord, ASwapIsIllegalAndWorksInRelaxedMode) {
  CoreBench strict(preset(isa::Generation::cayman), "strict");
  CoreBench relaxed(preset(isa::Generation::cayman, {"seq.legality=relaxed"}), "relaxed");
  for (CoreBench* bench : {&strict, &relaxed}) {
    bench->drive([](Host& host) {
      CoreBench::execute(host, {move_immediates({{1, 11}, {2, 22}}), move_registers({{1, 2}, {2, 1}})});
      EXPECT_EQ(register_of(host, 1) + register_of(host, 2), 33u);
    });
  }
  EXPECT_EQ(strict.finish().status, RunStatus::fault);
  EXPECT_EQ(strict.core().seq().faults().at(0).finding.predicate, "ctrl_mv_disjoint_destination");
  EXPECT_EQ(relaxed.finish().status, RunStatus::ok);
  EXPECT_EQ(relaxed.host().read_register(kControl + 4), 22u);
}

// ---- TensorLoad ----

struct LoadCase {
  Dtype dtype;
  Bytes memory;
  std::vector<std::uint8_t> registers;
  std::vector<std::uint32_t> expected;  // of r0 on
};
// r0..r5 hold 0xAAAAAAAA before.
constexpr std::uint32_t kOld = 0xAAAAAAAA;
const std::vector<LoadCase> kLoads = {
    {Dtype::uint8, {0x01, 0x80, 0xFF}, {2, 0, 1}, {0x80, 0xFF, 0x01, kOld, kOld, kOld}},
    {Dtype::int8, {0x01, 0x80, 0xFF}, {0, 1, 2}, {0x01, 0xFFFFFF80, 0xFFFFFFFF, kOld, kOld, kOld}},
    {Dtype::uint16, {0x34, 0x12, 0x00, 0x80}, {0, 1}, {0x1234, 0x8000, kOld, kOld, kOld, kOld}},
    {Dtype::int16, {0x34, 0x12, 0x00, 0x80}, {0, 1}, {0x1234, 0xFFFF8000, kOld, kOld, kOld, kOld}},
    {Dtype::uint32, {0x78, 0x56, 0x34, 0x92}, {5}, {kOld, kOld, kOld, kOld, kOld, 0x92345678}},
    {Dtype::int32, {0x78, 0x56, 0x34, 0x92}, {5}, {kOld, kOld, kOld, kOld, kOld, 0x92345678}},
    {Dtype::fp32, {0x01, 0x00, 0x80, 0x7F}, {3}, {kOld, kOld, kOld, 0x7F800001, kOld, kOld}},
    {Dtype::uint64,
     {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
     {4, 0},
     {0x0C0B0A09, 0x100F0E0D, kOld, kOld, 0x04030201, 0x08070605}}};

// The same data in each memory that a Neuron address reaches.
TEST(TensorLoad, EveryDtypeFromEveryMemory) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    for (const std::uint64_t address : {std::uint64_t{0x140100}, address_map::kSbufAperture + 0x180200,
                                        std::uint64_t{0x2018040}, address_map::kPsumAperture + 0x10080, kData}) {
      for (const LoadCase& c : kLoads) {
        SCOPED_TRACE(testing::Message() << isa::name(c.dtype) << " at " << std::hex << address);
        for (std::uint32_t r = 0; r < 6; ++r) set_register(host, r, kOld);
        put(host, address, c.memory);
        CoreBench::execute(host, {isa::encode(tensor_load(c.dtype, address, c.registers))});
        for (std::uint32_t r = 0; r < 6; ++r) EXPECT_EQ(register_of(host, r), c.expected[r]) << "r" << r;
      }
    }
  });
}

TEST(TensorLoad, StridesMayBeNegativeAndTwoDimensional) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    Bytes memory(64);
    std::iota(memory.begin(), memory.end(), std::uint8_t{0});
    put(host, kData, memory);
    isa::Mem2D word = tensor_load(Dtype::uint8, kData + 10, {1, 2, 3, 4, 5, 6});
    word.num_elem = {2, 3};
    word.step_elem = {-3, 20};
    CoreBench::execute(host, {isa::encode(word)});
    std::vector<std::uint32_t> found;
    for (std::uint32_t r = 1; r <= 6; ++r) found.push_back(register_of(host, r));
    EXPECT_EQ(found, (std::vector<std::uint32_t>{10, 7, 30, 27, 50, 47}));
  });
}

TEST(TensorLoad, ThirtyTwoRegistersAndAnAddressFromARegister) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    Bytes memory(32);
    std::iota(memory.begin(), memory.end(), std::uint8_t{100});
    put(host, 0x80400, memory);  // partition 2
    std::vector<std::uint8_t> all(32);
    std::iota(all.begin(), all.end(), std::uint8_t{16});
    CoreBench::execute(host, {move_immediates({{60, 0x80400}}),
                              isa::encode(tensor_load(Dtype::uint8, (std::uint64_t{1} << 63) | 60, all))});
    for (std::uint32_t k = 0; k < 32; ++k) EXPECT_EQ(register_of(host, 16 + k), 100 + k);
  });
}

// A load of what an earlier word writes waits for it, under either address; other loads do not.
TEST(TensorLoad, SeesAndWaitsForEarlierResults) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    const auto load = [](std::uint64_t address, std::uint8_t r) {
      return isa::encode(tensor_load(Dtype::uint32, address, {r}));
    };
    // S 1000, D 1070, T 1144; visible at 1144 + 29.
    CoreBench::execute(
        host, {memset_at(0x1000, 1000, 77), load(0x1000 + 4000, 1), load(0x1000 + 3996, 2), memset_at(0x8000, 1000, 78),
               load(address_map::kSbufAperture + 0x8000, 3), load(kData, 4)});
    EXPECT_EQ(register_of(host, 2), 77u);
    EXPECT_EQ(register_of(host, 3), 78u);
  });
  EXPECT_EQ(schedule(bench, 1).start.value, 1070u);
  EXPECT_EQ(schedule(bench, 1).complete.value, 1080u);
  EXPECT_EQ(schedule(bench, 2).start.value, 1173u);
  EXPECT_EQ(schedule(bench, 2).hazard_wait.value, 1173u - 1080u);
  EXPECT_EQ(schedule(bench, 3).start.value, 1183u);
  EXPECT_EQ(schedule(bench, 4).start.value, 1183u + 1173u);
  EXPECT_EQ(schedule(bench, 5).start.value, 1183u + 1173u + 10u) << "host memory: no hazard";
}

TEST(TensorLoad, WaitsForEarlierResultsInPsumToo) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    const auto fill = [](std::uint32_t value) { return isa::encode(kBuild.memset(row(psum(0, 0x40), 500), value, 1)); };
    const auto load = [](std::uint64_t address, std::uint8_t r) {
      return isa::encode(tensor_load(Dtype::uint32, address, {r}));
    };
    CoreBench::execute(host,
                       {fill(11), load(0x2000040, 1), drain(), fill(12), load(address_map::kPsumAperture + 0x40, 2),
                        load(address_map::kPsumAperture + 0x40 + 2000, 3)});
    EXPECT_EQ(register_of(host, 1), 11u);
    EXPECT_EQ(register_of(host, 2), 12u);
  });
  // S 500, T 644, t_sem 29.
  EXPECT_EQ(schedule(bench, 1).start.value, 673u);
  const std::uint64_t second = schedule(bench, 3).start.value;
  EXPECT_EQ(schedule(bench, 4).start.value, second + 673);
  EXPECT_EQ(schedule(bench, 5).start.value, second + 683) << "past the last element";
}

TEST(TensorLoad, AnAddressNobodyServesIsAFault) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([&](Host& host) {
    CoreBench::execute(host, {isa::encode(tensor_load(Dtype::uint32, 0x39000, {1}))});  // past the active bytes
  });
  EXPECT_EQ(outcome.status, RunStatus::fault);
  EXPECT_EQ(bench.core().seq().faults().at(0).finding.predicate, "transfer_response");
}

// ---- TensorStore ----

struct StoreCase {
  Dtype dtype;
  std::vector<std::uint8_t> registers;
  Bytes expected;
};
// r2 = 0x11223344, r3 = 0x55667788.
const std::vector<StoreCase> kStores = {{Dtype::uint8, {2, 3}, {0x44, 0x88}},
                                        {Dtype::int8, {3, 2}, {0x88, 0x44}},
                                        {Dtype::uint16, {2}, {0x44, 0x33}},
                                        {Dtype::int16, {2, 3}, {0x44, 0x33, 0x88, 0x77}},
                                        {Dtype::uint32, {2}, {0x44, 0x33, 0x22, 0x11}},
                                        {Dtype::int32, {3}, {0x88, 0x77, 0x66, 0x55}},
                                        {Dtype::fp32, {3}, {0x88, 0x77, 0x66, 0x55}},
                                        {Dtype::uint64, {2}, {0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55}}};

TEST(TensorStore, EveryDtypeToEveryMemoryAndNoByteMore) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    set_register(host, 2, 0x11223344);
    set_register(host, 3, 0x55667788);
    for (const std::uint64_t address : {std::uint64_t{0x140100}, address_map::kSbufAperture + 0x180200,
                                        std::uint64_t{0x2018040}, address_map::kPsumAperture + 0x10080, kData}) {
      for (const StoreCase& c : kStores) {
        SCOPED_TRACE(testing::Message() << isa::name(c.dtype) << " at " << std::hex << address);
        put(host, address, Bytes(16, 0xEE));
        CoreBench::execute(host, {isa::encode(tensor_store(c.dtype, address, c.registers))});
        Bytes expected = c.expected;
        expected.resize(16, 0xEE);
        EXPECT_EQ(bytes_at(host, address, 16), expected);
      }
    }
  });
}

TEST(TensorStore, ImmediatesWithStrides) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    put(host, kData, Bytes(32, 0));
    isa::Mem2D word = tensor_store_values(Dtype::int16, kData + 16, {0x0102, 0x0304, 0x0506, 0x0708});
    word.num_elem = {2, 2};
    word.step_elem = {-2, 6};  // 16, 12, 28, 24
    std::vector<std::uint64_t> eight(8);
    std::iota(eight.begin(), eight.end(), 0xF0000000u);
    CoreBench::execute(host, {isa::encode(word), isa::encode(tensor_store_values(Dtype::uint32, 0x100, eight))});
    Bytes expected(32, 0);
    expected[16] = 2, expected[17] = 1, expected[12] = 4, expected[13] = 3;
    expected[28] = 6, expected[29] = 5, expected[24] = 8, expected[25] = 7;
    EXPECT_EQ(bytes_at(host, kData, 32), expected);
    std::vector<std::uint32_t> found(8);
    host.read(0x100, reinterpret_cast<std::uint8_t*>(found.data()), 32);
    for (std::uint32_t k = 0; k < 8; ++k) EXPECT_EQ(found[k], 0xF0000000u + k);
  });
}

TEST(TensorStore, LaterWordsWaitForIt) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    const auto copy = [](std::uint32_t from) {
      return isa::encode(kBuild.tensor_reduce(isa::Opcode::copy, row(sbuf(0, from), 8), row(sbuf(0, 0x3000), 8),
                                              isa::AluOp::bypass, 0, 1));
    };
    put(host, 0x1000, Bytes(64, 0));
    put(host, 0x2000, Bytes(64, 0));
    CoreBench::execute(host, {isa::encode(tensor_store_values(Dtype::uint32, 0x1004, {0xABCD})), copy(0x2000)});
    CoreBench::execute(host, {isa::encode(tensor_store_values(Dtype::uint32, 0x1004, {0xABCD})), copy(0x1000)});
    EXPECT_EQ(bytes_at(host, 0x3004, 4), (Bytes{0xCD, 0xAB, 0, 0}));
  });
  EXPECT_EQ(schedule(bench, 1).start.value, schedule(bench, 0).complete.value);
  EXPECT_EQ(schedule(bench, 3).start.value, schedule(bench, 2).complete.value + 29);
}

// ---- Nop, Drain, Halt ----

TEST(Nop, CostsTenCyclesAndDrainWaits) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) { CoreBench::execute(host, {nop(), memset_at(0x1000, 1000, 1), nop(), drain(), nop()}); });
  // The Memset starts at 10, lets the next word go at 10 + 1070 and completes at 10 + 1144.
  EXPECT_EQ(schedule(bench, 2).start.value, 1080u);
  EXPECT_EQ(schedule(bench, 2).complete.value, 1090u);
  EXPECT_EQ(schedule(bench, 3).start.value, 1154u);
  EXPECT_EQ(schedule(bench, 3).hazard_wait.value, 64u);
  EXPECT_EQ(schedule(bench, 4).start.value, 1164u);
  EXPECT_EQ(bench.core().seq().cycles().value, 1174u);
}

TEST(Nop, CostIsConfigured) {
  CoreBench bench(preset(isa::Generation::cayman, {"timing.event_issue_cycles=33"}));
  run(bench, [&](Host& host) { CoreBench::execute(host, nops(3)); });
  EXPECT_EQ(bench.core().seq().cycles().value, 99u);
}

TEST(Nop, FunctionalModeExecutesControlWordsWithoutTime) {
  CoreBench bench(preset(isa::Generation::cayman, {"abstraction=functional"}));
  run(bench, [&](Host& host) {
    CoreBench::execute(host, {move_immediates({{1, 5}}), drain(), isa::encode(tensor_store(Dtype::uint32, kData, {1})),
                              isa::encode(tensor_load(Dtype::uint8, kData, {2})), instruction_flush(), halt(),
                              move_immediates({{1, 6}})});
    EXPECT_EQ(register_of(host, 1), 5u);
    EXPECT_EQ(register_of(host, 2), 5u);
  });
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

TEST(Halt, EndsTheProgramWithItsUpdates) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    CoreBench::execute(host, {move_immediates({{1, 1}}), with_events(halt(), updates(UpdateMode::sem_inc_complete, 9)),
                              move_immediates({{1, 2}})});
    EXPECT_EQ(register_of(host, 1), 1u);
    EXPECT_EQ(host.read_register(address_map::kEventsAndSemaphores + 0x1000 + 4 * 9), 1u);
    // The host may start the next program.
    CoreBench::execute(host, {move_immediates({{1, 3}})});
    EXPECT_EQ(register_of(host, 1), 3u);
  });
  EXPECT_EQ(bench.retired.size(), 3u);
}

// ---- SemaphoreRangeClear ----

TEST(SemaphoreRangeClear, ClearsWhatItNamesAtCompletion) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    const auto left = [&](const isa::Word& word) {
      std::vector<std::uint32_t> values(256);
      for (std::uint32_t n = 0; n < 256; ++n) values[n] = n + 1;
      host.write(address_map::kEventsAndSemaphores + 0x1400, reinterpret_cast<const std::uint8_t*>(values.data()),
                 1024);
      CoreBench::execute(host, {with_events(word, updates(UpdateMode::evt_set_complete, 3)),
                                nop(waits(WaitMode::evt_set_then_clear, 3))});
      host.read(address_map::kEventsAndSemaphores + 0x1000, reinterpret_cast<std::uint8_t*>(values.data()), 1024);
      std::vector<std::uint32_t> cleared;
      for (std::uint32_t n = 0; n < 256; ++n) {
        if (n == number(runtime::kStepRequest) || n == number(runtime::kStepDone)) continue;  // the host's own
        EXPECT_TRUE(values[n] == 0 || values[n] == n + 1) << n << ": " << values[n];
        if (values[n] == 0) cleared.push_back(n);
      }
      return cleared;
    };
    EXPECT_EQ(left(clear_range(20, 23)), (std::vector<std::uint32_t>{20, 21, 22, 23}));
    EXPECT_EQ(left(clear_range(255, 255)), (std::vector<std::uint32_t>{255}));
    EXPECT_EQ(left(clear_semaphores({0, 8, 63, 200})), (std::vector<std::uint32_t>{0, 8, 63, 200}));
  });
  EXPECT_EQ(schedule(bench, 1).start.value, 10u);
}

// ---- Registers as addresses ----

TEST(RegisterAddress, TensorsAndPointersFollowMove) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    const std::vector<float> x = {1, 2, 3, 4};
    const float scale = 10, bias = 0.5f;
    host.write(sbuf(0, 0x500), reinterpret_cast<const std::uint8_t*>(x.data()), 16);
    host.write(sbuf(0, 0x600), reinterpret_cast<const std::uint8_t*>(&scale), 4);
    host.write(sbuf(0, 0x604), reinterpret_cast<const std::uint8_t*>(&bias), 4);
    auto word = kBuild.tensor_scalar(isa::Opcode::tensor_scalar_arith_op, row(sbuf(0, 0), 4), row(sbuf(0, 0), 4),
                                     pointer_in(isa::RegisterIndex{12}), pointer_in(isa::RegisterIndex{13}), 1);
    word.op0 = isa::AluOp::mult;
    word.op1 = isa::AluOp::add;
    word.src.start_addr = isa::Addr4::in_register(isa::RegisterIndex{10});
    word.dst.start_addr = isa::Addr4::in_register(isa::RegisterIndex{11});
    CoreBench::execute(host,
                       {move_immediates({{10, 0x500}, {11, 0x700}, {12, 0x600}, {13, 0x604}}), isa::encode(word)});
    std::vector<float> y(4);
    host.read(sbuf(0, 0x700), reinterpret_cast<std::uint8_t*>(y.data()), 16);
    EXPECT_EQ(y, (std::vector<float>{10.5f, 20.5f, 30.5f, 40.5f}));
  });
}

// Hazards follow the register's value, not its number.
TEST(RegisterAddress, TakesPartInHazards) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    auto copy =
        kBuild.tensor_reduce(isa::Opcode::copy, row(sbuf(0, 0), 8), row(sbuf(0, 0x6000), 8), isa::AluOp::bypass, 0, 1);
    copy.src.start_addr = isa::Addr4::in_register(isa::RegisterIndex{10});
    CoreBench::execute(host, {move_immediates({{10, 0x1F9C}}), memset_at(0x1000, 1000, 7), isa::encode(copy)});
  });
  EXPECT_EQ(schedule(bench, 2).start.value, 10u + 1144 + 29);
}

// ---- Fetch ----

// Starts the DVE's sequencer as the host does, at any address.
void start(Host& host, std::uint64_t base, std::uint32_t words) {
  host.write_register(kControl + Sequencer::kBaseLow, static_cast<std::uint32_t>(base));
  host.write_register(kControl + Sequencer::kBaseHigh, static_cast<std::uint32_t>(base >> 32));
  host.write_register(kControl + Sequencer::kWordCount, words);
  host.write_register(kControl + Sequencer::kControl, 1);
}
void put_words(Host& host, std::uint64_t base, const std::vector<isa::Word>& words) {
  host.write(base, words.front().bytes.data(), words.size() * isa::kWordBytes);
}
constexpr std::uint64_t kEndOfMemory = kHost + kHostMemoryBytes;

TEST(Fetch, AnOpenEndedProgramRunsUntilHalt) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    std::vector<isa::Word> words = nops(700);
    words.push_back(halt());
    words.push_back(move_immediates({{1, 1}}));
    put_words(host, kHost, words);
    start(host, kHost, Sequencer::kUntilHalt);
    sc_core::wait(bench.core().seq().ended());
    EXPECT_EQ(host.read_register(kControl + Sequencer::kState), static_cast<std::uint32_t>(Sequencer::State::done));
    EXPECT_EQ(register_of(host, 1), 0u);
  });
  EXPECT_EQ(bench.core().seq().executed(), 701u);
  EXPECT_EQ(bench.core().seq().fetched().transactions, 2u) << "two windows of 512 words";
}

TEST(Fetch, AnOpenEndedProgramPastTheEndOfMemoryIsAFault) {
  CoreBench bench(preset(isa::Generation::cayman));
  const std::uint64_t base = kEndOfMemory - 3 * 64;
  const RunOutcome outcome = bench.run([&](Host& host) {
    put_words(host, base, {nop(), nop(), move_immediates({{1, 5}})});
    start(host, base, Sequencer::kUntilHalt);
    sc_core::wait(bench.core().seq().ended());
    EXPECT_EQ(register_of(host, 1), 5u) << "the words inside the memory run";
  });
  EXPECT_EQ(outcome.status, RunStatus::fault);
  ASSERT_EQ(bench.core().seq().faults().size(), 1u);
  const WordFinding& fault = bench.core().seq().faults()[0];
  EXPECT_EQ(fault.finding.predicate, "fetch_past_end");
  EXPECT_EQ(fault.word, 3u);
  EXPECT_EQ(fault.pc, kEndOfMemory);
  EXPECT_EQ(bench.core().seq().executed(), 3u);
}

TEST(Fetch, AWindowMayCrossTheEndOfMemoryWhereTheWordsDoNot) {
  CoreBench bench(preset(isa::Generation::cayman));
  const std::uint64_t base = kEndOfMemory - 3 * 64;
  run(bench, [&](Host& host) {
    put_words(host, base, {nop(), move_immediates({{1, 5}}), halt()});
    start(host, base, 10);
    sc_core::wait(bench.core().seq().ended());
    EXPECT_EQ(register_of(host, 1), 5u);
  });
  EXPECT_EQ(bench.core().seq().executed(), 3u);
}

// A word behind the window is changed: seen after a flush, not before.
class Flush : public testing::TestWithParam<bool> {};

TEST_P(Flush, MakesChangesOfTheProgramSeen) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    const std::uint64_t literal = kHost + 2 * 64 + 32;  // immediate[0] of word 2
    CoreBench::execute(host, {isa::encode(tensor_store_values(Dtype::uint32, literal, {2})),
                              GetParam() ? instruction_flush() : nop(), move_immediates({{1, 1}})});
    EXPECT_EQ(register_of(host, 1), GetParam() ? 2u : 1u);
    // A program that starts anew is fetched anew.
    start(host, kHost + 2 * 64, 1);
    sc_core::wait(bench.core().seq().ended());
    EXPECT_EQ(register_of(host, 1), 2u);
  });
}

INSTANTIATE_TEST_SUITE_P(WithAndWithout, Flush, testing::Bool());

}  // namespace
}  // namespace control_words_test
}  // namespace dve
