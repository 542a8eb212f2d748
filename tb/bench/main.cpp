// The figures of docs/performance.md, each a ratio of medians inside one run (scripts/bench.sh).
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "bench/child_process.h"
#include "bench/core_subjects.h"
#include "bench/golden_subjects.h"
#include "bench/onednn.h"
#include "bench/ports.h"
#include "bench/programs.h"
#include "bench/read_limit.h"
#include "bench/rtl_subjects.h"
#include "bench/subjects.h"

namespace dve::bench {
namespace {

using Medians = std::map<std::string, double>;

struct Figure {
  std::string key;
  double value = 0;
  enum class Bar { none, at_least, at_most } bar = Bar::none;
  double limit = 0;
  std::string meaning;
};

constexpr std::uint64_t kWarmPoints = 20;

// One thread, one core: oneDNN reads its number of threads when it is loaded.
void use_one_core(char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);  // of the children
  if (const char* threads = std::getenv("OMP_NUM_THREADS"); threads == nullptr || std::strcmp(threads, "1") != 0) {
    setenv("OMP_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
  sched_setaffinity(0, sizeof one, &one);
}

std::string machine() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(": ") + 2);
  }
  return "unknown processor";
}

// In a process of its own, before anything is elaborated here: it elaborates many modules.
unsigned long count_jobs_that_end_elsewhere() {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t process = fork();
  if (process == 0) {
    const unsigned long count = jobs_that_end_elsewhere();
    _exit(write(ends[1], &count, sizeof count) == sizeof count ? 0 : 1);
  }
  close(ends[1]);
  unsigned long count = 0;
  const bool answered = read(ends[0], &count, sizeof count) == sizeof count;
  close(ends[0]);
  waitpid(process, nullptr, 0);
  if (!answered) throw std::runtime_error("the comparison of lt and at broke off");
  return count;
}

void add_opponents() {
  using Layout = OneDnnBackward::Layout;
  const auto add = [](const std::string& name, std::int64_t n, Layout layout) {
    auto backward = std::make_shared<OneDnnBackward>(kChannels, n, layout);
    add_subject({name + std::to_string(n), "element", static_cast<std::uint64_t>(n) * kChannels,
                 [backward] { backward->run(); }});
  };
  for (const std::int64_t n : {2048, 16384}) {
    add("onednn_nchw_", n, Layout::nchw);
    add("onednn_nChw16c_", n, Layout::nChw16c);
    auto limit = std::make_shared<ReadLimit>(kChannels, n * sizeof(float));
    add_subject({"read_limit_" + std::to_string(n), "element", static_cast<std::uint64_t>(n) * kChannels,
                 [limit] { benchmark::DoNotOptimize(limit->run()); }});
  }
}

void add_processes(const std::string& bin) {
  const auto add = [](const std::string& name, const std::vector<std::string>& command) {
    add_subject({name, "run", 1, [command] { run_program(command); }, nullptr, true});
  };
  add("process_minimal_systemc", {bin + "/minimal_systemc"});
  add("process_run", {bin + "/dve-sim", "run", "--quiet"});
  add("process_run_no_data", {bin + "/dve-sim", "run", "--quiet", "--no-data"});
  for (const std::uint64_t points : {std::uint64_t{0}, kWarmPoints})
    add("process_warm_points_" + std::to_string(points),
        {bin + "/warm_points", DVE_BUNDLED_LAYER, std::to_string(points)});
  for (const char* points : {"1", "101"})  // into a fresh folder each time
    add(std::string("process_sweep_points_") + points,
        {"/bin/sh", "-c",
         fmt::format("d=$(mktemp -d) && {}/dve-sim sweep {}/sweep_{}.json --quiet --jobs 1 --out $d/points && rm -r $d",
                     bin, DVE_BENCH_FOLDER, points)});
}

double slowest_long_family(const Medians& m) {
  double slowest = 0;
  for (const char* family : kLongFamilies) slowest = std::max(slowest, m.at(std::string("engine_long_") + family));
  return slowest;
}

std::vector<Figure> figures(const Medians& m, unsigned long cycles_off, long peak_kib) {
  using Bar = Figure::Bar;
  const auto ratio = [&m](const char* above, const char* below) { return m.at(above) / m.at(below); };
  const double call = m.at("bare_b_transport"), transaction = m.at("bare_4phase");
  return {
      {"speedup_over_onednn_nchw_2048", ratio("onednn_nchw_2048", "lt_backward_fp32_2048"), Bar::at_least, 6,
       "GradAccum + BackProp, fp32 128 x 2048, lt, against oneDNN nchw"},
      {"speedup_over_onednn_nchw_16384", ratio("onednn_nchw_16384", "lt_backward_fp32_16384"), Bar::at_least, 6,
       "the same, 128 x 16384"},
      {"slowdown_against_onednn_blocked", ratio("lt_backward_fp32_2048", "onednn_nChw16c_2048"), Bar::at_most, 1.7,
       "the same, 128 x 2048, against oneDNN nChw16c"},
      {"grad_accum_over_read_limit", ratio("lt_grad_accum_fp32_2048", "read_limit_2048"), Bar::at_most, 1.7,
       "GradAccum against a loop that only loads x and dy"},
      {"back_prop_over_read_limit", ratio("lt_back_prop_fp32_2048", "read_limit_2048"), Bar::at_most, 1.6,
       "BackProp against the same loop"},
      {"bf16_over_fp32_grad_accum", ratio("lt_grad_accum_bf16_2048", "lt_grad_accum_fp32_2048"), Bar::at_most, 0.8,
       "GradAccum of bf16 against fp32, per element"},
      {"instruction_overhead_in_b_transports", (m.at("lt_small_64") - m.at("bare_kernel_64")) / call, Bar::at_most, 200,
       "an instruction of 64 elements less its kernel, in bare calls"},
      {"trace_on_over_off", ratio("lt_traced_512", "lt_untraced_512"), Bar::at_most, 1.3,
       "every instruction traced, 512 elements"},
      {"no_data_instruction_in_b_transports", m.at("lt_no_data_200000_words") / call, Bar::at_most, 200,
       "an instruction of a long program without data, in bare calls"},
      {"no_data_growth", ratio("lt_no_data_200000_words", "lt_no_data_2000_words"), Bar::at_most, 1.25,
       "the same against a program a hundredth as long"},
      {"element_growth", ratio("lt_long_grad_accum_bf16_65536", "lt_long_grad_accum_bf16_512"), Bar::at_most, 1.25,
       "an element of 65536 against one of 512"},
      {"lt_speedup_over_bare_at", transaction / m.at("engine_generated_suite"), Bar::at_least, 40,
       "a contended beat in lt against a bare 4-phase transaction"},
      {"lt_speedup_over_bare_at_long_streams", transaction / slowest_long_family(m), Bar::at_least, 80,
       "the same, streams of 1024 beats and more, slowest family"},
      {"lt_cycles_off", static_cast<double>(cycles_off), Bar::at_most, 0,
       "instructions whose end in lt differs from at, over all scenarios"},
      {"lt_speedup_over_bare_at_alone", transaction / m.at("engine_alone"), Bar::at_least, 1000,
       "a beat of a word that meets nobody"},
      {"at_beat_over_bare_four_phase", ratio("at_beat", "bare_4phase"), Bar::at_most, 3,
       "a beat of an at run against a bare 4-phase transaction"},
      {"peak_memory_mib", static_cast<double>(peak_kib) / 1024, Bar::at_most, 80,
       "peak memory of the default run, MiB"},
      {"run_over_minimal_systemc", ratio("process_run", "process_minimal_systemc"), Bar::at_most, 6,
       "dve-sim run from start to finish against the least SystemC program"},
      {"run_no_data_over_minimal_systemc", ratio("process_run_no_data", "process_minimal_systemc"), Bar::none, 0,
       "the same with --no-data"},
      {"warm_point_over_minimal_systemc",
       (m.at("process_warm_points_20") - m.at("process_warm_points_0")) / kWarmPoints / m.at("process_minimal_systemc"),
       Bar::none, 0, "a point of the default layer, --no-data, in a forked child"},
      {"sweep_point_over_minimal_systemc",
       (m.at("process_sweep_points_101") - m.at("process_sweep_points_1")) / 100 / m.at("process_minimal_systemc"),
       Bar::at_most, 1.2, "the same as a point of dve-sim sweep --jobs 1, its report and row written"},
      {"golden_grad_accum_over_lt", ratio("golden_grad_accum_fp32_4096", "lt_grad_accum_fp32_2048"), Bar::none, 0,
       "GradAccum on the golden library against lt, per element"},
      {"golden_back_prop_over_lt", ratio("golden_back_prop_fp32_4096", "lt_back_prop_fp32_2048"), Bar::none, 0,
       "BackProp, the same"},
      {"golden_stepped_grad_accum_over_whole", ratio("golden_stepped_grad_accum_4096", "golden_grad_accum_fp32_4096"),
       Bar::none, 0, "GradAccum on the golden library element by element, each asked for, against the word as a whole"},
      {"golden_stepped_back_prop_over_whole", ratio("golden_stepped_back_prop_4096", "golden_back_prop_fp32_4096"),
       Bar::none, 0, "BackProp, the same"},
  };
}

// Of a build with RTL: elements a second in lock-step, and against lt.
void append_rtl(const Medians& m, std::vector<Figure>& list) {
  if (m.count("rtl_back_prop") == 0) return;
  using Bar = Figure::Bar;
  list.push_back({"rtl_grad_accum_elements_per_s", 1e9 / m.at("rtl_grad_accum"), Bar::none, 0,
                  "elements a second of GradAccum in the lanes in RTL, in lock-step"});
  list.push_back({"rtl_back_prop_elements_per_s", 1e9 / m.at("rtl_back_prop"), Bar::none, 0, "the same of BackProp"});
  list.push_back({"rtl_back_prop_over_lt", m.at("rtl_back_prop") / m.at("lt_back_prop_fp32_2048"), Bar::none, 0,
                  "an element of BackProp in RTL against lt"});
  list.push_back({"rtl_half_stalled_over_free", m.at("rtl_back_prop_half_stalled") / m.at("rtl_back_prop"), Bar::none,
                  0, "the same with every hand-shake held up half of the time, against none"});
}

bool met(const Figure& f) {
  return f.bar == Figure::Bar::none || (f.bar == Figure::Bar::at_least ? f.value >= f.limit : f.value <= f.limit);
}

std::string bar_text(const Figure& f) {
  if (f.bar == Figure::Bar::none) return "-";
  return fmt::format("{} {:g}", f.bar == Figure::Bar::at_least ? "at least" : "at most", f.limit);
}

void print(const std::vector<Figure>& list, const Medians& medians, const std::string& title) {
  std::cout << title << "\n\n| measure | figure | bar | met | key |\n|---|---|---|---|---|\n";
  for (const Figure& f : list)
    std::cout << fmt::format("| {} | {:.3g} | {} | {} | `{}` |\n", f.meaning, f.value, bar_text(f),
                             f.bar == Figure::Bar::none ? "-"
                             : met(f)                   ? "yes"
                                                        : "no",
                             f.key);
  std::cout << "\n| subject | ns | a |\n|---|---|---|\n";
  for (const auto& [name, ns] : medians) std::cout << fmt::format("| {} | {:.4g} | {} |\n", name, ns, unit_of(name));
}

void write_json(const std::string& file, const std::vector<Figure>& list, const Medians& medians) {
  nlohmann::ordered_json j;
  for (const Figure& f : list) j[f.key] = f.value;
  j["machine"] = machine();
  j["median_ns"] = medians;
  std::ofstream out(file);
  out << j.dump(1) << "\n";
  if (!out.flush()) throw std::runtime_error(file + ": cannot be written");
}

struct Options {
  std::string json;
  Plan plan;
};

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--long") {
      options.plan = {9, 0.3};
    } else if (word == "--json" && k + 1 < argc) {
      options.json = argv[++k];
      if (!std::ofstream(options.json, std::ios::app)) {
        std::cerr << "dve_bench: " << options.json << ": cannot be written\n";
        return std::nullopt;
      }
    } else {
      std::cerr << "dve_bench: '" << word << "', expected --json FILE or --long\n";
      return std::nullopt;
    }
  }
  return options;
}

int run(const Options& options, const std::string& bin) {
  const auto begin = std::chrono::steady_clock::now();
  // First of all: the peak of a child includes what its parent had at the start.
  const long peak_kib = run_program({bin + "/dve-sim", "run", "--quiet"});
  add_opponents();
  add_processes(bin);
  add_port_subjects();
  const unsigned long cycles_off = count_jobs_that_end_elsewhere();
  CoreSubjects cores;
  cores.add();
  add_golden_subjects();
  add_rtl_subjects();
  const Medians medians = measure_all(options.plan);
  std::vector<Figure> list = figures(medians, cycles_off, peak_kib);
  append_rtl(medians, list);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  print(list, medians,
        fmt::format("{}, one core, median of {} turns, {:.0f} s", machine(), options.plan.rounds, took.count()));
  if (!options.json.empty()) write_json(options.json, list, medians);
  return 0;
}

}  // namespace
}  // namespace dve::bench

int sc_main(int argc, char** argv) {
  dve::bench::use_one_core(argv);
  const auto options = dve::bench::parse(argc, argv);
  if (!options) return 2;
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  const std::string program = argv[0];
  int words = 2;
  char random_order[] = "--benchmark_enable_random_interleaving=true";
  char* library_options[] = {argv[0], random_order, nullptr};
  benchmark::Initialize(&words, library_options);
  try {
    return dve::bench::run(*options, program.substr(0, program.find_last_of('/')));
  } catch (const std::exception& error) {
    std::cerr << "dve_bench: " << error.what() << "\n";
    return 1;
  }
}
