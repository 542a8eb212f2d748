#include "vcd_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace dve::telemetry {
VcdRecorder::VcdRecorder(const std::filesystem::path& path, const Selection& selection)
    : selection_(selection),
      budget_(selection.limit),
      file_(path, Compression::none),
      changes_(NamelessFile::folder_for(path)),
      moment_(selection.window.start_fs) {}

void VcdRecorder::count_during(std::uint32_t signal, const Interval& when) {
  const auto inside = selection_.window.clip(when);
  if (!inside || inside->start_fs == inside->end_fs) return;
  changes_.push(inside->start_fs, signal, Change::Kind::add, 1);
  changes_.push(inside->end_fs, signal, Change::Kind::add, -1);
}

void VcdRecorder::issue_slot(const InstructionEvent& e) {
  const auto inside = selection_.window.clip({e.start.fs, e.next_issue.fs});
  const std::uint32_t opcode = signals_.opcode(e.engine), word = signals_.word(e.engine);
  if (!inside) return;
  changes_.push(inside->start_fs, opcode, Change::Kind::set, e.opcode);
  changes_.push(inside->start_fs, word, Change::Kind::set, static_cast<std::int64_t>(e.word));
  changes_.push(inside->end_fs, opcode, Change::Kind::unknown, 0);
  changes_.push(inside->end_fs, word, Change::Kind::unknown, 0);
}

void VcdRecorder::instruction(const InstructionEvent& e) {
  if (selection_.filter.words(e.engine)) {
    issue_slot(e);
    count_during(signals_.in_flight(e.engine), {e.start.fs, e.complete.fs});
  }
  if (selection_.filter.ports(e.engine)) {
    for (const PortUse& use : e.ports) count_during(signals_.port(e.engine, use.port), use.when);
  }
  if (selection_.filter.banks(e.engine)) {
    for (const BankUse& use : e.banks) count_during(signals_.bank(use.space, use.bank), use.when);
  }
}

void VcdRecorder::semaphore(const SemaphoreEvent& e) {
  if (!selection_.filter.semaphores() || e.fs >= selection_.window.end_fs) return;
  changes_.push(std::max(e.fs, selection_.window.start_fs), signals_.semaphore(e.index), Change::Kind::set, e.value);
}

void VcdRecorder::transfer(const TransferEvent& e) {
  if (selection_.filter.transfers()) count_during(signals_.user(e.user), e.when);
}

void VcdRecorder::apply(const Change& change) {
  if (change.fs != moment_) {
    write_moment();
    moment_ = change.fs;
  }
  std::optional<std::int64_t>& value = signals_.all()[change.signal].value;
  if (change.kind == Change::Kind::unknown)
    value.reset();
  else
    value = change.kind == Change::Kind::add ? value.value_or(0) + change.value : change.value;
  touched_.push_back(change.signal);
}

// The changes of one moment: those signals whose value in the end is another one. The first moment gives all values.
void VcdRecorder::write_moment() {
  std::string text;
  std::uint64_t count = 0;
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const std::uint32_t signal : touched_) {
    std::string value = signals_.value_text(signal);
    if (value == written_[signal]) continue;
    text += value;
    written_[signal] = std::move(value);
    ++count;
  }
  touched_.clear();
  if (!begun_) {
    begun_ = true;
    file_.write(fmt::format("#{}\n$dumpvars\n{}$end\n", moment_, fmt::join(written_, "")));
  } else if (count != 0 && budget_.take(count)) {
    file_.write(fmt::format("#{}\n{}", moment_, text));
  }
}

Recorder::Totals VcdRecorder::finish() {
  file_.write("$version dve-sim $end\n$timescale 1 fs $end\n");
  file_.write("$comment opcode and word: x while no word occupies the issue slot $end\n");
  file_.write(signals_.declarations());
  for (std::uint32_t signal = 0; signal < signals_.all().size(); ++signal)
    written_.push_back(signals_.value_text(signal));
  changes_.replay([this](const Change& change) { apply(change); });
  write_moment();
  if (changes_.error() != 0)
    throw TraceError(fmt::format("{}: cannot be written: its temporary file: {}", file_.path().string(),
                                 std::strerror(changes_.error())));
  file_.close();
  return {budget_.written(), budget_.dropped()};
}

}  // namespace dve::telemetry
