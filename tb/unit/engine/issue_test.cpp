// The engine alone: its issue socket as any initiator sees it, and what the issue extension reports.
#include <cstring>

#include "dve/engine/engine.h"
#include "support/initiator_tester.h"
#include "support/tensor_word_builder.h"

namespace {

using namespace dve;
using namespace dve::test;
using namespace dve::testing_support;

const isa::Generation kGeneration = isa::Generation::cayman;

Bytes bytes_of(const isa::Word& word) { return {word.bytes.begin(), word.bytes.end()}; }

EngineConfig config() {
  EngineConfig c;
  c.core.legality.generation = kGeneration;
  return c;
}

// Engine, SBUF on all three ports' routers, Parameter-RAM at address 0 of the param port.
struct Bench {
  InstructionEngine engine;
  PartitionedMemory sbuf{"sbuf", isa::geometry(kGeneration, isa::Space::sbuf), 1, true};
  PartitionedMemory sbuf1{"sbuf1", isa::geometry(kGeneration, isa::Space::sbuf), 1, true};
  PartitionedMemory sbuf2{"sbuf2", isa::geometry(kGeneration, isa::Space::sbuf), 1, true};
  ParameterRam ram{"ram"};
  InitiatorTester issuer{"issuer"};
  Bench() : engine("engine", config()) {
    issuer.socket.bind(engine.issue.socket);
    engine.read0.socket.bind(sbuf.in.socket);
    engine.read1.socket.bind(sbuf1.in.socket);
    engine.write.socket.bind(sbuf2.in.socket);
    engine.param.bind(ram.in.socket);
  }
  tlm::tlm_response_status send(const isa::Word& word, IssueExtension* outcome, sc_core::sc_time& delay) {
    Access access = Access::write(0, bytes_of(word));
    if (outcome != nullptr) access.payload.set_extension(outcome);
    const auto status = issuer.send(access, delay);
    if (outcome != nullptr) access.payload.clear_extension(outcome);
    return status;
  }
};

isa::Word param_ram_word() { return WordBuilder(kGeneration).load_reciprocals()[0]; }

TEST(IssueSocket, ResponseTable) {
  Bench bench;
  run_in_thread([&] {
    const Bytes word = bytes_of(param_ram_word());
    EXPECT_EQ(bench.issuer.write(0, Bytes(128)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.issuer.write(64, word), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.issuer.write(0, Bytes(32)), tlm::TLM_BURST_ERROR_RESPONSE);
    Access read = Access::read(0, 64);
    EXPECT_EQ(bench.issuer.send(read), tlm::TLM_COMMAND_ERROR_RESPONSE);
    Access enabled = Access::write(0, word);
    enabled.byte_enables = {TLM_BYTE_ENABLED};
    EXPECT_EQ(bench.issuer.send(enabled), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    Access narrow = Access::write(0, word);
    narrow.streaming_width = 32;
    EXPECT_EQ(bench.issuer.send(narrow), tlm::TLM_BURST_ERROR_RESPONSE);
    Access ignored = Access::write(0, word);
    ignored.command = tlm::TLM_IGNORE_COMMAND;
    EXPECT_EQ(bench.issuer.send(ignored), tlm::TLM_OK_RESPONSE);
    Access debug = Access::write(0, word);
    EXPECT_EQ(bench.issuer.debug(debug), 0u) << "a word has side effects: no debug access";
    EXPECT_EQ(bench.engine.core().lane_loaded(0), false);
  });
}

TEST(IssueSocket, AForeignInitiatorGetsAnErrorResponseForABadWord) {
  Bench bench;
  run_in_thread([&] {
    sc_core::sc_time delay;
    EXPECT_EQ(bench.send(param_ram_word(), nullptr, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_core::sc_time::from_value(139'583'333)) << "free again after D = 134 cycles of 0.96 GHz";
    isa::Word unknown;
    unknown.bytes[0] = 0x41;
    EXPECT_EQ(bench.send(unknown, nullptr, delay), tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
}

TEST(IssueExtension, ReportsScheduleTrafficAndFaults) {
  Bench bench;
  run_in_thread([&] {
    execute::Registers registers{};
    IssueExtension outcome;
    outcome.registers = &registers;
    sc_core::sc_time delay;
    EXPECT_EQ(bench.send(param_ram_word(), &outcome, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(outcome.schedule.read_done.value, 64u);
    EXPECT_EQ(outcome.schedule.complete.value, 64u + 144);
    EXPECT_EQ(outcome.traffic[IssueExtension::param].written.value, 32u);
    EXPECT_TRUE(outcome.faults.empty());

    const WordBuilder build(kGeneration);
    IssueExtension second;
    second.registers = &registers;
    const isa::Word apply =
        isa::encode(build.back_prop(row(sbuf(0, 0), 4), row(sbuf(0, 64), 4), row(sbuf(0, 128), 4), 2));
    EXPECT_EQ(bench.send(apply, &second, delay), tlm::TLM_OK_RESPONSE) << "the extension carries the fault";
    ASSERT_EQ(second.faults.size(), 1u);
    EXPECT_EQ(second.faults[0].predicate, "param_load_missing");
    EXPECT_EQ(second.traffic[IssueExtension::write].written.value, 0u);
  });
}

const TensorWordBuilder kBuild(kGeneration);

void put(PartitionedMemory& memory, std::uint32_t partition, std::uint32_t offset, const std::vector<float>& values) {
  tlm::tlm_generic_payload payload;
  std::vector<float> data = values;
  prepare(payload, tlm::TLM_WRITE_COMMAND, partition * 0x40000ull + offset,
          reinterpret_cast<std::uint8_t*>(data.data()), data.size() * 4);
  ASSERT_EQ(memory.in.socket.get_base_export()->transport_dbg(payload), data.size() * 4);
}

TEST(IssueExtension, AScheduleGivenByTheSequencerGoesOn) {
  Bench bench;
  run_in_thread([&] {
    execute::Registers registers{};
    timing::Pipeline pipeline(kGeneration, timing::Parameters{});
    pipeline.control({}, isa::Cycles(0), false);
    IssueExtension outcome;
    outcome.registers = &registers;
    outcome.pipeline = &pipeline;
    outcome.wait_holds = isa::Cycles(50);
    sc_core::sc_time delay;
    EXPECT_EQ(bench.send(param_ram_word(), &outcome, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(outcome.schedule.start.value, 50u);
    EXPECT_EQ(outcome.schedule.wait_wait.value, 40u) << "the control word took the first ten cycles";
    EXPECT_EQ(pipeline.next_issue().value, 50u + 134);
  });
}

TEST(IssueExtension, CrcsAreFilledInOnRequest) {
  Bench bench;
  run_in_thread([&] {
    execute::Registers registers{};
    for (const bool wants : {false, true}) {
      IssueExtension outcome;
      outcome.registers = &registers;
      outcome.wants_crc = wants;
      sc_core::sc_time delay;
      const isa::Word word = isa::encode(kBuild.memset(row(sbuf(0, 0), 1), 0x34333231, 1));
      EXPECT_EQ(bench.send(word, &outcome, delay), tlm::TLM_OK_RESPONSE);
      // CRC-16/CCITT-FALSE of nothing and of "1234".
      EXPECT_EQ(outcome.input_crc, wants ? 0xFFFF : 0);
      EXPECT_EQ(outcome.output_crc, wants ? 0x5349 : 0);
    }
  });
}

TEST(IssueExtension, ReportsFloatingPointStatus) {
  Bench bench;
  run_in_thread([&] {
    execute::Registers registers{};
    put(bench.sbuf, 0, 0x100, {3e38f});
    put(bench.sbuf1, 0, 0x200, {10});
    IssueExtension outcome;
    outcome.registers = &registers;
    sc_core::sc_time delay;
    const isa::Word word =
        isa::encode(kBuild.tensor_tensor(isa::Opcode::tensor_tensor_arith_op, row(sbuf(0, 0x100), 1),
                                         row(sbuf(0, 0x200), 1), row(sbuf(0, 0x300), 1), isa::AluOp::mult, 1));
    EXPECT_EQ(bench.send(word, &outcome, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(outcome.fp_status, 4) << "overflow";
    EXPECT_EQ(outcome.traffic[IssueExtension::write].written.value, 4u) << "the result is written all the same";
  });
}

TEST(IssueExtension, AnIntegerDivisionByZeroWritesNothing) {
  Bench bench;
  run_in_thread([&] {
    execute::Registers registers{};
    put(bench.sbuf, 0, 0x100, {1});
    put(bench.sbuf1, 0, 0x200, {0});
    put(bench.sbuf2, 0, 0x300, {-7});
    IssueExtension outcome;
    outcome.registers = &registers;
    sc_core::sc_time delay;
    const auto ints = [](std::uint32_t offset) { return row(sbuf(0, offset), 1, isa::Dtype::int32); };
    const isa::Word word = isa::encode(kBuild.tensor_tensor(isa::Opcode::tensor_tensor_arith_op, ints(0x100),
                                                            ints(0x200), ints(0x300), isa::AluOp::divide_int, 1));
    EXPECT_EQ(bench.send(word, &outcome, delay), tlm::TLM_OK_RESPONSE);
    ASSERT_EQ(outcome.faults.size(), 1u);
    EXPECT_EQ(outcome.faults[0].predicate, "integer_divide_by_zero");
    EXPECT_EQ(outcome.traffic[IssueExtension::write].written.value, 0u);
  });
}

TEST(IssueExtension, AWordPastTheLatestCompletionMovesNoData) {
  Bench bench;
  run_in_thread([&] {
    execute::Registers registers{};
    put(bench.sbuf2, 0, 0x300, {-7});
    IssueExtension outcome;
    outcome.registers = &registers;
    outcome.latest_completion = isa::Cycles(8 + 144 - 1);
    sc_core::sc_time delay;
    EXPECT_EQ(bench.send(isa::encode(kBuild.memset(row(sbuf(0, 0x300), 8), 1, 1)), &outcome, delay),
              tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(outcome.over_limit);
    EXPECT_EQ(outcome.traffic[IssueExtension::write].written.value, 0u);
  });
}

// ACT as NeuronCore builds it: nothing on the port to the Parameter-RAM.
TEST(Engine, NeedsNoParameterRamForTheWordsOfAct) {
  InstructionEngine act("act", config());
  PartitionedMemory sbuf0{"sbuf0", isa::geometry(kGeneration, isa::Space::sbuf), 1, true};
  PartitionedMemory sbuf1{"sbuf1", isa::geometry(kGeneration, isa::Space::sbuf), 1, true};
  PartitionedMemory sbuf2{"sbuf2", isa::geometry(kGeneration, isa::Space::sbuf), 1, true};
  InitiatorTester issuer("issuer");
  issuer.socket.bind(act.issue.socket);
  act.read0.socket.bind(sbuf0.in.socket);
  act.read1.socket.bind(sbuf1.in.socket);
  act.write.socket.bind(sbuf2.in.socket);
  run_in_thread([&] {
    put(sbuf0, 0, 0x100, {3});
    const auto square = kBuild.activate(isa::ActivationFunc::square, row(sbuf(0, 0x100), 1), row(sbuf(0, 0x300), 1), 1);
    Access access = Access::write(0, bytes_of(isa::encode(square)));
    sc_core::sc_time delay;
    EXPECT_EQ(issuer.send(access, delay), tlm::TLM_OK_RESPONSE);
  });
}

}  // namespace
