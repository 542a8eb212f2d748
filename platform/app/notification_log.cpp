#include "notification_log.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "dve/firmware/firmware.h"
#include "dve/layer/layer.h"

namespace dve::app {
namespace {

using Json = nlohmann::ordered_json;

// START, NOTIFY, END and up to two updates a word; a fault and a few more at the end.
constexpr std::uint64_t kRecordsPerWord = 5;
constexpr std::uint64_t kSpareRecords = 16;
constexpr std::uint64_t kMostRecords = 0xFFFFFFFF;
constexpr std::uint64_t kAlignment = 64;

Json json_of(const firmware::StartRecord& r) { return {{"type", "start"}, {"pc", r.pc}, {"waited", r.waited.value}}; }
Json json_of(const firmware::EndRecord& r) {
  return {{"type", "end"}, {"pc", r.pc}, {"input_crc", r.input_crc}, {"output_crc", r.output_crc}};
}
Json json_of(const firmware::ExplicitRecord& r) {
  return {{"type", "explicit"}, {"pc", r.pc}, {"debug_hint", r.debug_hint}};
}
Json json_of(const firmware::EventRecord& r) {
  return {{"type", r.semaphore ? "semaphore" : "event"}, {"index", r.index}, {"value", r.value}};
}
Json json_of(const firmware::ErrorRecord& r) {
  return {{"type", "error"},        {"pc", r.pc},        {"id", static_cast<unsigned>(r.id)}, {"code", r.fault.code},
          {"block", r.fault.block}, {"aux", r.fault.aux}};
}

Json json_of(isa::Engine engine, const firmware::Notification& notification) {
  Json json = {{"engine", isa::to_string(engine)}, {"time_ps", notification.timestamp_ps}};
  if (const auto record = firmware::decode(notification))
    json.update(std::visit([](const auto& r) { return json_of(r); }, *record));
  return json;
}

}  // namespace

NotificationLog::NotificationLog(std::string file, const std::vector<runtime::Stream>& streams,
                                 std::uint64_t host_offset)
    : file_(std::move(file)) {
  if (file_.empty()) return;
  std::uint64_t end = host_offset;
  for (const runtime::Stream& stream : streams) {
    const std::uint64_t start = (end + kAlignment - 1) / kAlignment * kAlignment;
    const std::uint64_t entries = std::min(kRecordsPerWord * stream.count + kSpareRecords, kMostRecords);
    rings_.push_back({stream.engine, address_map::kHostMemory + start, static_cast<std::uint32_t>(entries)});
    end = start + entries * firmware::kNotificationBytes;
  }
  bytes_ = end - host_offset;
}

void NotificationLog::set_up(Host& host) const {
  for (const Ring& ring : rings_) {
    const std::uint64_t control = address_map::sequencer_control(ring.engine);
    host.write_register(control + Sequencer::kRingBaseLow, static_cast<std::uint32_t>(ring.address));
    host.write_register(control + Sequencer::kRingBaseHigh, static_cast<std::uint32_t>(ring.address >> 32));
    host.write_register(control + Sequencer::kRingEntries, ring.entries);
  }
}

void NotificationLog::write(Host& host) const {
  if (file_.empty()) return;
  std::string text;
  for (const Ring& ring : rings_) {
    const std::uint32_t written =
        host.read_register(address_map::sequencer_control(ring.engine) + Sequencer::kRingWritten);
    for (std::uint32_t k = 0; k < std::min(written, ring.entries); ++k) {
      firmware::NotificationBytes bytes{};
      host.read(ring.address + k * std::uint64_t{firmware::kNotificationBytes}, bytes.data(), bytes.size());
      text += json_of(ring.engine, firmware::from_bytes(bytes)).dump() + "\n";
    }
  }
  layer::write_file(file_, text);
}

}  // namespace dve::app
