#include "words.h"

namespace dve::isa::test {
namespace address_test {

TEST(Address, PlacesEncodeAndDecodePerGeneration) {
  for (const Generation generation : kGenerations) {
    for (const std::uint32_t partition : {0u, 1u, 31u, 32u, 64u, 96u, 127u}) {
      const std::uint32_t stride = generation == Generation::maverick ? 0x100000 : 0x40000;
      for (const std::uint32_t offset : {0u, 1u, 0x1234u, stride - 1}) {
        SCOPED_TRACE(testing::Message() << to_string(generation) << " sbuf[" << partition << "]+" << offset);
        const Place place{Space::sbuf, Partition(partition), offset};
        EXPECT_EQ(address_of(place, generation).raw, partition * stride + offset);
        EXPECT_EQ(place_of(partition * stride + offset, generation), place);
      }
      if (generation == Generation::maverick) continue;
      for (const std::uint32_t offset : {0u, 0x7FCu, 0x3FFFu, 0x7FFFu}) {
        const Place place{Space::psum, Partition(partition), offset};
        EXPECT_EQ(address_of(place, generation).raw, psum_address(partition, offset));
        EXPECT_EQ(place_of(psum_address(partition, offset), generation), place);
      }
    }
  }
}

TEST(Address, AperturesStandForOnChipAddresses) {
  EXPECT_EQ(on_chip_address(0x2000040123, Generation::cayman), 0x40123u);
  EXPECT_EQ(on_chip_address(0x2802008004, Generation::cayman), 0x2008004u);
  EXPECT_EQ(on_chip_address(0x2802008004, Generation::maverick), 0x2802008004u) << "no PSUM";
  for (const std::uint64_t other : {std::uint64_t{0x40123}, std::uint64_t{0x2002000000}, std::uint64_t{0x4000000000}})
    EXPECT_EQ(on_chip_address(other, Generation::cayman), other);
}

TEST(Address, RegionEdges) {
  for (const Generation generation : {Generation::sunda, Generation::cayman, Generation::mariana}) {
    EXPECT_EQ(place_of(0x1FFFFFF, generation)->space, Space::sbuf);
    EXPECT_EQ(place_of(0x2000000, generation), (Place{Space::psum, Partition(0), 0}));
    EXPECT_EQ(place_of(0x23FFFFF, generation), (Place{Space::psum, Partition(127), 0x7FFF}));
    for (const std::uint32_t outside : {0x2400000u, 0x3FFFFFFu, 0x4000000u, 0x8000000u, 0x1FFFFFFFu, 0xFFFFFFFFu}) {
      EXPECT_FALSE(place_of(outside, generation).has_value()) << outside;
    }
  }
}

TEST(Address, MaverickHasSbufWherePsumWas) {
  EXPECT_EQ(place_of(0x2000000, Generation::maverick), (Place{Space::sbuf, Partition(32), 0}));
  EXPECT_EQ(place_of(0x7FFFFFF, Generation::maverick), (Place{Space::sbuf, Partition(127), 0xFFFFF}));
  EXPECT_FALSE(place_of(0x8000000, Generation::maverick).has_value());
}

TEST(Address, HolesDecode) {
  EXPECT_EQ(place_of(0x38000, Generation::cayman), (Place{Space::sbuf, Partition(0), 0x38000}));
  EXPECT_EQ(place_of(0x2004000, Generation::cayman), (Place{Space::psum, Partition(0), 0x4000}));
}

TEST(Address, MarkersOfEveryTopByte) {
  for (std::uint32_t top = 0; top < 256; ++top) {
    const Addr4 address{top << 24 | 0x00ABCD05};
    SCOPED_TRACE(top);
    EXPECT_EQ(address.top_byte(), top);
    EXPECT_EQ(address.marker(), top & 0xE0);
    EXPECT_EQ(address.partition_offset(), (top & 0x1F) << 24 | 0x00ABCD05);
    EXPECT_EQ(address.from_register(), (top & 0xA0) == 0x80);
    EXPECT_EQ(address.indirect(), (top & 0x60) == 0x20);
    EXPECT_EQ(address.shape_from_register(), top / 0x20 == 2 || top / 0x20 == 6);
    EXPECT_EQ(address.register_number(), 5);
  }
  EXPECT_EQ(Addr4::in_register(RegisterIndex(63)).raw, 0x8000003Fu);
}

}  // namespace address_test
}  // namespace dve::isa::test
