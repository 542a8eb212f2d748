#include "notification.h"

#include <algorithm>
#include <stdexcept>

namespace dve::firmware {
namespace {

constexpr std::uint32_t kPcBits = 20, kPcMask = (1U << kPcBits) - 1;
constexpr std::uint32_t kSemaphoreBit = 1U << 8U;
constexpr std::uint8_t kTypeMask = 0x1F, kSwOverflow = 0x20, kHwOverflow = 0x40, kPhase = 0x80;
constexpr isa::Cycles kMaxWaited{0xFFFF};

constexpr std::uint32_t pc_field(std::uint64_t pc) {
  return static_cast<std::uint32_t>(pc / isa::kWordBytes) & kPcMask;
}
constexpr std::uint64_t pc_of(std::uint32_t body24) { return std::uint64_t{body24 & kPcMask} * isa::kWordBytes; }
// The four bits of body24 above the PC.
constexpr std::uint32_t above_pc(std::uint8_t value) { return (value & 0xFU) << kPcBits; }
constexpr std::uint8_t nibble_above_pc(std::uint32_t body24) {
  return static_cast<std::uint8_t>((body24 >> kPcBits) & 0xF);
}

Notification make(NotificationType type, std::uint32_t body24, std::uint32_t body32, std::uint64_t timestamp_ps) {
  Notification notification;
  notification.type = type;
  notification.body24 = body24;
  notification.body32 = body32;
  notification.timestamp_ps = timestamp_ps;
  return notification;
}

std::uint8_t type_byte(const Notification& n) {
  return static_cast<std::uint8_t>((static_cast<std::uint8_t>(n.type) & kTypeMask) | (n.sw_overflow ? kSwOverflow : 0) |
                                   (n.hw_overflow ? kHwOverflow : 0) | (n.phase ? kPhase : 0));
}

void put(NotificationBytes& bytes, std::size_t at, std::uint64_t value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::uint64_t get(const NotificationBytes& bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{bytes[at + i]} << (8 * i);
  return value;
}

constexpr std::array<std::uint16_t, 256> crc_table() {
  std::array<std::uint16_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte << 8U;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ 0x1021U : crc << 1U;
    table[byte] = static_cast<std::uint16_t>(crc);
  }
  return table;
}
constexpr std::array<std::uint16_t, 256> kCrcTable = crc_table();

}  // namespace

DebugRequest debug_request(std::uint8_t debug_cmd) {
  switch (debug_cmd) {
    case 1:  // NOTIFY
    case 9:  // INS_FIELD
      return {false, false, true};
    case 3:  // START
      return {true, false, false};
    case 5:  // END
      return {false, true, false};
    case 7:  // START_END
      return {true, true, false};
    default:
      return {};
  }
}

NotificationBytes to_bytes(const Notification& notification) {
  NotificationBytes bytes{};
  put(bytes, 0, notification.body24, 3);
  bytes[3] = type_byte(notification);
  put(bytes, 4, notification.body32, 4);
  put(bytes, 8, notification.timestamp_ps, 8);
  return bytes;
}

Notification from_bytes(const NotificationBytes& bytes) {
  Notification notification;
  notification.body24 = static_cast<std::uint32_t>(get(bytes, 0, 3));
  notification.type = static_cast<NotificationType>(bytes[3] & kTypeMask);
  notification.sw_overflow = (bytes[3] & kSwOverflow) != 0;
  notification.hw_overflow = (bytes[3] & kHwOverflow) != 0;
  notification.phase = (bytes[3] & kPhase) != 0;
  notification.body32 = static_cast<std::uint32_t>(get(bytes, 4, 4));
  notification.timestamp_ps = get(bytes, 8, 8);
  return notification;
}

Notification encode(const StartRecord& record, std::uint64_t timestamp_ps) {
  const auto waited = static_cast<std::uint32_t>(std::min(record.waited, kMaxWaited).value);
  return make(NotificationType::start, pc_field(record.pc) | above_pc(record.soft_resets), waited, timestamp_ps);
}

Notification encode(const EndRecord& record, std::uint64_t timestamp_ps) {
  const std::uint32_t crcs = record.input_crc | std::uint32_t{record.output_crc} << 16U;
  return make(NotificationType::end, pc_field(record.pc), crcs, timestamp_ps);
}

Notification encode(const ExplicitRecord& record, std::uint64_t timestamp_ps) {
  return make(NotificationType::explicit_note, pc_field(record.pc), record.debug_hint, timestamp_ps);
}

Notification encode(const EventRecord& record, std::uint64_t timestamp_ps) {
  return make(NotificationType::event, record.index | (record.semaphore ? kSemaphoreBit : 0U), record.value,
              timestamp_ps);
}

Notification encode(const ErrorRecord& record, std::uint64_t timestamp_ps) {
  return make(NotificationType::error, pc_field(record.pc) | above_pc(static_cast<std::uint8_t>(record.id)),
              pack(record.fault), timestamp_ps);
}

std::optional<NotificationRecord> decode(const Notification& n) {
  switch (n.type) {
    case NotificationType::start:
      return StartRecord{pc_of(n.body24), nibble_above_pc(n.body24), isa::Cycles(n.body32 & 0xFFFFU)};
    case NotificationType::end:
      return EndRecord{pc_of(n.body24), static_cast<std::uint16_t>(n.body32 & 0xFFFF),
                       static_cast<std::uint16_t>(n.body32 >> 16)};
    case NotificationType::explicit_note:
      return ExplicitRecord{pc_of(n.body24), static_cast<std::uint8_t>(n.body32 & 0xFF)};
    case NotificationType::event:
      return EventRecord{(n.body24 & kSemaphoreBit) != 0, static_cast<std::uint8_t>(n.body24 & 0xFF), n.body32};
    case NotificationType::error: {
      const std::uint8_t id = nibble_above_pc(n.body24);
      if (id > static_cast<std::uint8_t>(ErrorId::sequencer_fatal)) return std::nullopt;
      return ErrorRecord{pc_of(n.body24), static_cast<ErrorId>(id), unpack_fault_record(n.body32)};
    }
  }
  return std::nullopt;
}

std::uint16_t crc16(const std::uint8_t* data, std::size_t bytes, std::uint16_t crc) {
  for (std::size_t i = 0; i < bytes; ++i)
    crc = static_cast<std::uint16_t>((crc << 8) ^ kCrcTable[static_cast<std::uint8_t>((crc >> 8) ^ data[i])]);
  return crc;
}

NotificationRing::NotificationRing(std::uint64_t base, std::uint32_t entries, Mode mode)
    : base_(base), entries_(entries), mode_(mode) {
  if (entries == 0) throw std::invalid_argument("notification ring: entries is 0, expected at least 1");
}

std::uint64_t NotificationRing::next_address() const { return base_ + written_ % entries_ * kNotificationBytes; }

bool NotificationRing::next_phase() const { return written_ / entries_ % 2 == 0; }

bool NotificationRing::set_reader(std::uint64_t entry) {
  if (entry < read_ || entry > written_) return false;
  read_ = entry;
  return true;
}

std::optional<std::uint64_t> NotificationRing::push(Notification& notification) {
  if (full() && mode_ == Mode::lossless) return std::nullopt;
  notification.sw_overflow = full();
  notification.phase = next_phase();
  const std::uint64_t address = next_address();
  ++written_;
  return address;
}

}  // namespace dve::firmware
