// Folds over elements and over lanes.
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

#include "dve/numerics/numerics.h"
#include "golden/golden.h"
#include "oracle.h"

namespace fold_test {

using namespace dve::numerics;
using dve::isa::AluOp;
using oracle::bits;
using oracle::from_bits;

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kPayload = from_bits(0xFFC12345);
constexpr IntFormat kInt32{32, true};

float fold(AluOp op, const std::vector<float>& x) { return fold_fp32(op, x.data(), x.size()); }

TEST(FoldFp32, StartsWithTheFirstElement) {
  EXPECT_EQ(fold(AluOp::subtract, {10, 1, 2}), 7.0F);
  EXPECT_EQ(fold(AluOp::mult, {3, 4, 5}), 60.0F);
  EXPECT_EQ(fold(AluOp::max, {-3, -1, -2}), -1.0F);
  EXPECT_EQ(bits(fold(AluOp::add, {-0.0F})), 0x80000000U);  // not added to +0
  EXPECT_EQ(bits(fold(AluOp::mult, {kPayload})), oracle::kNan);
  EXPECT_EQ(bits(fold(AluOp::mult, {})), 0U);
  EXPECT_EQ(fold_fp32(AluOp::add, nullptr, 0), 0.0F);
}

TEST(FoldFp32, GoesFromLeftToRight) {
  EXPECT_EQ(fold(AluOp::add, {16777216, 1, 1}), 16777216.0F);
  EXPECT_EQ(fold(AluOp::add, {1, 1, 16777216}), 16777218.0F);
  std::mt19937 rng(1);
  for (const int code : {0x04, 0x05, 0x06, 0x08, 0x09, 0x0D, 0x0E, 0x0F, 0x12, 0x17, 0x20, 0x21}) {
    for (int i = 0; i < 300; ++i) {
      std::vector<float> x = oracle::random_vector(rng, rng() % 40U, -2.0F, 2.0F);
      if (i % 3 == 0 && !x.empty()) x[rng() % x.size()] = oracle::random_pattern(rng);
      ASSERT_EQ(bits(fold(static_cast<AluOp>(code), x)), bits(golden::fold(static_cast<std::uint8_t>(code), x)))
          << code << " over " << x.size();
    }
  }
}

TEST(FoldFp32, RefusesOtherOperations) {
  for (const std::size_t n : {0U, 1U, 2U}) {
    const std::vector<float> x(n, 1.0F);
    EXPECT_THROW(fold(AluOp::add_int, x), std::invalid_argument) << n;
    EXPECT_THROW(fold(AluOp::bitwise_or, x), std::invalid_argument) << n;
  }
}

std::optional<std::uint64_t> fold(AluOp op, const std::vector<std::uint64_t>& x, IntFormat format) {
  return fold_int(op, x.data(), x.size(), format);
}

TEST(FoldInt, Examples) {
  EXPECT_EQ(fold(AluOp::subtract_int, {10, 1, 2}, kInt32), 7U);
  EXPECT_EQ(fold(AluOp::add_int, {0x7FFFFFFF, 1}, kInt32), 0xFFFFFFFF80000000U);
  EXPECT_EQ(fold(AluOp::max_int, {1, ~std::uint64_t{0}}, kInt32), 1U);
  EXPECT_EQ(fold(AluOp::mult_int, {}, kInt32), 0U);
  EXPECT_EQ(fold(AluOp::mult_int, {0x100000005}, kInt32), 5U);  // one element counts in the format too
  EXPECT_EQ(fold(AluOp::divide_int, {100, 5, 2}, kInt32), 10U);
  EXPECT_EQ(fold(AluOp::divide_int, {100, 0, 2}, kInt32), std::nullopt);
  EXPECT_EQ(fold(AluOp::mod_uint, {100, 7, 0}, kInt32), std::nullopt);
}

TEST(FoldInt, AgreesWithTheGolden) {
  std::mt19937_64 rng(2);
  for (int code = 0xC4; code <= 0xDD; ++code) {
    for (int i = 0; i < 300; ++i) {
      std::vector<std::uint64_t> x(1 + rng() % 20U);
      for (std::uint64_t& value : x) value = rng() >> (rng() % 64U);
      const bool is_signed = i % 2 == 0;
      ASSERT_EQ(fold(static_cast<AluOp>(code), x, {64, is_signed}),
                golden::fold_int(static_cast<std::uint8_t>(code), x, 64, is_signed));
    }
  }
}

TEST(FoldInt, RefusesOtherOperationsAndWidths) {
  for (const std::size_t n : {0U, 1U, 2U}) {
    EXPECT_THROW(fold(AluOp::add, std::vector<std::uint64_t>(n, 1), kInt32), std::invalid_argument) << n;
  }
  EXPECT_THROW(fold(AluOp::add_int, {1}, {8, true}), std::invalid_argument);
  EXPECT_THROW(fold(AluOp::add_int, {1, 2}, {8, true}), std::invalid_argument);
}

// ---- Lanes ----------------------------------------------------------------------------------------------------------

float lanes(CrossLaneOp op, const std::vector<float>& values, float scale, ClrOrder order) {
  Switches switches;
  switches.clr_order = order;
  return cross_lane_fp32(op, values.data(), values.size(), scale, switches);
}

constexpr ClrOrder kOrders[] = {ClrOrder::ascending, ClrOrder::tree};

TEST(CrossLane, OrderMatters) {
  // Tree over eight places: lanes 0 and 4 first, then 0 and 2, 1 and 3, then 0 and 1.
  const std::vector<float> five{16777216, 1, 1, 1, 1};
  EXPECT_EQ(lanes(CrossLaneOp::add, five, 1, ClrOrder::ascending), 16777216.0F);
  EXPECT_EQ(lanes(CrossLaneOp::add, five, 1, ClrOrder::tree), 16777218.0F);
  // Six lanes: 1 + 5, then nothing for 2 and 3 to take in. 2^24 + 1 is lost at each step but the last.
  const std::vector<float> six{16777216, 1, 0, 0, 1, 1};
  EXPECT_EQ(lanes(CrossLaneOp::add, six, 1, ClrOrder::ascending), 16777216.0F);
  EXPECT_EQ(lanes(CrossLaneOp::add, six, 1, ClrOrder::tree), 16777218.0F);
  const std::vector<float> even(128, 0.1F);
  EXPECT_EQ(lanes(CrossLaneOp::add, even, 1, ClrOrder::tree), 128 * 0.1F);  // only doublings
  EXPECT_NE(lanes(CrossLaneOp::add, even, 1, ClrOrder::ascending), 128 * 0.1F);
}

TEST(CrossLane, ScaleIsForAverage) {
  for (const ClrOrder order : kOrders) {
    EXPECT_EQ(lanes(CrossLaneOp::average, {2, 4, 9}, 0.5F, order), 7.5F);
    EXPECT_EQ(lanes(CrossLaneOp::average, {8}, 0.5F, order), 4.0F);
    EXPECT_EQ(lanes(CrossLaneOp::add, {2, 4, 9}, 0.5F, order), 15.0F);
    EXPECT_EQ(lanes(CrossLaneOp::max, {2, 4, 3}, 0.5F, order), 4.0F);
    // Multiplied before the sum: the products overflow, the sum alone would not.
    EXPECT_EQ(bits(lanes(CrossLaneOp::average, {3e38F, -3e38F}, 2, order)), oracle::kNan);
    // 1/3 three times, each product rounded.
    const float third = 1.0F / 3.0F;
    EXPECT_EQ(lanes(CrossLaneOp::average, {5, 6, 7}, third, ClrOrder::ascending),
              (5.0F * third + 6.0F * third) + 7.0F * third);
  }
}

TEST(CrossLane, SpecialValues) {
  for (const ClrOrder order : kOrders) {
    EXPECT_EQ(lanes(CrossLaneOp::max, {kPayload, -7, kPayload, -8, kPayload}, 1, order), -7.0F);
    EXPECT_EQ(bits(lanes(CrossLaneOp::max, {kPayload, kPayload, kPayload}, 1, order)), oracle::kNan);
    EXPECT_EQ(bits(lanes(CrossLaneOp::add, {1, kPayload, 1}, 1, order)), oracle::kNan);
    EXPECT_EQ(bits(lanes(CrossLaneOp::add, {kInf, 1, -kInf}, 1, order)), oracle::kNan);
    for (const CrossLaneOp op : {CrossLaneOp::add, CrossLaneOp::average, CrossLaneOp::max}) {
      EXPECT_EQ(bits(lanes(op, {}, 1, order)), 0U);
      EXPECT_EQ(bits(lanes(op, {kPayload}, 1, order)), oracle::kNan);
      EXPECT_EQ(bits(lanes(op, {-0.0F}, 1, order)), 0x80000000U);
    }
  }
}

TEST(CrossLane, AgreesWithTheGoldenForEveryLaneCount) {
  std::mt19937 rng(3);
  for (std::size_t count = 0; count <= 130; ++count) {
    for (int i = 0; i < 10; ++i) {
      std::vector<float> values = oracle::random_vector(rng, count, -3.0F, 5.0F);
      if (i >= 8 && count > 0) values[rng() % count] = oracle::random_pattern(rng);
      const float scale = oracle::random_in(rng, 0.0F, 1.0F);
      for (const ClrOrder order : kOrders) {
        for (const int op : {0, 1, 2}) {
          ASSERT_EQ(bits(lanes(static_cast<CrossLaneOp>(op), values, scale, order)),
                    bits(golden::cross_lane(static_cast<std::uint8_t>(op), values, scale, order == ClrOrder::tree)))
              << "op " << op << ", " << count << " lanes";
        }
      }
    }
  }
}

std::uint64_t lanes(CrossLaneOp op, const std::vector<std::uint64_t>& values) {
  return cross_lane_bits(op, values.data(), values.size());
}

TEST(CrossLane, Bits) {
  EXPECT_EQ(lanes(CrossLaneOp::bit_or, {1, 2, 8}), 11U);
  EXPECT_EQ(lanes(CrossLaneOp::bit_and, {7, 6, 12}), 4U);
  EXPECT_EQ(lanes(CrossLaneOp::bit_xor, {7, 6, 12}), 13U);
  std::mt19937_64 rng(4);
  for (std::size_t count = 0; count <= 130; ++count) {
    std::vector<std::uint64_t> values(count);
    for (std::uint64_t& value : values) value = rng() | rng();
    for (const int op : {3, 4, 5}) {
      ASSERT_EQ(lanes(static_cast<CrossLaneOp>(op), values),
                golden::cross_lane_bits(static_cast<std::uint8_t>(op), values))
          << "op " << op << ", " << count << " lanes";
    }
  }
}

TEST(CrossLane, RefusesOtherOperations) {
  for (int op = 0; op < 256; ++op) {
    const bool arith = op <= 2;
    const bool bitvec = op >= 3 && op <= 5;
    for (const std::size_t n : {0U, 2U}) {
      const std::vector<float> values(n, 1.0F);
      const std::vector<std::uint64_t> patterns(n, 1);
      const CrossLaneOp code = static_cast<CrossLaneOp>(op);
      if (!arith) {
        EXPECT_THROW(lanes(code, values, 1, ClrOrder::ascending), std::invalid_argument) << op;
      }
      if (!bitvec) {
        EXPECT_THROW(lanes(code, patterns), std::invalid_argument) << op;
      }
    }
  }
}

}  // namespace fold_test
