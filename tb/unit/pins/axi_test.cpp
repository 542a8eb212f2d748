// TLM to AXI4 and back, joined: bytes, cycles, bursts, stalls, reset, errors.
#include "axi_bench.h"
#include "random_accesses.h"

namespace axi_test {

using namespace dve;
using namespace dve::test;

constexpr std::uint64_t kBase = 0x800, kSize = 20000;

struct Bench : AxiBench<64> {
  explicit Bench(const pins::AxiManager::Options& manager_side = manager_options(),
                 const pins::AxiSubordinate::Options& subordinate_side = subordinate_options())
      : AxiBench(kBase, kSize, manager_side, subordinate_side) {}
};

// Beats of the bursts that a contiguous access needs on a bus of 8 bytes: cut at 256 beats and at 4 KiB, counted byte
// by byte.
std::vector<std::uint64_t> burst_beats(std::uint64_t address, std::uint64_t length) {
  std::vector<std::uint64_t> beats;
  for (std::uint64_t byte = kBase + address; byte < kBase + address + length; ++byte) {
    const bool first = beats.empty();
    if (!first && byte % 8 != 0) continue;
    if (first || byte % 4096 == 0 || beats.back() == 256) {
      beats.push_back(1);
    } else {
      ++beats.back();
    }
  }
  return beats;
}
std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  std::uint64_t total = 0;
  for (const std::uint64_t value : values) total += value;
  return total;
}

TEST(Axi, ABeatACycleAndTwoCyclesForEveryBurst) {
  Bench bench;
  bench.run([&] {
    std::uint64_t seed = 0;
    for (const std::uint64_t address : {0, 3, 7, 8, 2040}) {
      for (const std::uint64_t length : {1, 2, 8, 9, 64, 100, 2047, 2048, 2049, 5000}) {
        SCOPED_TRACE(std::to_string(length) + " bytes at " + std::to_string(address));
        std::mt19937_64 random(++seed);
        const std::vector<std::uint64_t> beats = burst_beats(address, length);
        const std::uint64_t cycles = 1 + sum(beats) + 2 * beats.size();
        Access write = Access::write(address, random_bytes(random, length));
        wait_until_between_edges();
        bench.memory.model.calls.clear();
        std::uint64_t k = edge_now();
        EXPECT_EQ(bench.send(write), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(sc_core::sc_time_stamp(), static_cast<double>(k + cycles) * one_cycle());
        EXPECT_EQ(bench.memory.model.calls.size(), beats.size());
        EXPECT_TRUE(std::equal(write.data.begin(), write.data.end(), &bench.memory.model.bytes[kBase + address]));
        Access read = Access::read(address, length);
        wait_until_between_edges();
        k = edge_now();
        EXPECT_EQ(bench.send(read), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(sc_core::sc_time_stamp(), static_cast<double>(k + cycles) * one_cycle());
        EXPECT_EQ(read.data, write.data);
      }
    }
  });
  expect_no_finding(bench.monitor);
}

TEST(Axi, WithEnoughBurstsOutstandingBeatsFollowEachOther) {
  Bench bench(manager_options({}, 4), subordinate_options({}, 4));
  bench.run([&] {
    const std::uint64_t address = 100, length = 7000;
    const std::vector<std::uint64_t> beats = burst_beats(address, length);
    ASSERT_EQ(beats.size(), 4U);
    Access write = Access::write(address, Bytes(length, 0x3C));
    Access read = Access::read(address, length);
    for (Access* access : {&write, &read}) {
      wait_until_between_edges();
      const std::uint64_t k = edge_now();
      EXPECT_EQ(bench.send(*access), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(edge_now(), k + 1 + sum(beats) + 2);
    }
    EXPECT_EQ(read.data, write.data);
  });
  expect_no_finding(bench.monitor);
}

TEST(Axi, TheTargetsTimeIsAddedInWholeCycles) {
  Bench bench;
  sc_core::sc_time latency;
  bench.memory.latency = [&] { return latency; };
  bench.run([&] {
    for (int halves = 0; halves < 12; ++halves) {
      latency = halves * (one_cycle() / 2);
      for (const bool write : {true, false}) {
        Access access = write ? Access::write(8, Bytes(24)) : Access::read(8, 24);
        wait_until_between_edges();
        const std::uint64_t k = edge_now();
        EXPECT_EQ(bench.send(access), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(edge_now(), k + 1 + 3 + 2 + static_cast<std::uint64_t>(halves / 2));
      }
    }
  });
  expect_no_finding(bench.monitor);
}

// Every stall of both sides: a period of one channel, and the edge at which a write and a read of n beats then end that
// begin at edge p.
struct StallCase {
  const char* name;
  bool of_manager;
  pins::Stall pins::AxiStalls::*channel;
  bool write;
  std::uint64_t (*end)(std::uint64_t p, std::uint64_t n, std::uint64_t period);
};
const StallCase kStallCases[] = {
    {"awvalid", true, &pins::AxiStalls::aw, true,
     [](std::uint64_t p, std::uint64_t n, std::uint64_t period) { return next_free(p, period) + n + 2; }},
    {"awready", false, &pins::AxiStalls::aw, true,
     [](std::uint64_t p, std::uint64_t n, std::uint64_t period) {
       return std::max(next_free(p, period) + 1, p + n) + 2;
     }},
    {"wvalid", true, &pins::AxiStalls::w, true,
     [](std::uint64_t p, std::uint64_t n, std::uint64_t period) {
       return next_free(p, period) + (n - 1) * period + 3;
     }},
    {"wready", false, &pins::AxiStalls::w, true,
     [](std::uint64_t p, std::uint64_t n, std::uint64_t period) {
       return next_free(p, period) + (n - 1) * period + 3;
     }},
    {"bvalid", false, &pins::AxiStalls::b, true,
     [](std::uint64_t p, std::uint64_t n, std::uint64_t period) { return next_free(p + n + 1, period) + 1; }},
    {"bready", true, &pins::AxiStalls::b, true,
     [](std::uint64_t p, std::uint64_t n, std::uint64_t period) { return next_free(p + n + 1, period) + 1; }},
    {"arvalid", true, &pins::AxiStalls::ar, false,
     [](std::uint64_t p, std::uint64_t n, std::uint64_t period) { return next_free(p, period) + n + 2; }},
    {"arready", false, &pins::AxiStalls::ar, false,
     [](std::uint64_t p, std::uint64_t n, std::uint64_t period) { return next_free(p, period) + n + 2; }},
    {"rvalid", false, &pins::AxiStalls::r, false,
     [](std::uint64_t p, std::uint64_t n, std::uint64_t period) {
       return next_free(p + 2, period) + (n - 1) * period + 1;
     }},
    {"rready", true, &pins::AxiStalls::r, false,
     [](std::uint64_t p, std::uint64_t n, std::uint64_t period) {
       return next_free(p + 2, period) + (n - 1) * period + 1;
     }},
};

struct AxiStalled : testing::TestWithParam<std::tuple<int, int>> {};
TEST_P(AxiStalled, EndsWhenItsStallsLetIt) {
  const StallCase& one = kStallCases[std::get<0>(GetParam())];
  const auto period = static_cast<std::uint64_t>(std::get<1>(GetParam()));
  pins::AxiStalls stalls;
  stalls.*one.channel = every(period);
  Bench bench(manager_options(one.of_manager ? stalls : pins::AxiStalls{}),
              subordinate_options(one.of_manager ? pins::AxiStalls{} : stalls));
  bench.run([&] {
    for (std::uint64_t beats = 1; beats <= 7; ++beats) {
      for (std::uint64_t phase = 0; phase < period; ++phase) {
        Access access = one.write ? Access::write(16, Bytes(8 * beats, 0x42)) : Access::read(16, 8 * beats);
        wait_until_between_edges();
        wait_cycles(1 + phase);
        const std::uint64_t p = edge_now() + 1;
        EXPECT_EQ(bench.send(access), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(edge_now(), one.end(p, beats, period)) << one.name << ", " << beats << " beats";
      }
    }
  });
  expect_no_finding(bench.monitor);
}
INSTANTIATE_TEST_SUITE_P(Axi, AxiStalled,
                         testing::Combine(testing::Range(0, static_cast<int>(std::size(kStallCases))),
                                          testing::Values(1, 2, 5)),
                         [](const auto& instance) {
                           return std::string(kStallCases[std::get<0>(instance.param)].name) + "_" +
                                  std::to_string(std::get<1>(instance.param));
                         });

TEST(Axi, ErrorsOfTheTargetComeBackByKind) {
  Bench bench;
  bench.run([&] {
    for (const auto& [given, expected] : std::vector<std::pair<tlm::tlm_response_status, tlm::tlm_response_status>>{
             {tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE},
             {tlm::TLM_COMMAND_ERROR_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE},
             {tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE},
             {tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE},
             {tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE},
             {tlm::TLM_OK_RESPONSE, tlm::TLM_OK_RESPONSE}}) {
      bench.memory.model.status = given;
      Access write = Access::write(0, Bytes(100));
      EXPECT_EQ(bench.send(write), expected);
      Access read = Access::read(0, 100);
      EXPECT_EQ(bench.send(read), expected);
      EXPECT_EQ(read.data, given == tlm::TLM_OK_RESPONSE ? Bytes(100) : Bytes(100, 0xEE));
    }
  });
  expect_no_finding(bench.monitor);
}

TEST(Axi, TheWorstOfSeveralBurstsDecides) {
  Bench bench;
  bench.memory.model.hole_first = bench.memory.model.hole_last = 4096;  // DECERR of the second burst of three
  bench.run([&] {
    Access read = Access::read(2000, 4000);
    ASSERT_EQ(burst_beats(2000, 4000).size(), 3U);
    EXPECT_EQ(bench.send(read), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.memory.model.calls.size(), 2U) << "the other two are made";
    bench.memory.model.hole_first = bench.memory.model.hole_last = UINT64_MAX;
    bench.memory.model.before_access = [&](sc_core::sc_time&) {
      bench.memory.model.status =
          bench.memory.model.calls.back().address >= 4096 ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
    };
    Access write = Access::write(2000, Bytes(4000));
    EXPECT_EQ(bench.send(write), tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
  expect_no_finding(bench.monitor);
}

TEST(Axi, ByteEnablesBecomeStrobesAndStreamingBecomesBursts) {
  Bench bench;
  bench.run([&] {
    Access write = Access::write(6, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    write.byte_enables = {0xFF, 0, 0, 0xFF};
    EXPECT_EQ(bench.send(write), tlm::TLM_OK_RESPONSE);
    Bytes expected(20, 0x11);
    for (const std::size_t i : {0, 3, 4, 7, 8, 11}) expected[6 + i] = write.data[i];
    EXPECT_EQ(Bytes(&bench.memory.model.bytes[kBase], &bench.memory.model.bytes[kBase + 20]), expected);
    wait_until_between_edges();
    write.byte_enables = {0};
    const std::uint64_t k = edge_now();
    EXPECT_EQ(bench.send(write), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(edge_now(), k + 1);
    Access debug = Access::read(0, 4);
    EXPECT_EQ(bench.tester.debug(debug), 0U);
    Access outside = Access::read(kSize - 1, 2);
    EXPECT_EQ(bench.send(outside), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
  expect_no_finding(bench.monitor);
}

TEST(Axi, ResetInEveryCycleOfACallEndsIt) {
  Bench bench;
  bench.run([&] {
    constexpr std::uint64_t kBeats = 5;
    for (const bool write : {true, false}) {
      for (std::uint64_t cycle = 0; cycle < 12; ++cycle) {
        SCOPED_TRACE((write ? "write, cycle " : "read, cycle ") + std::to_string(cycle));
        Access access = write ? Access::write(0, Bytes(8 * kBeats, 0x77)) : Access::read(0, 8 * kBeats);
        tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
        sc_core::sc_spawn([&] { status = bench.send(access); });
        wait_cycles(cycle);
        bench.pulse_reset();
        wait_cycles(kBeats + 5);
        const bool cut = cycle >= 1 && cycle < kBeats + 3;  // it ends at edge k + n + 3
        EXPECT_EQ(status, cut ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(bench.monitor.checker.open_reads() + bench.monitor.checker.open_writes(), 0U);
        Access after = Access::write(64, Bytes(24, static_cast<std::uint8_t>(cycle)));
        EXPECT_EQ(bench.send(after), tlm::TLM_OK_RESPONSE);
        Access back = Access::read(64, 24);
        EXPECT_EQ(bench.send(back), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(back.data, after.data);
        wait_until_between_edges();
      }
    }
  });
  expect_no_finding(bench.monitor);
}

TEST(Axi, AnAnswerFromBeforeResetIsDropped) {
  Bench bench;
  bench.memory.latency = [] { return 20 * one_cycle(); };
  bench.run([&] {
    Access slow = Access::read(0, 8);
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    sc_core::sc_spawn([&] { status = bench.send(slow); });
    wait_cycles(6);
    bench.pulse_reset();
    EXPECT_EQ(status, tlm::TLM_GENERIC_ERROR_RESPONSE);
    bench.memory.model.bytes[kBase + 16] = 0x99;
    Access next = Access::read(16, 1);  // waits for the call that is still out, then for its own
    EXPECT_EQ(bench.send(next), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(next.data, Bytes{0x99});
  });
  expect_no_finding(bench.monitor);
}

TEST(Axi, ParametersThatCannotBeAreRefusedByName) {
  const auto refusal = [](const std::function<void()>& make) -> std::string {
    try {
      make();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  using Manager = pins::TlmToAxi<32, 32, 4>;
  EXPECT_EQ(refusal([] {
              Manager("m", {0, 0, {}});
            }),
            "m: 0 bytes from address 0 on, expected at least 1 that fit 32 bits of address");
  EXPECT_EQ(refusal([] {
              Manager("m", {0xFFFFFFFF, 2, {}});
            }),
            "m: 2 bytes from address 4294967295 on, expected at least 1 that fit 32 bits of address");
  EXPECT_EQ(refusal([] { Manager("m", {0xFFFFFFFF, 1, {16, 1, {}}}); }), "m: id 16, expected one of 4 bits");
  EXPECT_EQ(refusal([] { Manager("m", {0, 8, {0, 0, {}}}); }), "m: 0 bursts outstanding, expected at least 1");
  EXPECT_EQ(refusal([] { pins::AxiToTlm<32, 32, 4>("s", {0, {}}); }), "s: 0 bursts outstanding, expected at least 1");
}

TEST(Axi, UnknownPinsAreSeenInFourStates) {
  ClockedBench bench;
  pins::AxiPins<pins::Signal, pins::Signal, 32, 32, 2, pins::FourState> axi{"axi_"};
  pins::AxiMonitor<32, 32, 2, pins::FourState> monitor{"monitor", {4, 1000}};
  bench.clocked(monitor);
  monitor.pins.bind(axi);
  const auto found = [&] {
    const std::string text =
        monitor.checker.finding() ? monitor.checker.finding()->channel + " " + monitor.checker.finding()->rule : "";
    monitor.checker.clear();
    return text;
  };
  for (auto* control : {&axi.aw.valid, &axi.aw.ready, &axi.wvalid, &axi.wready, &axi.bvalid, &axi.bready, &axi.ar.valid,
                        &axi.ar.ready, &axi.rvalid, &axi.rready}) {
    control->write(sc_dt::SC_LOGIC_0);
  }
  bench.run([&] {
    wait_cycles(1);
    EXPECT_EQ(found(), "");  // no payload is known, and none is valid
    axi.wvalid.write(sc_dt::SC_LOGIC_1);
    axi.wlast.write(sc_dt::SC_LOGIC_1);
    axi.wstrb.write("0011");
    axi.wdata.write("XXXXXXXXZZZZZZZZ0000000011111111");
    wait_cycles(1);
    EXPECT_EQ(found(), "");
    axi.wdata.write("0000000000000000000X000011111111");
    wait_cycles(1);
    EXPECT_EQ(found(), "W unknown_payload");
    axi.wstrb.write("0010");
    axi.wready.write(sc_dt::SC_LOGIC_Z);
    wait_cycles(1);
    EXPECT_EQ(found(), "W unknown_control");
  });
}

template <unsigned Bits>
void run_random(int number) {
  const std::uint64_t seed = pins_seed() + 1000 * static_cast<std::uint64_t>(number);
  std::mt19937_64 random(seed);
  const auto stalls = [&] {
    const auto stall = [&] { return random_stall(random(), static_cast<unsigned>(random() % 8)); };
    return random() % 3 == 0 ? pins::AxiStalls{} : pins::AxiStalls{stall(), stall(), stall(), stall(), stall()};
  };
  // The bytes before and behind the range belong to others, and unaligned reads may read them.
  constexpr std::uint64_t kWord = Bits / 8;
  AxiBench<Bits> bench(kBase, kSize / kWord * kWord, manager_options(stalls(), 1 + random() % 4),
                       subordinate_options(stalls(), 1 + random() % 4));
  bench.memory.latency = [&] { return static_cast<double>(random() % 7) * (one_cycle() / 2); };
  bench.run([&] {
    random_accesses(bench.tester, random, Bytes(kSize / kWord * kWord, 0x11), 60, 40);
    random_accesses(bench.tester, random,
                    Bytes(bench.memory.model.bytes.begin() + kBase, bench.memory.model.bytes.end()), 12, 5000);
  });
  expect_no_finding(bench.monitor);
  EXPECT_EQ(bench.monitor.checker.open_reads() + bench.monitor.checker.open_writes(), 0U);
}

struct RandomAxi : testing::TestWithParam<int> {};
TEST_P(RandomAxi, AgreesWithAByteArrayUnderAnyStalls8) { run_random<8>(GetParam()); }
TEST_P(RandomAxi, AgreesWithAByteArrayUnderAnyStalls64) { run_random<64>(GetParam()); }
TEST_P(RandomAxi, AgreesWithAByteArrayUnderAnyStalls256) { run_random<256>(GetParam()); }
TEST_P(RandomAxi, AgreesWithAByteArrayUnderAnyStalls1024) { run_random<1024>(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Axi, RandomAxi, testing::Range(0, 6));

}  // namespace axi_test
