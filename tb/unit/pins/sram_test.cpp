// TLM to an SRAM port and back, joined: bytes, cycles, byte enables, stalls, reset, errors.
#include "pin_bench.h"
#include "random_accesses.h"

namespace sram_test {

using namespace dve;
using namespace dve::test;

constexpr std::uint64_t kWords = 256;
constexpr std::uint64_t kBytes = 4 * kWords;

pins::SramChecker::Limits limits(std::uint64_t latency) {
  pins::SramChecker::Limits limits;
  limits.words = kWords;
  limits.latency = latency;
  limits.word_bytes = 4;
  return limits;
}

struct Bench : ClockedBench {
  pins::SramPins<pins::Signal, pins::Signal, 32, 8> sram{"sram_"};
  pins::TlmToSram<32, 8> requester;
  pins::SramToTlm<32, 8> responder;
  pins::SramMonitor<32, 8> monitor;
  InitiatorTester tester{"tester"};
  TimedMemory memory{64 + kBytes};

  explicit Bench(std::uint64_t latency = 1, pins::Stall stall = {}, std::uint64_t base = 64)
      : requester("requester", kWords, latency, std::move(stall)),
        responder("responder", base, latency),
        monitor("monitor", limits(latency)) {
    clocked(requester);
    clocked(responder);
    clocked(monitor);
    requester.pins.bind(sram);
    responder.pins.bind(sram);
    monitor.pins.bind(sram);
    tester.socket.bind(requester.in.socket);
    responder.out.bind(memory.in.socket);
  }
  tlm::tlm_response_status send(Access& access) {
    sc_core::sc_time delay;
    return tester.send(access, delay);
  }
};

std::uint64_t words_of(std::uint64_t address, std::uint64_t length) {
  return (address + length - 1) / 4 - address / 4 + 1;
}

struct Latency : testing::TestWithParam<int> {};

TEST_P(Latency, AWordACycleAndAReadEndsWhenItsDataIsThere) {
  const auto latency = static_cast<std::uint64_t>(GetParam());
  Bench bench(latency);
  bench.run([&] {
    for (std::uint64_t address = 0; address < 5; ++address) {
      for (std::uint64_t length = 1; length <= 18; ++length) {
        const std::uint64_t words = words_of(address, length);
        std::mt19937_64 random(address * 100 + length);
        Access write = Access::write(address, random_bytes(random, length));
        wait_until_between_edges();
        bench.memory.edges.clear();
        std::uint64_t k = edge_now();
        EXPECT_EQ(bench.send(write), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(sc_core::sc_time_stamp(), static_cast<double>(k + words + 1) * one_cycle());
        Access read = Access::read(address, length);
        wait_until_between_edges();
        ASSERT_EQ(bench.memory.edges.size(), words);
        EXPECT_EQ(bench.memory.edges.front(), k + 2);
        EXPECT_EQ(bench.memory.edges.back(), k + words + 1);
        k = edge_now();
        EXPECT_EQ(bench.send(read), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(sc_core::sc_time_stamp(), static_cast<double>(k + words + 1 + latency) * one_cycle());
        EXPECT_EQ(read.data, write.data) << address << ", " << length;
      }
    }
  });
  expect_no_finding(bench.monitor);
}

TEST_P(Latency, ATargetMayUseTheLatencyButForOneCycle) {
  const auto latency = static_cast<std::uint64_t>(GetParam());
  WarningLog log;
  Bench bench(latency);
  bool too_slow = false;
  bench.memory.latency = [&] {
    return static_cast<double>(latency - 1) * one_cycle() + sc_core::sc_time(too_slow ? 1 : 0, sc_core::SC_PS);
  };
  for (std::size_t i = 0; i < bench.memory.model.bytes.size(); ++i) {
    bench.memory.model.bytes[i] = static_cast<std::uint8_t>(i * 5);
  }
  const auto held = [&](std::size_t length) {
    return Bytes(&bench.memory.model.bytes[64], &bench.memory.model.bytes[64] + length);
  };
  bench.run([&] {
    Access read = Access::read(0, 40);
    EXPECT_EQ(bench.send(read), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(read.data, held(40));
    EXPECT_EQ(bench.responder.late_reads(), 0U);
    too_slow = true;
    Access late = Access::read(0, 40);
    EXPECT_EQ(bench.send(late), tlm::TLM_OK_RESPONSE);
    EXPECT_NE(late.data, held(40));
    EXPECT_EQ(bench.responder.late_reads(), 10U);
    wait_cycles(3);
    too_slow = false;
    Access again = Access::read(4, 36);
    EXPECT_EQ(bench.send(again), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(again.data, Bytes(&bench.memory.model.bytes[68], &bench.memory.model.bytes[68] + 36));
    EXPECT_EQ(bench.responder.late_reads(), 10U);
  });
  EXPECT_EQ(WarningLog::take().front(),
            "responder: word 0 was not read within the latency of " + std::to_string(latency) + " cycles");
}
INSTANTIATE_TEST_SUITE_P(Sram, Latency, testing::Values(1, 2, 5));

TEST(Sram, AWaitingTargetIsLateToo) {
  WarningLog log;
  Bench bench(2);
  bench.memory.model.before_access = [](sc_core::sc_time&) { sc_core::wait(1.5 * one_cycle()); };
  bench.run([&] {
    Access read = Access::read(0, 4);
    EXPECT_EQ(bench.send(read), tlm::TLM_OK_RESPONSE);
    wait_cycles(3);
    EXPECT_EQ(bench.responder.late_reads(), 1U);
  });
}

TEST(Sram, ByteEnablesReachTheMemoryAndWordsWithoutOneAreNotAccessed) {
  Bench bench;
  bench.run([&] {
    Access write = Access::write(2, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    write.byte_enables = {0xFF, 0, 0, 0, 0, 0, 0xFF, 0, 0xFF, 0xFF, 0xFF};  // bytes 2; none of word 1; 8, 10, 11, 12
    const std::uint64_t k = edge_now();
    EXPECT_EQ(bench.send(write), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(edge_now(), k + 3 + 1);
    Bytes expected(16, 0x11);
    expected[2] = 1;
    expected[8] = 7;
    expected[10] = 9;
    expected[11] = 10;
    expected[12] = 11;
    wait_cycles(1);
    EXPECT_EQ(Bytes(&bench.memory.model.bytes[64], &bench.memory.model.bytes[80]), expected);
    wait_until_between_edges();
    write.byte_enables = {0};
    const std::uint64_t none = edge_now();
    EXPECT_EQ(bench.send(write), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(edge_now(), none + 1);
    Access read = Access::read(8, 4);
    read.byte_enables = {0, 0xFF};
    EXPECT_EQ(bench.send(read), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(read.data, (Bytes{0xEE, 0x11, 0xEE, 10}));
  });
  expect_no_finding(bench.monitor);
}

struct Periods : testing::TestWithParam<int> {};
TEST_P(Periods, AStalledPortAccessesAtFreeEdgesOnly) {
  const auto period = static_cast<std::uint64_t>(GetParam());
  Bench bench(3, every(period));
  bench.run([&] {
    for (std::uint64_t words = 1; words <= 9; ++words) {
      wait_until_between_edges();
      const std::uint64_t first = next_free(edge_now() + 1, period);
      Access read = Access::read(8, 4 * words);
      EXPECT_EQ(bench.send(read), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(edge_now(), first + (words - 1) * period + 1 + 3);
    }
  });
  expect_no_finding(bench.monitor);
}
INSTANTIATE_TEST_SUITE_P(Sram, Periods, testing::Values(1, 2, 3, 5));

TEST(Sram, WhatTheTlmSideRefuses) {
  Bench bench;
  bench.run([&] {
    Access outside = Access::read(kBytes - 2, 3);
    EXPECT_EQ(bench.send(outside), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    Access debug = Access::read(0, 4);
    EXPECT_EQ(bench.tester.debug(debug), 0U);
    Access end = Access::read(kBytes - 3, 3);
    EXPECT_EQ(bench.send(end), tlm::TLM_OK_RESPONSE);
  });
  expect_no_finding(bench.monitor);
}

TEST(Sram, AnAccessThatFailsIsReportedAndReadsAsZero) {
  Bench bench(1, {}, 64 + kBytes - 4);  // only the first word exists
  WarningLog log;
  bench.run([&] {
    Access write = Access::write(0, Bytes(8, 0x55));
    EXPECT_EQ(bench.send(write), tlm::TLM_OK_RESPONSE);
    Access read = Access::read(0, 8);
    EXPECT_EQ(bench.send(read), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(read.data, (Bytes{0x55, 0x55, 0x55, 0x55, 0, 0, 0, 0}));
  });
  EXPECT_EQ(bench.responder.failed_accesses(), 2U);
  EXPECT_EQ(WarningLog::take(),
            (std::vector<std::string>{"responder: the write of word 1 was answered with TLM_ADDRESS_ERROR_RESPONSE",
                                      "responder: the read of word 1 was answered with TLM_ADDRESS_ERROR_RESPONSE"}));
}

TEST(Sram, ResetInEveryCycleOfACallEndsIt) {
  Bench bench(3);
  bench.run([&] {
    constexpr std::uint64_t kAccesses = 5;
    for (const bool write : {true, false}) {
      // Accesses pass at k + 2 to k + 6, the data of the last read comes 3 edges later.
      const std::uint64_t last = kAccesses + 1 + (write ? 0 : 3);
      for (std::uint64_t cycle = 0; cycle < 12; ++cycle) {
        SCOPED_TRACE((write ? "write, cycle " : "read, cycle ") + std::to_string(cycle));
        bench.memory.model.calls.clear();
        Access access = write ? Access::write(0, Bytes(4 * kAccesses, 0x77)) : Access::read(0, 4 * kAccesses);
        tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
        sc_core::sc_spawn([&] { status = bench.send(access); });
        wait_cycles(cycle);
        bench.pulse_reset();
        wait_cycles(last + 2);
        const std::uint64_t passed = cycle < 2 ? 0 : std::min(kAccesses, cycle - 1);
        const bool begun = cycle >= 1;
        EXPECT_EQ(status, begun && cycle < last ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(bench.memory.model.calls.size(), begun ? passed : kAccesses);
        wait_until_between_edges();
      }
    }
    Access read = Access::read(0, 4);
    EXPECT_EQ(bench.send(read), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(read.data, Bytes(4, 0x77));
  });
  expect_no_finding(bench.monitor);
}

struct RandomSram : testing::TestWithParam<int> {};
TEST_P(RandomSram, AgreesWithAByteArrayUnderAnyStalls) {
  const std::uint64_t seed = pins_seed() + 1000 * static_cast<std::uint64_t>(GetParam());
  std::mt19937_64 random(seed);
  const std::uint64_t latency = 1 + random() % 4;
  Bench bench(latency, random_stall(seed + 1, static_cast<unsigned>(random() % 8)));
  bench.memory.latency = [&] { return static_cast<double>(random() % latency) * one_cycle(); };
  bench.run([&] { random_accesses(bench.tester, random, Bytes(kBytes, 0x11), 400, 60); });
  EXPECT_EQ(bench.responder.late_reads(), 0U);
  expect_no_finding(bench.monitor);
}
INSTANTIATE_TEST_SUITE_P(Sram, RandomSram, testing::Range(0, 10));

TEST(Sram, ParametersThatCannotBeAreRefusedByName) {
  const auto refusal = [](const std::function<void()>& make) -> std::string {
    try {
      make();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal([] { pins::TlmToSram<32, 8> port("port", 0); }), "port: 0 words, expected 1 to 256");
  EXPECT_EQ(refusal([] { pins::TlmToSram<32, 8> port("port", 257); }), "port: 257 words, expected 1 to 256");
  EXPECT_EQ(refusal([] { pins::TlmToSram<32, 8> port("port", 256, 0); }),
            "port: latency of 0 cycles, expected at least 1");
  EXPECT_EQ(refusal([] { pins::SramToTlm<32, 8> port("port", 0, 0); }),
            "port: latency of 0 cycles, expected at least 1");
}

TEST(Sram, UnknownPinsAreSeenInFourStates) {
  ClockedBench bench;
  pins::SramPins<pins::Signal, pins::Signal, 32, 8, pins::FourState> sram{"sram_"};
  pins::SramMonitor<32, 8, pins::FourState> monitor{"monitor", limits(1)};
  bench.clocked(monitor);
  monitor.pins.bind(sram);
  const auto found = [&] {
    const std::string rule = monitor.checker.finding() ? monitor.checker.finding()->rule : "";
    monitor.checker.clear();
    return rule;
  };
  sram.enable.write(sc_dt::SC_LOGIC_0);
  bench.run([&] {
    wait_cycles(1);
    EXPECT_EQ(found(), "");  // nothing is accessed
    sram.enable.write(sc_dt::SC_LOGIC_1);
    sram.write.write(sc_dt::SC_LOGIC_1);
    wait_cycles(1);
    EXPECT_EQ(found(), "unknown_address");
    sram.address.write(5);
    sram.byte_enable.write(2);
    wait_cycles(1);
    EXPECT_EQ(found(), "unknown_write_data");
    sram.wdata.write("XXXXXXXXXXXXXXXX10101010ZZZZZZZZ");  // the byte that is written is known
    wait_cycles(1);
    EXPECT_EQ(found(), "");
    sram.write.write(sc_dt::SC_LOGIC_0);
    sram.byte_enable.write(0);
    wait_cycles(1);
    EXPECT_EQ(found(), "");
    sram.enable.write(sc_dt::SC_LOGIC_0);
    wait_cycles(1);
    EXPECT_EQ(found(), "unknown_read_data");
    sram.enable.write(sc_dt::SC_LOGIC_X);
    wait_cycles(1);
    EXPECT_EQ(found(), "unknown_control");
  });
}

}  // namespace sram_test
