// Speed of the contention engine, in beats, next to the cost of a bare 4-phase transaction (scripts/bench.sh).
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "bench/bare_transaction.h"
#include "support/port_runs.h"
#include "support/port_scenarios.h"

namespace {

using namespace dve::scenarios;

constexpr std::uint64_t kSeed = 1;

void count_beats(benchmark::State& state, std::uint64_t beats) {
  const auto all = static_cast<double>(beats) * static_cast<double>(state.iterations());
  state.counters["beats"] = static_cast<double>(beats);
  state.counters["beats_per_second"] = benchmark::Counter(all, benchmark::Counter::kIsRate);
  state.counters["s_per_beat"] = benchmark::Counter(all, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void bare_4phase(benchmark::State& state) {
  constexpr std::uint64_t kTransactions = 100'000;
  for (auto _ : state) dve::bench::bare_transactions(kTransactions);
  count_beats(state, kTransactions);
}

void engine(benchmark::State& state, const std::vector<Scenario>& scenarios) {
  std::uint64_t sum = 0;
  for (const Scenario& s : scenarios) sum += beats(s);
  for (auto _ : state) {
    for (const Scenario& s : scenarios) benchmark::DoNotOptimize(run_engine(s));
  }
  count_beats(state, sum);
}

// Every job of the generated scenarios as the only one.
void engine_alone(benchmark::State& state, const std::vector<Scenario>& scenarios) {
  std::vector<dve::contention::Job> jobs;
  std::uint64_t sum = 0;
  for (const Scenario& s : scenarios) {
    for (const PortUser& user : s.users) {
      for (const PlannedJob& planned : user.jobs) jobs.push_back(planned.job);
    }
    sum += beats(s);
  }
  dve::contention::Engine engine{dve::contention::Parameters()};
  for (auto _ : state) {
    for (const dve::contention::Job& job : jobs) {
      auto outcome = engine.alone(job);
      if (!outcome) state.SkipWithError("a job does not run freely");
      benchmark::DoNotOptimize(outcome);
    }
  }
  count_beats(state, sum);
}

void add(const std::string& name, const std::vector<Scenario>& scenarios) {
  benchmark::RegisterBenchmark(name.c_str(), engine, scenarios)->Unit(benchmark::kMillisecond);
}

void add_all() {
  benchmark::RegisterBenchmark("bare_4phase", bare_4phase)->Unit(benchmark::kMillisecond);
  const std::vector<Scenario> all = generated(kSeed);
  add("engine_generated_suite", all);
  for (const char* family : {"sbuf", "dma", "shared"})
    add(std::string("engine_long_") + family, generated_long(kSeed, family, 30));
  for (const char* family : {"sbuf", "psum", "throttled", "bursty", "dma", "shared", "ranks", "five", "short"}) {
    std::vector<Scenario> own;
    for (const Scenario& s : all) {
      if (s.family == family) own.push_back(s);
    }
    add(std::string("engine_family_") + family, own);
  }
  benchmark::RegisterBenchmark("engine_alone", engine_alone, all)->Unit(benchmark::kMillisecond);
}

}  // namespace

int sc_main(int argc, char** argv) {
  add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
