// The traces of a run: what the core reports, in the recorders' terms.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dve/core/core.h"
#include "dve/telemetry/telemetry.h"
#include "trace_options.h"

namespace dve::app {

// The one place that knows both a Retirement and a recorder's event. `clock`: the engine's. A word streams its operands
// from start to read_done.
void to_event(const Retirement& word, const timing::Clock& clock, telemetry::InstructionEvent& event);

class TraceSession {
 public:
  TraceSession() = default;
  ~TraceSession();  // ends the files of a run that was left by an exception; silent
  TraceSession(const TraceSession&) = delete;
  TraceSession& operator=(const TraceSession&) = delete;

  // Opens all files. layer::OutputError when one cannot be, and then none is left behind.
  void open(const TraceOptions& options);
  bool active() const { return !recorders_.empty(); }

  void retired(const Retirement& word, const timing::Clock& clock);
  void semaphore(isa::SemaphoreIndex index, std::int32_t value, const std::string& who, std::uint64_t femtoseconds);
  void transfer(const telemetry::TransferEvent& event);

  // Ends all files, however the run ended, and warns of events that --trace-limit dropped unless `quiet`.
  // layer::OutputError names the first file that could not be written.
  void finish(bool quiet);

 private:
  struct Open {
    std::string name;
    std::unique_ptr<telemetry::Recorder> recorder;
  };
  std::vector<Open> recorders_;
  std::uint64_t limit_ = 0;
  telemetry::InstructionEvent event_;  // kept for its memory
};

}  // namespace dve::app
