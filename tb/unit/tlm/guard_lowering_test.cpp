// Byte enables and streaming width, lowered by the guard: which plain accesses the model sees, and which bytes move.
#include <random>

#include "recording_model.h"

namespace guard_lowering_test {

using namespace dve;
using namespace dve::test;

constexpr std::uint8_t kOn = TLM_BYTE_ENABLED, kOff = TLM_BYTE_DISABLED;

struct Bench {
  RecordingModel model{64};
  TestTarget guard{"in", model, bytes_64()};
  InitiatorTester tester{"tester"};
  Bench() { tester.socket.bind(guard.socket); }
};

struct Case {
  const char* what;
  std::size_t length;
  Bytes byte_enables;
  std::uint64_t streaming_width;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs;  // address, length
};

TEST(GuardLowering, RunsAreMaximalAndInOrder) {
  const std::vector<Case> cases = {
      {"plain", 8, {}, 8, {{10, 8}}},
      {"width larger", 8, {}, 9, {{10, 8}}},
      {"width smaller", 8, {}, 4, {{10, 4}, {10, 4}}},
      {"width no divisor", 8, {}, 3, {{10, 3}, {10, 3}, {10, 2}}},
      {"width 1", 3, {}, 1, {{10, 1}, {10, 1}, {10, 1}}},
      {"all enabled", 8, {kOn}, 8, {{10, 8}}},
      {"all disabled", 8, {kOff}, 8, {}},
      {"all disabled, streaming", 8, {kOff, kOff, kOff}, 4, {}},
      {"middle", 8, {kOff, kOff, kOn, kOn, kOn, kOff, kOff, kOff}, 8, {{12, 3}}},
      {"two runs", 8, {kOn, kOff, kOn, kOn, kOn, kOff, kOff, kOn}, 8, {{10, 1}, {12, 3}, {17, 1}}},
      {"wrapping pattern", 8, {kOn, kOn, kOff}, 8, {{10, 2}, {13, 2}, {16, 2}}},
      {"run across the pattern's end", 8, {kOn, kOff, kOn}, 8, {{10, 1}, {12, 2}, {15, 2}}},
      {"pattern longer than the data", 3, {kOff, kOn, kOn, kOn, kOn, kOn}, 3, {{11, 2}}},
      {"streaming and wrapping pattern", 8, {kOff, kOn, kOn}, 4, {{11, 2}, {10, 2}, {13, 1}}},
  };
  Bench bench;
  run_in_thread([&] {
    for (const Case& c : cases) {
      for (const bool write : {false, true}) {
        SCOPED_TRACE(c.what);
        bench.model.calls.clear();
        Access access = write ? Access::write(10, Bytes(c.length)) : Access::read(10, c.length);
        access.byte_enables = c.byte_enables;
        access.streaming_width = c.streaming_width;
        EXPECT_EQ(bench.tester.send(access), tlm::TLM_OK_RESPONSE);
        std::vector<RecordingModel::Call> expected;
        for (const auto& [address, length] : c.runs) expected.push_back({write, address, length, false});
        EXPECT_EQ(bench.model.calls, expected);
      }
    }
  });
}

// The standard's rule, byte by byte.
void reference(Bytes& memory, Access& a) {
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    if (!a.byte_enables.empty() && a.byte_enables[i % a.byte_enables.size()] == kOff) continue;
    std::uint8_t& cell = memory[a.address + i % a.streaming_width];
    if (a.command == tlm::TLM_WRITE_COMMAND) {
      cell = a.data[i];
    } else {
      a.data[i] = cell;
    }
  }
}

TEST(GuardLowering, RandomAccessesEqualTheByteRule) {
  Bench bench;
  Bytes memory = bench.model.bytes;
  run_in_thread([&] {
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t length = 1 + random() % 40;
      Access access = random() % 2 ? Access::write(random() % 24, Bytes(length)) : Access::read(random() % 24, length);
      for (auto& byte : access.data) byte = static_cast<std::uint8_t>(random());
      access.streaming_width = random() % 2 ? length + random() % 3 : 1 + random() % length;
      if (random() % 2) access.byte_enables.assign(1 + random() % 50, 0);
      for (auto& enable : access.byte_enables) enable = random() % 3 ? kOn : kOff;
      Access expected = access;
      reference(memory, expected);
      ASSERT_EQ(bench.tester.send(access), tlm::TLM_OK_RESPONSE) << "seed " << seed;
      ASSERT_EQ(access.data, expected.data) << "seed " << seed;
      ASSERT_EQ(bench.model.bytes, memory) << "seed " << seed;
    }
  });
}

TEST(GuardLowering, DebugIgnoresByteEnablesAndStreamingAndTheResponse) {
  Bench bench;
  run_in_thread([&] {
    Access access = Access::write(10, {1, 2, 3, 4});
    access.byte_enables = {kOff};
    access.streaming_width = 0;
    EXPECT_EQ(bench.tester.debug(access), 4u);
    EXPECT_EQ(access.payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(bench.tester.debug_read(10, 4), (Bytes{1, 2, 3, 4}));
    const std::vector<RecordingModel::Call> expected = {{true, 10, 4, true}, {false, 10, 4, true}};
    EXPECT_EQ(bench.model.calls, expected);
  });
}

TEST(GuardLowering, DebugIsAllOrNothingAndNeverFails) {
  Bench bench;
  run_in_thread([&] {
    const auto bytes = [&](tlm::tlm_command command, std::uint64_t address, std::size_t length) {
      Access access = Access::read(address, length);
      access.command = command;
      return bench.tester.debug(access);
    };
    EXPECT_EQ(bytes(tlm::TLM_READ_COMMAND, 60, 4), 4u);
    EXPECT_EQ(bytes(tlm::TLM_READ_COMMAND, 61, 4), 0u);
    EXPECT_EQ(bytes(tlm::TLM_WRITE_COMMAND, UINT64_MAX, 2), 0u);
    EXPECT_EQ(bytes(tlm::TLM_READ_COMMAND, 0, 0), 0u);
    EXPECT_EQ(bytes(tlm::TLM_IGNORE_COMMAND, 0, 4), 0u);
    EXPECT_EQ(bench.model.calls.size(), 1u);
    bench.model.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    EXPECT_EQ(bytes(tlm::TLM_READ_COMMAND, 0, 4), 0u);
    bench.model.before_access = [](sc_core::sc_time&) { throw std::runtime_error("no"); };
    EXPECT_EQ(bytes(tlm::TLM_READ_COMMAND, 0, 4), 0u);
  });
}

TEST(GuardLowering, DebugHonoursTheTargetsLimits) {
  RecordingModel model(64);
  TargetCapabilities c = bytes_64();
  c.alignment = 4;
  c.writable = false;
  TestTarget guard("in", model, c);
  InitiatorTester tester("tester");
  tester.socket.bind(guard.socket);
  run_in_thread([&] {
    EXPECT_EQ(tester.debug_read(4, 4).size(), 4u);
    EXPECT_EQ(tester.debug_read(5, 4).size(), 0u);
    EXPECT_EQ(tester.debug_read(4, 3).size(), 0u);
    Access write = Access::write(4, Bytes(4));
    EXPECT_EQ(tester.debug(write), 0u);
  });
}

}  // namespace guard_lowering_test
