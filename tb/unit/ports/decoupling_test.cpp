// Loosely timed ports: running ahead of simulation time, and being met there.
#include <gtest/gtest.h>

#include <functional>
#include <systemc>

#include "dve/ports/ports.h"
#include "dve/tlm/tlm.h"

namespace dve {
namespace decoupling_test {
namespace {

using contention::Job;
using contention::Outcome;
using contention::User;

constexpr std::uint64_t kCycle = 1'000'000;  // fs: a memory clock of 1 GHz

contention::Parameters memory() {
  contention::Parameters p;
  p.clock_hz = 1'000'000'000;
  return p;
}

// One read stream of `beats` beats in a bank, a beat a cycle.
Job job(User user, std::int64_t start, std::uint64_t beats, std::uint32_t bank = 0) {
  Job j;
  j.user = user;
  j.start.cycle = start;
  j.pace.cycle = 1;
  j.steps = beats;
  contention::StreamJob s;
  s.beats = beats;
  s.runs = {{isa::Space::sbuf, bank, beats}};
  j.streams.push_back(s);
  return j;
}

class Threads : public sc_core::sc_module {
 public:
  using Body = std::function<void(PortTime&)>;
  Threads(sc_core::sc_module_name name, std::vector<Body> bodies) : sc_module(name), ports("ports", memory()) {
    for (Body& body : bodies) sc_core::sc_spawn([this, body = std::move(body)] { body(ports); });
  }
  LooselyTimedPorts ports;
};

void expect_outcome(const Outcome& o, std::int64_t first, std::int64_t last, std::uint64_t stalls) {
  EXPECT_EQ(o.first_cycle, first);
  EXPECT_EQ(o.last_cycle, last);
  EXPECT_EQ(o.stalls.total(), stalls);
}

TEST(LooselyTimedPorts, ALoneInitiatorNeverWaits) {
  Threads threads("threads", {[](PortTime& ports) {
                    for (std::int64_t k = 0; k < 1000; ++k)
                      expect_outcome(ports.stream(job(User::dve, 100 * k, 50), false), 100 * k, 100 * k + 49, 0);
                    EXPECT_EQ(now_femtoseconds(), 0u);
                  }});
  sc_core::sc_start();
}

TEST(LooselyTimedPorts, SynchronisedItWaitsForTheEnd) {
  Threads threads("threads", {[](PortTime& ports) {
                    ports.stream(job(User::dve, 10, 50), true);
                    EXPECT_EQ(now_femtoseconds(), 60 * kCycle);
                  }});
  sc_core::sc_start();
}

TEST(LooselyTimedPorts, AJobIsNotResolvedBeforeSomebodyElseCouldMeetIt) {
  // The second user wakes in the middle of the first one's stream and takes every other beat.
  Threads threads("threads",
                  {[](PortTime& ports) { expect_outcome(ports.stream(job(User::dve, 0, 100), false), 0, 119, 20); },
                   [](PortTime& ports) {
                     sc_core::wait(sc_core::sc_time::from_value(50 * kCycle));
                     expect_outcome(ports.stream(job(User::act, 50, 20), false), 50, 88, 19);
                   }});
  sc_core::sc_start();
}

TEST(LooselyTimedPorts, OthersInOtherBanksDoNotMatter) {
  Threads threads("threads",
                  {[](PortTime& ports) { expect_outcome(ports.stream(job(User::dve, 0, 100, 0), false), 0, 99, 0); },
                   [](PortTime& ports) { expect_outcome(ports.stream(job(User::act, 0, 100, 1), false), 0, 99, 0); }});
  sc_core::sc_start();
}

TEST(LooselyTimedPorts, SomebodyWhoOnlyWakesUpChangesNothing) {
  Threads threads("threads",
                  {[](PortTime& ports) { expect_outcome(ports.stream(job(User::dve, 0, 1000), false), 0, 999, 0); },
                   [](PortTime&) {
                     for (int k = 0; k < 100; ++k) sc_core::wait(sc_core::sc_time::from_value(7 * kCycle + 3));
                   }});
  sc_core::sc_start();
}

TEST(LooselyTimedPorts, JobsThatStartInOneMomentMeet) {
  Threads threads("threads",
                  {[](PortTime& ports) { expect_outcome(ports.stream(job(User::dve, 5, 10), false), 5, 23, 9); },
                   [](PortTime& ports) { expect_outcome(ports.stream(job(User::act, 5, 10), false), 5, 24, 10); }});
  sc_core::sc_start();
  EXPECT_EQ(threads.ports.conflicts(isa::Space::sbuf, 0), 19u);
}

TEST(LooselyTimedPorts, TwoCoresDoNotWaitForEachOther) {
  const auto body = [](User user, std::int64_t last) {
    return [user, last](PortTime& ports) { EXPECT_EQ(ports.stream(job(user, 0, 100), false).last_cycle, last); };
  };
  Threads one("one", {body(User::dve, 198), body(User::act, 199)});
  Threads two("two", {body(User::dve, 198), body(User::act, 199)});
  sc_core::sc_start();
}

}  // namespace
}  // namespace decoupling_test
}  // namespace dve
