// One simulation run of the program: core, host, hooks and statistics, wired together.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "command_line.h"
#include "dve/core/core.h"
#include "dve/record/record.h"
#include "progress.h"
#include "rtl_session.h"
#include "trace_session.h"

namespace dve::app {

class Session {
 public:
  // `host_memory_bytes`: room for the program and `host:` data. `recorder`: sees the run; null: nobody does.
  Session(const config::Effective& effective, const CommonOptions& common, HostTasks tasks,
          std::uint64_t host_memory_bytes, record::Recorder* recorder = nullptr);

  // Simulates, and opens the traces before it does (layer::OutputError). Warnings of relaxed mode go to the error
  // output as they occur.
  RunOutcome run();
  // Ends the traces: they are well-formed however the run ended. layer::OutputError names one that cannot be written.
  void finish_traces() { traces_.finish(common_.quiet); }
  // The same for --waves.
  void finish_waves();

  Host& host() { return host_; }
  const NeuronCore& core() const { return core_; }
  const Statistics& statistics() const { return statistics_; }
  const rtl::RtlLanes* rtl() const { return rtl_.get(); }  // null: the model computes
  std::uint64_t warnings() const { return warnings_; }
  bool no_data() const { return common_.no_data; }

  // Prints one line per fault, or what the run waits for, to the error output.
  void explain(const RunOutcome& outcome) const;
  // Wall-clock figures (--profile); nothing when no file was asked for.
  void write_profile() const;

 private:
  SequencerHooks hooks();
  void attach_recorder();
  void start_traces();
  void count_transfers();
  void explain_timeout() const;
  void warn(const WordFinding& warning);

  CommonOptions common_;
  record::Recorder* recorder_;
  Statistics statistics_;
  Progress progress_;
  TraceSession traces_;
  std::uint64_t warnings_ = 0;
  std::chrono::steady_clock::time_point created_, started_, ended_;
  std::unique_ptr<rtl::RtlLanes> rtl_;
  NeuronCore core_;
  HostTasks tasks_;
  Host host_;
};

// "dve word 3 (pc 0x40000000c0, batch_norm_back_prop): <finding>".
std::string describe(const WordFinding& finding);
// The exit code of a simulation's end; `ok` for RunStatus::ok.
int exit_code(RunStatus status);

}  // namespace dve::app
