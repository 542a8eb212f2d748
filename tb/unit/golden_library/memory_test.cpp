// Memories through the C interface: every address form, holes, what does not exist.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "handle.h"

namespace dve::golden_tests {
namespace memory_test {
namespace {

using namespace testing_support;

// isa.md 3, written down again: on-chip base, aperture, stride of a partition, active bytes of one.
struct Map {
  const char* generation;
  int memory;
  std::uint64_t base, aperture, stride, active;
};
const Map kMaps[] = {{"sunda", DVE_GOLDEN_SBUF, 0, 0x2000000000, 0x40000, 0x30000},
                     {"cayman", DVE_GOLDEN_SBUF, 0, 0x2000000000, 0x40000, 0x38000},
                     {"cayman", DVE_GOLDEN_PSUM, 0x2000000, 0x2802000000, 0x8000, 0x4000}};

constexpr std::uint64_t kNowhere = UINT64_MAX;

dve_golden_status write32(Golden& g, std::uint64_t address, std::uint32_t value) {
  return dve_golden_write(g.get(), address, &value, 4);
}
std::uint32_t read32(Golden& g, std::uint64_t address) {
  std::uint32_t value = 0;
  EXPECT_EQ(dve_golden_read(g.get(), address, &value, 4), DVE_GOLDEN_OK) << g.message();
  return value;
}

TEST(Memory, OnChipAndApertureAddressesAreTheSameBytes) {
  for (const Map& map : kMaps) {
    SCOPED_TRACE(testing::Message() << map.generation << ' ' << map.memory);
    Golden g(map.generation);
    for (const std::uint64_t p : {0, 1, 64, 127}) {
      for (const std::uint64_t offset : {std::uint64_t{0}, map.active - 4}) {
        const auto partition = static_cast<std::uint32_t>(p);
        const std::uint64_t at = map.base + p * map.stride + offset;
        EXPECT_EQ(dve_golden_address(g.get(), map.memory, partition, offset), at);
        const auto value = static_cast<std::uint32_t>(at ^ 0x5A5A5A5A);
        ASSERT_EQ(write32(g, at, value), DVE_GOLDEN_OK) << g.message();
        EXPECT_EQ(read32(g, map.aperture + p * map.stride + offset), value);
        ASSERT_EQ(write32(g, map.aperture + p * map.stride + offset, ~value), DVE_GOLDEN_OK);
        EXPECT_EQ(read32(g, at), ~value);
      }
    }
  }
}

TEST(Memory, HolesAreRefusedAndNothingMoves) {
  for (const Map& map : kMaps) {
    Golden g(map.generation);
    const std::uint64_t last = map.base + map.active - 4;
    ASSERT_EQ(write32(g, last, 7), DVE_GOLDEN_OK);
    const std::array<std::uint64_t, 4> bad = {last + 1, last + 4, map.base + map.stride - 4,
                                              map.base + 128 * map.stride};
    for (const std::uint64_t address : bad) {
      if (map.memory == DVE_GOLDEN_SBUF && address >= 0x2000000) continue;  // PSUM, or past it
      SCOPED_TRACE(testing::Message() << map.generation << " 0x" << std::hex << address);
      EXPECT_EQ(write32(g, address, 0xFFFFFFFF), DVE_GOLDEN_BAD_ADDRESS);
      EXPECT_NE(g.message().find("address 0x"), std::string::npos) << g.message();
      std::uint32_t value = 99;
      EXPECT_EQ(dve_golden_read(g.get(), address, &value, 4), DVE_GOLDEN_BAD_ADDRESS);
      EXPECT_EQ(value, 99u);
    }
    EXPECT_EQ(read32(g, last), 7u);
    // A range that runs out of its partition moves nothing at all.
    std::vector<std::uint8_t> much(16, 0xEE);
    EXPECT_EQ(dve_golden_write(g.get(), last - 8, much.data(), 16), DVE_GOLDEN_BAD_ADDRESS);
    EXPECT_EQ(read32(g, last), 7u);
    EXPECT_EQ(dve_golden_address(g.get(), map.memory, 0, map.active), kNowhere);
    EXPECT_EQ(dve_golden_address(g.get(), map.memory, 128, 0), kNowhere);
    EXPECT_EQ(dve_golden_address(g.get(), 2, 0, 0), kNowhere);
    EXPECT_EQ(dve_golden_address(g.get(), -1, 0, 0), kNowhere);
  }
  Golden g;
  std::uint8_t byte = 0;
  for (const std::uint64_t address :
       {std::uint64_t{0x3000000}, std::uint64_t{0x1FFFFFFFFF}, UINT64_MAX, UINT64_MAX - 3}) {
    EXPECT_EQ(dve_golden_read(g.get(), address, &byte, 1), DVE_GOLDEN_BAD_ADDRESS) << std::hex << address;
    EXPECT_EQ(dve_golden_read(g.get(), address, &byte, SIZE_MAX), DVE_GOLDEN_BAD_ADDRESS) << std::hex << address;
  }
  EXPECT_EQ(dve_golden_read(g.get(), 0, &byte, 0), DVE_GOLDEN_OK);
}

TEST(Memory, MaverickHasNoPsum) {
  Golden g("maverick");
  EXPECT_EQ(dve_golden_address(g.get(), DVE_GOLDEN_PSUM, 0, 0), kNowhere);
  EXPECT_EQ(dve_golden_address(g.get(), DVE_GOLDEN_SBUF, 1, 0x10), 0x100010u);
  EXPECT_EQ(write32(g, 0x2802000000, 1), DVE_GOLDEN_BAD_ADDRESS);
}

TEST(Memory, TheParameterRamIsReadAndWrittenInEntries) {
  constexpr std::uint64_t kParamRam = 0x2802B87000;
  Golden g;
  for (std::uint32_t entry = 0; entry < 256; ++entry)
    ASSERT_EQ(write32(g, kParamRam + 4 * entry, 0x3F000000 + entry), DVE_GOLDEN_OK);
  EXPECT_EQ(read32(g, kParamRam + 4 * 255), 0x3F0000FFu);
  std::uint32_t value = 0;
  EXPECT_EQ(dve_golden_read(g.get(), kParamRam + 2, &value, 4), DVE_GOLDEN_BAD_ADDRESS);
  EXPECT_NE(g.message().find("Parameter-RAM"), std::string::npos);
  EXPECT_EQ(dve_golden_read(g.get(), kParamRam, &value, 2), DVE_GOLDEN_BAD_ADDRESS);
  EXPECT_EQ(dve_golden_read(g.get(), kParamRam + 1024, &value, 4), DVE_GOLDEN_BAD_ADDRESS);
  // LoadParameterRam writes the same entries; reset clears them and leaves the memories alone.
  isa::Word load = isa::encode(WordBuilder(isa::Generation::cayman).load_parameter_ram(8, {1, 2, 3, 4, 5, 6, 7, 8}));
  g.run_all({load});
  EXPECT_EQ(read32(g, kParamRam + 4 * 10), 0x40400000u);
  ASSERT_EQ(write32(g, 0x40, 5), DVE_GOLDEN_OK);
  ASSERT_EQ(dve_golden_reset(g.get()), DVE_GOLDEN_OK);
  EXPECT_EQ(read32(g, kParamRam + 4 * 10), 0u);
  EXPECT_EQ(read32(g, 0x40), 5u);
}

TEST(Memory, HostMemoryIsThereWhenAskedFor) {
  constexpr std::uint64_t kHost = 0x4000000000;
  Golden none;
  EXPECT_EQ(write32(none, kHost, 1), DVE_GOLDEN_BAD_ADDRESS);
  Golden g("cayman", {}, 4096);
  ASSERT_EQ(write32(g, kHost + 4092, 77), DVE_GOLDEN_OK);
  EXPECT_EQ(write32(g, kHost + 4093, 1), DVE_GOLDEN_BAD_ADDRESS);
  // TensorLoad into a register, and TensorStore back.
  g.run_all({g.assemble("tensor_load dst=r3 src=host:0xffc:uint32{1}")});
  std::uint32_t value = 0;
  ASSERT_EQ(dve_golden_register(g.get(), 0, 3, &value), DVE_GOLDEN_OK);
  EXPECT_EQ(value, 77u);
  char error[200] = "";
  EXPECT_EQ(dve_golden_create("cayman", nullptr, 0, UINT64_MAX, error, sizeof error), nullptr);
  EXPECT_NE(error[0], '\0');
}

TEST(Memory, NeverWrittenBytesAreTheNoiseOfTheSeed) {
  Golden a, b, c("cayman", {"poison_seed=77"});
  std::vector<std::uint8_t> first(4096), second(4096), third(4096);
  dve_golden_read(b.get(), 0x8000, first.data(), 16);  // order of touching does not matter
  dve_golden_read(a.get(), 0x1000, first.data(), 4096);
  dve_golden_read(b.get(), 0x1000, second.data(), 4096);
  dve_golden_read(c.get(), 0x1000, third.data(), 4096);
  EXPECT_EQ(first, second);
  EXPECT_NE(first, third);
}

}  // namespace
}  // namespace memory_test
}  // namespace dve::golden_tests
