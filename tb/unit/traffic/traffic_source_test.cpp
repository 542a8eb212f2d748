// Configured traffic on ports of its own: starts, order, semaphores, passes.
#include <gtest/gtest.h>

#include <memory>
#include <systemc>

#include "dve/ports/ports.h"
#include "dve/traffic/traffic.h"

namespace dve {
namespace traffic_source_test {
namespace {

constexpr std::uint64_t kCycle = 1'000'000;  // fs: a memory clock of 1 GHz

contention::Parameters memory() {
  contention::Parameters p;
  p.clock_hz = 1'000'000'000;
  return p;
}

struct Pass {
  std::string name;
  std::uint64_t start, end;
};

class TrafficBench : public sc_core::sc_module {
 public:
  explicit TrafficBench(std::vector<dma::TrafficStream> streams, sc_core::sc_module_name name = "traffic_bench")
      : sc_module(name), sync("sync"), ports("ports", memory()), to_sync("to_sync") {
    to_sync.bind(sync.in.socket);
    for (const dma::TrafficStream& s : streams) {
      const TrafficSource* after = nullptr;
      for (const auto& source : sources) {
        if (source->stream().name == s.after) after = source.get();
      }
      sources.push_back(std::make_unique<TrafficSource>(("source_" + s.name).c_str(), s, after, sync, ports, memory()));
      sources.back()->on_pass = [this](const dma::TrafficStream& stream, std::uint64_t start, std::uint64_t end) {
        passes.push_back({stream.name, start, end});
      };
    }
  }
  SyncUnit sync;
  LooselyTimedPorts ports;
  std::vector<std::unique_ptr<TrafficSource>> sources;
  std::vector<Pass> passes;
  tlm_utils::simple_initiator_socket<TrafficBench> to_sync;
};

dma::TrafficStream beats(const std::string& name, contention::User user, std::uint64_t count) {
  dma::TrafficStream s;
  s.name = name;
  s.user = user;
  s.bytes_per_partition = 8 * count;
  return s;
}

TEST(TrafficSource, PassesFollowEachOtherABeatACycle) {
  dma::TrafficStream s = beats("pe", contention::User::pe0, 100);
  s.start_ns = 50;
  s.repeat = 3;
  TrafficBench bench({s});
  sc_core::sc_start();
  ASSERT_EQ(bench.passes.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(bench.passes[k].start, (50 + 100 * k) * kCycle);
    EXPECT_EQ(bench.passes[k].end, (150 + 100 * k) * kCycle);
  }
  EXPECT_EQ(bench.sources[0]->counters().bytes, 3u * 100 * 8 * 128);
  EXPECT_EQ(bench.sources[0]->counters().busy_fs, 300 * kCycle);
  EXPECT_EQ(bench.sources[0]->counters().stalls, 0u);
}

TEST(TrafficSource, TwoUsersOfABankShareIt) {
  TrafficBench bench({beats("a", contention::User::act, 1000), beats("b", contention::User::pe0, 1000)});
  sc_core::sc_start();
  ASSERT_EQ(bench.passes.size(), 2u);
  // A beat a cycle for both together: round robin, one of them ends a cycle before the other.
  EXPECT_EQ(bench.passes[0].end, 1999 * kCycle);
  EXPECT_EQ(bench.passes[1].end, 2000 * kCycle);
  EXPECT_EQ(bench.sources[0]->counters().stalls + bench.sources[1]->counters().stalls, 999u + 1000);
}

TEST(TrafficSource, StartsAfterAnotherAndAfterASemaphore) {
  dma::TrafficStream first = beats("first", contention::User::act, 10);
  first.update = isa::SemaphoreIndex{7};
  dma::TrafficStream second = beats("second", contention::User::act, 20);
  second.after = "first";
  dma::TrafficStream third = beats("third", contention::User::dma0, 30);
  third.waits = {{isa::SemaphoreIndex{7}, 1}};
  TrafficBench bench({first, second, third});
  sc_core::sc_start();
  ASSERT_EQ(bench.passes.size(), 3u);
  EXPECT_EQ(bench.passes[0].name, "first");
  for (std::size_t k = 1; k < 3; ++k) EXPECT_EQ(bench.passes[k].start, 10 * kCycle) << bench.passes[k].name;
  EXPECT_EQ(bench.sync.state().semaphore(isa::SemaphoreIndex{7}), 1);
}

TEST(TrafficSource, ASemaphoreThatNeverComesKeepsItWaiting) {
  dma::TrafficStream s = beats("pe", contention::User::pe0, 10);
  s.waits = {{isa::SemaphoreIndex{7}, 1}};
  TrafficBench bench({s});
  sc_core::sc_start();
  EXPECT_TRUE(bench.passes.empty());
  EXPECT_FALSE(bench.sources[0]->done());
}

TEST(TrafficSource, PassesLeftWhenAllProgramsHaveEndedDoNotTakePlace) {
  dma::TrafficStream s = beats("pe", contention::User::pe0, 10);
  s.repeat = 1000;
  TrafficBench bench({s});
  bench.sources[0]->programs_over = [] { return sc_core::sc_time_stamp().value() >= 35 * kCycle; };
  sc_core::sc_start();
  EXPECT_EQ(bench.passes.size(), 4u);
  EXPECT_TRUE(bench.sources[0]->done());
}

}  // namespace
}  // namespace traffic_source_test
}  // namespace dve
