#include <algorithm>

#include "words.h"

namespace dve::isa::test {
namespace tensor_test {

AccessPattern pattern(std::array<std::uint16_t, 4> counts, std::array<std::int16_t, 4> steps) {
  AccessPattern p;
  p.num_elem = counts;
  p.step_elem = steps;
  return p;
}

TEST(AccessPattern, ExtentEqualsAWalkOverAllElements) {
  Random random(11);
  for (int round = 0; round < 3000; ++round) {
    AccessPattern p;
    for (std::size_t d = 0; d < 4; ++d) {
      p.num_elem[d] = static_cast<std::uint16_t>(1 + random.next() % 5);
      p.step_elem[d] = static_cast<std::int16_t>(static_cast<int>(random.next() % 41) - 20);
    }
    std::int64_t lowest = 0, highest = 0;
    for (int w = 0; w < p.num_elem[3]; ++w)
      for (int z = 0; z < p.num_elem[2]; ++z)
        for (int y = 0; y < p.num_elem[1]; ++y)
          for (int x = 0; x < p.num_elem[0]; ++x) {
            const int at = x * p.step_elem[0] + y * p.step_elem[1] + z * p.step_elem[2] + w * p.step_elem[3];
            lowest = std::min<std::int64_t>(lowest, at);
            highest = std::max<std::int64_t>(highest, at);
          }
    ASSERT_EQ(p.extent().lowest, lowest) << "round " << round;
    ASSERT_EQ(p.extent().highest, highest) << "round " << round;
  }
}

TEST(AccessPattern, LargestExtentDoesNotOverflow) {
  const AccessPattern up = pattern({65535, 65535, 65535, 65535}, {32767, 32767, 32767, 32767});
  EXPECT_EQ(up.extent().highest, std::int64_t{4} * 32767 * 65534);
  EXPECT_EQ(up.extent().lowest, 0);
  const AccessPattern down = pattern({65535, 65535, 65535, 65535}, {-32768, -32768, -32768, -32768});
  EXPECT_EQ(down.extent().lowest, std::int64_t{-4} * 32768 * 65534);
  EXPECT_EQ(down.count(), Elements(65535ull * 65535 * 65535 * 65535));
}

TEST(AccessPattern, NoElementsHaveNoExtent) {
  EXPECT_EQ(pattern({0, 7, 1, 1}, {1, 5, 1, 1}).extent().highest, 0);
  EXPECT_EQ(pattern({7, 0, 1, 1}, {1, 5, 1, 1}).extent().highest, 0);
  EXPECT_EQ(pattern({7, 0, 1, 1}, {1, 5, 1, 1}).count(), Elements(0));
}

TEST(AccessPattern, ContiguousWhenStepsAreRunningProducts) {
  EXPECT_TRUE(pattern({1, 1, 1, 1}, {9, -9, 0, 3}).contiguous()) << "single positions: steps do not matter";
  EXPECT_TRUE(pattern({4, 3, 2, 5}, {1, 4, 12, 24}).contiguous());
  EXPECT_TRUE(pattern({4, 1, 2, 1}, {1, 77, 4, -3}).contiguous());
  EXPECT_TRUE(pattern({1, 3, 1, 2}, {5, 1, 0, 3}).contiguous());
  EXPECT_FALSE(pattern({4, 1, 1, 1}, {2, 1, 1, 1}).contiguous()) << "stride";
  EXPECT_FALSE(pattern({4, 1, 1, 1}, {-1, 1, 1, 1}).contiguous()) << "backwards";
  EXPECT_FALSE(pattern({4, 1, 1, 1}, {0, 1, 1, 1}).contiguous()) << "broadcast";
  EXPECT_FALSE(pattern({4, 3, 1, 1}, {1, 5, 1, 1}).contiguous()) << "gap";
  EXPECT_FALSE(pattern({4, 3, 1, 1}, {3, 1, 1, 1}).contiguous()) << "transposed: the stream jumps";
  EXPECT_FALSE(pattern({256, 256, 2, 1}, {1, 256, 0, 1}).contiguous()) << "65536 does not fit a step";
}

template <std::size_t N>
void expect_layout() {
  Word word;
  const std::uint32_t at = 12;
  poke(word, {at, 4, 0x01020304});
  for (std::uint32_t d = 0; d < N; ++d) {
    poke(word, {at + 4 + 2 * d, 2, 0xFFF0 + d});
    poke(word, {at + 4 + 2 * static_cast<std::uint32_t>(N) + 2 * d, 2, 0x8000 + d});
  }
  const Tensor<N> t = Tensor<N>::read(word, at);
  EXPECT_EQ(Tensor<N>::kBytes, 4 + 4 * N);
  EXPECT_EQ(t.start_addr.raw, 0x01020304u);
  const AccessPattern p = t.pattern();
  for (std::size_t d = 0; d < 4; ++d) {
    EXPECT_EQ(p.step_elem[d], d < N ? static_cast<int>(d) - 16 : 1);
    EXPECT_EQ(p.num_elem[d], d < N ? 0x8000 + d : 1);
  }
  Word copy;
  t.write(copy, at);
  EXPECT_EQ(copy, word);
}

TEST(Tensor, DescriptorBytes) {
  expect_layout<1>();
  expect_layout<2>();
  expect_layout<3>();
  expect_layout<4>();
}

TEST(Tensor, ContiguousTensor) {
  const Tensor3D t = contiguous_tensor<3>(Addr4{0x1000}, 65535);
  EXPECT_EQ(t.count(), Elements(65535));
  EXPECT_TRUE(t.pattern().contiguous());
  EXPECT_EQ(t.start_addr.raw, 0x1000u);
}

}  // namespace tensor_test
}  // namespace dve::isa::test
