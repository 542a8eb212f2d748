#include "csv_recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "time_text.h"

namespace dve::telemetry {

CsvRecorder::CsvRecorder(const std::filesystem::path& path, const Selection& selection)
    : selection_(selection), budget_(selection.limit), file_(path, Compression::none) {
  file_.write(
      "engine,word,pc,opcode,start,read_done,complete,next_issue,start_ns,read_done_ns,complete_ns,next_issue_ns,"
      "wait_cycles,hazard_cycles,stall_cycles,read_bytes,written_bytes\n");
}

void CsvRecorder::instruction(const InstructionEvent& e) {
  const std::uint64_t end = std::max(e.complete.fs, e.next_issue.fs);
  if (file_.failed() || !selection_.filter.words(e.engine) || !selection_.window.clip({e.start.fs, end})) return;
  if (!budget_.take(1)) return;
  isa::Bytes read, written;
  for (const PortUse& use : e.ports) {
    read += use.read;
    written += use.written;
  }
  file_.write(fmt::format("{},{},{:#x},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", isa::to_string(e.engine), e.word,
                          e.pc, isa::opcode_name(e.opcode), e.start.cycle.value, e.read_done.cycle.value,
                          e.complete.cycle.value, e.next_issue.cycle.value, nanoseconds_text(e.start.fs),
                          nanoseconds_text(e.read_done.fs), nanoseconds_text(e.complete.fs),
                          nanoseconds_text(e.next_issue.fs), e.wait.value, e.hazard.value, e.stall.value, read.value,
                          written.value));
}

Recorder::Totals CsvRecorder::finish() {
  file_.close();
  return {budget_.written(), budget_.dropped()};
}

}  // namespace dve::telemetry
