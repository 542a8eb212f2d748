// The engine alone: its issue socket as any initiator sees it, and what the issue extension reports.
#include <cstring>

#include "dve/engine/engine.h"
#include "support/initiator_tester.h"
#include "support/words.h"

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

}  // namespace
