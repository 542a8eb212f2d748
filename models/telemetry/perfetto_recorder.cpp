#include "perfetto_recorder.h"

#include <fmt/format.h>

#include <iterator>

#include "time_text.h"

namespace dve::telemetry {
namespace {

constexpr int kProcess = 1;

std::string json_string(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      json += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20)
      json += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      json += c;
  }
  return json + "\"";
}

std::string traffic_args(isa::Bytes read, isa::Bytes written) {
  std::string args;
  if (read.value != 0) args += fmt::format(",\"read_bytes\":{}", read.value);
  if (written.value != 0) args += fmt::format(",\"written_bytes\":{}", written.value);
  return args;
}

std::string word_args(const InstructionEvent& e) {
  return fmt::format(
      "\"word\":{},\"pc\":\"{:#x}\",\"start_cycle\":{},\"cycles\":{},\"start_ns\":{},\"complete_ns\":{},\"wait_"
      "cycles\":{},"
      "\"hazard_cycles\":{},\"stall_cycles\":{}",
      e.word, e.pc, e.start.cycle.value, (e.complete.cycle - e.start.cycle).value, nanoseconds_text(e.start.fs),
      nanoseconds_text(e.complete.fs), e.wait.value, e.hazard.value, e.stall.value);
}

}  // namespace

PerfettoRecorder::PerfettoRecorder(const std::filesystem::path& path, Compression compression,
                                   const Selection& selection)
    : selection_(selection), budget_(selection.limit), file_(path, compression) {
  file_.write(
      fmt::format("{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                  "{{\"ph\":\"M\",\"pid\":{},\"name\":\"process_name\",\"args\":{{\"name\":\"core\"}}}}",
                  kProcess));
}

std::optional<PerfettoRecorder::Drawn> PerfettoRecorder::slice(const Track& track, const Interval& when,
                                                               const std::string& category, const std::string& name,
                                                               const std::string& args) {
  const auto inside = selection_.window.clip(when);
  if (!inside) return std::nullopt;
  ++group_events_;
  if (budget_.used_up()) return Drawn{};  // only counted from here on
  const TrackLanes::Place place = lanes_.place(track, *inside);
  auto out = std::back_inserter(group_);
  if (!place.opened.empty()) {
    fmt::format_to(out, ",\n{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_name\",\"args\":{{\"name\":{}}}}}",
                   kProcess, place.thread, json_string(place.opened));
    fmt::format_to(
        out, ",\n{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{}}}}}",
        kProcess, place.thread, place.thread);
  }
  const bool clipped = inside->start_fs != when.start_fs || inside->end_fs != when.end_fs;
  fmt::format_to(
      out, ",\n{{\"ph\":\"X\",\"cat\":{},\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"args\":{{{}{}}}}}",
      json_string(category), json_string(name), kProcess, place.thread, microseconds_text(inside->start_fs),
      microseconds_text(inside->end_fs - inside->start_fs), args, clipped ? ",\"clipped\":true" : "");
  return Drawn{place.thread, inside->start_fs};
}

std::optional<PerfettoRecorder::Drawn> PerfettoRecorder::word(const InstructionEvent& e, const std::string& name) {
  if (!selection_.filter.words(e.engine)) return std::nullopt;
  const std::string category(isa::to_string(e.engine));
  const Track track = words_track(e.engine);
  const std::string which = fmt::format("\"word\":{}", e.word);
  if (e.released.fs > e.ready.fs)
    slice(track, {e.ready.fs, e.released.fs}, category, "semaphore wait",
          which + fmt::format(",\"cycles\":{}", e.wait.value));
  if (e.start.fs > e.released.fs)
    slice(track, {e.released.fs, e.start.fs}, category, "hazard wait",
          which + fmt::format(",\"cycles\":{}", e.hazard.value));
  const auto drawn = slice(track, {e.start.fs, e.next_issue.fs}, category, name, word_args(e));
  if (e.complete.fs > e.read_done.fs)
    slice(drain_track(e.engine), {e.read_done.fs, e.complete.fs}, category, name, which);
  return drawn;
}

void PerfettoRecorder::ports(const InstructionEvent& e, const std::string& name, const std::optional<Drawn>& word) {
  if (!selection_.filter.ports(e.engine)) return;
  for (const PortUse& use : e.ports) {
    const auto drawn = slice(port_track(e.engine, use.port), use.when, std::string(isa::to_string(e.engine)), name,
                             fmt::format("\"word\":{}", e.word) + traffic_args(use.read, use.written));
    if (word && drawn) arrow(*word, *drawn);
  }
}

void PerfettoRecorder::banks(const InstructionEvent& e, const std::string& name) {
  if (!selection_.filter.banks(e.engine)) return;
  const std::string engine(isa::to_string(e.engine));
  for (const BankUse& use : e.banks)
    slice(bank_track(use.space, use.bank), use.when, engine, engine + " " + name,
          fmt::format("\"word\":{}", e.word) + traffic_args(use.read, use.written));
}

// Bound to the slices that begin at these moments.
void PerfettoRecorder::arrow(const Drawn& from, const Drawn& to) {
  const auto end = [&](const char* phase, const Drawn& at) {
    fmt::format_to(std::back_inserter(group_),
                   ",\n{{{},\"cat\":\"port\",\"name\":\"uses\",\"id\":{},\"pid\":{},\"tid\":{},\"ts\":{}}}", phase,
                   next_arrow_, kProcess, at.thread, microseconds_text(at.start_fs));
    ++group_events_;
  };
  end("\"ph\":\"s\"", from);
  end("\"ph\":\"f\",\"bp\":\"e\"", to);
  ++next_arrow_;
}

void PerfettoRecorder::commit() {
  if (group_events_ != 0 && budget_.take(group_events_)) file_.write(group_);
  group_.clear();
  group_events_ = 0;
}

void PerfettoRecorder::instruction(const InstructionEvent& event) {
  if (file_.failed()) return;
  const std::string name = isa::opcode_name(event.opcode);
  const auto drawn = word(event, name);
  ports(event, name, drawn);
  banks(event, name);
  commit();
}

void PerfettoRecorder::counter(std::uint8_t index, std::int32_t value, std::uint64_t fs, const std::string& who) {
  fmt::format_to(
      std::back_inserter(group_),
      ",\n{{\"ph\":\"C\",\"cat\":{},\"name\":\"semaphore {}\",\"pid\":{},\"ts\":{},\"args\":{{\"value\":{}}}}}",
      json_string(who), index, kProcess, microseconds_text(fs), value);
  ++group_events_;
}

void PerfettoRecorder::semaphore(const SemaphoreEvent& event) {
  const std::int32_t before = semaphores_[event.index];
  semaphores_[event.index] = event.value;
  if (file_.failed() || !selection_.filter.semaphores() || !selection_.window.contains(event.fs)) return;
  const std::uint64_t start = selection_.window.start_fs;
  if (!semaphore_shown_[event.index] && event.fs > start) counter(event.index, before, start, "initial");
  semaphore_shown_[event.index] = true;
  counter(event.index, event.value, event.fs, event.who);
  commit();
}

void PerfettoRecorder::transfer(const TransferEvent& event) {
  if (file_.failed() || !selection_.filter.transfers()) return;
  const std::uint32_t index = users_.try_emplace(event.user, static_cast<std::uint32_t>(users_.size())).first->second;
  slice(user_track(index, event.user), event.when, event.user, event.label,
        fmt::format("\"bytes\":{}", event.bytes.value));
  commit();
}

Recorder::Totals PerfettoRecorder::finish() {
  file_.write(fmt::format("\n],\"otherData\":{{\"events\":\"{}\",\"dropped\":\"{}\"}}}}\n", budget_.written(),
                          budget_.dropped()));
  file_.close();
  return {budget_.written(), budget_.dropped()};
}

}  // namespace dve::telemetry
