// Notifications: the 16-byte records that an engine writes into a ring in memory (microarchitecture.md 6.3), and which
// of them a word asks for (isa.md 1.1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include "dve/isa/isa.h"
#include "fault_record.h"

namespace dve::firmware {

// The notifications that a word asks for.
struct DebugRequest {
  bool start = false;
  bool end = false;
  bool explicit_note = false;
};
// By debug_cmd, byte 2 of the word: NOTIFY 1, START 3, END 5, START_END 7, INS_FIELD 9. INS_FIELD is taken as an
// explicit note (the pages only name it; both carry debug_hint). Any other value asks for none.
DebugRequest debug_request(std::uint8_t debug_cmd);

// Types of the DVE's records (5 bits). The model uses them for every engine.
enum class NotificationType : std::uint8_t {
  start = 0x10,
  end = 0x11,
  explicit_note = 0x12,
  event = 0x13,  // event or semaphore
  error = 0x1F
};

// One record as it stands in memory. The page gives the fields' widths and order; the positions of the flags in the
// type byte are a project choice: type bits 0..4, sw_overflow 5, hw_overflow 6, phase 7.
struct Notification {
  std::uint32_t body24 = 0;
  NotificationType type = NotificationType::start;
  bool sw_overflow = false;  // records that nobody had read were overwritten (NotificationRing)
  bool hw_overflow = false;
  bool phase = false;  // changes each time the ring wraps, so that a reader can tell new records from old
  std::uint32_t body32 = 0;
  std::uint64_t timestamp_ps = 0;
};

inline constexpr std::size_t kNotificationBytes = 16;
using NotificationBytes = std::array<std::uint8_t, kNotificationBytes>;

// Little-endian: body24 in bytes 0..2, type byte 3, body32 in bytes 4..7, timestamp in bytes 8..15. Bits of body24
// above 24 and of the type above 5 are dropped. Decoding takes any 16 bytes.
NotificationBytes to_bytes(const Notification& notification);
Notification from_bytes(const NotificationBytes& bytes);

// What the bodies mean. The page names the fields of start and end records and gives three widths (PC 20 bits in units
// of 64 bytes, wait cycles 16, CRCs 16); everything else about the layout is a project choice. In all records but the
// event's, body24 holds the PC in bits 0..19; a byte address loses what does not fit, so it repeats every 64 MiB.

// A word starts. body24 bits 20..23: soft resets, modulo 16. body32 bits 0..15: cycles it waited, at most 65535.
struct StartRecord {
  std::uint64_t pc = 0;  // byte address of the word
  std::uint8_t soft_resets = 0;
  isa::Cycles waited{};
};

// A word has completed. body32: CRC of its input data in bits 0..15, of its output data in bits 16..31 (crc16).
struct EndRecord {
  std::uint64_t pc = 0;
  std::uint16_t input_crc = 0;
  std::uint16_t output_crc = 0;
};

// The word's debug_cmd asked for a note. body32: its debug_hint.
struct ExplicitRecord {
  std::uint64_t pc = 0;
  std::uint8_t debug_hint = 0;
};

// An event or semaphore has changed. body24: its number in bits 0..7, bit 8 set for a semaphore. body32: its new value.
struct EventRecord {
  bool semaphore = false;
  std::uint8_t index = 0;
  std::uint32_t value = 0;
};

enum class ErrorId : std::uint8_t {
  underflow,
  nan,
  inf,
  overflow,
  memory,
  fake,
  semaphore,
  event,
  psum_collision,
  sequencer_non_fatal,
  sequencer_fatal
};

// An error. body24 bits 20..23: the id. body32: the fault record, packed.
struct ErrorRecord {
  std::uint64_t pc = 0;
  ErrorId id = ErrorId::underflow;
  FaultRecord fault;
};

// The record as a notification; flags are left clear, the ring's slot sets them.
Notification encode(const StartRecord& record, std::uint64_t timestamp_ps);
Notification encode(const EndRecord& record, std::uint64_t timestamp_ps);
Notification encode(const ExplicitRecord& record, std::uint64_t timestamp_ps);
Notification encode(const EventRecord& record, std::uint64_t timestamp_ps);
Notification encode(const ErrorRecord& record, std::uint64_t timestamp_ps);

// The meaning of a notification; empty for a type or an error id that is none of the above.
using NotificationRecord = std::variant<StartRecord, EndRecord, ExplicitRecord, EventRecord, ErrorRecord>;
std::optional<NotificationRecord> decode(const Notification& notification);

// CRC of tensor data in end records. No page gives the polynomial: CRC-16/CCITT-FALSE is a project choice (polynomial
// 0x1021, start 0xFFFF, most significant bit first, nothing inverted). Data in pieces: pass the result so far as `crc`.
inline constexpr std::uint16_t kCrc16Start = 0xFFFF;
std::uint16_t crc16(const std::uint8_t* data, std::size_t bytes, std::uint16_t crc = kCrc16Start);

// Stands for: the write side of one notification ring: where the next record goes, and what happens when the reader is
// behind. Knows no memory: the caller writes the bytes. Entries are counted from 0 without end; entry i stands in slot
// i modulo the ring's length. Phase: 1 in the first pass, so that zeroed memory reads as old, then alternating (project
// choice).
class NotificationRing {
 public:
  // lossless: a full ring takes no record (back-pressure). overwrite: it takes it in place of the oldest one.
  enum class Mode : std::uint8_t { lossless, overwrite };

  // Slots of kNotificationBytes from base on. Throws std::invalid_argument when entries is 0.
  NotificationRing(std::uint64_t base, std::uint32_t entries, Mode mode);

  std::uint64_t written() const { return written_; }
  std::uint64_t next_address() const;
  bool next_phase() const;
  // The reader has not yet read the entry that the next record would replace.
  bool full() const { return written_ - read_ >= entries_; }

  // The reader has read all entries before `entry`. False, and nothing changes, when it lies before what was read
  // already or after what was written.
  bool set_reader(std::uint64_t entry);

  // Puts a record into the next slot: sets its phase and, when it replaces an unread one, its sw_overflow; returns the
  // address it goes to. Empty when a lossless ring is full.
  std::optional<std::uint64_t> push(Notification& notification);

 private:
  std::uint64_t base_;
  std::uint32_t entries_;
  Mode mode_;
  std::uint64_t written_ = 0;
  std::uint64_t read_ = 0;
};

}  // namespace dve::firmware
