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

TEST(Banks, BytesFallIntoTheBankOfTheirOffset) {
  // 8 elements from 16 bytes before the end of bank 0: four in bank 0, four in bank 1, on three channels.
  const auto banks = bytes_per_bank(access(isa::Space::psum, 2048 - 16, 8, 1), isa::Bytes(2048));
  ASSERT_EQ(banks.size(), 2u);
  for (std::uint32_t bank = 0; bank < 2; ++bank) {
    EXPECT_EQ(banks[bank].bank, bank);
    EXPECT_EQ(banks[bank].bytes.value, 4u * 4 * 3);
  }
}

TEST(Banks, AStrideCanTouchEveryBank) {
  const auto banks = bytes_per_bank(access(isa::Space::psum, 0, 8, 512), isa::Bytes(2048));
  ASSERT_EQ(banks.size(), 8u);
  for (const BankBytes& bank : banks) EXPECT_EQ(bank.bytes.value, 4u * 3);
}

TEST(Banks, SmallerBanksAreMoreBanks) {
  const auto banks = bytes_per_bank(access(isa::Space::psum, 0, 512, 1), isa::Bytes(1024));
  ASSERT_EQ(banks.size(), 2u);
  EXPECT_EQ(banks[0].bytes.value, 1024u * 3);
  EXPECT_EQ(banks[1].bytes.value, 1024u * 3);
}

TEST(Banks, AnOperandInsideOneBankCountsWhole) {
  const auto banks = bytes_per_bank(access(isa::Space::sbuf, 16384, 100, 7), isa::Bytes(16384));
  ASSERT_EQ(banks.size(), 1u);
  EXPECT_EQ(banks[0].bank, 1u);
  EXPECT_EQ(banks[0].bytes.value, 100u * 4 * 3);
}

TEST(Banks, NegativeStepsAndRepeatedElementsCountEachElement) {
  Access a = access(isa::Space::sbuf, 16384, 5, -1);  // one element in bank 1, four below
  const auto down = bytes_per_bank(a, isa::Bytes(16384));
  ASSERT_EQ(down.size(), 2u);
  EXPECT_EQ(down[0].bytes.value, 4u * 4 * 3);
  EXPECT_EQ(down[1].bytes.value, 1u * 4 * 3);
  a.pattern.step_elem[0] = 0;
  const auto still = bytes_per_bank(a, isa::Bytes(16384));
  ASSERT_EQ(still.size(), 1u);
  EXPECT_EQ(still[0].bytes.value, 5u * 4 * 3);
}

}  // namespace
}  // namespace dve::execute
