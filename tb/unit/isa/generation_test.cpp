#include <gtest/gtest.h>

#include "dve/isa/isa.h"

namespace dve::isa {
namespace generation_test {

constexpr std::uint64_t KiB = 1024;

struct Row {
  Generation generation;
  const char* name;
  int version;
  std::uint64_t sbuf_region, sbuf_stride, sbuf_active;
  std::uint64_t psum_region;
  std::uint32_t psum_banks;
};

// isa.md 3 and 16.
const Row kTable[] = {
    {Generation::sunda, "sunda", 2, 0x2000000, 256 * KiB, 192 * KiB, 0x400000, 16},
    {Generation::cayman, "cayman", 3, 0x2000000, 256 * KiB, 0x38000, 0x400000, 8},
    {Generation::mariana, "mariana", 4, 0x2000000, 256 * KiB, 256 * KiB, 0x400000, 8},
    {Generation::mariana_plus, "mariana_plus", 4, 0x2000000, 256 * KiB, 256 * KiB, 0x400000, 8},
    {Generation::maverick, "maverick", 5, 0x8000000, 1024 * KiB, 512 * KiB, 0, 8},
};

TEST(Generation, GeometryIsTheTableOfTheReference) {
  for (const Row& row : kTable) {
    SCOPED_TRACE(row.name);
    const SpaceGeometry& sbuf = geometry(row.generation, Space::sbuf);
    EXPECT_EQ(sbuf.base, 0u);
    EXPECT_EQ(sbuf.region, Bytes(row.sbuf_region));
    EXPECT_EQ(sbuf.partition_stride, Bytes(row.sbuf_stride));
    EXPECT_EQ(sbuf.active_per_partition, Bytes(row.sbuf_active));
    EXPECT_EQ(sbuf.banks, 1u);
    EXPECT_TRUE(sbuf.exists());
    const SpaceGeometry& psum = geometry(row.generation, Space::psum);
    EXPECT_EQ(psum.base, 0x2000000u);
    EXPECT_EQ(psum.region, Bytes(row.psum_region));
    EXPECT_EQ(psum.partition_stride, Bytes(32 * KiB));
    EXPECT_EQ(psum.active_per_partition, Bytes(16 * KiB));
    EXPECT_EQ(psum.banks, row.psum_banks);
    EXPECT_EQ(psum.exists(), row.psum_region != 0);
  }
}

TEST(Generation, PartitionsFillTheRegion) {
  for (const Generation generation : kGenerations) {
    for (const Space space : {Space::sbuf, Space::psum}) {
      const SpaceGeometry& memory = geometry(generation, space);
      if (!memory.exists()) continue;
      EXPECT_EQ(memory.partition_stride * kPartitions, memory.region) << to_string(generation);
      EXPECT_LE(memory.active_per_partition, memory.partition_stride) << to_string(generation);
    }
  }
}

TEST(Generation, NamesAndVersions) {
  for (const Row& row : kTable) {
    EXPECT_EQ(to_string(row.generation), row.name);
    EXPECT_EQ(generation_from_string(row.name), row.generation);
    EXPECT_EQ(core_version(row.generation), row.version) << row.name;
  }
  for (const char* name : {"", "Cayman", "cayman ", "trn2", "mariana_"}) {
    EXPECT_FALSE(generation_from_string(name).has_value()) << name;
  }
  EXPECT_EQ(to_string(Space::sbuf), "sbuf");
  EXPECT_EQ(to_string(Space::psum), "psum");
}

}  // namespace generation_test
}  // namespace dve::isa
