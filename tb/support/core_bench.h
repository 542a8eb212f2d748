// A core with a scripted host: the instruction driver of the SystemC tests.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dve/core/core.h"

namespace dve::testing_support {

// What one engine runs.
struct EngineProgram {
  isa::Engine engine = isa::Engine::dve;
  std::vector<isa::Word> words;
};

// One core and its host. A test process elaborates once, but may hold several benches: construct and drive() them all,
// then finish() each. The body runs as the host's process; it loads memories, runs programs and reads back, as often as
// it likes.
class CoreBench {
 public:
  explicit CoreBench(const config::Config& settings, const char* name = "core", std::uint64_t max_cycles = 0,
                     execute::LaneArray* lanes = nullptr);

  void drive(Host::Body body);
  // Simulates (the first bench that finishes takes all along) and reports this core's end. Rethrows what the body
  // threw.
  RunOutcome finish();
  RunOutcome run(Host::Body body) {
    drive(std::move(body));
    return finish();
  }

  // For use inside the body.
  static void execute(Host& host, const std::vector<isa::Word>& program);       // on the DVE
  static void execute(Host& host, const std::vector<EngineProgram>& programs);  // at once, each engine its own

  // Words of one engine that have retired, of all programs so far.
  std::vector<Retirement> retired_by(isa::Engine engine) const;

  NeuronCore& core() { return core_; }
  const NeuronCore& core() const { return core_; }
  Host& host() { return *host_; }
  std::vector<Retirement> retired;  // of all programs so far
  std::vector<WordFinding> warnings;
  std::vector<std::string> log;  // self-names
  std::function<bool()> stop_requested;

 private:
  SequencerHooks hooks();
  std::string name_;
  NeuronCore core_;
  std::unique_ptr<Host> host_;
};

// Room for a program of this many words is always there.
inline constexpr std::uint64_t kHostMemoryBytes = 1 << 20;

// Default settings of a generation, from the shipped preset.
config::Config preset(isa::Generation generation, const std::vector<std::string>& sets = {});

}  // namespace dve::testing_support
