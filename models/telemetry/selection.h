// What of a run a trace shows: a window of time, kinds of tracks, and at most how many events.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "events.h"

namespace dve::telemetry {

// Time that is traced: from `start_fs` to before `end_fs`. Default: all of it.
struct Window {
  std::uint64_t start_fs = 0;
  std::uint64_t end_fs = std::numeric_limits<std::uint64_t>::max();

  // The part of an interval inside the window; nothing when it lies outside. An interval without length counts as a
  // moment.
  std::optional<Interval> clip(const Interval& interval) const;
  bool contains(std::uint64_t fs) const { return fs >= start_fs && fs < end_fs; }
};

// "FROM:TO" in nanoseconds, decimal fractions allowed, taken to the nearest femtosecond; either may be left out.
// Nothing unless 0 <= FROM < TO <= 1e13 (the end of simulation time lies before).
std::optional<Window> window_from_string(std::string_view text);

// Kinds of tracks, and engines. Each name adds tracks: an engine (dve, pool, act) its words, `words` those of all
// engines; `ports` and `banks` what the named engines use of them, or every engine where none is named; `semaphores`;
// `transfers` those of DMA and traffic. Default: everything.
class Filter {
 public:
  bool words(isa::Engine engine) const { return all_ || words_[isa::index_of(engine)]; }
  bool ports(isa::Engine engine) const { return all_ || (ports_ && of(engine)); }
  bool banks(isa::Engine engine) const { return all_ || (banks_ && of(engine)); }
  bool semaphores() const { return all_ || semaphores_; }
  bool transfers() const { return all_ || transfers_; }

  // Names separated by commas. On failure nothing, and `unknown` is the name that means nothing (it may be empty).
  static std::optional<Filter> from_string(std::string_view text, std::string& unknown);
  static std::string names();  // "dve, pool, act, words, ...": for messages

 private:
  bool of(isa::Engine engine) const { return !engine_named_ || words_[isa::index_of(engine)]; }
  bool add(std::string_view name);

  bool all_ = true;
  bool engine_named_ = false;
  std::array<bool, isa::kEngines.size()> words_{};
  bool ports_ = false, banks_ = false, semaphores_ = false, transfers_ = false;
};

struct Selection {
  Window window;
  Filter filter;
  // Most events a file takes (JSON: slices, arrows and counter values; CSV: lines; VCD: value changes); what comes
  // after is dropped and counted.
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
};

// Counts events against a limit. What is written is a prefix: once something has been dropped, everything is.
class Budget {
 public:
  explicit Budget(std::uint64_t limit) : limit_(limit) {}
  // Whether `count` events that belong together may be written.
  bool take(std::uint64_t count) {
    if (dropped_ == 0 && count <= limit_ - written_)
      written_ += count;
    else
      dropped_ += count;
    return dropped_ == 0;
  }
  bool used_up() const { return dropped_ != 0; }
  std::uint64_t written() const { return written_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  std::uint64_t limit_, written_ = 0, dropped_ = 0;
};

}  // namespace dve::telemetry
