// One line a word.
#pragma once

#include "recorder.h"

namespace dve::telemetry {

// A header line, then for each word that lies in the window at least in part, whole: engine, word, pc, opcode mnemonic;
// start, read_done, complete, next_issue in cycles of its engine, then in nanoseconds with six decimals; wait, hazard
// and stall cycles; bytes read and written through the engine's ports. Lines come in the order in which words retire.
class CsvRecorder : public Recorder {
 public:
  CsvRecorder(const std::filesystem::path& path, const Selection& selection);
  void instruction(const InstructionEvent& event) override;
  void semaphore(const SemaphoreEvent&) override {}
  void transfer(const TransferEvent&) override {}
  Totals finish() override;

 private:
  Selection selection_;
  Budget budget_;
  TraceFile file_;
};

}  // namespace dve::telemetry
