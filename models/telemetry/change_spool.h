// Sorts value changes by time without keeping them in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "nameless_file.h"

namespace dve::telemetry {

// What a signal does at a moment.
struct Change {
  enum class Kind : std::uint32_t { set, unknown, add };
  std::uint64_t fs = 0;
  std::uint64_t sequence = 0;  // order of arrival, for changes of one moment
  std::int64_t value = 0;      // set: the value; add: what is added
  std::uint32_t signal = 0;
  Kind kind = Kind::set;
};

// Engines run ahead of each other, so changes arrive nearly, not entirely, in order of time. Up to 2^14 of them wait in
// memory; the earliest goes to a nameless temporary file when there are more. Changes that come too late for their
// place in the file begin another sorted run behind it, and replay() merges the runs.
class ChangeSpool {
 public:
  // `folder`: where the temporary file lives; it is only made when memory does not suffice.
  explicit ChangeSpool(std::filesystem::path folder);

  void push(std::uint64_t fs, std::uint32_t signal, Change::Kind kind, std::int64_t value);
  // Hands over all changes in order of time and arrival. Once, at the end.
  void replay(const std::function<void(const Change&)>& take);
  // errno of the first failure of the temporary file, else 0; changes are lost then.
  int error() const { return error_; }
  std::size_t runs() const { return run_begins_.size(); }

 private:
  class Reader;
  void spill_earliest();
  void append(const Change& change);
  void write_buffer();

  NamelessFile file_;
  int error_ = 0;
  std::uint64_t next_sequence_ = 0;
  std::vector<Change> current_, next_;     // heaps, the earliest on top: of the run that is being written, of the next
  std::vector<std::uint64_t> run_begins_;  // index in the file of each run's first change
  std::uint64_t spilled_ = 0;
  Change last_spilled_;
  std::vector<Change> buffer_;  // of the end of the file
};

}  // namespace dve::telemetry
