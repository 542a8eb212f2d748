// Chrome's JSON trace events, for ui.perfetto.dev and chrome://tracing.
#pragma once

#include <array>
#include <bitset>
#include <map>
#include <string>
#include <string_view>

#include "perfetto_tracks.h"
#include "recorder.h"
#include "trace_text.h"

namespace dve::telemetry {

// Process "core", one thread a track (perfetto_tracks.h); `ts` and `dur` in microseconds, exact to the femtosecond.
//
// Words of one engine overlap while they fill and drain, and slices of one track must not: a word's slice goes from its
// start to the next possible issue, in which the engine takes no other word; its completion is in `args`, and the time
// between the last operand read and completion is a slice of the track "<engine> drain". What holds a word back stands
// right before it, as slices "semaphore wait" and "hazard wait". Ports and banks have a slice for each use; an arrow
// leads from the word to each of its port slices. Semaphores are counters, their category names who changed them;
// before a semaphore's first change in the window its value until then stands at the window's start (category
// "initial"). Slices are cut at the window's edges and then say "clipped": true; cycles and nanoseconds in `args` are
// those of the whole.
class PerfettoRecorder : public Recorder {
 public:
  PerfettoRecorder(const std::filesystem::path& path, Compression compression, const Selection& selection);
  void instruction(const InstructionEvent& event) override;
  void semaphore(const SemaphoreEvent& event) override;
  void transfer(const TransferEvent& event) override;
  Totals finish() override;

 private:
  struct Drawn {
    std::uint32_t thread = 0;
    std::uint64_t start_fs = 0;
  };
  // What the slices of a word are called, as JSON strings.
  struct Names {
    std::string category;   // the engine
    std::string word;       // the opcode
    std::string bank_user;  // both
  };
  // A slice as far as it lies in the window. `category` and `name`: JSON strings; `args` appends the members of a JSON
  // object.
  template <class Args>
  std::optional<Drawn> slice(const Track& track, const Interval& when, std::string_view category, std::string_view name,
                             Args args);
  void open_lane(std::uint32_t thread, const std::string& name);
  std::optional<Drawn> word(const InstructionEvent& event, const Names& names);
  void ports(const InstructionEvent& event, const Names& names, const std::optional<Drawn>& word);
  void banks(const InstructionEvent& event, const Names& names);
  void arrow(const Drawn& from, const Drawn& to);
  void arrow_end(std::string_view phase, const Drawn& at);
  const Names& names_of(const InstructionEvent& event);
  void counter(std::uint8_t index, std::int32_t value, std::uint64_t fs, const std::string& who);
  void commit();

  Selection selection_;
  Budget budget_;
  TraceFile file_;
  TrackLanes lanes_;
  std::array<std::array<Names, 256>, isa::kEngines.size()> names_;  // by engine and opcode; empty: not needed yet
  TraceText group_;                                                 // events that are written together or not at all
  std::uint64_t group_events_ = 0;                                  // of them those that count
  std::uint64_t next_arrow_ = 1;
  std::array<std::int32_t, 256> semaphores_{};  // reset to 0 (isa.md 14)
  std::bitset<256> semaphore_shown_;
  std::map<std::string, std::uint32_t> users_;
};

}  // namespace dve::telemetry
