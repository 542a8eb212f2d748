// Value changes as IEEE 1364 defines the file.
#pragma once

#include <string>

#include "change_spool.h"
#include "recorder.h"
#include "vcd_signals.h"

namespace dve::telemetry {

// Time scale 1 fs. Signals as in vcd_signals.h; only those of things that the run used are declared. Inside a window
// the file begins with the values at its start. A VCD file is in order of time and declares its signals first, neither
// of which is known while the run goes on: changes go through a ChangeSpool and the file is written by finish().
class VcdRecorder : public Recorder {
 public:
  VcdRecorder(const std::filesystem::path& path, const Selection& selection);
  void instruction(const InstructionEvent& event) override;
  void semaphore(const SemaphoreEvent& event) override;
  void transfer(const TransferEvent& event) override;
  Totals finish() override;

 private:
  void count_during(std::uint32_t signal, const Interval& when);
  void issue_slot(const InstructionEvent& event);
  void apply(const Change& change);
  void write_moment();

  Selection selection_;
  Budget budget_;
  TraceFile file_;
  ChangeSpool changes_;
  VcdSignals signals_;

  // While the file is written: the moment whose changes are being collected.
  std::uint64_t moment_ = 0;
  bool begun_ = false;  // the initial values are written
  std::vector<std::uint32_t> touched_;
  std::vector<std::string> written_;  // by signal: the value that stands in the file
};

}  // namespace dve::telemetry
