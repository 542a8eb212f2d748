#include "perfetto_recorder.h"

#include <fmt/format.h>

namespace dve::telemetry {
namespace {

constexpr std::uint64_t kProcess = 1;

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

void add_traffic(TraceText& text, std::uint64_t word, isa::Bytes read, isa::Bytes written) {
  text << "\"word\":" << word;
  if (read.value != 0) text << ",\"read_bytes\":" << read.value;
  if (written.value != 0) text << ",\"written_bytes\":" << written.value;
}

void add_word(TraceText& text, const InstructionEvent& e) {
  text << "\"word\":" << e.word << ",\"pc\":\"0x";
  text.hexadecimal(e.pc) << "\",\"start_cycle\":" << e.start.cycle.value
                         << ",\"cycles\":" << (e.complete.cycle - e.start.cycle).value << ",\"start_ns\":";
  text.nanoseconds(e.start.fs) << ",\"complete_ns\":";
  text.nanoseconds(e.complete.fs) << ",\"wait_cycles\":" << e.wait.value << ",\"hazard_cycles\":" << e.hazard.value
                                  << ",\"stall_cycles\":" << e.stall.value;
}

void add_hold(TraceText& text, const InstructionEvent& e, isa::Cycles cycles) {
  text << "\"word\":" << e.word << ",\"cycles\":" << cycles.value;
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

template <class Args>
std::optional<PerfettoRecorder::Drawn> PerfettoRecorder::slice(const Track& track, const Interval& when,
                                                               std::string_view category, std::string_view name,
                                                               Args args) {
  const auto inside = selection_.window.clip(when);
  if (!inside) return std::nullopt;
  ++group_events_;
  if (budget_.used_up()) return Drawn{};  // only counted from here on
  const TrackLanes::Place place = lanes_.place(track, *inside);
  if (!place.opened.empty()) open_lane(place.thread, place.opened);
  group_ << ",\n{\"ph\":\"X\",\"cat\":" << category << ",\"name\":" << name << ",\"pid\":" << kProcess
         << ",\"tid\":" << place.thread << ",\"ts\":";
  group_.microseconds(inside->start_fs) << ",\"dur\":";
  group_.microseconds(inside->end_fs - inside->start_fs) << ",\"args\":{";
  args(group_);
  const bool clipped = inside->start_fs != when.start_fs || inside->end_fs != when.end_fs;
  group_ << std::string_view(clipped ? ",\"clipped\":true}}" : "}}");
  return Drawn{place.thread, inside->start_fs};
}

void PerfettoRecorder::open_lane(std::uint32_t thread, const std::string& name) {
  group_ << ",\n{\"ph\":\"M\",\"pid\":" << kProcess << ",\"tid\":" << thread
         << ",\"name\":\"thread_name\",\"args\":{\"name\":" << json_string(name) << "}}";
  group_ << ",\n{\"ph\":\"M\",\"pid\":" << kProcess << ",\"tid\":" << thread
         << ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":" << thread << "}}";
}

const PerfettoRecorder::Names& PerfettoRecorder::names_of(const InstructionEvent& e) {
  Names& names = names_[isa::index_of(e.engine)][e.opcode];
  if (!names.category.empty()) return names;
  const std::string engine(isa::to_string(e.engine)), opcode = isa::opcode_name(e.opcode);
  names = {json_string(engine), json_string(opcode), json_string(engine + " " + opcode)};
  return names;
}

std::optional<PerfettoRecorder::Drawn> PerfettoRecorder::word(const InstructionEvent& e, const Names& names) {
  if (!selection_.filter.words(e.engine)) return std::nullopt;
  const Track track = words_track(e.engine);
  if (e.released.fs > e.ready.fs)
    slice(track, {e.ready.fs, e.released.fs}, names.category, "\"semaphore wait\"",
          [&](TraceText& text) { add_hold(text, e, e.wait); });
  if (e.start.fs > e.released.fs)
    slice(track, {e.released.fs, e.start.fs}, names.category, "\"hazard wait\"",
          [&](TraceText& text) { add_hold(text, e, e.hazard); });
  const auto drawn = slice(track, {e.start.fs, e.next_issue.fs}, names.category, names.word,
                           [&](TraceText& text) { add_word(text, e); });
  if (e.complete.fs > e.read_done.fs)
    slice(drain_track(e.engine), {e.read_done.fs, e.complete.fs}, names.category, names.word,
          [&](TraceText& text) { text << "\"word\":" << e.word; });
  return drawn;
}

void PerfettoRecorder::ports(const InstructionEvent& e, const Names& names, const std::optional<Drawn>& word) {
  if (!selection_.filter.ports(e.engine)) return;
  for (const PortUse& use : e.ports) {
    const auto drawn = slice(port_track(e.engine, use.port), use.when, names.category, names.word,
                             [&](TraceText& text) { add_traffic(text, e.word, use.read, use.written); });
    if (word && drawn) arrow(*word, *drawn);
  }
}

void PerfettoRecorder::banks(const InstructionEvent& e, const Names& names) {
  if (!selection_.filter.banks(e.engine)) return;
  for (const BankUse& use : e.banks)
    slice(bank_track(use.space, use.bank), use.when, names.category, names.bank_user,
          [&](TraceText& text) { add_traffic(text, e.word, use.read, use.written); });
}

// Bound to the slices that begin at these moments.
void PerfettoRecorder::arrow(const Drawn& from, const Drawn& to) {
  arrow_end("\"ph\":\"s\"", from);
  arrow_end("\"ph\":\"f\",\"bp\":\"e\"", to);
  ++next_arrow_;
}

void PerfettoRecorder::arrow_end(std::string_view phase, const Drawn& at) {
  group_ << ",\n{" << phase << ",\"cat\":\"port\",\"name\":\"uses\",\"id\":" << next_arrow_ << ",\"pid\":" << kProcess
         << ",\"tid\":" << at.thread << ",\"ts\":";
  group_.microseconds(at.start_fs) << "}";
  ++group_events_;
}

void PerfettoRecorder::commit() {
  if (group_events_ != 0 && budget_.take(group_events_)) file_.write(group_.text());
  group_.clear();
  group_events_ = 0;
}

void PerfettoRecorder::instruction(const InstructionEvent& event) {
  if (file_.failed()) return;
  const Names& names = names_of(event);
  const auto drawn = word(event, names);
  ports(event, names, drawn);
  banks(event, names);
  commit();
}

void PerfettoRecorder::counter(std::uint8_t index, std::int32_t value, std::uint64_t fs, const std::string& who) {
  group_ << ",\n{\"ph\":\"C\",\"cat\":" << json_string(who) << ",\"name\":\"semaphore " << index
         << "\",\"pid\":" << kProcess << ",\"ts\":";
  group_.microseconds(fs) << ",\"args\":{\"value\":" << std::to_string(value) << "}}";
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
  slice(user_track(index, event.user), event.when, json_string(event.user), json_string(event.label),
        [&](TraceText& text) { text << "\"bytes\":" << event.bytes.value; });
  commit();
}

Recorder::Totals PerfettoRecorder::finish() {
  file_.write(fmt::format("\n],\"otherData\":{{\"events\":\"{}\",\"dropped\":\"{}\"}}}}\n", budget_.written(),
                          budget_.dropped()));
  file_.close();
  return {budget_.written(), budget_.dropped()};
}

}  // namespace dve::telemetry
