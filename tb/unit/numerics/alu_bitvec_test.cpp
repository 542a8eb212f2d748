// ALU_OP on bit patterns against the golden's lists of digits and against examples.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <vector>

#include "dve/numerics/numerics.h"
#include "golden/golden.h"
#include "oracle.h"

namespace alu_bitvec_test {

using namespace dve::numerics;
using dve::isa::AluOp;

const std::set<int> kCodes{0x00, 0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x10, 0x11};
constexpr std::uint64_t kOnes = ~std::uint64_t{0};

void check(int code, std::uint64_t a, std::uint64_t b, unsigned width) {
  const std::uint64_t got = alu_bitvec(static_cast<AluOp>(code), a, b, width);
  const std::uint64_t expected = golden::bit_op(static_cast<std::uint8_t>(code), a, b, static_cast<int>(width));
  ASSERT_EQ(got, expected) << std::hex << "op 0x" << code << " of 0x" << a << ", 0x" << b << std::dec << ", " << width
                           << " bits";
}

TEST(AluBitvec, KnowsItsOperations) {
  for (int code = 0; code < 256; ++code) {
    const AluOp op = static_cast<AluOp>(code);
    if (kCodes.count(code) == 1) {
      EXPECT_NO_THROW(alu_bitvec(op, 1, 2, 8)) << code;
    } else {
      EXPECT_THROW(alu_bitvec(op, 1, 2, 8), std::invalid_argument) << code;
    }
  }
  for (const unsigned width : {0U, 1U, 7U, 24U, 63U, 65U, 128U}) {
    EXPECT_THROW(alu_bitvec(AluOp::bitwise_or, 1, 2, width), std::invalid_argument) << width;
  }
}

TEST(AluBitvec, EveryPairOfBytes) {
  for (const int code : kCodes) {
    for (std::uint64_t a = 0; a < 256; ++a) {
      for (std::uint64_t b = 0; b < 256; ++b) ASSERT_NO_FATAL_FAILURE(check(code, a, b, 8));
    }
  }
}

void check_width(unsigned width, unsigned seed) {
  std::vector<std::uint64_t> edges{0, kOnes, 0x5555555555555555, 0xAAAAAAAAAAAAAAAA, width - 1U, width, width + 1U};
  for (unsigned bit = 0; bit < 64; ++bit) {
    edges.push_back(std::uint64_t{1} << bit);
    edges.push_back((std::uint64_t{1} << bit) - 1U);
    edges.push_back(kOnes << bit);
  }
  std::mt19937_64 rng(seed);
  for (const int code : kCodes) {
    for (const std::uint64_t a : edges) {
      for (const std::uint64_t b : edges) ASSERT_NO_FATAL_FAILURE(check(code, a, b, width));
    }
    for (int i = 0; i < 5000; ++i) {
      ASSERT_NO_FATAL_FAILURE(check(code, rng(), rng(), width));
      ASSERT_NO_FATAL_FAILURE(check(code, rng(), rng() % (width + 2U), width));
    }
  }
}

TEST(AluBitvec, EdgesAndRandom8) { check_width(8, 1); }  // bits above the width included
TEST(AluBitvec, EdgesAndRandom16) { check_width(16, 2); }
TEST(AluBitvec, EdgesAndRandom32) { check_width(32, 3); }
TEST(AluBitvec, EdgesAndRandom64) { check_width(64, 4); }

TEST(AluBitvec, ShiftsPastTheEnd) {
  for (const unsigned width : {8U, 16U, 32U, 64U}) {
    const std::uint64_t ones = kOnes >> (64U - width);
    const std::uint64_t top = std::uint64_t{1} << (width - 1U);
    EXPECT_EQ(alu_bitvec(AluOp::arith_shift_right, top, width - 1U, width), ones);
    EXPECT_EQ(alu_bitvec(AluOp::arith_shift_right, top, 1, width), top | top >> 1U);
    for (const std::uint64_t count : {std::uint64_t{width}, std::uint64_t{width} + 1U, std::uint64_t{100}, ones}) {
      EXPECT_EQ(alu_bitvec(AluOp::arith_shift_right, top, count, width), ones);
      EXPECT_EQ(alu_bitvec(AluOp::arith_shift_right, top - 1U, count, width), 0U);
      EXPECT_EQ(alu_bitvec(AluOp::logical_shift_right, ones, count, width), 0U);
      EXPECT_EQ(alu_bitvec(AluOp::logical_shift_left, ones, count, width), 0U);
      EXPECT_EQ(alu_bitvec(AluOp::arith_shift_left, ones, count, width), 0U);
    }
  }
}

TEST(AluBitvec, Examples) {
  EXPECT_EQ(alu_bitvec(AluOp::bitwise_not, 0x0F, 0, 8), 0xF0U);
  EXPECT_EQ(alu_bitvec(AluOp::bypass, 0x1FF, 7, 8), 0xFFU);
  EXPECT_EQ(alu_bitvec(AluOp::bitwise_and, 0xC, 0xA, 16), 0x8U);
  EXPECT_EQ(alu_bitvec(AluOp::bitwise_or, 0xC, 0xA, 16), 0xEU);
  EXPECT_EQ(alu_bitvec(AluOp::bitwise_xor, 0xC, 0xA, 16), 0x6U);
  EXPECT_EQ(alu_bitvec(AluOp::logical_shift_left, 0x8001, 1, 16), 0x2U);
  EXPECT_EQ(alu_bitvec(AluOp::arith_shift_left, 0x8001, 1, 16), 0x2U);
  EXPECT_EQ(alu_bitvec(AluOp::logical_shift_right, 0x8001, 1, 16), 0x4000U);
  EXPECT_EQ(alu_bitvec(AluOp::arith_shift_right, 0x8001, 1, 16), 0xC000U);
}

}  // namespace alu_bitvec_test
