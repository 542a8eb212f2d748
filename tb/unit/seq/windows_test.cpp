// The register windows of the seq block as a foreign initiator sees them: semaphores and events, sequencer control.
#include <cstring>

#include "dve/seq/seq.h"
#include "support/initiator_tester.h"

namespace {

using namespace dve;
using namespace dve::test;

Bytes word(std::uint32_t value) {
  Bytes bytes(4);
  std::memcpy(bytes.data(), &value, 4);
  return bytes;
}

// The rows of the response table that every register window answers alike. `good` is a readable 4-byte address.
void expect_window_responses(InitiatorTester& tester, std::uint64_t good, std::uint64_t size) {
  EXPECT_EQ(tester.write(size, word(1)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(tester.write(size - 4, Bytes(8)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(tester.write(UINT64_MAX - 3, Bytes(8)), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "wraps at 2^64";
  EXPECT_EQ(tester.write(good + 2, word(1)), tlm::TLM_BURST_ERROR_RESPONSE) << "not aligned";
  EXPECT_EQ(tester.write(good, Bytes(2)), tlm::TLM_BURST_ERROR_RESPONSE) << "not a whole register";
  Access access = Access::read(good, 4);
  access.streaming_width = 0;
  EXPECT_EQ(tester.send(access), tlm::TLM_BURST_ERROR_RESPONSE);
  access = Access::read(good, 8);
  access.streaming_width = 4;
  EXPECT_EQ(tester.send(access), tlm::TLM_BURST_ERROR_RESPONSE);
  access = Access::read(good, 4);
  access.byte_enables = {TLM_BYTE_ENABLED};
  EXPECT_EQ(tester.send(access), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  access = Access::write(good, word(77));
  access.command = tlm::TLM_IGNORE_COMMAND;
  EXPECT_EQ(tester.send(access), tlm::TLM_OK_RESPONSE);
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(tester.dmi(good, tlm::TLM_READ_COMMAND, dmi));
}

struct SyncBench {
  SyncUnit unit{"unit"};
  InitiatorTester tester{"tester"};
  SyncBench() { tester.socket.bind(unit.in.socket); }
  std::int32_t semaphore(std::uint8_t i) const { return unit.state().semaphore(isa::SemaphoreIndex{i}); }
};

TEST(SyncWindow, SemaphoresReadSetAddAndSub) {
  SyncBench bench;
  run_in_thread([&] {
    EXPECT_EQ(bench.tester.read(0x1000 + 4 * 200, 4), word(0));
    EXPECT_EQ(bench.tester.write(0x1400 + 4 * 200, word(10)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.tester.write(0x1800 + 4 * 200, word(5)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.tester.write(0x1C00 + 4 * 200, word(16)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.semaphore(200), -1);
    EXPECT_EQ(bench.tester.read(0x1000 + 4 * 200, 4), word(0xFFFFFFFF));
    EXPECT_EQ(bench.tester.debug_read(0x1000 + 4 * 200, 4), word(0xFFFFFFFF));
    EXPECT_EQ(bench.semaphore(199), 0);
    EXPECT_EQ(bench.semaphore(201), 0);
    EXPECT_EQ(bench.tester.write(0x1400, Bytes(4 * 256, 1)), tlm::TLM_OK_RESPONSE) << "a whole window in one access";
    EXPECT_EQ(bench.semaphore(255), 0x01010101);
  });
}

TEST(SyncWindow, EventsAreOneBit) {
  SyncBench bench;
  run_in_thread([&] {
    EXPECT_EQ(bench.tester.write(4 * 7, word(0xFF)), tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(bench.unit.state().event(isa::EventIndex{7}));
    EXPECT_EQ(bench.tester.write(4 * 7, word(1)), tlm::TLM_OK_RESPONSE) << "a register may be written twice";
    EXPECT_EQ(bench.tester.read(4 * 7, 4), word(1));
    EXPECT_EQ(bench.tester.write(4 * 7, word(2)), tlm::TLM_OK_RESPONSE);
    EXPECT_FALSE(bench.unit.state().event(isa::EventIndex{7}));
  });
}

TEST(SyncWindow, ForbiddenDirectionsAndGaps) {
  SyncBench bench;
  run_in_thread([&] {
    EXPECT_EQ(bench.tester.write(0x1000, word(1)), tlm::TLM_COMMAND_ERROR_RESPONSE);
    for (std::uint64_t window : {0x1400, 0x1800, 0x1C00}) {
      Access access = Access::read(window, 4);
      EXPECT_EQ(bench.tester.send(access), tlm::TLM_COMMAND_ERROR_RESPONSE) << window;
    }
    EXPECT_EQ(bench.tester.write(0x0400, word(1)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.tester.write(0x2000, word(1)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    expect_window_responses(bench.tester, 0x0000, 0x100000);
  });
}

// Takes the place of memory and engine for a sequencer whose control window alone is of interest: refuses everything.
struct Nowhere : sc_core::sc_module, private TargetModel {
  GuardedTarget in;
  explicit Nowhere(sc_core::sc_module_name name) : sc_module(name), in("in", *this, one_word()) {}
  tlm::tlm_response_status access(const PlainAccess&, sc_core::sc_time&) override {
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  static TargetCapabilities one_word() {
    TargetCapabilities c;
    c.size = 64;
    return c;
  }
};

struct ControlBench {
  SyncUnit sync{"sync"};
  Sequencer seq{"seq", SequencerConfig{}, sync, {}};
  InitiatorTester tester{"tester"}, sync_tester{"sync_tester"};
  Nowhere memory{"memory"}, engine{"engine"}, transfers{"transfers"};
  ControlBench() {
    sync_tester.socket.bind(sync.in.socket);
    tester.socket.bind(seq.control.socket);
    seq.fetch.bind(memory.in.socket);
    seq.issue.bind(engine.in.socket);
    seq.memory.bind(transfers.in.socket);
  }
};

TEST(ControlWindow, RegistersResetToZeroAndKeepWhatTheHostWrites) {
  ControlBench bench;
  run_in_thread([&] {
    EXPECT_EQ(bench.tester.read(0, 256), Bytes(256, 0));
    for (std::uint32_t r = 0; r < 64; ++r) EXPECT_EQ(bench.tester.write(4 * r, word(0x1000 + r)), tlm::TLM_OK_RESPONSE);
    for (std::uint32_t r = 0; r < 64; ++r) EXPECT_EQ(bench.tester.read(4 * r, 4), word(0x1000 + r));
  });
}

TEST(ControlWindow, ProgramBaseCountPcAndState) {
  ControlBench bench;
  run_in_thread([&] {
    EXPECT_EQ(bench.tester.write(Sequencer::kBaseLow, word(0x40)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.tester.write(Sequencer::kBaseHigh, word(0x12)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.tester.write(Sequencer::kWordCount, word(3)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.tester.read(Sequencer::kPcLow, 4), word(0x40));
    EXPECT_EQ(bench.tester.read(Sequencer::kPcHigh, 4), word(0x12));
    EXPECT_EQ(bench.tester.read(Sequencer::kWordCount, 4), word(3));
    EXPECT_EQ(bench.tester.read(Sequencer::kState, 4), word(0));
    // The program lies nowhere: a fault, not a hang.
    EXPECT_EQ(bench.tester.write(Sequencer::kControl, word(1)), tlm::TLM_OK_RESPONSE);
    sc_core::wait(bench.seq.ended());
    ASSERT_EQ(bench.seq.faults().size(), 1u);
    EXPECT_EQ(bench.seq.faults()[0].finding.predicate, "fetch_past_end");
    EXPECT_EQ(bench.seq.faults()[0].pc, 0x1200000040u);
  });
}

TEST(ControlWindow, RingRegistersAndAnOpenEnd) {
  ControlBench bench;
  run_in_thread([&] {
    const auto set = [&](std::uint64_t reg, std::uint32_t value) {
      EXPECT_EQ(bench.tester.write(reg, word(value)), tlm::TLM_OK_RESPONSE) << std::hex << reg;
      EXPECT_EQ(bench.tester.read(reg, 4), word(value)) << std::hex << reg;
    };
    set(Sequencer::kWordCount, Sequencer::kUntilHalt);
    set(Sequencer::kRingBaseLow, 0x1230);
    set(Sequencer::kRingBaseHigh, 0x40);
    set(Sequencer::kRingMode, 1);
    EXPECT_EQ(bench.tester.read(Sequencer::kRingWritten, 4), word(0)) << "no ring yet";
    EXPECT_EQ(bench.tester.write(Sequencer::kRingRead, word(0)), tlm::TLM_COMMAND_ERROR_RESPONSE);
    set(Sequencer::kRingEntries, 16);
    set(Sequencer::kRingRead, 0);
    EXPECT_EQ(bench.tester.write(Sequencer::kRingRead, word(1)), tlm::TLM_COMMAND_ERROR_RESPONSE) << "not written yet";
    EXPECT_EQ(bench.tester.write(Sequencer::kRingMode, word(2)), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(bench.tester.read(Sequencer::kRingMode, 4), word(1)) << "a refused write changes nothing";
    EXPECT_EQ(bench.tester.read(Sequencer::kFaultRecord, 4), word(0));
  });
}

TEST(ControlWindow, ForbiddenDirectionsAndGaps) {
  ControlBench bench;
  run_in_thread([&] {
    for (std::uint64_t address :
         {Sequencer::kPcLow, Sequencer::kPcHigh, Sequencer::kState, Sequencer::kFaultRecord, Sequencer::kRingWritten})
      EXPECT_EQ(bench.tester.write(address, word(1)), tlm::TLM_COMMAND_ERROR_RESPONSE) << address;
    Access access = Access::read(Sequencer::kControl, 4);
    EXPECT_EQ(bench.tester.send(access), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(bench.tester.write(0x100, word(1)), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "past the last register";
    expect_window_responses(bench.tester, 0x0000, Sequencer::kWindowBytes);
  });
}

}  // namespace
