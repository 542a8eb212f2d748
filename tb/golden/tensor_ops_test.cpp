// The golden's tensor operations against small examples.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "golden/golden.h"

namespace golden {
namespace tensor_ops_test {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint64_t kMinusOne = ~std::uint64_t{0};

struct Fp32Case {
  int op;
  float a, b, expected;
};

// Bit for bit: signs of zeros and canonical NaN included.
TEST(GoldenTensorOps, Fp32Examples) {
  const float payload = float_of_bits(0xFFC12345);
  const std::vector<Fp32Case> cases{{0x00, 3, 5, 3},
                                    {0x00, payload, 5, kNan},
                                    {0x04, 1, 5.9604645e-8F, 1},  // 1 + 2^-24: tie to even
                                    {0x04, 1.0000001F, 5.9604645e-8F, 1.0000002F},
                                    {0x05, 2, 2, 0},
                                    {0x05, kInfinity, kInfinity, kNan},
                                    {0x06, 3, -5, -15},
                                    {0x06, 1e30F, 1e30F, kInfinity},
                                    {0x07, 1, 3, 0.33333334F},
                                    {0x07, -1, 0, -kInfinity},
                                    {0x07, 0, 0, kNan},
                                    {0x08, -0.0F, 0, -0.0F},
                                    {0x08, 0, -0.0F, 0},
                                    {0x08, payload, -7, -7},
                                    {0x08, -7, payload, -7},
                                    {0x08, payload, payload, kNan},
                                    {0x09, 3, 5, 3},
                                    {0x09, payload, 5, 5},
                                    {0x0D, payload, 2, 1},
                                    {0x0D, 2, -0.0F, 0},
                                    {0x0E, 0, -0.0F, 0},
                                    {0x0E, 0, 3, 1},
                                    {0x0F, 4, 3, 0},
                                    {0x0F, 4, 0, 1},
                                    {0x12, 0, -0.0F, 1},
                                    {0x12, payload, payload, 0},
                                    {0x13, 2, 1, 1},
                                    {0x13, 1, 1, 0},
                                    {0x14, 1, 1, 1},
                                    {0x14, kNan, 1, 0},
                                    {0x15, 1, 1, 1},
                                    {0x15, 2, 1, 0},
                                    {0x16, 1, 2, 1},
                                    {0x16, 1, kNan, 0},
                                    {0x17, 3, 5, 2},
                                    {0x18, payload, payload, 1},
                                    {0x18, 0, -0.0F, 0},
                                    {0x19, -3, 0, 3},
                                    {0x1A, 2, 10, 1024},
                                    {0x1A, -8, 0.5F, kNan},
                                    {0x1A, payload, 0, 1},
                                    {0x1B, -7, 3, -1},
                                    {0x1B, 7, -3, 1},
                                    {0x1B, 7, 0, kNan},
                                    {0x1D, 4, 0, 0.5F},
                                    {0x1D, -0.0F, 0, kInfinity},
                                    {0x1D, -4, 0, kNan},
                                    {0x1D, kInfinity, 0, 0},
                                    {0x20, -5, 3, 5},
                                    {0x20, payload, -3, 3},
                                    {0x21, -5, 3, 3},
                                    {0x22, -5, 3, 0},
                                    {0x22, 5, 9, 5},
                                    {0x22, -0.0F, 9, -0.0F},
                                    {0x22, payload, 9, kNan},
                                    {0x23, -3, 9, 9},
                                    {0x24, -2, 5, -5},
                                    {0x24, 7, -5, 7},
                                    {0x24, -0.0F, 5, -0.0F},
                                    {0x24, -7, payload, -7},
                                    {0x24, payload, 7, kNan}};
  for (const Fp32Case& c : cases) {
    EXPECT_EQ(bits_of_float(fp32_op(static_cast<std::uint8_t>(c.op), c.a, c.b)), bits_of_float(canonical(c.expected)))
        << std::hex << c.op << " of " << c.a << ", " << c.b;
  }
  EXPECT_THROW(fp32_op(0x01, 1, 1), std::out_of_range);
}

TEST(GoldenTensorOps, TensorScalarOrdersAndRounds) {
  EXPECT_EQ(tensor_scalar(7, 0x05, 2, 0x05, 1, 0, false), 4.0F);   // (7 - 2) - 1
  EXPECT_EQ(tensor_scalar(7, 0x05, 2, 0x05, 1, 1, false), -6.0F);  // (2 - 7) - 1
  EXPECT_EQ(tensor_scalar(7, 0x05, 2, 0x05, 1, 2, false), -4.0F);  // 1 - (7 - 2)
  EXPECT_EQ(tensor_scalar(7, 0x05, 2, 0x05, 1, 3, false), 6.0F);   // 1 - (2 - 7)
  EXPECT_EQ(tensor_scalar(7, 0x05, 2, 0x00, 1, 2, false), 5.0F);
  const float e = 1.00024414F;  // 1 + 2^-12; its square is 1 + 2^-11 + 2^-24, the last lost in binary32
  const float rounded = 1.00048828F;
  EXPECT_EQ(tensor_scalar(e, 0x06, e, 0x05, rounded, 0, false), 0.0F);
  EXPECT_EQ(tensor_scalar(e, 0x06, e, 0x05, rounded, 0, true), 5.96046448e-8F);
  EXPECT_EQ(tensor_scalar(e, 0x06, e, 0x05, rounded, 3, true), -5.96046448e-8F);
  EXPECT_EQ(tensor_scalar(e, 0x06, e, 0x04, -rounded, 1, true), 5.96046448e-8F);
  EXPECT_EQ(affine(e, e, -rounded, false), 0.0F);
  EXPECT_EQ(affine(e, e, -rounded, true), 5.96046448e-8F);
  // The product is 1 + 2^-24 - 2^-47; with 2^-47 it is a tie of binary32, and 2^-70 more or less decides. Binary64
  // would see the tie in all three.
  const auto near_tie = [](float bias) { return affine(0x1.000002p0F, 0x1.fffffep-1F, bias, true); };
  EXPECT_EQ(near_tie(0x1.fffffep-48F), 1.0F);
  EXPECT_EQ(near_tie(0x1p-47F), 1.0F);
  EXPECT_EQ(near_tie(0x1.000002p-47F), 0x1.000002p0F);
  EXPECT_EQ(affine(kInfinity, 1, 2, true), kInfinity);
  EXPECT_EQ(bits_of_float(affine(kInfinity, 0, 2, true)), 0x7FC00000U);
}

TEST(GoldenTensorOps, IntExamples) {
  const std::uint64_t smallest = 0xFFFFFFFF80000000;
  EXPECT_EQ(int_op(0xC4, 0x7FFFFFFF, 1, 32, true), smallest);
  EXPECT_EQ(int_op(0xC4, 0xFFFFFFFF, 1, 32, false), 0U);
  EXPECT_EQ(int_op(0xC5, kMinusOne, kMinusOne, 64, false), 1U);
  EXPECT_EQ(int_op(0xC5, 0x80000000, 0x80000000, 64, false), std::uint64_t{1} << 62U);
  EXPECT_EQ(int_op(0xC6, 0, 1, 32, false), 0xFFFFFFFFU);
  EXPECT_EQ(int_op(0xC6, 0, 1, 32, true), kMinusOne);
  EXPECT_EQ(int_op(0xC7, static_cast<std::uint64_t>(-7), 2, 32, true), static_cast<std::uint64_t>(-3));
  EXPECT_EQ(int_op(0xC7, smallest, kMinusOne, 32, true), smallest);
  EXPECT_EQ(int_op(0xC7, std::uint64_t{1} << 63U, kMinusOne, 64, true), std::uint64_t{1} << 63U);
  EXPECT_EQ(int_op(0xC8, static_cast<std::uint64_t>(-7), 2, 32, true), kMinusOne);
  EXPECT_EQ(int_op(0x1B, 7, static_cast<std::uint64_t>(-2), 32, true), 1U);
  EXPECT_EQ(int_op(0xDC, kMinusOne, 2, 64, true), kMinusOne >> 1U);
  for (const int op : {0xC7, 0xC8, 0x1B, 0xDC, 0xDD}) {
    EXPECT_EQ(int_op(static_cast<std::uint8_t>(op), 5, 0, 32, true), std::nullopt);
  }
  EXPECT_EQ(int_op(0xC9, 4, 4, 32, true), 1U);
  EXPECT_EQ(int_op(0xCA, 4, 4, 32, true), 0U);
  EXPECT_EQ(int_op(0xCB, smallest, 3, 32, true), smallest);
  EXPECT_EQ(int_op(0xCC, smallest, 3, 32, true), 3U);
  EXPECT_EQ(int_op(0xCD, 3, 5, 32, true), 2U);
  EXPECT_EQ(int_op(0xCE, kMinusOne, 0, 32, true), 1U);
  EXPECT_EQ(int_op(0xCF, kMinusOne, 1, 32, true), 1U);
  EXPECT_EQ(int_op(0xD5, kMinusOne, 1, 32, true), 0xFFFFFFFFU);
  EXPECT_EQ(int_op(0xD0, kMinusOne, 1, 32, true), kMinusOne);
  EXPECT_EQ(int_op(0xD6, kMinusOne, 1, 32, true), 1U);
  for (int i = 0; i < 4; ++i) {  // greater, greater or equal, less or equal, less
    const bool greater = i < 2;
    EXPECT_EQ(int_op(static_cast<std::uint8_t>(0xD1 + i), 1, kMinusOne, 32, true), greater ? 1U : 0U);
    EXPECT_EQ(int_op(static_cast<std::uint8_t>(0xD7 + i), 1, kMinusOne, 32, true), greater ? 0U : 1U);
    EXPECT_EQ(int_op(static_cast<std::uint8_t>(0xD1 + i), 1, 1, 32, true), i == 1 || i == 2 ? 1U : 0U);
  }
  EXPECT_THROW(int_op(0xDE, 1, 1, 32, true), std::out_of_range);
}

TEST(GoldenTensorOps, BitExamples) {
  EXPECT_EQ(bit_op(0x00, 0x1FF, 0, 8), 0xFFU);
  EXPECT_EQ(bit_op(0x01, 0x0F, 0, 8), 0xF0U);
  EXPECT_EQ(bit_op(0x02, 0x81, 1, 8), 0x02U);
  EXPECT_EQ(bit_op(0x10, 0x81, 8, 8), 0U);
  EXPECT_EQ(bit_op(0x03, 0x81, 1, 8), 0xC0U);
  EXPECT_EQ(bit_op(0x03, 0x81, 200, 8), 0xFFU);
  EXPECT_EQ(bit_op(0x03, 0x41, 200, 8), 0U);
  EXPECT_EQ(bit_op(0x11, 0x81, 1, 8), 0x40U);
  EXPECT_EQ(bit_op(0x11, kMinusOne, kMinusOne, 64), 0U);
  EXPECT_EQ(bit_op(0x0A, 0xC, 0xA, 16), 0x8U);
  EXPECT_EQ(bit_op(0x0B, 0xC, 0xA, 32), 0xEU);
  EXPECT_EQ(bit_op(0x0C, 0xC, 0xA, 64), 0x6U);
  EXPECT_THROW(bit_op(0x1C, 1, 1, 8), std::out_of_range);
}

TEST(GoldenTensorOps, FoldsFromTheLeft) {
  EXPECT_EQ(fold(0x05, {10, 1, 2}), 7.0F);
  EXPECT_EQ(bits_of_float(fold(0x04, {})), 0U);
  EXPECT_EQ(bits_of_float(fold(0x04, {-0.0F})), 0x80000000U);
  EXPECT_EQ(fold(0x04, {16777216, 1, 1}), 16777216.0F);
  EXPECT_EQ(fold_int(0xC6, {10, 1, 2}, 32, true), 7U);
  EXPECT_EQ(fold_int(0xC7, {10, 0, 2}, 32, true), std::nullopt);
  EXPECT_EQ(fold_int(0xC4, {}, 32, true), 0U);
}

TEST(GoldenTensorOps, CombinesLanes) {
  const std::vector<float> lanes{16777216, 1, 1, 1, 1};  // tree: ((2^24 + 1) + 1) and (1 + 1), of lanes 0 4 2 and 1 3
  EXPECT_EQ(cross_lane(0, lanes, 9, false), 16777216.0F);
  EXPECT_EQ(cross_lane(0, lanes, 9, true), 16777218.0F);
  EXPECT_EQ(cross_lane(1, {2, 4}, 0.5F, false), 3.0F);
  EXPECT_EQ(cross_lane(1, {2, 4, 8}, 0.5F, true), 7.0F);
  EXPECT_EQ(cross_lane(2, {kNan, 4, 8, kNan}, 9, true), 8.0F);
  EXPECT_EQ(cross_lane(2, {kNan, 4, 8, kNan}, 9, false), 8.0F);
  EXPECT_EQ(bits_of_float(cross_lane(0, {}, 9, true)), 0U);
  EXPECT_EQ(cross_lane_bits(3, {1, 2, 8}), 11U);
  EXPECT_EQ(cross_lane_bits(4, {7, 6, 12}), 4U);
  EXPECT_EQ(cross_lane_bits(5, {7, 6, 12}), 13U);
  EXPECT_EQ(cross_lane_bits(4, {}), 0U);
  EXPECT_THROW(cross_lane(3, {1}, 1, false), std::out_of_range);
  EXPECT_THROW(cross_lane_bits(2, {1}), std::out_of_range);
}

struct ActivationCase {
  int func;
  float x, expected;
};

// Values to nine digits from tables.
TEST(GoldenTensorOps, ActivationExamples) {
  const std::vector<ActivationCase> cases{{0x01, -2, -2},
                                          {0x02, -2, 0},
                                          {0x02, 3, 3},
                                          {0x04, -2, -0.5F},
                                          {0x04, 2, 2},
                                          {0x05, 1, 0.731058579F},
                                          {0x06, 1, 0.761594156F},
                                          {0x06, -1, -0.761594156F},
                                          {0x07, 1, 2.71828183F},
                                          {0x08, 2, 1.41421356F},
                                          {0x09, 0, 0.693147181F},
                                          {0x09, 1, 1.31326169F},
                                          {0x09, -1, 0.313261688F},
                                          {0x0A, 10, 2.30258509F},
                                          {0x13, 1, 0.841470985F},
                                          {0x15, 0.5F, 0.520499878F},
                                          {0x17, 1, 0.841344746F},
                                          {0x17, -1, -0.158655254F},
                                          {0x18, 1, 0.865098388F},
                                          {0x18, -1, -0.303401461F},
                                          {0x19, 1, 0.841191991F},
                                          {0x19, -1, -0.158808009F},
                                          {0x1C, 1, 0.785398163F},
                                          {0x1D, 2, 0.707106781F},
                                          {0x1D, kInfinity, 0},
                                          {0x1E, -3, 9},
                                          {0x1F, -3, -1},
                                          {0x1F, 0, 0},
                                          {0x1F, kInfinity, 1},
                                          {0x21, -3, 3},
                                          {0x22, -4, 0.5F},
                                          {0x23, 3, 1},
                                          {0x23, kInfinity, 0},
                                          {0x24, 1, 0.731058579F},
                                          {0x24, -1, -0.268941421F},
                                          {0x80, 5, 5},
                                          {0x81, 4, 0.25F},
                                          {0x81, 0, kInfinity},
                                          {0x17, -kInfinity, 0},
                                          {0x18, -kInfinity, 0},
                                          {0x19, -kInfinity, 0},
                                          {0x24, -kInfinity, 0}};
  for (const ActivationCase& c : cases) {
    EXPECT_FLOAT_EQ(activation(static_cast<std::uint8_t>(c.func), c.x, 0.25F, 0), c.expected)
        << std::hex << c.func << " of " << c.x;
  }
  EXPECT_EQ(activation(0x08, 4, 0, 0.25), 2.5F);
  EXPECT_EQ(activation(0x1E, 2, 0, 0.25), 4.0F);  // no table
  EXPECT_EQ(bits_of_float(activation(0x05, float_of_bits(0xFFC12345), 0, 0)), 0x7FC00000U);
  EXPECT_THROW(activation(0x03, 1, 0, 0), std::out_of_range);
}

TEST(GoldenTensorOps, ActivationMatchesOnlyWhatRoundingAllows) {
  const float e = 2.71828183F;
  EXPECT_TRUE(activation_matches(e, 0x07, 1, 0, 0));
  EXPECT_FALSE(activation_matches(std::nextafter(e, 3.0F), 0x07, 1, 0, 0));
  EXPECT_FALSE(activation_matches(std::nextafter(e, 2.0F), 0x07, 1, 0, 0));
  EXPECT_FALSE(activation_matches(kInfinity, 0x07, 1, 0, 0));
  EXPECT_FALSE(activation_matches(-0.0F, 0x02, 0, 0, 0));
  EXPECT_TRUE(activation_matches(kInfinity, 0x07, 100, 0, 0));
  EXPECT_TRUE(activation_matches(canonical(kNan), 0x07, kNan, 0, 0));
  // 1/2 + x/4 - x^3/48 with x = -131/2^24: a tie but for 1e-17.
  const float tie = -0x1.06p-17F;
  EXPECT_TRUE(activation_matches(float_of_bits(0x3EFFFFBE), 0x05, tie, 0, 0));
  EXPECT_TRUE(activation_matches(float_of_bits(0x3EFFFFBF), 0x05, tie, 0, 0));
  EXPECT_FALSE(activation_matches(float_of_bits(0x3EFFFFC0), 0x05, tie, 0, 0));
  EXPECT_FALSE(activation_matches(float_of_bits(0x3EFFFFBD), 0x05, tie, 0, 0));
}

}  // namespace tensor_ops_test
}  // namespace golden
