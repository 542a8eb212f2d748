// DmiRange and the initiator's DmiCache.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "dve/tlm/tlm.h"

namespace dmi_test {

using dve::DmiCache;
using dve::DmiRange;

tlm::tlm_dmi grant(std::uint64_t first, std::uint64_t last, std::uint8_t* pointer, bool read, bool write) {
  tlm::tlm_dmi dmi;
  dmi.set_start_address(first);
  dmi.set_end_address(last);
  dmi.set_dmi_ptr(pointer);
  const int access = (read ? tlm::tlm_dmi::DMI_ACCESS_READ : 0) | (write ? tlm::tlm_dmi::DMI_ACCESS_WRITE : 0);
  dmi.set_granted_access(static_cast<tlm::tlm_dmi::dmi_access_e>(access));
  return dmi;
}

TEST(DmiRange, InclusiveEndsUpToTheLastAddress) {
  const DmiRange top = DmiRange::of(UINT64_MAX - 3, 4);
  EXPECT_EQ(top.last, UINT64_MAX);
  EXPECT_EQ(top.length(), 4u);
  EXPECT_TRUE(top.contains(UINT64_MAX, 1));
  EXPECT_FALSE(top.contains(UINT64_MAX, 2));
  EXPECT_FALSE(top.contains(UINT64_MAX - 4));
  EXPECT_TRUE(top.contains(UINT64_MAX - 3, 4));
  EXPECT_FALSE(top.contains(UINT64_MAX - 3, 5));
  EXPECT_TRUE(top.overlaps({0, UINT64_MAX - 3}));
  EXPECT_FALSE(top.overlaps({0, UINT64_MAX - 4}));
  const DmiRange all{0, UINT64_MAX};
  EXPECT_EQ(all.length(), 0u);
  EXPECT_TRUE(all.contains(0, UINT64_MAX));
}

class Cache : public testing::Test {
 protected:
  DmiCache cache;
  std::array<std::uint8_t, 256> host{};
  std::array<std::uint8_t, 256> other{};
};

TEST_F(Cache, FindsInsideTheGrantOnly) {
  EXPECT_TRUE(cache.empty());
  EXPECT_EQ(cache.find(0, 1, false), nullptr);
  cache.insert(grant(100, 149, &host[0], true, true));
  EXPECT_FALSE(cache.empty());
  EXPECT_EQ(cache.find(100, 50, true), &host[0]);
  EXPECT_EQ(cache.find(149, 1, false), &host[49]);
  EXPECT_EQ(cache.find(120, 0, false), &host[20]);
  EXPECT_EQ(cache.find(99, 1, false), nullptr);
  EXPECT_EQ(cache.find(149, 2, false), nullptr);
  EXPECT_EQ(cache.find(150, 1, false), nullptr);
  EXPECT_EQ(cache.find(120, UINT64_MAX, false), nullptr);
  cache.clear();
  EXPECT_EQ(cache.find(100, 1, false), nullptr);
}

TEST_F(Cache, WholeAddressSpaceAndItsEnd) {
  cache.insert(grant(UINT64_MAX - 9, UINT64_MAX, &host[0], true, true));
  EXPECT_EQ(cache.find(UINT64_MAX, 1, false), &host[9]);
  EXPECT_EQ(cache.find(UINT64_MAX, 2, false), nullptr);
  cache.insert(grant(0, 9, &host[10], true, true));  // next in host memory, but addresses do not wrap
  EXPECT_EQ(cache.find(UINT64_MAX, 2, false), nullptr);
  cache.invalidate(0, UINT64_MAX);
  EXPECT_TRUE(cache.empty());
}

TEST_F(Cache, PermissionsAreKeptApart) {
  cache.insert(grant(0, 9, &host[0], true, false));
  EXPECT_EQ(cache.find(0, 10, false), &host[0]);
  EXPECT_EQ(cache.find(0, 10, true), nullptr);
  cache.insert(grant(5, 14, &host[5], false, true));  // same bytes: permissions add up
  EXPECT_EQ(cache.find(0, 10, false), &host[0]);
  EXPECT_EQ(cache.find(5, 10, true), &host[5]);
  EXPECT_EQ(cache.find(4, 2, true), nullptr);
  EXPECT_EQ(cache.find(9, 2, false), nullptr);
}

TEST_F(Cache, OtherHostBytesReplace) {
  cache.insert(grant(0, 29, &host[0], true, true));
  cache.insert(grant(10, 19, &other[0], true, false));
  EXPECT_EQ(cache.find(0, 10, true), &host[0]);
  EXPECT_EQ(cache.find(10, 10, false), &other[0]);
  EXPECT_EQ(cache.find(10, 1, true), nullptr);
  EXPECT_EQ(cache.find(20, 10, true), &host[20]);
  EXPECT_EQ(cache.find(9, 2, false), nullptr);  // not neighbours in host memory
}

TEST_F(Cache, NeighboursJoinWhenTheirHostBytesDo) {
  cache.insert(grant(10, 19, &host[10], true, true));
  cache.insert(grant(0, 9, &host[0], true, false));
  cache.insert(grant(20, 29, &host[40], true, true));
  EXPECT_EQ(cache.find(0, 20, false), &host[0]);
  EXPECT_EQ(cache.find(0, 20, true), nullptr);
  EXPECT_EQ(cache.find(15, 10, false), nullptr);
}

TEST_F(Cache, PartialInvalidationSplits) {
  cache.insert(grant(0, 99, &host[0], true, true));
  cache.invalidate(40, 59);
  EXPECT_EQ(cache.find(0, 40, true), &host[0]);
  EXPECT_EQ(cache.find(60, 40, true), &host[60]);
  EXPECT_EQ(cache.find(39, 2, false), nullptr);
  EXPECT_EQ(cache.find(59, 1, false), nullptr);
  cache.invalidate(0, 0);
  EXPECT_EQ(cache.find(0, 1, false), nullptr);
  EXPECT_EQ(cache.find(1, 1, false), &host[1]);
  cache.invalidate(99, UINT64_MAX);
  EXPECT_EQ(cache.find(99, 1, false), nullptr);
  EXPECT_EQ(cache.find(98, 1, false), &host[98]);
  cache.invalidate(50, 40);  // an empty range drops nothing
  EXPECT_EQ(cache.find(60, 1, false), &host[60]);
}

TEST_F(Cache, RefusalsAreNoGrants) {
  cache.insert(grant(0, 9, &host[0], false, false));
  cache.insert(grant(0, 9, nullptr, true, true));
  cache.insert(grant(9, 0, &host[0], true, true));
  EXPECT_TRUE(cache.empty());
}

TEST_F(Cache, RandomGrantsAndInvalidationsEqualAByteMap) {
  struct Cell {
    std::uint8_t* pointer = nullptr;
    bool read = false, write = false;
  };
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::array<Cell, 64> map{};
    cache.clear();
    for (int step = 0; step < 30; ++step) {
      const std::uint64_t first = random() % 64, last = first + random() % (64 - first);
      if (random() % 3 == 0) {
        cache.invalidate(first, last);
        for (std::uint64_t a = first; a <= last; ++a) map[a] = {};
      } else {
        std::uint8_t* base = random() % 4 ? host.data() : other.data();
        const auto access = 1 + random() % 3;
        cache.insert(grant(first, last, base + first, access & 1, access & 2));
        for (std::uint64_t a = first; a <= last; ++a) {
          if (map[a].pointer != base + a) map[a] = {base + a, false, false};
          map[a].read |= (access & 1) != 0;
          map[a].write |= (access & 2) != 0;
        }
      }
      const std::uint64_t at = random() % 64, bytes = 1 + random() % (64 - at);
      for (const bool write : {false, true}) {
        std::uint8_t* expected = map[at].pointer;
        for (std::uint64_t a = at; a < at + bytes; ++a) {
          if (!(write ? map[a].write : map[a].read) || map[a].pointer != map[at].pointer + (a - at)) expected = nullptr;
        }
        ASSERT_EQ(cache.find(at, bytes, write), expected) << "step " << step;
      }
    }
  }
}

}  // namespace dmi_test
