// A NeuronCore that runs program after program: what words cost once everything has been set up.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dve/core/core.h"
#include "dve/telemetry/telemetry.h"

namespace dve::bench {

// Counts as dve-sim does. To be constructed before anything is simulated.
class WarmCore {
 public:
  // `data` false: time without tensor contents.
  WarmCore(const std::string& name, const config::Config& settings, bool data, std::uint64_t most_words);
  ~WarmCore();

  // Before the next program, once.
  void load(std::function<void(Host&)> before) { tasks_.before = std::move(before); }
  // std::runtime_error when a word faults.
  void run(const std::vector<isa::Word>& program);
  // What every retired word is written to; empty: nowhere.
  void trace(std::unique_ptr<telemetry::Recorder> recorder) { recorder_ = std::move(recorder); }
  bool tracing = false;

  const NeuronCore& core() const { return *core_; }

 private:
  void retired(const Retirement& word);

  HostTasks tasks_;
  Statistics statistics_;
  std::unique_ptr<telemetry::Recorder> recorder_;
  telemetry::InstructionEvent event_;
  sc_core::sc_event go_;
  std::unique_ptr<NeuronCore> core_;
  std::unique_ptr<Host> host_;
};

}  // namespace dve::bench
