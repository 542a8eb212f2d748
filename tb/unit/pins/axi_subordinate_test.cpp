// The AXI4 subordinate against a manager of another kind, which moves the pins by hand: FIXED and WRAP bursts, narrow
// and unaligned beats, data before its address, several ids, and bursts that AXI4 does not allow.
#include "axi_bench.h"
#include "random_accesses.h"

namespace axi_subordinate_test {

using namespace dve;
using namespace dve::test;

constexpr std::size_t kBus = 4;
constexpr std::uint64_t kBytes = 8192;

pins::AxiAddress burst(pins::AxiBurst type, std::uint64_t address, std::uint32_t beats, std::uint32_t size,
                       std::uint64_t id = 3) {
  return {id, address, beats - 1, size, type};
}

struct Bench : ClockedBench {
  pins::AxiPins<pins::Signal, pins::Signal, 32, 32, 4> axi{"axi_"};
  pins::AxiToTlm<32, 32, 4> subordinate;
  pins::AxiMonitor<32, 32, 4> monitor{"monitor", {kBus, 1000}};
  TimedMemory memory{kBytes};

  explicit Bench(const pins::AxiSubordinate::Options& options = subordinate_options())
      : subordinate("subordinate", options) {
    clocked(subordinate);
    clocked(monitor);
    subordinate.pins.bind(axi);
    monitor.pins.bind(axi);
    subordinate.out.bind(memory.in.socket);
    for (std::size_t i = 0; i < kBytes; ++i) memory.model.bytes[i] = static_cast<std::uint8_t>(i * 11 + i / 256);
  }

  // Until the edge at which it holds, and into the middle of the cycle after.
  template <class Signal>
  void wait_for(const Signal& signal) {
    for (int edges = 0; edges < 1000; ++edges) {
      sc_core::wait(clk.posedge_event());
      if (signal.read()) {
        wait_until_between_edges();
        return;
      }
    }
    ADD_FAILURE() << "never ready";
  }
  template <class Channel>
  void address(Channel& channel, const pins::AxiAddress& payload) {
    channel.drive({true, false, payload, false, false, {}});
    wait_for(channel.ready);
    channel.valid.write(false);
  }
  void data(const pins::AxiWriteData& beat) {
    axi.wvalid.write(true);
    axi.wdata.write(pins::from_word<std::uint32_t>(beat.data));
    axi.wstrb.write(pins::from_mask<std::uint32_t>(beat.strobes));
    axi.wlast.write(beat.last);
    wait_for(axi.wready);
    axi.wvalid.write(false);
  }
  pins::AxiWriteResponse response() {
    axi.bready.write(true);
    for (;;) {
      sc_core::wait(clk.posedge_event());
      if (!axi.bvalid.read()) continue;
      const pins::AxiWriteResponse response{axi.bid.read(), static_cast<pins::AxiResponse>(axi.bresp.read())};
      wait_until_between_edges();
      axi.bready.write(false);
      return response;
    }
  }
  pins::AxiReadData read_beat() {
    axi.rready.write(true);
    for (;;) {
      sc_core::wait(clk.posedge_event());
      if (!axi.rvalid.read()) continue;
      const pins::AxiReadData beat = axi.sample().r.payload;
      wait_until_between_edges();
      axi.rready.write(false);
      return beat;
    }
  }
  pins::AxiResponse write(const pins::AxiAddress& to, const std::vector<pins::AxiWriteData>& beats, bool data_first) {
    if (!data_first) address(axi.aw, to);
    for (const pins::AxiWriteData& beat : beats) data(beat);
    if (data_first) address(axi.aw, to);
    const pins::AxiWriteResponse answer = response();
    EXPECT_EQ(answer.id, to.id);
    return answer.response;
  }
  std::vector<pins::AxiReadData> read(const pins::AxiAddress& from) {
    address(axi.ar, from);
    std::vector<pins::AxiReadData> beats;
    for (std::uint32_t i = 0; i < from.beats(); ++i) {
      beats.push_back(read_beat());
      EXPECT_EQ(beats.back().id, from.id);
      EXPECT_EQ(beats.back().last, i == from.length);
    }
    return beats;
  }
};

// Which byte of memory a lane of a beat is, by the equations of the specification; -1: none.
std::int64_t byte_of(const pins::AxiAddress& a, std::uint64_t beat, std::uint64_t lane) {
  const std::uint64_t bytes = std::uint64_t{1} << a.size;
  std::uint64_t address = a.address;
  if (beat > 0 && a.burst != pins::AxiBurst::fixed) address = a.address / bytes * bytes + beat * bytes;
  if (a.burst == pins::AxiBurst::wrap) {
    const std::uint64_t all = bytes * (a.length + 1), boundary = a.address / all * all;
    if (address >= boundary + all) address -= all;
  }
  const std::uint64_t byte = address / kBus * kBus + lane;
  return byte >= address && byte < address / bytes * bytes + bytes ? static_cast<std::int64_t>(byte) : -1;
}

struct RandomBursts : testing::TestWithParam<int> {};
TEST_P(RandomBursts, EveryTypeAgreesWithAByteArray) {
  const std::uint64_t seed = pins_seed() + 1000 * static_cast<std::uint64_t>(GetParam());
  std::mt19937_64 random(seed);
  const auto stall = [&] { return random_stall(random(), static_cast<unsigned>(random() % 6)); };
  Bench bench(subordinate_options({stall(), stall(), stall(), stall(), stall()}, 1 + random() % 3));
  bench.memory.latency = [&] { return static_cast<double>(random() % 5) * (one_cycle() / 2); };
  Bytes expected = bench.memory.model.bytes;
  bench.run([&] {
    for (int i = 0; i < 120; ++i) {
      pins::AxiAddress a;
      do {
        a = burst(static_cast<pins::AxiBurst>(random() % 3), random() % (kBytes - 4),
                  static_cast<std::uint32_t>(1 + random() % (random() % 8 == 0 ? 256 : 16)),
                  static_cast<std::uint32_t>(random() % 3), random() % 16);
      } while (pins::broken_burst_rule(a, kBus) != nullptr);
      SCOPED_TRACE("burst " + std::to_string(i));
      if (random() % 2 == 0) {
        const std::vector<pins::AxiReadData> beats = bench.read(a);
        for (std::uint64_t beat = 0; beat < beats.size(); ++beat) {
          EXPECT_EQ(beats[beat].response, pins::AxiResponse::okay);
          for (std::uint64_t lane = 0; lane < kBus; ++lane) {
            const std::int64_t byte = byte_of(a, beat, lane);
            ASSERT_EQ(beats[beat].data.bytes[lane], byte < 0 ? 0 : expected[static_cast<std::size_t>(byte)]) << beat;
          }
        }
        continue;
      }
      std::vector<pins::AxiWriteData> beats(a.beats());
      const std::uint64_t all = random() % 2;
      for (std::uint64_t beat = 0; beat < beats.size(); ++beat) {
        for (std::uint64_t lane = 0; lane < kBus; ++lane) {
          const auto value = static_cast<std::uint8_t>(random());
          beats[beat].data.bytes[lane] = value;
          const std::int64_t byte = byte_of(a, beat, lane);
          if (byte < 0 || (all == 0 && random() % 3 == 0)) continue;
          beats[beat].strobes.set(lane);
          expected[static_cast<std::size_t>(byte)] = value;
        }
        beats[beat].last = beat + 1 == beats.size();
      }
      EXPECT_EQ(bench.write(a, beats, a.beats() <= 8 && random() % 4 == 0), pins::AxiResponse::okay);
      ASSERT_EQ(bench.memory.model.bytes, expected);
    }
  });
  expect_no_finding(bench.monitor);
}
INSTANTIATE_TEST_SUITE_P(AxiSubordinate, RandomBursts, testing::Range(0, 8));

TEST(AxiSubordinate, ABurstIsOneAccess) {
  Bench bench;
  std::vector<std::tuple<bool, std::uint64_t, unsigned, unsigned, bool>> payloads;
  bench.memory.model.in_transport = [&](tlm::tlm_generic_payload& payload) {
    payloads.emplace_back(payload.is_write(), payload.get_address(), payload.get_data_length(),
                          payload.get_streaming_width(), payload.get_byte_enable_ptr() != nullptr);
    return false;
  };
  bench.run([&] {
    bench.read(burst(pins::AxiBurst::incr, 5, 4, 2));
    bench.read(burst(pins::AxiBurst::fixed, 6, 3, 2));
    bench.read(burst(pins::AxiBurst::wrap, 24, 4, 2));
    bench.read(burst(pins::AxiBurst::wrap, 16, 4, 2));
    bench.read(burst(pins::AxiBurst::incr, 2, 3, 0));
    pins::AxiWriteData all, some;
    all.strobes = 15;
    some.strobes = 6;
    all.last = some.last = true;
    bench.write(burst(pins::AxiBurst::incr, 8, 1, 2), {all}, false);
    bench.write(burst(pins::AxiBurst::incr, 8, 1, 2), {some}, false);
  });
  EXPECT_EQ(payloads,
            (std::vector<std::tuple<bool, std::uint64_t, unsigned, unsigned, bool>>{{false, 5, 15, 15, false},
                                                                                    {false, 6, 6, 2, false},
                                                                                    {false, 24, 8, 8, false},
                                                                                    {false, 16, 8, 8, false},
                                                                                    {false, 16, 16, 16, false},
                                                                                    {false, 2, 3, 3, false},
                                                                                    {true, 8, 4, 4, false},
                                                                                    {true, 8, 4, 4, true}}));
  expect_no_finding(bench.monitor);
}

TEST(AxiSubordinate, WhatAxiDoesNotAllowEndsWithSlverrAndWithoutAnAccess) {
  Bench bench;
  bench.run([&] {
    pins::AxiWriteData beat;
    beat.strobes = 15;
    pins::AxiWriteData last = beat;
    last.last = true;
    for (const pins::AxiAddress& a : {burst(pins::AxiBurst::reserved, 0, 2, 2), burst(pins::AxiBurst::incr, 0, 2, 3),
                                      burst(pins::AxiBurst::wrap, 2, 2, 2), burst(pins::AxiBurst::incr, 4092, 2, 2)}) {
      for (const pins::AxiReadData& got : bench.read(a)) EXPECT_EQ(got.response, pins::AxiResponse::slverr);
      EXPECT_EQ(bench.write(a, {beat, last}, false), pins::AxiResponse::slverr);
    }
    EXPECT_EQ(bench.write(burst(pins::AxiBurst::incr, 0, 2, 2), {last}, false), pins::AxiResponse::slverr);
    EXPECT_EQ(bench.write(burst(pins::AxiBurst::incr, 0, 2, 2), {beat, beat, last}, false), pins::AxiResponse::slverr);
    EXPECT_TRUE(bench.memory.model.calls.empty());
    EXPECT_EQ(bench.write(burst(pins::AxiBurst::incr, 0, 2, 2), {beat, last}, true), pins::AxiResponse::okay);
  });
}

TEST(AxiSubordinate, ErrorsBecomeDecerrAndSlverrOnEveryBeat) {
  Bench bench;
  bench.run([&] {
    for (const auto& [status, expected] : std::vector<std::pair<tlm::tlm_response_status, pins::AxiResponse>>{
             {tlm::TLM_ADDRESS_ERROR_RESPONSE, pins::AxiResponse::decerr},
             {tlm::TLM_COMMAND_ERROR_RESPONSE, pins::AxiResponse::slverr},
             {tlm::TLM_BURST_ERROR_RESPONSE, pins::AxiResponse::slverr},
             {tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, pins::AxiResponse::slverr},
             {tlm::TLM_GENERIC_ERROR_RESPONSE, pins::AxiResponse::slverr}}) {
      bench.memory.model.status = status;
      for (const pins::AxiReadData& beat : bench.read(burst(pins::AxiBurst::incr, 8, 3, 2))) {
        EXPECT_EQ(beat.response, expected);
        EXPECT_EQ(beat.data, pins::BusWord{});
      }
      pins::AxiWriteData last;
      last.strobes = 1;
      last.last = true;
      EXPECT_EQ(bench.write(burst(pins::AxiBurst::incr, 8, 1, 2), {last}, false), expected);
    }
  });
  expect_no_finding(bench.monitor);
}

TEST(AxiSubordinate, AnswersComeInTheOrderOfTheAddressesUpToTheMostOutstanding) {
  Bench bench(subordinate_options({}, 3));
  bench.run([&] {
    for (std::uint64_t id = 0; id < 3; ++id)
      bench.address(bench.axi.ar, burst(pins::AxiBurst::incr, 16 * id, 2, 2, id));
    bench.axi.ar.drive({true, false, burst(pins::AxiBurst::incr, 0, 1, 2, 9), false, false, {}});
    for (int i = 0; i < 5; ++i) {
      wait_cycles(1);
      EXPECT_FALSE(bench.axi.ar.ready.read()) << "three are open";
    }
    for (std::uint64_t id = 0; id < 3; ++id) {
      for (std::uint64_t beat = 0; beat < 2; ++beat) {
        const pins::AxiReadData data = bench.read_beat();
        EXPECT_EQ(data.id, id);
        EXPECT_EQ(data.data.bytes[0], bench.memory.model.bytes[16 * id + 4 * beat]);
        bench.axi.ar.valid.write(bench.axi.ar.valid.read() && !bench.axi.ar.ready.read());
      }
    }
  });
}

}  // namespace axi_subordinate_test
