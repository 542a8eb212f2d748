// ALU_OP in binary32, and TensorScalar's two operations, against the golden and against examples.
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "dve/numerics/numerics.h"
#include "golden/golden.h"
#include "oracle.h"

namespace alu_fp32_test {

using namespace dve::numerics;
using dve::isa::AluOp;
using oracle::bits;
using oracle::from_bits;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();
const float kPayload = from_bits(0xFFC12345);  // a NaN that is not the canonical one

const std::set<int> kCodes{0x00, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0D, 0x0E, 0x0F, 0x12, 0x13, 0x14,
                           0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1D, 0x20, 0x21, 0x22, 0x23, 0x24};

// Both signs of zeros, subnormals, ends of the range, neighbours of 1, ties' makers, infinities, NaN with payloads.
std::vector<float> edges() {
  std::vector<float> values;
  for (const std::uint32_t pattern :
       {0x00000000U, 0x00000001U, 0x00000002U, 0x00400000U, 0x007FFFFFU, 0x00800000U, 0x00800001U,
        0x33800000U, 0x34000000U, 0x3EAAAAABU, 0x3F000000U, 0x3F7FFFFFU, 0x3F800000U, 0x3F800001U,
        0x40000000U, 0x40400000U, 0x4B7FFFFFU, 0x4B800000U, 0x4B800001U, 0x5F000000U, 0x7F000000U,
        0x7F7FFFFFU, 0x7F800000U, 0x7F800001U, 0x7FC00000U, 0x7FC12345U, 0x7FFFFFFFU}) {
    values.push_back(from_bits(pattern));
    values.push_back(from_bits(pattern | 0x80000000U));
  }
  return values;
}

void check(int code, float a, float b) {
  const float got = alu_fp32(static_cast<AluOp>(code), a, b);
  const float expected = golden::fp32_op(static_cast<std::uint8_t>(code), a, b);
  ASSERT_EQ(bits(got), bits(expected)) << std::hex << "op 0x" << code << " of 0x" << bits(a) << ", 0x" << bits(b);
}

TEST(AluFp32, KnowsItsOperations) {
  for (int code = 0; code < 256; ++code) {
    const AluOp op = static_cast<AluOp>(code);
    const bool known = kCodes.count(code) == 1;
    EXPECT_EQ(has_fp32_meaning(op), known) << code;
    if (known) {
      EXPECT_NO_THROW(alu_fp32(op, 1, 2)) << code;
    } else {
      EXPECT_THROW(alu_fp32(op, 1, 2), std::invalid_argument) << code;
    }
  }
}

TEST(AluFp32, NamesWhatItDoesNotKnow) {
  try {
    alu_fp32(AluOp::crc32, 1, 2);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "alu_fp32: ALU operation crc32, expected one with a binary32 meaning");
  }
}

TEST(AluFp32, EveryPairOfEdgeValues) {
  for (const int code : kCodes) {
    for (const float a : edges()) {
      for (const float b : edges()) ASSERT_NO_FATAL_FAILURE(check(code, a, b));
    }
  }
}

TEST(AluFp32, RandomPatterns) {
  std::mt19937 rng(1);
  for (int i = 0; i < 100000; ++i) {
    const float a = oracle::random_pattern(rng);
    const float b = oracle::random_pattern(rng);
    const float near_a = from_bits(bits(a) + static_cast<std::uint32_t>(rng() % 0x2000000U) - 0x1000000U);
    for (const int code : kCodes) {
      ASSERT_NO_FATAL_FAILURE(check(code, a, b));
      ASSERT_NO_FATAL_FAILURE(check(code, a, near_a));
      ASSERT_NO_FATAL_FAILURE(check(code, a, a));
    }
  }
}

TEST(AluFp32, PowerOfModerateNumbers) {
  std::mt19937 rng(2);
  for (int i = 0; i < 100000; ++i) {
    ASSERT_NO_FATAL_FAILURE(check(0x1A, oracle::random_in(rng, 0.0F, 8.0F), oracle::random_in(rng, -20.0F, 20.0F)));
    const float whole = static_cast<float>(static_cast<int>(rng() % 41U)) - 20.0F;
    ASSERT_NO_FATAL_FAILURE(check(0x1A, oracle::random_in(rng, -8.0F, 8.0F), whole));
  }
}

TEST(AluFp32, OneOperandIsEnough) {
  for (const int code : {0x00, 0x19, 0x1D, 0x22, 0x23}) {
    const AluOp op = static_cast<AluOp>(code);
    for (const float a : edges()) {
      for (const float b : {0.0F, -3.0F, kInf, kPayload}) EXPECT_EQ(bits(alu_fp32(op, a, b)), bits(alu_fp32(op, a, 1)));
    }
  }
}

struct Example {
  AluOp op;
  float a, b, expected;
};

// The choices that alu.h states, one by one; bits compared.
TEST(AluFp32, StatedChoices) {
  const float nan = from_bits(oracle::kNan);
  const std::vector<Example> examples{{AluOp::bypass, kPayload, 1, nan},
                                      {AluOp::add, kPayload, 1, nan},
                                      {AluOp::add, -0.0F, 0, 0},
                                      {AluOp::subtract, kInf, kInf, nan},
                                      {AluOp::mult, kMax, 2, kInf},
                                      {AluOp::mult, kInf, 0, nan},
                                      {AluOp::divide, 1, -0.0F, -kInf},
                                      {AluOp::divide, 0, 0, nan},
                                      {AluOp::max, -0.0F, 0, -0.0F},
                                      {AluOp::max, 0, -0.0F, 0},
                                      {AluOp::max, kPayload, -kInf, -kInf},
                                      {AluOp::max, -kInf, kPayload, -kInf},
                                      {AluOp::max, kPayload, kPayload, nan},
                                      {AluOp::min, -0.0F, 0, -0.0F},
                                      {AluOp::min, 0, -0.0F, 0},
                                      {AluOp::min, kPayload, kInf, kInf},
                                      {AluOp::min, kInf, kPayload, kInf},
                                      {AluOp::min, kPayload, kPayload, nan},
                                      {AluOp::logical_and, kPayload, 0.5F, 1},
                                      {AluOp::logical_and, kPayload, -0.0F, 0},
                                      {AluOp::logical_or, 0, kPayload, 1},
                                      {AluOp::logical_or, 0, -0.0F, 0},
                                      {AluOp::logical_xor, 3, kPayload, 0},
                                      {AluOp::logical_xor, -0.0F, kPayload, 1},
                                      {AluOp::is_eq, 0, -0.0F, 1},
                                      {AluOp::is_eq, kPayload, kPayload, 0},
                                      {AluOp::is_ne, kPayload, kPayload, 1},
                                      {AluOp::is_ne, 0, -0.0F, 0},
                                      {AluOp::is_gt, 1, kPayload, 0},
                                      {AluOp::is_ge, kPayload, 1, 0},
                                      {AluOp::is_le, 1, kPayload, 0},
                                      {AluOp::is_lt, kPayload, 1, 0},
                                      {AluOp::is_ge, 1, 1, 1},
                                      {AluOp::is_le, 1, 1, 1},
                                      {AluOp::is_gt, 1, 1, 0},
                                      {AluOp::is_lt, 1, 1, 0},
                                      {AluOp::absolute_diff, 3, 5, 2},
                                      {AluOp::absolute_value, -0.0F, 0, 0},
                                      {AluOp::pow, kPayload, -0.0F, 1},
                                      {AluOp::pow, 1, kPayload, 1},
                                      {AluOp::pow, -2, 3, -8},
                                      {AluOp::pow, -2, 0.5F, nan},
                                      {AluOp::pow, 3, 0.5F, 1.7320508F},
                                      {AluOp::mod, -7.5F, 2, -1.5F},
                                      {AluOp::mod, 7.5F, -2, 1.5F},
                                      {AluOp::mod, -4, 2, -0.0F},
                                      {AluOp::mod, 4, 0, nan},
                                      {AluOp::mod, kInf, 2, nan},
                                      {AluOp::mod, 5, kInf, 5},
                                      {AluOp::rsqrt, 0, 0, kInf},
                                      {AluOp::rsqrt, -0.0F, 0, kInf},
                                      {AluOp::rsqrt, -1, 0, nan},
                                      {AluOp::rsqrt, kInf, 0, 0},
                                      {AluOp::rsqrt, 3, 0, 0.57735026F},
                                      {AluOp::abs_max, -5, 3, 5},
                                      {AluOp::abs_max, kPayload, -3, 3},
                                      {AluOp::abs_min, -5, -3, 3},
                                      {AluOp::abs_min, kPayload, kPayload, nan},
                                      {AluOp::re_lu, -5, 0, 0},
                                      {AluOp::re_lu, -0.0F, 0, -0.0F},
                                      {AluOp::re_lu, kPayload, 0, nan},
                                      {AluOp::square, -3, 0, 9},
                                      {AluOp::symmetric_clamp, -2, 5, -5},
                                      {AluOp::symmetric_clamp, -7, 5, -7},
                                      {AluOp::symmetric_clamp, 2, -5, 5},
                                      {AluOp::symmetric_clamp, -0.0F, 5, -0.0F},
                                      {AluOp::symmetric_clamp, -2, kPayload, -2},
                                      {AluOp::symmetric_clamp, kPayload, 2, nan}};
  for (const Example& e : examples) {
    EXPECT_EQ(bits(alu_fp32(e.op, e.a, e.b)), bits(e.expected))
        << dve::isa::name(e.op) << " of " << e.a << ", " << e.b << " expected " << e.expected;
  }
}

// ---- TensorScalar ---------------------------------------------------------------------------------------------------

Switches with(Contraction contraction) {
  Switches switches;
  switches.tensor_scalar_contraction = contraction;
  return switches;
}

TEST(TensorScalar, ExchangesOperands) {
  const auto subtract_twice = [](unsigned reverse) {
    return tensor_scalar(7, AluOp::subtract, 2, AluOp::subtract, 1, reverse, {});
  };
  EXPECT_EQ(subtract_twice(0), 4.0F);   // (7 - 2) - 1
  EXPECT_EQ(subtract_twice(1), -6.0F);  // (2 - 7) - 1
  EXPECT_EQ(subtract_twice(2), -4.0F);  // 1 - (7 - 2)
  EXPECT_EQ(subtract_twice(3), 6.0F);   // 1 - (2 - 7)
  EXPECT_THROW(subtract_twice(4), std::invalid_argument);
}

TEST(TensorScalar, BypassEndsAfterTheFirst) {
  for (const unsigned reverse : {0U, 2U}) {
    EXPECT_EQ(tensor_scalar(7, AluOp::subtract, 2, AluOp::bypass, 100, reverse, {}), 5.0F);
  }
  EXPECT_EQ(bits(tensor_scalar(kPayload, AluOp::bypass, 2, AluOp::bypass, 3, 0, {})), oracle::kNan);
  EXPECT_EQ(tensor_scalar(7, AluOp::bypass, 2, AluOp::bypass, 3, 1, {}), 2.0F);  // the first operand is the scalar
}

TEST(TensorScalar, RefusesOperationsWithoutMeaning) {
  EXPECT_THROW(tensor_scalar(1, AluOp::add_int, 1, AluOp::bypass, 1, 0, {}), std::invalid_argument);
  EXPECT_THROW(tensor_scalar(1, AluOp::add, 1, AluOp::crc32, 1, 0, {}), std::invalid_argument);
  EXPECT_THROW(tensor_scalar(1, AluOp::mult, 1, AluOp::bitwise_or, 1, 0, with(Contraction::fused)),
               std::invalid_argument);
}

TEST(TensorScalar, RoundsTwiceOrOnce) {
  const float e = 0x1.001p0F;        // its square is 1 + 2^-11 + 2^-24
  const float rounded = 0x1.002p0F;  // in binary32 the last term is a tie and goes
  const float lost = 0x1p-24F;
  const auto result = [&](AluOp op1, float s1, unsigned reverse, Contraction contraction) {
    return tensor_scalar(e, AluOp::mult, e, op1, s1, reverse, with(contraction));
  };
  for (unsigned reverse = 0; reverse < 4; ++reverse) {
    EXPECT_EQ(bits(result(AluOp::add, -rounded, reverse, Contraction::separate)), 0U) << reverse;
    EXPECT_EQ(bits(result(AluOp::subtract, rounded, reverse, Contraction::separate)), 0U) << reverse;
    EXPECT_EQ(result(AluOp::add, -rounded, reverse, Contraction::fused), lost) << reverse;
    EXPECT_EQ(result(AluOp::subtract, rounded, reverse, Contraction::fused), reverse < 2 ? lost : -lost) << reverse;
    EXPECT_EQ(result(AluOp::max, 0, reverse, Contraction::fused), rounded) << reverse;  // nothing else is fused
    EXPECT_EQ(result(AluOp::bypass, 0, reverse, Contraction::fused), rounded) << reverse;
  }
}

TEST(TensorScalar, AgreesWithTheGolden) {
  std::mt19937 rng(3);
  const std::vector<int> codes(kCodes.begin(), kCodes.end());
  const std::vector<float> edge = edges();
  const auto draw = [&] { return rng() % 4U == 0 ? edge[rng() % edge.size()] : oracle::random_in(rng, -4.0F, 4.0F); };
  for (int i = 0; i < 200000; ++i) {
    const bool contracts = rng() % 2U == 0;
    const int op0 = contracts ? 0x06 : codes[rng() % codes.size()];
    const int op1 = contracts ? static_cast<int>(4U + rng() % 2U) : codes[rng() % codes.size()];
    const float x = draw();
    const float s0 = draw();
    // Half of the time the second scalar nearly cancels the product, where one rounding and two differ.
    const float s1 = rng() % 2U == 0 ? draw() : (rng() % 2U == 0 ? x * s0 : -(x * s0));
    const unsigned reverse = static_cast<unsigned>(rng() % 4U);
    for (const Contraction contraction : {Contraction::separate, Contraction::fused}) {
      const float got =
          tensor_scalar(x, static_cast<AluOp>(op0), s0, static_cast<AluOp>(op1), s1, reverse, with(contraction));
      const float expected =
          golden::tensor_scalar(x, static_cast<std::uint8_t>(op0), s0, static_cast<std::uint8_t>(op1), s1, reverse,
                                contraction == Contraction::fused);
      ASSERT_EQ(bits(got), bits(expected)) << std::hex << op0 << ' ' << op1 << " reverse " << reverse << " of 0x"
                                           << bits(x) << ", 0x" << bits(s0) << ", 0x" << bits(s1);
    }
  }
}

}  // namespace alu_fp32_test
