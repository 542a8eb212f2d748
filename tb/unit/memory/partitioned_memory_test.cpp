// PartitionedMemory under plain TLM: holes, random traffic, noise, DMI.
#include <cstring>
#include <random>

#include "geometries.h"
#include "support/initiator_tester.h"

namespace partitioned_memory_test {

using namespace dve;
using namespace dve::test;

constexpr std::uint64_t kStride = 1024, kActive = 768, kRegion = kStride * 128;
constexpr std::uint64_t kCaymanActive = 224 * 1024, kBlock = 16 * 1024;

struct Bench {
  PartitionedMemory memory;
  InitiatorTester tester{"tester"};
  explicit Bench(bool dmi = true, const isa::SpaceGeometry& g = small_geometry()) : memory("memory", g, 3, dmi) {
    tester.socket.bind(memory.in.socket);
  }
};

TEST(PartitionedMemory, EveryPartitionsEdges) {
  Bench bench;
  run_in_thread([&] {
    for (std::uint64_t p = 0; p < 128; ++p) {
      SCOPED_TRACE("partition " + std::to_string(p));
      const std::uint64_t base = p * kStride;
      const Bytes mark(4, static_cast<std::uint8_t>(p));
      EXPECT_EQ(bench.tester.write(base, mark), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(bench.tester.write(base + kActive - 4, mark), tlm::TLM_OK_RESPONSE);
      const Bytes before = bench.tester.read(base, kActive);
      for (const std::uint64_t bad : {base + kActive - 3, base + kActive, base + kStride - 4, base + kStride - 2}) {
        EXPECT_EQ(bench.tester.write(bad, Bytes(4, 0xFF)), tlm::TLM_ADDRESS_ERROR_RESPONSE) << bad;
        EXPECT_TRUE(bench.tester.read(bad, 4).empty());
        EXPECT_TRUE(bench.tester.debug_read(bad, 4).empty());
      }
      EXPECT_EQ(bench.tester.read(base, kActive), before);
      EXPECT_EQ(bench.tester.write(base, Bytes(kActive + 1)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    EXPECT_EQ(bench.tester.write(kRegion, Bytes(1)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    for (std::uint64_t p = 0; p < 128; ++p) {
      EXPECT_EQ(bench.tester.read(p * kStride, 4), Bytes(4, static_cast<std::uint8_t>(p)));
      EXPECT_EQ(bench.tester.debug_read(p * kStride + kActive - 4, 4), Bytes(4, static_cast<std::uint8_t>(p)));
    }
  });
}

TEST(PartitionedMemory, WithoutHolesAPartitionStillEndsAnAccess) {
  Bench bench(true, geometry_of(1024, 1024));
  run_in_thread([&] {
    EXPECT_EQ(bench.tester.write(1020, Bytes(4)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.tester.write(1022, Bytes(4)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
}

// A map of the region's bytes and the standard's rules, written without a look at the model.
struct ByteMap {
  Bytes bytes = Bytes(kRegion);
  static bool exists(std::uint64_t address, std::uint64_t length) {
    return address + length <= kRegion && address / kStride == (address + length - 1) / kStride &&
           (address + length - 1) % kStride < kActive;
  }
  bool apply(Access& a) {
    if (!exists(a.address, std::min<std::uint64_t>(a.streaming_width, a.data.size()))) return false;
    for (std::size_t i = 0; i < a.data.size(); ++i) {
      if (!a.byte_enables.empty() && a.byte_enables[i % a.byte_enables.size()] == TLM_BYTE_DISABLED) continue;
      std::uint8_t& cell = bytes[a.address + i % a.streaming_width];
      if (a.command == tlm::TLM_WRITE_COMMAND) {
        cell = a.data[i];
      } else {
        a.data[i] = cell;
      }
    }
    return true;
  }
};

TEST(PartitionedMemory, RandomTrafficEqualsAByteMap) {
  Bench bench;
  run_in_thread([&] {
    ByteMap map;
    for (std::uint64_t p = 0; p < 128; ++p) {
      const Bytes row = bench.tester.debug_read(p * kStride, kActive);
      ASSERT_EQ(row.size(), kActive);
      std::copy(row.begin(), row.end(), map.bytes.begin() + static_cast<std::ptrdiff_t>(p * kStride));
    }
    int refused = 0;
    for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
      std::mt19937_64 random(seed);
      const std::uint64_t address = random() % 8 ? random() % kRegion : kRegion - 1 - random() % 40;
      const std::size_t length = 1 + random() % 60;
      Access access = random() % 2 ? Access::write(address, Bytes(length)) : Access::read(address, length);
      for (auto& byte : access.data) byte = static_cast<std::uint8_t>(random());
      access.streaming_width = random() % 3 ? length : 1 + random() % (length + 4);
      if (random() % 3 == 0) access.byte_enables.assign(1 + random() % 8, 0);
      for (auto& enable : access.byte_enables) enable = random() % 3 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
      Access expected = access;
      const bool ok = map.apply(expected);
      refused += !ok;
      ASSERT_EQ(bench.tester.send(access), ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE)
          << "seed " << seed;
      ASSERT_EQ(access.data, expected.data) << "seed " << seed;
    }
    EXPECT_GT(refused, 500);
    for (std::uint64_t p = 0; p < 128; ++p) {
      const auto row = map.bytes.begin() + static_cast<std::ptrdiff_t>(p * kStride);
      EXPECT_EQ(bench.tester.read(p * kStride, kActive), Bytes(row, row + kActive)) << "partition " << p;
    }
  });
}

TEST(PartitionedMemory, NoiseFollowsTheSeedAlone) {
  PartitionedMemory first("first", cayman_sbuf(), 1, true), same("same", cayman_sbuf(), 1, false),
      other("other", cayman_sbuf(), 2, false);
  InitiatorTester a("a"), b("b"), c("c");
  a.socket.bind(first.in.socket);
  b.socket.bind(same.in.socket);
  c.socket.bind(other.in.socket);
  run_in_thread([&] {
    Bytes previous;
    for (const std::uint64_t p : {0, 1, 127}) {
      const std::uint64_t base = p * 256 * 1024;
      ASSERT_EQ(b.write(base + 5000, Bytes(3000)), tlm::TLM_OK_RESPONSE);  // touches some pages before others
      DmiCache cache;
      for (std::uint64_t block = 0; block < kCaymanActive; block += kBlock) {
        tlm::tlm_dmi dmi;
        ASSERT_TRUE(a.dmi(base + block, tlm::TLM_READ_COMMAND, dmi));
        cache.insert(dmi);
      }
      const std::uint8_t* const host = cache.find(base, kCaymanActive, false);
      ASSERT_NE(host, nullptr) << "blocks that are not neighbours";
      const Bytes noise(host, host + kCaymanActive);
      Bytes again = b.read(base, kCaymanActive);
      std::copy(noise.begin() + 5000, noise.begin() + 8000, again.begin() + 5000);
      EXPECT_EQ(again, noise);
      EXPECT_NE(c.read(base, 1000), Bytes(noise.begin(), noise.begin() + 1000));
      EXPECT_NE(noise, previous) << "partitions differ";
      previous = noise;
    }
  });
}

TEST(PartitionedMemory, DmiGrantsBlocksOfOnePartitionsActiveBytes) {
  Bench bench;
  run_in_thread([&] {
    DmiCache cache;
    for (std::uint64_t p = 0; p < 128; ++p) {
      tlm::tlm_dmi dmi;
      ASSERT_TRUE(bench.tester.dmi(p * kStride + 100, tlm::TLM_WRITE_COMMAND, dmi)) << p;
      EXPECT_TRUE(dmi.is_read_write_allowed());
      EXPECT_EQ(dmi.get_start_address(), p * kStride);
      EXPECT_EQ(dmi.get_end_address(), p * kStride + kActive - 1);
      cache.insert(dmi);
      EXPECT_FALSE(bench.tester.dmi(p * kStride + kActive, tlm::TLM_READ_COMMAND, dmi)) << "the hole";
    }
    for (std::uint64_t p = 0; p < 128; ++p) {
      std::uint8_t* host = cache.find(p * kStride, kActive, true);
      ASSERT_NE(host, nullptr);
      EXPECT_EQ(Bytes(host, host + kActive), bench.tester.read(p * kStride, kActive));
      std::memset(host, static_cast<int>(p), kActive);
    }
    for (std::uint64_t p = 0; p < 128; ++p) {
      EXPECT_EQ(bench.tester.read(p * kStride, kActive), Bytes(kActive, static_cast<std::uint8_t>(p)));
    }
    EXPECT_EQ(cache.find(kActive, 1, false), nullptr);
    EXPECT_EQ(cache.find(kActive - 1, 2, false), nullptr);
  });
}

TEST(PartitionedMemory, AllowDmiWithdrawsAndRestores) {
  Bench bench(false);
  bench.memory.allow_dmi(false);
  run_in_thread([&] {
    bench.tester.invalidations.clear();
    const auto hint = [&] {
      Access access = Access::read(0, 4);
      bench.tester.send(access);
      return access.payload.is_dmi_allowed();
    };
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(bench.tester.dmi(0, tlm::TLM_READ_COMMAND, dmi));
    EXPECT_EQ(dmi.get_end_address(), kRegion - 1);
    EXPECT_FALSE(hint());
    bench.memory.allow_dmi(true);
    EXPECT_TRUE(bench.tester.invalidations.empty());
    ASSERT_TRUE(bench.tester.dmi(0, tlm::TLM_READ_COMMAND, dmi));
    EXPECT_TRUE(hint());
    DmiCache cache;
    cache.insert(dmi);
    bench.tester.on_invalidation = [&](std::uint64_t first, std::uint64_t last) { cache.invalidate(first, last); };
    bench.memory.allow_dmi(false);
    EXPECT_TRUE(cache.empty());
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected = {{0, kRegion - 1}};
    EXPECT_EQ(bench.tester.invalidations, expected);
    EXPECT_FALSE(bench.tester.dmi(0, tlm::TLM_READ_COMMAND, dmi));
    EXPECT_FALSE(hint());
  });
}

TEST(PartitionedMemory, GeometriesThatAreNoMemory) {
  const auto message = [](const isa::SpaceGeometry& g) -> std::string {
    try {
      PartitionedMemory memory("broken_memory", g, 0, true);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  isa::SpaceGeometry none = small_geometry();
  none.region = isa::Bytes(0);
  EXPECT_NE(message(none).find("broken_memory"), std::string::npos) << message(none);
  EXPECT_NE(message(none).find("region has 0 bytes"), std::string::npos) << message(none);
  EXPECT_NE(message(geometry_of(1024, 1025)).find("1025"), std::string::npos);
  EXPECT_NE(message(geometry_of(1024, 0)).find("0 active bytes"), std::string::npos);
  isa::SpaceGeometry narrow = small_geometry();
  narrow.region = isa::Bytes(127 * 1024);
  EXPECT_NE(message(narrow).find("130048"), std::string::npos) << message(narrow);
}

}  // namespace partitioned_memory_test
