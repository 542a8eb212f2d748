// What the tests of pin adapters share: a clock, a reset, TLM memory that takes time, random stalls.
#pragma once

#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <string>

#include "dve/pins/pins.h"
#include "unit/tlm/recording_model.h"

namespace dve::test {

// Edge k is at k * 10 ns.
inline sc_core::sc_time one_cycle() { return {10, sc_core::SC_NS}; }
inline constexpr std::uint64_t kFirstEdge = 4;

struct ClockedBench {
  sc_core::sc_clock clk{"clk", one_cycle()};
  sc_core::sc_signal<bool> reset{"reset"};

  template <class Module>
  void clocked(Module& module) {
    module.clk(clk);
    module.reset(reset);
  }
  // Three edges of reset; returns between two edges.
  void pulse_reset() {
    reset.write(true);
    sc_core::wait(3 * one_cycle());
    reset.write(false);
  }
  // Runs the body as a thread process between edges, after a reset, and the simulation until it is over.
  // The first edge without reset, number 0 for Stall, is kFirstEdge.
  void run(const std::function<void()>& body) {
    bool finished = false;
    sc_core::sc_spawn([&] {
      sc_core::wait(one_cycle() / 2);
      pulse_reset();
      body();
      finished = true;
      sc_core::sc_stop();
    });
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_SEC));
    EXPECT_TRUE(finished) << "the test's thread did not reach its end";
  }
};

// The number of the last edge that was not after now.
inline std::uint64_t edge_now() { return static_cast<std::uint64_t>(sc_core::sc_time_stamp() / one_cycle()); }
// From between two edges to between two edges.
inline void wait_cycles(std::uint64_t cycles) { sc_core::wait(static_cast<double>(cycles) * one_cycle()); }
inline void wait_until_between_edges() {
  const sc_core::sc_time middle = static_cast<double>(edge_now()) * one_cycle() + one_cycle() / 2;
  sc_core::wait(middle > sc_core::sc_time_stamp() ? middle - sc_core::sc_time_stamp() : sc_core::SC_ZERO_TIME);
}

// The seed of random tests: DVE_PINS_SEED, or a fixed one. It is printed, and repeats the run.
inline std::uint64_t pins_seed() {
  const char* given = std::getenv("DVE_PINS_SEED");
  const std::uint64_t seed = given == nullptr ? 1 : std::strtoull(given, nullptr, 10);
  std::cout << "repeat with DVE_PINS_SEED=" << seed << "\n";
  return seed;
}

// Stalls in about `eighths` of eight edges.
inline pins::Stall random_stall(std::uint64_t seed, unsigned eighths) {
  return [random = std::mt19937_64(seed), eighths](std::uint64_t) mutable { return random() % 8 < eighths; };
}
// Stalls but at every `period`th edge.
inline pins::Stall every(std::uint64_t period) {
  return [period](std::uint64_t edge) { return edge % period != 0; };
}

// The first edge from `edge` on at which every(period) does not stall.
inline std::uint64_t next_free(std::uint64_t edge, std::uint64_t period) {
  const std::uint64_t since = edge - kFirstEdge;
  return kFirstEdge + (since + period - 1) / period * period;
}

// `length` random bytes.
inline Bytes random_bytes(std::mt19937_64& random, std::size_t length) {
  Bytes bytes(length);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

inline TargetCapabilities bytes_of(std::uint64_t size) {
  TargetCapabilities capabilities;
  capabilities.size = size;
  return capabilities;
}

// Memory that records its calls, their times, and takes time for them.
struct TimedMemory {
  RecordingModel model;
  TestTarget in;
  std::vector<std::uint64_t> edges;  // at which calls came
  std::function<sc_core::sc_time()> latency;

  explicit TimedMemory(std::size_t size, const char* name = "memory") : model(size), in(name, model, bytes_of(size)) {
    model.before_access = [this](sc_core::sc_time& delay) {
      edges.push_back(edge_now());
      if (latency) delay += latency();
    };
  }
};

template <class Monitor>
void expect_no_finding(const Monitor& monitor) {
  if (monitor.checker.finding()) ADD_FAILURE() << monitor.checker.finding()->text();
}

}  // namespace dve::test
