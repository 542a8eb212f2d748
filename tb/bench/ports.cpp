// Speed of the contention engine, in beats.
#include "bench/ports.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/subjects.h"
#include "support/port_runs.h"
#include "support/port_scenarios.h"

namespace dve::bench {
namespace {

using namespace scenarios;

constexpr std::uint64_t kSeed = 1;

void engine(const std::vector<Scenario>& scenarios) {
  for (const Scenario& s : scenarios) benchmark::DoNotOptimize(run_engine(s));
}

std::uint64_t beats(const std::vector<Scenario>& scenarios) {
  std::uint64_t sum = 0;
  for (const Scenario& s : scenarios) sum += scenarios::beats(s);
  return sum;
}

// Every job of the scenarios as the only one.
void engine_alone(const std::vector<Scenario>& scenarios) {
  contention::Engine engine{contention::Parameters()};
  for (const Scenario& s : scenarios) {
    for (const PortUser& user : s.users) {
      for (const PlannedJob& planned : user.jobs) {
        const auto outcome = engine.alone(planned.job);
        if (!outcome) throw std::logic_error(s.name + ": a job does not run freely");
        benchmark::DoNotOptimize(outcome);
      }
    }
  }
}

void add(const std::string& name, const std::vector<Scenario>& scenarios) {
  add_subject({name, "beat", beats(scenarios), [scenarios] { engine(scenarios); }});
}

}  // namespace

void add_port_subjects() {
  const std::vector<Scenario> all = generated(kSeed);
  add("engine_generated_suite", all);
  for (const char* family : kLongFamilies) add(std::string("engine_long_") + family, generated_long(kSeed, family, 30));
  for (const char* family : {"sbuf", "psum", "throttled", "bursty", "dma", "shared", "ranks", "five", "short"}) {
    std::vector<Scenario> own;
    for (const Scenario& s : all) {
      if (s.family == family) own.push_back(s);
    }
    add(std::string("engine_family_") + family, own);
  }
  add_subject({"engine_alone", "beat", beats(all), [all] { engine_alone(all); }});
}

}  // namespace dve::bench
