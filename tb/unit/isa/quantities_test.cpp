#include <gtest/gtest.h>

#include <type_traits>

#include "dve/isa/isa.h"

namespace dve::isa {
namespace quantities_test {

static_assert(!std::is_convertible_v<Bytes, Cycles>, "amounts of different kinds do not mix");
static_assert(!std::is_convertible_v<std::uint64_t, Bytes>, "an amount names its kind");
static_assert(!std::is_convertible_v<Partition, std::uint32_t>, "an ordinal is no number by accident");

TEST(Quantities, ArithmeticOfOneKind) {
  Bytes b(5);
  b += Bytes(3);
  EXPECT_EQ(b, Bytes(8));
  EXPECT_EQ(b - Bytes(2), Bytes(6));
  EXPECT_EQ(b * 3, Bytes(24));
  EXPECT_EQ(b + Bytes(1), Bytes(9));
  EXPECT_TRUE(Bytes(1) < Bytes(2) && Bytes(2) <= Bytes(2) && Bytes(3) > Bytes(2) && Bytes(3) >= Bytes(3));
  EXPECT_TRUE(Bytes(1) != Bytes(2));
  EXPECT_EQ(number(Partition(127)), 127u);
}

}  // namespace quantities_test
}  // namespace dve::isa
