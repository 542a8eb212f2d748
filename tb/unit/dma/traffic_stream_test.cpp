// Configured traffic as jobs on the ports.
#include <gtest/gtest.h>

#include "dve/dma/dma.h"

namespace dve::dma {
namespace traffic_stream_test {
namespace {

TrafficStream stream() {
  TrafficStream s;
  s.name = "pe";
  s.bytes_per_partition = 16384;
  return s;
}

TEST(TrafficStream, MovesABeatACycleUnlessItHasARate) {
  const contention::Job job = job_of(stream(), 7, {});
  EXPECT_EQ(job.user, contention::User::pe0);
  EXPECT_EQ(job.start.cycle, 7);
  EXPECT_EQ(job.steps, 2048u);
  EXPECT_EQ(job.pace.cycle, 1);
  EXPECT_EQ(job.pace.fraction, 0);
  ASSERT_EQ(job.streams.size(), 1u);
  EXPECT_FALSE(job.streams[0].write);
}

TEST(TrafficStream, ARateIsAPaceInMemoryCycles) {
  TrafficStream s = stream();
  s.bytes_per_ns = 307.2;  // a beat of 1024 bytes every 3.333 ns, 4 cycles of 1200 MHz
  const contention::Job job = job_of(s, 0, {});
  EXPECT_EQ(job.pace.cycle, 4);
  EXPECT_EQ(job.pace.fraction, 0);
  s.bytes_per_ns = 1e6;  // more than a port can: a beat a cycle
  EXPECT_EQ(job_of(s, 0, {}).pace.cycle, 1);
}

TEST(TrafficStream, CrossesBanksWhereItsBytesDo) {
  TrafficStream s = stream();
  s.start.offset = 8192;
  const contention::Job job = job_of(s, 0, {});
  ASSERT_EQ(job.streams[0].runs.size(), 2u);
  EXPECT_EQ(job.streams[0].runs[0].beats, 1024u);
  EXPECT_EQ(job.streams[0].runs[1].bank, 1u);
}

TEST(TrafficStream, ProblemsAreNamed) {
  const auto problem = [](auto change) {
    TrafficStream s = stream();
    change(s);
    return problem_of(s, isa::Generation::cayman).value_or("");
  };
  EXPECT_EQ(problem([](TrafficStream&) {}), "");
  EXPECT_NE(problem([](TrafficStream& s) { s.user = contention::User::dve; }).find("user is dve"), std::string::npos);
  EXPECT_NE(problem([](TrafficStream& s) { s.bytes_per_partition = 0; }).find("bytes_per_partition is 0"),
            std::string::npos);
  EXPECT_NE(problem([](TrafficStream& s) { s.bytes_per_partition = 229377; }).find("reach past"), std::string::npos);
  EXPECT_NE(problem([](TrafficStream& s) { s.start.offset = 229376; }).find("reach past"), std::string::npos);
  EXPECT_NE(problem([](TrafficStream& s) { s.repeat = 0; }).find("repeat is 0"), std::string::npos);
  EXPECT_NE(problem([](TrafficStream& s) { s.burst_gap_cycles = 5; }).find("burst_beats is 0"), std::string::npos);
  EXPECT_NE(problem([](TrafficStream& s) {
              s.user = contention::User::pool;
              s.start.space = isa::Space::psum;
            }).find("no access to PSUM"),
            std::string::npos);
  TrafficStream s = stream();
  s.start.space = isa::Space::psum;
  EXPECT_TRUE(problem_of(s, isa::Generation::maverick));
}

}  // namespace
}  // namespace traffic_stream_test
}  // namespace dve::dma
