#include "core_bench.h"

#include <deque>
#include <memory>
#include <utility>

namespace dve::testing_support {
namespace {

NeuronCoreConfig core_config(const config::Config& settings, std::uint64_t max_cycles, execute::LaneArray* lanes,
                             SequencerHooks hooks) {
  NeuronCoreConfig c;
  c.settings = settings;
  c.host_memory_bytes = kHostMemoryBytes;
  c.max_cycles = max_cycles;
  c.dve_lanes = lanes;
  c.hooks = std::move(hooks);
  return c;
}

}  // namespace

CoreBench::CoreBench(const config::Config& settings, const char* name, std::uint64_t max_cycles,
                     execute::LaneArray* lanes)
    : name_(name), core_(name, core_config(settings, max_cycles, lanes, hooks())) {}

SequencerHooks CoreBench::hooks() {
  SequencerHooks hooks;
  hooks.retired = [this](const Retirement& word) { retired.push_back(word); };
  hooks.warned = [this](const WordFinding& warning) { warnings.push_back(warning); };
  hooks.logged = [this](std::string_view name) { log.emplace_back(name); };
  hooks.stop_requested = [this] { return stop_requested && stop_requested(); };
  return hooks;
}

void CoreBench::drive(Host::Body body) {
  host_ = std::make_unique<Host>((name_ + "_host").c_str(), core_, std::move(body));
}

RunOutcome CoreBench::finish() { return simulate(core_, *host_); }

std::vector<Retirement> CoreBench::retired_by(isa::Engine engine) const {
  std::vector<Retirement> words;
  for (const Retirement& word : retired) {
    if (word.engine == engine) words.push_back(word);
  }
  return words;
}

void CoreBench::execute(Host& host, const std::vector<isa::Word>& program) {
  execute(host, {EngineProgram{isa::Engine::dve, program}});
}

void CoreBench::execute(Host& host, const std::vector<EngineProgram>& programs) {
  // Kept for good: a program that deadlocks never gives its stack back, and what only that stack knew would be a leak.
  static std::deque<HostTasks> kept;
  kept.emplace_back();
  HostTasks& tasks = kept.back();
  for (const EngineProgram& part : programs) {
    tasks.streams.push_back({part.engine, tasks.program.size(), part.words.size()});
    tasks.program.insert(tasks.program.end(), part.words.begin(), part.words.end());
  }
  host.execute(tasks);
}

config::Config preset(isa::Generation generation, const std::vector<std::string>& sets) {
  return config::load(std::string(isa::to_string(generation)), sets).config;
}

}  // namespace dve::testing_support
