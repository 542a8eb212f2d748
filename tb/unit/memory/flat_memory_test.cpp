// FlatMemory: bytes, noise, DMI blocks.
#include <cstring>
#include <random>

#include "dve/memory/memory.h"
#include "support/initiator_tester.h"

namespace flat_memory_test {

using namespace dve;
using namespace dve::test;

constexpr std::uint64_t kMiB = 1 << 20;

TEST(FlatMemory, RandomTrafficEqualsAByteMapWithAndWithoutDmi) {
  constexpr std::size_t kSize = 10000;
  FlatMemory plain("plain", kSize, 7, false), direct("direct", kSize, 7, true);
  InitiatorTester a("a"), b("b");
  a.socket.bind(plain.in.socket);
  b.socket.bind(direct.in.socket);
  run_in_thread([&] {
    Bytes map = a.read(0, kSize);
    ASSERT_EQ(b.debug_read(0, kSize), map);
    tlm::tlm_dmi dmi;
    ASSERT_FALSE(a.dmi(0, tlm::TLM_READ_COMMAND, dmi));
    ASSERT_TRUE(b.dmi(0, tlm::TLM_WRITE_COMMAND, dmi));
    DmiCache cache;
    cache.insert(dmi);
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
      std::mt19937_64 random(seed);
      const std::uint64_t length = 1 + random() % 300, address = random() % (kSize - length + 1);
      Bytes data(length);
      for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
      std::uint8_t* host = cache.find(address, length, true);
      ASSERT_NE(host, nullptr);
      if (random() % 2) {
        ASSERT_EQ(a.write(address, data), tlm::TLM_OK_RESPONSE);
        std::memcpy(host, data.data(), length);
        std::copy(data.begin(), data.end(), map.begin() + static_cast<std::ptrdiff_t>(address));
      }
      const Bytes expected(map.begin() + static_cast<std::ptrdiff_t>(address),
                           map.begin() + static_cast<std::ptrdiff_t>(address + length));
      ASSERT_EQ(a.read(address, length), expected) << "seed " << seed;
      ASSERT_EQ(b.read(address, length), expected) << "seed " << seed;
      ASSERT_EQ(Bytes(host, host + length), expected) << "seed " << seed;
    }
  });
}

TEST(FlatMemory, NoiseFollowsTheSeedAndNotTheOrderOfAccess) {
  constexpr std::size_t kSize = 3 * 4096;
  FlatMemory first("first", kSize, 1, true), same("same", kSize, 1, true), other("other", kSize, 2, true);
  InitiatorTester a("a"), b("b"), c("c");
  a.socket.bind(first.in.socket);
  b.socket.bind(same.in.socket);
  c.socket.bind(other.in.socket);
  run_in_thread([&] {
    ASSERT_EQ(b.write(5000, Bytes(1, 0)), tlm::TLM_OK_RESPONSE);  // the last page is touched by DMI only
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(b.dmi(9000, tlm::TLM_READ_COMMAND, dmi));
    const Bytes noise = a.read(0, kSize), others = c.read(0, kSize);
    Bytes again(dmi.get_dmi_ptr(), dmi.get_dmi_ptr() + kSize);
    again[5000] = noise[5000];
    EXPECT_EQ(again, noise);
    EXPECT_NE(others, noise);
    int counts[256] = {};
    for (const auto byte : noise) ++counts[byte];
    for (const int count : counts) EXPECT_LT(count, 48 * 2);  // 48 expected of each value: no value is common
  });
}

TEST(FlatMemory, DmiInBlocksThatJoin) {
  FlatMemory memory("memory", 2 * kMiB + 100, 0, true);
  InitiatorTester tester("tester");
  tester.socket.bind(memory.in.socket);
  run_in_thread([&] {
    DmiCache cache;
    const std::uint64_t ends[] = {kMiB - 1, 2 * kMiB - 1, 2 * kMiB + 99};
    for (std::uint64_t block = 0; block < 3; ++block) {
      tlm::tlm_dmi dmi;
      ASSERT_TRUE(tester.dmi(block * kMiB + 99, tlm::TLM_READ_COMMAND, dmi));
      EXPECT_EQ(dmi.get_start_address(), block * kMiB);
      EXPECT_EQ(dmi.get_end_address(), ends[block]);
      cache.insert(dmi);
    }
    EXPECT_NE(cache.find(0, 2 * kMiB + 100, true), nullptr);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(tester.dmi(2 * kMiB + 100, tlm::TLM_READ_COMMAND, dmi));
    EXPECT_EQ(tester.write(2 * kMiB + 99, Bytes(2)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
}

TEST(FlatMemory, SizeZeroAnswersAddressError) {
  FlatMemory memory("memory", 0, 0, true);
  InitiatorTester tester("tester");
  tester.socket.bind(memory.in.socket);
  run_in_thread([&] { EXPECT_EQ(tester.write(0, Bytes(1)), tlm::TLM_ADDRESS_ERROR_RESPONSE); });
}

TEST(FlatMemory, TensorsAreRefused) {
  FlatMemory memory("memory", 4096, 0, true);
  InitiatorTester tester("tester");
  tester.socket.bind(memory.in.socket);
  run_in_thread([&] {
    TensorExtension tensor;
    tensor.element_bytes = 4;
    tensor.channels = 1;
    tensor.element_count = 1;
    Access access = Access::read(0, 4);
    access.payload.set_extension(&tensor);
    EXPECT_EQ(tester.send(access), tlm::TLM_COMMAND_ERROR_RESPONSE);
    access.payload.clear_extension(&tensor);
  });
}

}  // namespace flat_memory_test
