#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "dve/execute/execute.h"

namespace dve::execute {
namespace {

// Byte offset of stream element i by the definition of isa.md 2.2.
std::int64_t element_offset(std::uint32_t offset, const isa::AccessPattern& p, std::uint32_t bytes, std::uint64_t i) {
  std::int64_t element = 0;
  for (std::size_t d = 0; d < 4; ++d) {
    element += static_cast<std::int64_t>(i % p.num_elem[d]) * p.step_elem[d];
    i /= p.num_elem[d];
  }
  return offset + element * bytes;
}

isa::AccessPattern random_pattern(std::mt19937& random) {
  isa::AccessPattern p;
  for (std::size_t d = 0; d < 4; ++d) {
    p.num_elem[d] = static_cast<std::uint16_t>(1 + random() % 6);
    p.step_elem[d] = static_cast<std::int16_t>(static_cast<int>(random() % 41) - 20);
  }
  return p;
}

constexpr std::size_t kPartitionBytes = 16384;
constexpr std::uint32_t kMiddle = 8192;

TEST(Stream, GatherFollowsTheIndexFormula) {
  std::mt19937 random(1);
  std::vector<std::uint8_t> partition(kPartitionBytes);
  for (auto& byte : partition) byte = static_cast<std::uint8_t>(random());
  for (int round = 0; round < 2000; ++round) {
    const isa::AccessPattern p = random_pattern(random);
    const std::uint32_t bytes = 1u << (random() % 4);
    const std::uint64_t n = p.count().value;
    const std::uint64_t first = random() % n;
    const std::uint64_t count = random() % (n - first + 1);
    std::vector<std::uint8_t> packed(count * bytes + 1, 0xEE);
    gather(partition.data(), kMiddle, p, bytes, {first, count}, packed.data());
    for (std::uint64_t i = 0; i < count; ++i) {
      for (std::uint32_t b = 0; b < bytes; ++b) {
        const auto at = static_cast<std::size_t>(element_offset(kMiddle, p, bytes, first + i)) + b;
        ASSERT_EQ(packed[i * bytes + b], partition[at]) << "round " << round << " element " << i;
      }
    }
    ASSERT_EQ(packed.back(), 0xEE) << "wrote past the buffer in round " << round;
  }
}

TEST(Stream, ScatterWritesOnlyThePatternAndTheLastElementStays) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    const isa::AccessPattern p = random_pattern(random);
    const std::uint32_t bytes = 1u << (random() % 4);
    const std::uint64_t n = p.count().value;
    std::vector<std::uint8_t> packed(n * bytes);
    for (auto& byte : packed) byte = static_cast<std::uint8_t>(random());
    std::vector<std::uint8_t> partition(kPartitionBytes, 0x5A), expected = partition;
    for (std::uint64_t i = 0; i < n; ++i) {
      for (std::uint32_t b = 0; b < bytes; ++b)
        expected[static_cast<std::size_t>(element_offset(kMiddle, p, bytes, i)) + b] = packed[i * bytes + b];
    }
    scatter(packed.data(), kMiddle, p, bytes, {0, n}, partition.data());
    ASSERT_EQ(partition, expected) << "round " << round;
  }
}

TEST(Stream, AnEmptyRangeTouchesNothingWhateverThePattern) {
  isa::AccessPattern p;
  p.num_elem = {0, 3, 1, 1};
  std::uint8_t byte = 0x77;
  gather(&byte, 0, p, 4, {0, 0}, &byte);
  scatter(&byte, 0, p, 4, {0, 0}, &byte);
  EXPECT_EQ(byte, 0x77);
}

TEST(Stream, InsidePartitionChecksFirstAndLastByte) {
  isa::AccessPattern p;
  p.num_elem = {4, 1, 1, 1};
  p.step_elem = {2, 1, 1, 1};  // elements 0, 2, 4, 6
  EXPECT_TRUE(inside_partition(0, p, 4, isa::Bytes(28)));
  EXPECT_FALSE(inside_partition(0, p, 4, isa::Bytes(27)));
  EXPECT_FALSE(inside_partition(4, p, 4, isa::Bytes(31)));
  p.step_elem = {-2, 1, 1, 1};  // elements 0, -2, -4, -6
  EXPECT_TRUE(inside_partition(24, p, 4, isa::Bytes(28)));
  EXPECT_FALSE(inside_partition(23, p, 4, isa::Bytes(28)));
  EXPECT_FALSE(inside_partition(28, p, 4, isa::Bytes(28)));
}

}  // namespace
}  // namespace dve::execute
