// The adapters against memories in RTL, which know nothing of them: bytes, cycles, stalls, errors.
#include "cosim/pin_memories_rtl.h"
#include "unit/pins/random_accesses.h"

namespace dve::cosim {
namespace {

using namespace dve::test;

constexpr std::uint64_t kSramBytes = 4 * kMemoryWords, kAxiBytes = 8 * kMemoryWords;

struct Bench {
  sc_core::sc_clock clk{"clk", one_cycle()};
  MemorySignals signals;
  std::unique_ptr<sc_core::sc_module> memories{make_pin_memories(clk, signals)};
  pins::TlmToSram<32, 10> sram;
  pins::TlmToAxi<64, 32, 4> axi;
  pins::SramMonitor<32, 10> sram_monitor{"sram_monitor", {kMemoryWords, kSramLatency, 4, true}};
  pins::AxiMonitor<64, 32, 4> axi_monitor{"axi_monitor", {8, 20000}};
  InitiatorTester sram_tester{"sram_tester"}, axi_tester{"axi_tester"};

  // The manager's range goes beyond the memory.
  explicit Bench(const pins::Stall& sram_stall = {}, const pins::AxiStalls& axi_stalls = {})
      : sram("sram", kMemoryWords, kSramLatency, sram_stall), axi("axi", {0, 2 * kAxiBytes, {5, 1, axi_stalls}}) {
    clocked(sram);
    clocked(axi);
    clocked(sram_monitor);
    clocked(axi_monitor);
    sram.pins.bind(signals.sram);
    sram_monitor.pins.bind(signals.sram);
    axi.pins.bind(signals.axi);
    axi_monitor.pins.bind(signals.axi);
    sram_tester.socket.bind(sram.in.socket);
    axi_tester.socket.bind(axi.in.socket);
  }
  template <class Module>
  void clocked(Module& module) {
    module.clk(clk);
    module.reset(signals.reset);
  }
  void run(const std::function<void()>& body) {
    bool finished = false;
    sc_core::sc_spawn([&] {
      sc_core::wait(one_cycle() / 2);
      signals.reset.write(true);
      sc_core::wait(3 * one_cycle());
      signals.reset.write(false);
      body();
      finished = true;
      sc_core::sc_stop();
    });
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_SEC));
    EXPECT_TRUE(finished);
    expect_no_finding(sram_monitor);
    expect_no_finding(axi_monitor);
  }
};

// Sends and returns how many edges after the last one before the call it came back.
std::uint64_t cycles_of(InitiatorTester& tester, Access& access,
                        tlm::tlm_response_status expected = tlm::TLM_OK_RESPONSE) {
  wait_until_between_edges();
  const std::uint64_t before = edge_now();
  sc_core::sc_time delay;
  EXPECT_EQ(tester.send(access, delay), expected);
  return edge_now() - before;
}

TEST(PinMemories, AnSramInRtl) {
  Bench bench;
  bench.run([&] {
    for (const std::uint64_t words : {1, 2, 3, 17, 1024}) {
      std::mt19937_64 random(words);
      Access write = Access::write(0, random_bytes(random, 4 * words)), read = Access::read(0, 4 * words);
      EXPECT_EQ(cycles_of(bench.sram_tester, write), words + 1);
      EXPECT_EQ(cycles_of(bench.sram_tester, read), words + 1 + kSramLatency);
      EXPECT_EQ(read.data, write.data);
    }
  });
}

// The memory takes data from the edge after the address on, and gives it from the second edge after the address on.
TEST(PinMemories, AnAxiMemoryInRtl) {
  Bench bench;
  bench.run([&] {
    for (const std::uint64_t words : {1, 2, 3, 17, 256}) {
      std::mt19937_64 random(words);
      Access write = Access::write(8, random_bytes(random, 8 * words)), read = Access::read(8, 8 * words);
      EXPECT_EQ(cycles_of(bench.axi_tester, write), words + 3);
      EXPECT_EQ(cycles_of(bench.axi_tester, read), words + 2);
      EXPECT_EQ(read.data, write.data);
    }
    Access page = Access::read(4090, 16);  // two bursts, of 1 and 2 beats
    EXPECT_EQ(cycles_of(bench.axi_tester, page), 1 + (1 + 1) + (2 + 1));
    Access outside = Access::read(kAxiBytes, 24);
    EXPECT_EQ(cycles_of(bench.axi_tester, outside, tlm::TLM_ADDRESS_ERROR_RESPONSE), 3 + 2);
    Access half = Access::write(kAxiBytes - 8, Bytes(16));  // the boundary is one of 4 KiB: the second burst fails
    EXPECT_EQ(cycles_of(bench.axi_tester, half, tlm::TLM_ADDRESS_ERROR_RESPONSE), 1 + 2 * (1 + 2));
  });
}

struct RandomMemories : testing::TestWithParam<int> {};
TEST_P(RandomMemories, AgreeWithByteArraysUnderStalls) {
  const std::uint64_t seed = pins_seed() + 1000 * static_cast<std::uint64_t>(GetParam());
  std::mt19937_64 random(seed);
  const auto stall = [&] { return random_stall(random(), static_cast<unsigned>(random() % 7)); };
  Bench bench(stall(), {stall(), stall(), stall(), stall(), stall()});
  bench.run([&] {
    bool sram_done = false;
    std::mt19937_64 other(seed + 1);
    sc_core::sc_spawn([&] {
      const Bytes all = random_bytes(other, kSramBytes);
      sc_core::sc_time delay;
      Access fill = Access::write(0, all);
      EXPECT_EQ(bench.sram_tester.send(fill, delay), tlm::TLM_OK_RESPONSE);
      random_accesses(bench.sram_tester, other, all, 200, 90);
      sram_done = true;
    });
    const Bytes all = random_bytes(random, kAxiBytes);
    sc_core::sc_time delay;
    Access fill = Access::write(0, all);
    EXPECT_EQ(bench.axi_tester.send(fill, delay), tlm::TLM_OK_RESPONSE);
    random_accesses(bench.axi_tester, random, all, 100, 300);
    while (!sram_done) wait_cycles(10);
  });
}
INSTANTIATE_TEST_SUITE_P(Rtl, RandomMemories, testing::Range(0, 4));

}  // namespace
}  // namespace dve::cosim
