#include "bench/subjects.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace dve::bench {
namespace {

std::map<std::string, Subject>& subjects() {
  static std::map<std::string, Subject> all;
  return all;
}

// Keeps every repetition's nanoseconds a call; prints nothing.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) throw std::runtime_error(run.benchmark_name() + ": " + run.error_message);
      if (run.run_type != Run::RT_Iteration) continue;
      const std::string& name = run.run_name.function_name;
      const double seconds = subjects().at(name).in_children ? run.real_accumulated_time : run.cpu_accumulated_time;
      calls[name].push_back(seconds / static_cast<double>(run.iterations) * 1e9);
    }
  }
  std::map<std::string, std::vector<double>> calls;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

void add_subject(Subject subject) {
  const std::string name = subject.name;
  if (!subjects().emplace(name, std::move(subject)).second) throw std::logic_error("two subjects named " + name);
}

std::map<std::string, double> measure_all(const Plan& plan) {
  for (const auto& [name, subject] : subjects()) {
    auto* const registered = benchmark::RegisterBenchmark(name.c_str(), [&subject = subject](benchmark::State& state) {
      if (subject.prepare) subject.prepare();
      for (auto _ : state) subject.work();
    });
    registered->Repetitions(plan.rounds)->MinTime(plan.seconds_a_turn);
    if (subject.in_children) registered->UseRealTime();
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  std::map<std::string, double> medians;
  for (const auto& [name, calls] : collector.calls)
    medians[name] = median(calls) / static_cast<double>(subjects().at(name).count);
  return medians;
}

const std::string& unit_of(const std::string& subject) { return subjects().at(subject).unit; }

}  // namespace dve::bench
