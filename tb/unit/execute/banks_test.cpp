#include <gtest/gtest.h>

#include "dve/execute/execute.h"

namespace dve::execute {
namespace {

Access access(isa::Space space, std::uint32_t offset, std::uint16_t n, std::int16_t step) {
  Access a;
  a.start = {space, isa::Partition{0}, offset};
  a.pattern.num_elem = {n, 1, 1, 1};
  a.pattern.step_elem = {step, 1, 1, 1};
  a.dtype = isa::Dtype::fp32;
  a.channels = 3;
  a.elements = isa::Elements(n);
  return a;
}

TEST(Banks, PsumBytesFallIntoTheBankOfTheirOffset) {
  const auto& psum = isa::geometry(isa::Generation::cayman, isa::Space::psum);
  // 8 elements from 16 bytes before the end of bank 0: four in bank 0, four in bank 1, on three channels.
  const auto banks = bytes_per_bank(access(isa::Space::psum, 2048 - 16, 8, 1), psum);
  ASSERT_EQ(banks.size(), 8u);
  EXPECT_EQ(banks[0].value, 4u * 4 * 3);
  EXPECT_EQ(banks[1].value, 4u * 4 * 3);
  // One element every bank.
  const auto strided = bytes_per_bank(access(isa::Space::psum, 0, 8, 512), psum);
  for (const auto& bank : strided) EXPECT_EQ(bank.value, 4u * 3);
}

TEST(Banks, SundaHasSixteenBanksOfOneKibibyte) {
  const auto& psum = isa::geometry(isa::Generation::sunda, isa::Space::psum);
  const auto banks = bytes_per_bank(access(isa::Space::psum, 0, 512, 1), psum);
  ASSERT_EQ(banks.size(), 16u);
  EXPECT_EQ(banks[0].value, 1024u * 3);
  EXPECT_EQ(banks[1].value, 1024u * 3);
  EXPECT_EQ(banks[2].value, 0u);
}

TEST(Banks, SbufCountsAsOne) {
  const auto banks =
      bytes_per_bank(access(isa::Space::sbuf, 0, 100, 7), isa::geometry(isa::Generation::cayman, isa::Space::sbuf));
  ASSERT_EQ(banks.size(), 1u);
  EXPECT_EQ(banks[0].value, 100u * 4 * 3);
}

}  // namespace
}  // namespace dve::execute
