#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "dve/firmware/firmware.h"

namespace dve::firmware {
namespace notification_test {

using isa::Cycles;

constexpr std::uint64_t kMaxTime = std::numeric_limits<std::uint64_t>::max();

std::uint16_t crc_of(const std::string& text) {
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  return crc16(bytes.data(), bytes.size());
}

template <class Record>
Record round_trip(const Record& record) {
  const auto decoded = decode(from_bytes(to_bytes(encode(record, 5))));
  if (!decoded) throw std::runtime_error("not decoded");
  return std::get<Record>(*decoded);
}

TEST(DebugRequest, ByCommand) {
  struct Case {
    bool start, end, note;
  };
  const std::map<int, Case> cases = {{1, {false, false, true}},
                                     {3, {true, false, false}},
                                     {5, {false, true, false}},
                                     {7, {true, true, false}},
                                     {9, {false, false, true}}};
  for (int command = 0; command < 256; ++command) {
    const auto at = cases.find(command);
    const Case expected = at == cases.end() ? Case{} : at->second;
    const DebugRequest request = debug_request(static_cast<std::uint8_t>(command));
    EXPECT_EQ(request.start, expected.start) << command;
    EXPECT_EQ(request.end, expected.end) << command;
    EXPECT_EQ(request.explicit_note, expected.note) << command;
  }
}

TEST(Notification, Bytes) {
  Notification n;
  n.body24 = 0x123456;
  n.type = NotificationType::end;
  n.phase = true;
  n.body32 = 0x89ABCDEF;
  n.timestamp_ps = 0x0102030405060708;
  EXPECT_EQ(to_bytes(n), (NotificationBytes{0x56, 0x34, 0x12, 0x91, 0xEF, 0xCD, 0xAB, 0x89, 8, 7, 6, 5, 4, 3, 2, 1}));
}

TEST(Notification, TypesAndFlags) {
  const std::map<NotificationType, int> types = {{NotificationType::start, 0x10},
                                                 {NotificationType::end, 0x11},
                                                 {NotificationType::explicit_note, 0x12},
                                                 {NotificationType::event, 0x13},
                                                 {NotificationType::error, 0x1F}};
  for (const auto& [type, byte] : types) {
    Notification n;
    n.type = type;
    EXPECT_EQ(to_bytes(n)[3], byte);
    n.sw_overflow = true;
    EXPECT_EQ(to_bytes(n)[3], byte | 0x20);
    n.hw_overflow = true;
    EXPECT_EQ(to_bytes(n)[3], byte | 0x60);
    n.phase = true;
    EXPECT_EQ(to_bytes(n)[3], byte | 0xE0);
  }
}

TEST(Notification, AnySixteenBytesSurviveDecodingAndEncoding) {
  std::mt19937 random(2);
  for (int i = 0; i < 1000; ++i) {
    NotificationBytes bytes;
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    EXPECT_EQ(to_bytes(from_bytes(bytes)), bytes);
  }
}

TEST(Notification, FieldsDropWhatDoesNotFit) {
  Notification n;
  n.body24 = 0xFF000001;
  n.type = static_cast<NotificationType>(0x30);
  EXPECT_EQ(to_bytes(n)[3], 0x10);
  EXPECT_EQ(from_bytes(to_bytes(n)).body24, 1U);
}

TEST(NotificationRecord, StartFields) {
  const Notification n = encode(StartRecord{0x12345 * 64, 3, Cycles(0xBEEF)}, kMaxTime);
  EXPECT_EQ(n.type, NotificationType::start);
  EXPECT_EQ(n.body24, 0x312345U);
  EXPECT_EQ(n.body32, 0xBEEFU);
  EXPECT_EQ(n.timestamp_ps, kMaxTime);
  EXPECT_FALSE(n.phase || n.sw_overflow || n.hw_overflow);
}

TEST(NotificationRecord, StartRoundTrip) {
  for (const std::uint64_t pc : {std::uint64_t{0}, std::uint64_t{64}, std::uint64_t{0xFFFFF} * 64}) {
    const StartRecord record = round_trip(StartRecord{pc, 15, Cycles(17)});
    EXPECT_EQ(record.pc, pc);
    EXPECT_EQ(record.soft_resets, 15);
    EXPECT_EQ(record.waited, Cycles(17));
  }
}

TEST(NotificationRecord, ProgramCounterRepeatsEvery64MiB) {
  EXPECT_EQ(round_trip(StartRecord{(std::uint64_t{1} << 26) + 128, 0, {}}).pc, 128U);
  EXPECT_EQ(round_trip(EndRecord{kMaxTime, 0, 0}).pc, std::uint64_t{0xFFFFF} * 64);
}

TEST(NotificationRecord, WaitedCyclesSaturate) {
  const auto waited = [](std::uint64_t cycles) { return round_trip(StartRecord{0, 0, Cycles(cycles)}).waited; };
  EXPECT_EQ(waited(0), Cycles(0));
  EXPECT_EQ(waited(65534), Cycles(65534));
  EXPECT_EQ(waited(65535), Cycles(65535));
  EXPECT_EQ(waited(65536), Cycles(65535));
  EXPECT_EQ(waited(std::numeric_limits<std::uint64_t>::max()), Cycles(65535));
}

TEST(NotificationRecord, SoftResetsCountModulo16) {
  EXPECT_EQ(round_trip(StartRecord{0, 16, {}}).soft_resets, 0);
  EXPECT_EQ(round_trip(StartRecord{64, 0xFF, {}}).soft_resets, 15);
  EXPECT_EQ(round_trip(StartRecord{64, 0xFF, {}}).pc, 64U);
}

TEST(NotificationRecord, End) {
  const Notification n = encode(EndRecord{0x40, 0x1234, 0xABCD}, 1);
  EXPECT_EQ(n.type, NotificationType::end);
  EXPECT_EQ(n.body24, 1U);
  EXPECT_EQ(n.body32, 0xABCD1234U);
  const EndRecord record = round_trip(EndRecord{0x40, 0x1234, 0xABCD});
  EXPECT_EQ(record.pc, 0x40U);
  EXPECT_EQ(record.input_crc, 0x1234);
  EXPECT_EQ(record.output_crc, 0xABCD);
}

TEST(NotificationRecord, Explicit) {
  const Notification n = encode(ExplicitRecord{0x80, 0xA5}, 1);
  EXPECT_EQ(n.type, NotificationType::explicit_note);
  EXPECT_EQ(n.body24, 2U);
  EXPECT_EQ(n.body32, 0xA5U);
  EXPECT_EQ(round_trip(ExplicitRecord{0x80, 0xA5}).pc, 0x80U);
  EXPECT_EQ(round_trip(ExplicitRecord{0x80, 0xA5}).debug_hint, 0xA5);
}

TEST(NotificationRecord, Event) {
  EXPECT_EQ(encode(EventRecord{false, 255, 1}, 1).body24, 0xFFU);
  EXPECT_EQ(encode(EventRecord{true, 16, 0xFFFFFFFF}, 1).body24, 0x110U);
  EXPECT_EQ(encode(EventRecord{true, 16, 0xFFFFFFFF}, 1).body32, 0xFFFFFFFFU);
  for (const bool semaphore : {false, true}) {
    const EventRecord record = round_trip(EventRecord{semaphore, 200, 7});
    EXPECT_EQ(record.semaphore, semaphore);
    EXPECT_EQ(record.index, 200);
    EXPECT_EQ(record.value, 7U);
  }
}

TEST(NotificationRecord, ErrorIds) {
  const std::vector<std::pair<ErrorId, unsigned>> ids = {{ErrorId::underflow, 0},
                                                         {ErrorId::nan, 1},
                                                         {ErrorId::inf, 2},
                                                         {ErrorId::overflow, 3},
                                                         {ErrorId::memory, 4},
                                                         {ErrorId::fake, 5},
                                                         {ErrorId::semaphore, 6},
                                                         {ErrorId::event, 7},
                                                         {ErrorId::psum_collision, 8},
                                                         {ErrorId::sequencer_non_fatal, 9},
                                                         {ErrorId::sequencer_fatal, 10}};
  for (const auto& [id, number] : ids) {
    const FaultRecord fault{0x41, 5, 3, 0x0B};
    const Notification n = encode(ErrorRecord{64, id, fault}, 1);
    EXPECT_EQ(n.type, NotificationType::error);
    EXPECT_EQ(n.body24, (number << 20) | 1U);
    EXPECT_EQ(n.body32, 0x0B003541U);
    const ErrorRecord record = round_trip(ErrorRecord{64, id, fault});
    EXPECT_EQ(record.id, id);
    EXPECT_EQ(record.pc, 64U);
    EXPECT_EQ(record.fault, fault);
  }
}

TEST(NotificationRecord, UnknownTypesAndErrorIdsHaveNoMeaning) {
  for (int type = 0; type < 32; ++type) {
    Notification n;
    n.type = static_cast<NotificationType>(type);
    const bool known = (type >= 0x10 && type <= 0x13) || type == 0x1F;
    EXPECT_EQ(decode(n).has_value(), known) << type;
  }
  for (std::uint32_t id = 0; id < 16; ++id) {
    Notification n;
    n.type = NotificationType::error;
    n.body24 = id << 20U;
    EXPECT_EQ(decode(n).has_value(), id <= 10) << id;
  }
}

TEST(Crc16, CcittFalse) {
  EXPECT_EQ(crc_of("123456789"), 0x29B1);  // the check value of the CRC catalogues
  EXPECT_EQ(crc_of(""), 0xFFFF);
  EXPECT_EQ(crc_of("A"), 0xB915);
}

TEST(Crc16, BitByBitDefinition) {
  std::mt19937 random(3);
  std::vector<std::uint8_t> data(257);
  for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
  std::uint32_t crc = 0xFFFF;
  for (const std::uint8_t byte : data) {
    for (int bit = 7; bit >= 0; --bit) {
      const bool top = ((crc >> 15) & 1) != ((byte >> bit) & 1U);
      crc = (crc << 1) & 0xFFFF;
      if (top) crc ^= 0x1021;
    }
  }
  EXPECT_EQ(crc16(data.data(), data.size()), crc);
}

TEST(Crc16, PiecesGiveTheCrcOfTheWhole) {
  const std::array<std::uint8_t, 5> data = {1, 2, 3, 4, 5};
  for (std::size_t cut = 0; cut <= data.size(); ++cut)
    EXPECT_EQ(crc16(data.data() + cut, data.size() - cut, crc16(data.data(), cut)), crc16(data.data(), data.size()));
}

// Address, phase and overflow of a pushed record: "0x1010 1 0"; "full" when refused.
std::string push(NotificationRing& ring) {
  Notification n;
  n.sw_overflow = true;  // the ring decides
  const auto address = ring.push(n);
  if (!address) return "full";
  return std::to_string(*address) + ' ' + (n.phase ? '1' : '0') + ' ' + (n.sw_overflow ? '1' : '0');
}

TEST(NotificationRing, AddressesWrapAndPhaseToggles) {
  NotificationRing ring(1000, 3, NotificationRing::Mode::lossless);
  std::vector<std::string> pushed;
  for (std::uint64_t i = 0; i < 7; ++i) {
    EXPECT_EQ(ring.next_address(), 1000 + 16 * (i % 3));
    EXPECT_EQ(ring.next_phase(), i / 3 != 1);
    pushed.push_back(push(ring));
    EXPECT_EQ(ring.written(), i + 1);
    EXPECT_TRUE(ring.set_reader(i + 1));
  }
  EXPECT_EQ(pushed, (std::vector<std::string>{"1000 1 0", "1016 1 0", "1032 1 0", "1000 0 0", "1016 0 0", "1032 0 0",
                                              "1000 1 0"}));
}

TEST(NotificationRing, LosslessRefusesUntilTheReaderMoves) {
  NotificationRing ring(0, 2, NotificationRing::Mode::lossless);
  EXPECT_FALSE(ring.full());
  EXPECT_EQ(push(ring), "0 1 0");
  EXPECT_EQ(push(ring), "16 1 0");
  EXPECT_TRUE(ring.full());
  EXPECT_EQ(push(ring), "full");
  EXPECT_EQ(push(ring), "full");
  EXPECT_EQ(ring.written(), 2U);
  EXPECT_TRUE(ring.set_reader(1));
  EXPECT_EQ(push(ring), "0 0 0");
  EXPECT_EQ(push(ring), "full");
}

TEST(NotificationRing, OverwriteMarksRecordsThatReplaceUnreadOnes) {
  NotificationRing ring(0, 2, NotificationRing::Mode::overwrite);
  EXPECT_EQ(push(ring), "0 1 0");
  EXPECT_EQ(push(ring), "16 1 0");
  EXPECT_EQ(push(ring), "0 0 1");
  EXPECT_EQ(push(ring), "16 0 1");
  EXPECT_TRUE(ring.set_reader(4));
  EXPECT_EQ(push(ring), "0 1 0");
}

TEST(NotificationRing, OneEntry) {
  NotificationRing ring(32, 1, NotificationRing::Mode::overwrite);
  EXPECT_EQ(push(ring), "32 1 0");
  EXPECT_EQ(push(ring), "32 0 1");
  EXPECT_EQ(push(ring), "32 1 1");
}

TEST(NotificationRing, ReaderStaysBetweenWhatWasReadAndWhatIsWritten) {
  NotificationRing ring(0, 4, NotificationRing::Mode::lossless);
  push(ring);
  push(ring);
  EXPECT_FALSE(ring.set_reader(3));
  EXPECT_TRUE(ring.set_reader(2));
  EXPECT_TRUE(ring.set_reader(2));
  EXPECT_FALSE(ring.set_reader(1));
}

TEST(NotificationRing, NeedsAnEntry) {
  EXPECT_THROW(NotificationRing(0, 0, NotificationRing::Mode::lossless), std::invalid_argument);
}

}  // namespace notification_test
}  // namespace dve::firmware
