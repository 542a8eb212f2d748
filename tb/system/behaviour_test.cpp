// Faults, waits, updates, registers and ends of programs on a whole core.
#include <gtest/gtest.h>

#include <cstring>

#include "support/core_bench.h"
#include "support/words.h"

namespace dve {
namespace {

using namespace testing_support;
using isa::Dtype;
using isa::Opcode;

const WordBuilder kBuild(isa::Generation::cayman);
const TensorSpec kX = row(sbuf(0, 0x0000), 8), kDy = row(sbuf(0, 0x1000), 8), kDx = row(sbuf(0, 0x2000), 8);
const TensorSpec kSums = row(sbuf(0, 0x3000), 3), kMean = row(sbuf(0, 0x3100), 1), kInvStd = row(sbuf(0, 0x3104), 1);

isa::S3S3D1Bn2 grad() { return kBuild.grad_accumulate2(kX, kDy, kSums, kMean, kInvStd, 4); }
isa::S2Bn load() { return kBuild.param_load(kSums, kMean, 8, 4); }
isa::S3S3D3Tt apply() { return kBuild.back_prop(kX, kDy, kDx, 4); }

void write_floats(Host& host, const isa::Place& place, const std::vector<float>& values) {
  host.write(place, reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * 4);
}
std::vector<float> read_floats(Host& host, const isa::Place& place, std::size_t n) {
  std::vector<float> values(n);
  host.read(place, reinterpret_cast<std::uint8_t*>(values.data()), n * 4);
  return values;
}

// x = 0..7, dy = 1, mean 0, inv_std 1 on four partitions: sums are 8, 28, 28.
void load_data(Host& host) {
  for (std::uint32_t p = 0; p < 4; ++p) {
    write_floats(host, sbuf(p, 0x0000), {0, 1, 2, 3, 4, 5, 6, 7});
    write_floats(host, sbuf(p, 0x1000), std::vector<float>(8, 1));
    write_floats(host, sbuf(p, 0x3100), {0, 1});
    write_floats(host, sbuf(p, 0x3000), {0, 0, 0});
    write_floats(host, sbuf(p, 0x2000), std::vector<float>(8, -7));
  }
}

struct End {
  RunOutcome outcome;
  std::vector<WordFinding> faults;
  std::vector<WordFinding> warnings;
  std::vector<float> sums, dx;
  std::uint64_t executed = 0;
};

End run(const std::vector<isa::Word>& words, const std::vector<std::string>& sets = {}, const Host::Body& before = {}) {
  CoreBench bench(preset(isa::Generation::cayman, sets));
  End end;
  end.outcome = bench.run([&](Host& host) {
    load_data(host);
    if (before) before(host);
    CoreBench::execute(host, words);
  });
  end.faults = bench.core().seq().faults();
  end.warnings = bench.warnings;
  end.sums = read_floats(bench.host(), sbuf(0, 0x3000), 3);
  end.dx = read_floats(bench.host(), sbuf(0, 0x2000), 8);
  end.executed = bench.core().seq().executed();
  return end;
}

using Floats = std::vector<float>;

// Word 0 is good, word 1 is refused, word 2 would overwrite the sums.
void expect_refused(const isa::Word& bad, const std::string& predicate) {
  const End end = run({isa::encode(grad()), bad, isa::encode(load())});
  EXPECT_EQ(end.outcome.status, RunStatus::fault);
  EXPECT_EQ(end.executed, 1u);
  ASSERT_FALSE(end.faults.empty()) << predicate;
  bool named = false;
  for (const auto& fault : end.faults) {
    EXPECT_EQ(fault.word, 1u);
    EXPECT_EQ(fault.pc, address_map::kHostMemory + 64);
    EXPECT_FALSE(fault.finding.expected.empty());
    named |= fault.finding.predicate == predicate;
  }
  EXPECT_TRUE(named) << predicate << " is not among the findings; first is " << end.faults[0].finding.predicate;
  EXPECT_EQ(end.sums, (Floats{8, 28, 28})) << "what was written before the fault stays";
}

TEST(Refused, BackPropWithAnOperation) {
  auto word = apply();
  word.op = isa::AluOp::add;
  expect_refused(isa::encode(word), "s3s3d3_tt_is_zero_op");
}
TEST(Refused, FourSums) {
  auto word = grad();
  word.dst.num_elem[0] = 4;
  expect_refused(isa::encode(word), "bnga_dst_element_cnt_check");
}
TEST(Refused, ChannelCount129) {
  auto word = grad();
  word.num_active_channels = 129;
  expect_refused(isa::encode(word), "s3s3d1_bn_channels");
}
TEST(Refused, StartPartition48) {
  auto word = apply();
  for (isa::Tensor3D* t : {&word.src0, &word.src1, &word.dst})
    t->start_addr = isa::address_of(sbuf(48, 0), isa::Generation::cayman);
  expect_refused(isa::encode(word), "start_addr_active_channels");
}
TEST(Refused, TwoPsumSources) {
  auto word = apply();
  word.src0.start_addr = isa::address_of(psum(0, 0), isa::Generation::cayman);
  word.src1.start_addr = isa::address_of(psum(0, 0x800), isa::Generation::cayman);
  expect_refused(isa::encode(word), "tt_valid_partitions");
}
TEST(Refused, Bf16WriteToPsum) {
  auto word = apply();
  word.out_dtype = Dtype::bf16;
  word.dst.start_addr = isa::address_of(psum(0, 0), isa::Generation::cayman);
  expect_refused(isa::encode(word), "tensor_start_addr_valid");
}
TEST(Refused, UnknownOpcode) {
  isa::Word word;
  word.bytes[0] = 0x45;
  word.bytes[1] = isa::kInstWordLen;
  expect_refused(word, "unknown_opcode");
}
TEST(Refused, UnknownOpcodeInRelaxedMode) {
  isa::Word word;
  word.bytes[0] = 0x05;
  const End end = run({word}, {"seq.legality=relaxed"});
  ASSERT_EQ(end.faults.size(), 1u);
  EXPECT_EQ(end.faults[0].finding.predicate, "unknown_opcode");
}

TEST(Relaxed, FindingsAreWarningsAndTheWordExecutes) {
  auto word = grad();
  word.dst.num_elem[0] = 4;
  const End end = run({isa::encode(word)}, {"seq.legality=relaxed"});
  EXPECT_EQ(end.outcome.status, RunStatus::ok);
  ASSERT_FALSE(end.warnings.empty());
  EXPECT_EQ(end.warnings[0].finding.predicate, "bnga_dst_element_cnt_check");
  EXPECT_EQ(end.sums, (Floats{8, 28, 28}));
}
TEST(Relaxed, TheOpByteOfBackPropChangesNothing) {
  auto multiply = apply();
  multiply.op = isa::AluOp::mult;
  CoreBench bypass(preset(isa::Generation::cayman, {"seq.legality=relaxed"}), "bypass");
  CoreBench other(preset(isa::Generation::cayman, {"seq.legality=relaxed"}), "other");
  const auto drive = [](CoreBench& bench, const isa::S3S3D3Tt& last) {
    bench.drive([last](Host& host) {
      load_data(host);
      CoreBench::execute(host, {isa::encode(grad()), isa::encode(load()), isa::encode(last)});
    });
  };
  drive(bypass, apply());
  drive(other, multiply);
  EXPECT_EQ(bypass.finish().status, RunStatus::ok);
  EXPECT_EQ(other.finish().status, RunStatus::ok);
  ASSERT_EQ(other.warnings.size(), 1u);
  EXPECT_EQ(other.warnings[0].finding.predicate, "s3s3d3_tt_is_zero_op");
  const Floats expected = read_floats(bypass.host(), sbuf(0, 0x2000), 8);
  EXPECT_NE(expected, Floats(8, -7));
  EXPECT_EQ(read_floats(other.host(), sbuf(0, 0x2000), 8), expected);
}
TEST(Relaxed, AWordWithoutMeaningIsDroppedWithAWarning) {
  auto word = grad();
  word.src0.start_addr.raw = 0x1F000000;
  const End end = run({isa::encode(word), isa::encode(grad())}, {"seq.legality=relaxed"});
  EXPECT_EQ(end.outcome.status, RunStatus::ok);
  bool dropped = false;
  for (const auto& warning : end.warnings) dropped |= warning.word == 0 && warning.finding.predicate == "not_executed";
  EXPECT_TRUE(dropped);
  EXPECT_EQ(end.sums, (Floats{8, 28, 28}));
}

TEST(UseBeforeLoad, BackPropWithoutParamLoadFaultsInStrictMode) {
  const End end = run({isa::encode(apply())});
  ASSERT_EQ(end.faults.size(), 1u);
  EXPECT_EQ(end.faults[0].finding.predicate, "param_load_missing");
  EXPECT_EQ(end.dx, Floats(8, -7)) << "nothing was written";
}
TEST(UseBeforeLoad, BackPropWithoutParamLoadWarnsInRelaxedMode) {
  const End end = run({isa::encode(apply())}, {"seq.legality=relaxed"});
  EXPECT_EQ(end.outcome.status, RunStatus::ok);
  ASSERT_EQ(end.warnings.size(), 1u);
  EXPECT_EQ(end.warnings[0].finding.predicate, "param_load_missing");
  EXPECT_EQ(end.dx, Floats(8, 0)) << "flops reset to zero";
}
TEST(UseBeforeLoad, Stats2WithoutParameterRamFaultsInStrictMode) {
  auto words = kBuild.load_reciprocals();
  words.resize(1);  // entries 0..7: enough for 16 elements, not for 18
  words.push_back(
      isa::encode(kBuild.statistics(Opcode::batch_norm_stats2, row(sbuf(0, 0), 8), row(sbuf(0, 0x4000), 6), 4)));
  words.push_back(
      isa::encode(kBuild.statistics(Opcode::batch_norm_stats2, row(sbuf(0, 0), 18), row(sbuf(0, 0x4000), 6), 4)));
  const End end = run(words);
  EXPECT_EQ(end.executed, 2u);
  ASSERT_EQ(end.faults.size(), 1u);
  EXPECT_EQ(end.faults[0].finding.predicate, "param_ram_not_loaded");
  EXPECT_EQ(end.faults[0].finding.value, 8u);
}
TEST(UseBeforeLoad, Stats2WithoutParameterRamWarnsInRelaxedMode) {
  const End end =
      run({isa::encode(kBuild.statistics(Opcode::batch_norm_stats2, row(sbuf(0, 0), 8), row(sbuf(0, 0x4000), 6), 4))},
          {"seq.legality=relaxed"});
  EXPECT_EQ(end.outcome.status, RunStatus::ok);
  ASSERT_EQ(end.warnings.size(), 1u);
  EXPECT_EQ(end.warnings[0].finding.predicate, "param_ram_not_loaded");
}

TEST(Destination, IsOverwrittenNeverAddedTo) {
  const End end = run({isa::encode(grad()), isa::encode(grad()), isa::encode(grad())});
  EXPECT_EQ(end.sums, (Floats{8, 28, 28}));
}

TEST(Build, PerfFaultsOnTheDeprecatedCluster) {
  const End end = run({isa::encode(apply())}, {"seq.build=perf"});
  ASSERT_EQ(end.faults.size(), 1u);
  EXPECT_EQ(end.faults[0].finding.predicate, "deprecated_opcode");
}
TEST(Build, DebugLogsSelfNamesPerfDoesNot) {
  CoreBench debug(preset(isa::Generation::cayman), "debug"),
      perf(preset(isa::Generation::cayman, {"seq.build=perf"}), "perf");
  const auto words = kBuild.load_reciprocals();
  for (CoreBench* bench : {&debug, &perf}) bench->drive([&](Host& host) { CoreBench::execute(host, {words[0]}); });
  EXPECT_EQ(debug.finish().status, RunStatus::ok);
  EXPECT_EQ(perf.finish().status, RunStatus::ok);
  EXPECT_EQ(debug.log, (std::vector<std::string>{"S: LoadParameterRam"}));
  EXPECT_TRUE(perf.log.empty());
}

TEST(Registers, AddressesAndPointersComeFromTheHostsWrites) {
  auto word = grad();
  word.src0.start_addr = isa::Addr4::in_register(isa::RegisterIndex{9});
  word.imm0 = isa::ImmField::in_register(isa::RegisterIndex{10});
  word.imm0_imm1_src.imm0 = static_cast<std::uint8_t>(isa::ImmSrc::register_pointer);
  const End end = run({isa::encode(word)}, {}, [](Host& host) {
    EXPECT_EQ(host.read_register(address_map::kSequencerControl + 4 * 9), 0u) << "registers reset to 0";
    host.write_register(address_map::kSequencerControl + 4 * 9,
                        isa::address_of(sbuf(0, 0x0000), isa::Generation::cayman).raw);
    host.write_register(address_map::kSequencerControl + 4 * 10,
                        isa::address_of(sbuf(0, 0x3100), isa::Generation::cayman).raw);
  });
  EXPECT_EQ(end.outcome.status, RunStatus::ok);
  EXPECT_EQ(end.sums, (Floats{8, 28, 28}));
}
TEST(Registers, AnUnsetRegisterPointsAtAddressZero) {
  auto word = grad();
  word.src0.start_addr = isa::Addr4::in_register(isa::RegisterIndex{9});  // 0: sbuf[0]+0, where x lies anyway
  const End end = run({isa::encode(word)});
  EXPECT_EQ(end.sums, (Floats{8, 28, 28}));
}
TEST(Registers, AValueOutsideTheMemoriesFaults) {
  auto word = grad();
  word.src0.start_addr = isa::Addr4::in_register(isa::RegisterIndex{9});
  const End end = run({isa::encode(word)}, {},
                      [](Host& host) { host.write_register(address_map::kSequencerControl + 4 * 9, 0x1FFFFFFF); });
  ASSERT_EQ(end.faults.size(), 1u);
  EXPECT_EQ(end.faults[0].finding.predicate, "operand_address");
}

// A second host-side actor that changes a semaphore at a given moment.
struct Poker : sc_core::sc_module {
  Poker(sc_core::sc_module_name name, SyncUnit& unit, sc_core::sc_time at) : sc_module(name), sync(unit), when(at) {
    SC_HAS_PROCESS(Poker);
    SC_THREAD(poke);
  }
  void poke() {
    wait(when);
    sync.apply({isa::UpdateMode::sem_inc_complete, 5, 0}, "poker");
  }
  SyncUnit& sync;
  sc_core::sc_time when;
};

isa::Word waiting(isa::S3S3D1Bn2 word) {
  word.events.wait_mode = isa::WaitMode::sem_ge_imm;
  word.events.wait_idx = 5;
  word.events.semaphore_value = 1;
  return isa::encode(word);
}

TEST(Wait, StartsWhenTheConditionHoldsPlusPropagation) {
  CoreBench bench(preset(isa::Generation::cayman));
  Poker poker("poker", bench.core().sync, sc_core::sc_time(1000, sc_core::SC_NS));
  bench.run([&](Host& host) {
    load_data(host);
    CoreBench::execute(host, {waiting(grad())});
  });
  // 1000 ns at 0.96 GHz is cycle 960; t_sem = 30 ns is 28.8, 29 cycles.
  ASSERT_EQ(bench.retired.size(), 1u);
  EXPECT_EQ(bench.retired[0].schedule.start.value, 960u + 29u);
  EXPECT_EQ(bench.retired[0].schedule.wait_wait.value, 960u + 29u);
}
TEST(Wait, ADelayThatHasPassedCostsNothing) {
  CoreBench bench(preset(isa::Generation::cayman));
  Poker poker("poker", bench.core().sync, sc_core::sc_time(10, sc_core::SC_NS));
  bench.run([&](Host& host) {
    load_data(host);
    CoreBench::execute(host, {isa::encode(grad()), waiting(grad())});
  });
  // The first word's D is 64 (16 cycles of stream); cycle 10 + 29 lies before it. The second writes the same sums: H.
  EXPECT_EQ(bench.retired[1].schedule.wait_wait.value, 0u);
  EXPECT_EQ(bench.retired[1].schedule.start.value, 16u + 144 + 29);
}
TEST(Wait, OwnUpdatesNeedNoPropagation) {
  auto first = grad();
  first.events.update_mode = isa::UpdateMode::sem_inc_read;
  first.events.update_idx = 5;
  auto second = kBuild.grad_accumulate2(kX, kDy, row(sbuf(0, 0x3200), 3), kMean, kInvStd, 4);
  CoreBench read(preset(isa::Generation::cayman), "read"), complete(preset(isa::Generation::cayman), "complete");
  auto first_complete = first;
  first_complete.events.update_mode = isa::UpdateMode::sem_inc_complete;
  read.drive([&](Host& host) {
    load_data(host);
    CoreBench::execute(host, {isa::encode(first), waiting(second)});
  });
  complete.drive([&](Host& host) {
    load_data(host);
    CoreBench::execute(host, {isa::encode(first_complete), waiting(second)});
  });
  EXPECT_EQ(read.finish().status, RunStatus::ok);
  EXPECT_EQ(complete.finish().status, RunStatus::ok);
  // S = 16, D = 64, T = 160: the READ update at 16 is no delay, the COMPLETE update at 160 is.
  EXPECT_EQ(read.retired[1].schedule.start.value, 64u);
  EXPECT_EQ(complete.retired[1].schedule.start.value, 160u);
}
TEST(Wait, EventSetThenClearConsumesTheEvent) {
  auto first = grad();
  first.events.update_mode = isa::UpdateMode::evt_set_complete;
  first.events.update_idx = 3;
  auto second = kBuild.grad_accumulate2(kX, kDy, row(sbuf(0, 0x3200), 3), kMean, kInvStd, 4);
  second.events.wait_mode = isa::WaitMode::evt_set_then_clear;
  second.events.wait_idx = 3;
  CoreBench bench(preset(isa::Generation::cayman));
  bench.run([&](Host& host) {
    load_data(host);
    CoreBench::execute(host, {isa::encode(first), isa::encode(second)});
  });
  EXPECT_EQ(bench.retired.size(), 2u);
  EXPECT_FALSE(bench.core().sync.state().event(isa::EventIndex{3}));
}
// The word whose update breaks the discipline is named, and how far the sequencer runs ahead changes nothing.
TEST(Update, SettingASetEventFaultsWhateverTheQuantum) {
  auto word = grad();
  word.events.update_mode = isa::UpdateMode::evt_set_complete;
  word.events.update_idx = 3;
  std::vector<isa::Word> program(2, isa::encode(word));
  program.insert(program.end(), 12, kBuild.load_reciprocals()[0]);
  std::vector<std::unique_ptr<CoreBench>> benches;
  for (const char* quantum : {"0", "100", "1000000"}) {
    const auto settings = preset(isa::Generation::cayman, {std::string("quantum_ns=") + quantum});
    benches.push_back(std::make_unique<CoreBench>(settings, (std::string("quantum") + quantum).c_str()));
    benches.back()->drive([&](Host& host) {
      load_data(host);
      CoreBench::execute(host, program);
    });
  }
  for (const auto& bench : benches) {
    EXPECT_EQ(bench->finish().status, RunStatus::fault);
    ASSERT_EQ(bench->core().seq().faults().size(), 1u);
    EXPECT_EQ(bench->core().seq().faults()[0].finding.predicate, "event_discipline");
    EXPECT_EQ(bench->core().seq().faults()[0].word, 1u);
    EXPECT_EQ(bench->core().seq().executed(), benches[0]->core().seq().executed());
    EXPECT_EQ(bench->core().seq().cycles(), benches[0]->core().seq().cycles());
  }
}
TEST(End, SimulatedTimeIsBoundedByAFault) {
  const End end = run(std::vector<isa::Word>(12000, kBuild.load_reciprocals()[0]),
                      {"timing.dve.clock_mhz=1", "timing.dve.min_ii=1000000"});
  EXPECT_EQ(end.outcome.status, RunStatus::fault);
  ASSERT_EQ(end.faults.size(), 1u);
  EXPECT_EQ(end.faults[0].finding.predicate, "simulated_time_limit");
}
TEST(End, DeadlockNamesWhoWaitsForWhat) {
  const std::vector<isa::Word> program = {isa::encode(grad()), waiting(grad())};
  CoreBench bench(preset(isa::Generation::cayman));
  const auto outcome = bench.run([&](Host& host) {
    load_data(host);
    CoreBench::execute(host, program);
  });
  EXPECT_EQ(outcome.status, RunStatus::deadlock);
  ASSERT_EQ(outcome.deadlock.waits.size(), 1u);
  const Waiting& wait = outcome.deadlock.waits[0];
  EXPECT_EQ(to_string(wait),
            "dve word 1 (pc 0x4000000040, batch_norm_grad_accumulate2) waits for sem[5] >= 1, which is 0 (never "
            "changed); no word of the program changes it");
}
TEST(End, DeadlockInFunctionalMode) {
  const End end = run({waiting(grad())}, {"abstraction=functional"});
  EXPECT_EQ(end.outcome.status, RunStatus::deadlock);
}
TEST(End, MaxCyclesStopsTheProgram) {
  CoreBench bench(preset(isa::Generation::cayman), "core", 300);
  const auto outcome = bench.run([&](Host& host) {
    load_data(host);
    CoreBench::execute(host, std::vector<isa::Word>(100, isa::encode(grad())));
  });
  EXPECT_EQ(outcome.status, RunStatus::timeout);
  EXPECT_EQ(bench.core().seq().executed(), 1u);  // the second completes at 349
}
TEST(End, AStopRequestEndsBetweenWords) {
  CoreBench bench(preset(isa::Generation::cayman));
  bench.stop_requested = [&] { return bench.retired.size() == 3; };
  const auto outcome = bench.run([&](Host& host) {
    load_data(host);
    CoreBench::execute(host, std::vector<isa::Word>(100, isa::encode(grad())));
  });
  EXPECT_EQ(outcome.status, RunStatus::interrupted);
  EXPECT_EQ(bench.core().seq().executed(), 3u);
}
TEST(End, AnEmptyProgramIsDoneAtOnce) {
  const End end = run({});
  EXPECT_EQ(end.outcome.status, RunStatus::ok);
  EXPECT_EQ(end.outcome.cycles.value, 0u);
}
TEST(End, AHostTaskThatThrowsIsThrownAgain) {
  CoreBench bench(preset(isa::Generation::cayman));
  EXPECT_THROW(bench.run([](Host&) { throw std::domain_error("from the host"); }), std::domain_error);
}
TEST(End, HostAccessesOutsideEverythingAreErrors) {
  CoreBench bench(preset(isa::Generation::cayman));
  EXPECT_THROW(bench.run([](Host& host) { host.write_register(0x123456789ABC, 1); }), HostAccessError);
}

}  // namespace
}  // namespace dve
