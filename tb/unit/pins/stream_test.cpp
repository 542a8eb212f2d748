// TLM to stream and back, joined: bytes, cycles, stalls, reset, errors.
#include "pin_bench.h"

namespace stream_test {

using namespace dve;
using namespace dve::test;

struct Bench : ClockedBench {
  pins::StreamPins<pins::Signal, pins::Signal, 64> stream{"stream_"};
  pins::TlmToStream<64> sender;
  pins::StreamToTlm<64> receiver;
  pins::StreamMonitor<64> monitor{"monitor", {}};
  InitiatorTester tester{"tester"};
  TimedMemory memory;

  static pins::StreamWindow window(std::uint64_t size) {
    pins::StreamWindow window;
    window.size = size;
    return window;
  }
  explicit Bench(pins::Stall source = {}, pins::Stall sink = {}, pins::StreamWindow to = window(4096))
      : sender("sender", 1 << 20, std::move(source)),
        receiver("receiver", to, std::move(sink)),
        memory(static_cast<std::size_t>(to.base + to.size)) {
    clocked(sender);
    clocked(receiver);
    clocked(monitor);
    sender.pins.bind(stream);
    receiver.pins.bind(stream);
    monitor.pins.bind(stream);
    tester.socket.bind(sender.in.socket);
    receiver.out.bind(memory.in.socket);
  }
  tlm::tlm_response_status write(const Bytes& data, std::uint64_t address = 0) {
    Access access = Access::write(address, data);
    sc_core::sc_time delay;
    return tester.send(access, delay);
  }
};

Bytes counting(std::size_t length) {
  Bytes bytes(length);
  for (std::size_t i = 0; i < length; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + 3);
  return bytes;
}

TEST(Stream, ABeatACycleAndTheCallEndsWithTheLast) {
  Bench bench;
  bench.run([&] {
    for (std::uint64_t beats = 1; beats <= 20; ++beats) {
      wait_until_between_edges();
      bench.pulse_reset();
      bench.memory.edges.clear();
      const Bytes data = counting(8 * beats);
      const std::uint64_t k = edge_now();
      EXPECT_EQ(bench.write(data), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(sc_core::sc_time_stamp(), static_cast<double>(k + beats + 1) * one_cycle());
      wait_until_between_edges();
      ASSERT_EQ(bench.memory.edges.size(), beats);
      for (std::uint64_t i = 0; i < beats; ++i) EXPECT_EQ(bench.memory.edges[i], k + 2 + i);
      EXPECT_TRUE(std::equal(data.begin(), data.end(), bench.memory.model.bytes.begin()));
    }
  });
  expect_no_finding(bench.monitor);
}

TEST(Stream, ACallAtTheMomentOfAnEdgeCountsForTheNext) {
  Bench bench;
  bench.run([&] {
    // Woken by the clock itself, in the first evaluation of the moment, and after it.
    const std::vector<std::function<void()>> ways = {[&] { sc_core::wait(bench.clk.posedge_event()); },
                                                     [&] { sc_core::wait(one_cycle() / 2); },
                                                     [&] {
                                                       sc_core::wait(bench.clk.posedge_event());
                                                       for (int i = 0; i < 5; ++i) sc_core::wait(sc_core::SC_ZERO_TIME);
                                                     }};
    for (const auto& to_edge : ways) {
      wait_until_between_edges();
      to_edge();
      const std::uint64_t k = edge_now();
      ASSERT_EQ(sc_core::sc_time_stamp(), static_cast<double>(k) * one_cycle());
      for (std::uint64_t call = 0; call < 3; ++call) {  // back to back: one cycle more than its beats for each
        EXPECT_EQ(bench.write(counting(24)), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(sc_core::sc_time_stamp(), static_cast<double>(k + 4 * (call + 1)) * one_cycle());
      }
    }
  });
}

TEST(Stream, TheDelayOfACallIsWaitedForFirst) {
  Bench bench;
  bench.run([&] {
    const std::uint64_t k = edge_now();
    Access access = Access::write(0, counting(16));
    sc_core::sc_time delay = 3 * one_cycle();
    EXPECT_EQ(bench.tester.send(access, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    EXPECT_EQ(edge_now(), k + 3 + 2 + 1);
  });
}

struct Periods : testing::TestWithParam<int> {};

TEST_P(Periods, AStalledSourceOffersAtFreeEdgesOnly) {
  const auto period = static_cast<std::uint64_t>(GetParam());
  Bench bench(every(period));
  bench.run([&] {
    for (std::uint64_t beats = 1; beats <= 9; ++beats) {
      wait_until_between_edges();
      const std::uint64_t first = next_free(edge_now() + 1, period);
      EXPECT_EQ(bench.write(counting(8 * beats)), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(edge_now(), first + (beats - 1) * period + 1);
    }
  });
  expect_no_finding(bench.monitor);
}

TEST_P(Periods, AStalledSinkTakesABeatAfterFreeEdgesOnly) {
  const auto period = static_cast<std::uint64_t>(GetParam());
  Bench bench({}, every(period));
  bench.run([&] {
    for (std::uint64_t beats = 1; beats <= 9; ++beats) {
      wait_until_between_edges();
      const std::uint64_t first = next_free(edge_now() + 1, period);
      EXPECT_EQ(bench.write(counting(8 * beats)), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(edge_now(), first + (beats - 1) * period + 1);
    }
  });
  expect_no_finding(bench.monitor);
}
INSTANTIATE_TEST_SUITE_P(Stream, Periods, testing::Values(1, 2, 3, 5));

struct Places : testing::TestWithParam<int> {};

// Writes follow each other without a gap while beats are held. The place of the one that ends m writes after the first
// beat's passing is free at the first edge after that, and the beat that takes it passes one edge later.
TEST_P(Places, PlacesAndTheTargetsTimeSetThePace) {
  const auto places = static_cast<std::uint64_t>(GetParam());
  pins::StreamWindow window = Bench::window(4096);
  window.places = places;
  Bench bench({}, {}, window);
  bench.memory.latency = [] { return 2.5 * one_cycle(); };
  constexpr std::uint64_t kBeats = 9;
  bench.run([&] {
    const std::uint64_t first = edge_now() + 2;
    EXPECT_EQ(bench.write(counting(8 * kBeats)), tlm::TLM_OK_RESPONSE);
    const std::uint64_t writes = kBeats - places;
    EXPECT_EQ(edge_now(), places == 1 ? first + (kBeats - 1) * 4 : first + writes * 5 / 2 + 2);
  });
  expect_no_finding(bench.monitor);
}
INSTANTIATE_TEST_SUITE_P(Stream, Places, testing::Values(1, 2, 3, 4));

TEST(Stream, TheWindowEndsAndBurstsGoBackToItsBase) {
  pins::StreamWindow window;
  window.base = 64;
  window.size = 32;
  Bench bench({}, {}, window);
  bench.run([&] {
    EXPECT_EQ(bench.write(counting(48)), tlm::TLM_OK_RESPONSE);
    wait_cycles(2);
  });
  std::vector<std::uint64_t> addresses;
  for (const RecordingModel::Call& call : bench.memory.model.calls) {
    EXPECT_TRUE(call.write);
    EXPECT_EQ(call.length, 8U);
    addresses.push_back(call.address);
  }
  EXPECT_EQ(addresses, (std::vector<std::uint64_t>{64, 72, 80, 88, 64, 72}));
}

TEST(Stream, BurstsAtBase) {
  pins::StreamWindow window = Bench::window(64);
  window.burst_at_base = true;
  Bench bench({}, {}, window);
  bench.run([&] {
    EXPECT_EQ(bench.write(counting(24)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.write(counting(16)), tlm::TLM_OK_RESPONSE);
    wait_cycles(2);
  });
  std::vector<std::uint64_t> addresses;
  for (const RecordingModel::Call& call : bench.memory.model.calls) addresses.push_back(call.address);
  EXPECT_EQ(addresses, (std::vector<std::uint64_t>{0, 8, 16, 0, 8}));
}

TEST(Stream, WhatTheTlmSideRefuses) {
  Bench bench;
  bench.run([&] {
    sc_core::sc_time delay;
    Access read = Access::read(0, 8);
    EXPECT_EQ(bench.tester.send(read, delay), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(bench.write(Bytes(9)), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(bench.write(Bytes(8), 4), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(bench.write(Bytes(8), 1 << 20), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    Access enabled = Access::write(0, Bytes(8));
    enabled.byte_enables = Bytes(8, TLM_BYTE_ENABLED);
    EXPECT_EQ(bench.tester.send(enabled, delay), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    Access debug = Access::write(0, Bytes(8));
    EXPECT_EQ(bench.tester.debug(debug), 0U);
    Access fixed = Access::write(8, counting(24));  // every beat to one address
    fixed.streaming_width = 8;
    EXPECT_EQ(bench.tester.send(fixed, delay), tlm::TLM_OK_RESPONSE);
    wait_cycles(4);
  });
  ASSERT_EQ(bench.memory.model.calls.size(), 3U);
  const Bytes data = counting(24);
  EXPECT_TRUE(std::equal(data.begin(), data.end(), bench.memory.model.bytes.begin()));
}

TEST(Stream, AWriteThatFailsIsReported) {
  Bench bench;
  WarningLog log;
  bench.memory.model.status = tlm::TLM_GENERIC_ERROR_RESPONSE;
  bench.run([&] {
    EXPECT_EQ(bench.write(counting(16)), tlm::TLM_OK_RESPONSE);
    wait_cycles(2);
  });
  EXPECT_EQ(bench.receiver.failed_writes(), 2U);
  EXPECT_EQ(WarningLog::take(), (std::vector<std::string>{
                                    "receiver: the write of 8 bytes at 0 was answered with TLM_GENERIC_ERROR_RESPONSE",
                                    "receiver: the write of 8 bytes at 8 was answered with "
                                    "TLM_GENERIC_ERROR_RESPONSE"}));
}

TEST(Stream, ResetInEveryCycleOfACallEndsIt) {
  Bench bench;
  bench.run([&] {
    constexpr std::uint64_t kBeats = 6;
    const Bytes data = counting(8 * kBeats);
    for (std::uint64_t cycle = 0; cycle < 12; ++cycle) {
      SCOPED_TRACE(cycle);
      bench.memory.model.calls.clear();
      tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
      const std::uint64_t k = edge_now();
      sc_core::sc_spawn([&] { status = bench.write(data); });
      wait_cycles(cycle);  // edges k + 1 to k + cycle see no reset
      bench.pulse_reset();
      wait_cycles(kBeats + 3);
      // Beats pass at k + 2 to k + 7, one of them at the first edge of reset does not.
      const std::uint64_t passed = cycle < 2 ? 0 : std::min(kBeats, cycle - 1);
      const bool begun = cycle >= 1;
      EXPECT_EQ(status, begun && passed < kBeats ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(bench.memory.model.calls.size(), begun ? passed : kBeats) << "from " << k;
      for (std::size_t i = 0; i < bench.memory.model.calls.size(); ++i) {
        EXPECT_EQ(bench.memory.model.calls[i].address, 8 * i);
      }
      wait_until_between_edges();
    }
  });
  expect_no_finding(bench.monitor);
}

TEST(Stream, CallersTakeTurnsAndAKilledOneHoldsNobodyUp) {
  Bench bench;
  bench.run([&] {
    int ended = 0;
    const auto send = [&](std::uint8_t value) {
      return [&, value] {
        EXPECT_EQ(bench.write(Bytes(32, value)), tlm::TLM_OK_RESPONSE);
        ++ended;
      };
    };
    sc_core::sc_process_handle sending = sc_core::sc_spawn(send(1));
    wait_cycles(1);
    for (std::uint8_t value = 2; value <= 4; ++value) sc_core::sc_spawn(send(value));
    sc_core::sc_process_handle waiting = sc_core::sc_spawn(send(5));
    wait_cycles(2);
    sending.kill();  // its beats still go out
    waiting.kill();  // has not had its turn
    wait_cycles(40);
    EXPECT_EQ(ended, 3);
  });
  ASSERT_EQ(bench.memory.model.calls.size(), 16U);
  std::vector<std::uint8_t> order;
  for (std::size_t payload = 0; payload < 4; ++payload) {
    const auto at = bench.memory.model.bytes.begin() + static_cast<std::ptrdiff_t>(32 * payload);
    EXPECT_TRUE(std::all_of(at, at + 32, [&](std::uint8_t byte) { return byte == *at; })) << payload;
    order.push_back(*at);
  }
  EXPECT_EQ(order.front(), 1);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<std::uint8_t>{1, 2, 3, 4}));
  expect_no_finding(bench.monitor);
}

struct RandomStream : testing::TestWithParam<int> {};

TEST_P(RandomStream, NoBeatIsLostOrDoubledUnderAnyStalls) {
  const std::uint64_t seed = pins_seed() + 1000 * static_cast<std::uint64_t>(GetParam());
  std::mt19937_64 random(seed);
  pins::StreamWindow window = Bench::window(1 << 20);
  window.places = 1 + random() % 5;
  Bench bench(random_stall(seed + 1, static_cast<unsigned>(random() % 8)),
              random_stall(seed + 2, static_cast<unsigned>(random() % 8)), window);
  const auto slowest = static_cast<std::uint64_t>(random() % 4);
  bench.memory.latency = [&, slowest] { return static_cast<double>(random() % (2 * slowest + 1)) * (one_cycle() / 2); };
  Bytes sent;
  bench.run([&] {
    for (int call = 0; call < 60; ++call) {
      const Bytes data = random_bytes(random, 8 * (1 + random() % 40));
      sent.insert(sent.end(), data.begin(), data.end());
      ASSERT_EQ(bench.write(data), tlm::TLM_OK_RESPONSE);
      sc_core::wait(static_cast<double>(random() % 5) * (one_cycle() / 2));
    }
    wait_cycles(40);
  });
  EXPECT_EQ(bench.memory.model.calls.size(), sent.size() / 8);
  EXPECT_TRUE(std::equal(sent.begin(), sent.end(), bench.memory.model.bytes.begin()));
  expect_no_finding(bench.monitor);
}
INSTANTIATE_TEST_SUITE_P(Stream, RandomStream, testing::Range(0, 12));

TEST(Stream, AWindowThatCannotBeIsRefusedByName) {
  for (const auto& [size, places, expected] :
       {std::tuple{0, 2, "receiver: window of 0 bytes, expected whole beats of 8 bytes, at least one"},
        std::tuple{12, 2, "receiver: window of 12 bytes, expected whole beats of 8 bytes, at least one"},
        std::tuple{16, 0, "receiver: 0 places, expected at least 1"}}) {
    pins::StreamWindow window = Bench::window(static_cast<std::uint64_t>(size));
    window.places = static_cast<std::size_t>(places);
    try {
      const pins::StreamToTlm<64> receiver("receiver", window);
      ADD_FAILURE() << expected;
    } catch (const std::invalid_argument& error) {
      EXPECT_STREQ(error.what(), expected);
    }
  }
}

TEST(Stream, UnknownPinsAreSeenInFourStates) {
  ClockedBench bench;
  pins::StreamPins<pins::Signal, pins::Signal, 16, pins::FourState> stream{"stream_"};
  pins::StreamMonitor<16, pins::FourState> monitor{"monitor", {}};
  bench.clocked(monitor);
  monitor.pins.bind(stream);
  const auto found = [&] {
    const std::string rule = monitor.checker.finding() ? monitor.checker.finding()->rule : "";
    monitor.checker.clear();
    return rule;
  };
  stream.valid.write(sc_dt::SC_LOGIC_0);
  stream.ready.write(sc_dt::SC_LOGIC_1);
  stream.last.write(sc_dt::SC_LOGIC_0);
  bench.run([&] {
    EXPECT_EQ(found(), "ready_in_reset");
    wait_cycles(1);
    EXPECT_EQ(found(), "");  // data is unknown, but nothing is valid
    stream.valid.write(sc_dt::SC_LOGIC_1);
    wait_cycles(1);
    EXPECT_EQ(found(), "unknown_data");
    stream.data.write("0000000000000001");
    wait_cycles(1);
    EXPECT_EQ(found(), "");
    stream.last.write(sc_dt::SC_LOGIC_Z);
    wait_cycles(1);
    EXPECT_EQ(found(), "unknown_data");
    stream.ready.write(sc_dt::SC_LOGIC_X);
    wait_cycles(1);
    EXPECT_EQ(found(), "unknown_control");
  });
}

}  // namespace stream_test
