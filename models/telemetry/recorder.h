// The recorder of one trace file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "events.h"
#include "selection.h"
#include "trace_file.h"

namespace dve::telemetry {

// perfetto: Chrome's JSON trace events, as ui.perfetto.dev and chrome://tracing read them. vcd: value changes of IEEE
// 1364. csv: one line a word.
enum class Format { perfetto, perfetto_gzip, vcd, csv };

// By the end of the file's name: .json, .json.gz, .vcd, .csv. Nothing for any other.
std::optional<Format> format_of(const std::filesystem::path& path);

// Takes events as the run brings them and writes them to its file; keeps none, so that memory does not grow with the
// run. Taking an event never throws for a file that cannot be written: finish() tells.
class Recorder {
 public:
  struct Totals {
    std::uint64_t written = 0;
    std::uint64_t dropped = 0;  // by Selection::limit
  };

  virtual ~Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  virtual void instruction(const InstructionEvent& event) = 0;  // of each engine in program order
  virtual void semaphore(const SemaphoreEvent& event) = 0;      // in order of time
  virtual void transfer(const TransferEvent& event) = 0;        // of each user in order of its start
  // Ends the file; it is well-formed whenever that happens. Once; no event may follow. TraceError when the file could
  // not be written. A recorder that is destroyed unfinished leaves no file.
  virtual Totals finish() = 0;

 protected:
  Recorder() = default;
};

// TraceError when the file cannot be opened.
std::unique_ptr<Recorder> make_recorder(Format format, const std::filesystem::path& path, const Selection& selection);

}  // namespace dve::telemetry
