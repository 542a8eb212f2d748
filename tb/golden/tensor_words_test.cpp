// The golden's whole words against small examples, built byte by byte.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "golden/golden.h"

namespace golden {
namespace tensor_words_test {

constexpr std::uint8_t kInt8 = 0x02, kUint16 = 0x05, kBf16 = 0x06, kInt32 = 0x08, kFp32 = 0x0A;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Little-endian fields of a word, zero where nothing is put.
struct Builder {
  WordBytes bytes{};
  explicit Builder(std::uint8_t opcode) { bytes[0] = opcode; }
  Builder& put(std::size_t at, std::uint32_t value, std::size_t size = 1) {
    for (std::size_t i = 0; i < size; ++i) bytes.at(at + i) = static_cast<std::uint8_t>(value >> (8 * i));
    return *this;
  }
  // One dimension of `count` elements with the step given; the others have one element.
  Builder& row(std::size_t at, std::size_t dimensions, std::uint32_t address, std::uint32_t count, int step = 1) {
    put(at, address, 4);
    for (std::size_t d = 0; d < dimensions; ++d) {
      put(at + 4 + 2 * d, d == 0 ? static_cast<std::uint32_t>(step) : 1, 2);
      put(at + 4 + 2 * dimensions + 2 * d, d == 0 ? count : 1, 2);
    }
    return *this;
  }
};

TensorDevice device(const TensorOptions& options = {}) { return {options, 256, 64}; }

Tensor place(std::size_t partition, std::int64_t offset, std::int64_t count, std::uint8_t dtype = kFp32,
             Space space = Space::sbuf) {
  return {space, partition, offset, static_cast<Dtype>(dtype), {count, 1, 1, 1}, {1, 1, 1, 1}};
}

void put(TensorDevice& d, std::size_t partition, std::int64_t offset, const std::vector<float>& values,
         std::uint8_t dtype = kFp32) {
  write_stream(d.memory, place(partition, offset, static_cast<std::int64_t>(values.size()), dtype), 0, values, {});
}

std::vector<float> get(TensorDevice& d, std::size_t partition, std::int64_t offset, std::int64_t count,
                       std::uint8_t dtype = kFp32, Space space = Space::sbuf) {
  return read_stream(d.memory, place(partition, offset, count, dtype, space), 0, {});
}

using Floats = std::vector<float>;

Builder tensor_tensor(std::uint8_t opcode, std::uint8_t in, std::uint8_t out, std::uint8_t op, std::uint32_t n) {
  return Builder(opcode)
      .put(12, in)
      .put(13, out)
      .put(14, op)
      .put(15, 1)
      .row(16, 3, 0, n)
      .row(32, 3, 0x20, n)
      .row(48, 3, 0x40, n);
}

TEST(GoldenTensorWords, TensorTensorAddsTwoStreams) {
  TensorDevice d = device();
  put(d, 0, 0, {1, 2, 3});
  put(d, 0, 0x20, {10, 20, 30});
  d.execute(tensor_tensor(0x41, 0xAA, kFp32, 0x04, 3).bytes);
  EXPECT_EQ(get(d, 0, 0x40, 4), (Floats{11, 22, 33, 0}));
  // Backwards, from a register, to PSUM partition 32.
  RegisterFile registers{};
  registers[7] = 8;
  auto word = tensor_tensor(0x41, 0xAA, kFp32, 0x05, 3);
  word.row(16, 3, 0x80000007, 3, -1).row(48, 3, 0x2000000 + 32 * 0x8000 + 4, 3);
  d.execute(word.bytes, registers);
  EXPECT_EQ(get(d, 32, 4, 3, kFp32, Space::psum), (Floats{-7, -18, -29}));
}

TEST(GoldenTensorWords, IntegersWrapAndDivideByZeroWritesNothing) {
  TensorDevice d = device();
  put(d, 0, 0, {100, -128}, kInt8);
  put(d, 0, 0x20, {100, 1}, kInt8);
  d.execute(tensor_tensor(0x41, 0x22, kInt8, 0xC4, 2).bytes);
  EXPECT_EQ(get(d, 0, 0x40, 2, kInt8), (Floats{-56, -127}));
  put(d, 0, 0x20, {3, 0}, kInt8);
  EXPECT_TRUE(d.execute(tensor_tensor(0x41, 0x22, kInt8, 0xC7, 2).bytes).integer_divide_by_zero);
  EXPECT_EQ(get(d, 0, 0x40, 2, kInt8), (Floats{-56, -127}));
  put(d, 0, 0x20, {3, 1}, kInt8);
  EXPECT_FALSE(d.execute(tensor_tensor(0x41, 0x22, kInt8, 0xC7, 2).bytes).integer_divide_by_zero);
  EXPECT_EQ(get(d, 0, 0x40, 2, kInt8), (Floats{33, -128}));
}

TEST(GoldenTensorWords, PredicateDecidesElementByElement) {
  TensorDevice d = device();
  put(d, 0, 0, {0, 5, 0, -1}, kInt32);
  put(d, 0, 0x20, {1, 2, 3, 4});
  put(d, 0, 0x40, {9, 9, 9, 9});
  d.execute(tensor_tensor(0x72, 0xA8, kFp32, 0, 4).bytes);
  EXPECT_EQ(get(d, 0, 0x40, 4), (Floats{9, 2, 9, 4}));
  d.execute(tensor_tensor(0x99, 0xA8, kBf16, 0, 4).bytes);
  EXPECT_EQ(get(d, 0, 0x42, 1, kBf16), (Floats{2}));
  // All elements in one place: the last that is written stays.
  auto word = tensor_tensor(0x72, 0xA8, kFp32, 0, 3);
  d.execute(word.row(48, 3, 0x40, 3, 0).bytes);
  EXPECT_EQ(get(d, 0, 0x40, 1), (Floats{2}));
}

TEST(GoldenTensorWords, TensorScalarTakesLiteralsAndPointers) {
  TensorDevice d = device();
  for (std::size_t p : {0U, 1U}) {
    put(d, p, 0, {1, 2});
    put(d, p, 0x10, {p == 0 ? 10.0F : 100.0F});
  }
  auto word = Builder(0x43).row(16, 3, 0, 2).put(32, kFp32).put(33, kFp32).put(34, 2).row(48, 3, 0x40, 2);
  word.put(36, 0x05).put(37, 0x06).put(38, 1).put(35, 1).put(40, 0x10, 4).put(44, 0x40000000, 4);
  d.execute(word.bytes);  // (s0 - x) * 2
  EXPECT_EQ(get(d, 0, 0x40, 2), (Floats{18, 16}));
  EXPECT_EQ(get(d, 1, 0x40, 2), (Floats{198, 196}));

  put(d, 0, 0, {1, 0x81}, kUint16);
  auto bits = Builder(0x53).row(16, 3, 0, 2).put(32, kUint16).put(33, kUint16).put(34, 1).row(48, 3, 0x40, 2);
  d.execute(bits.put(36, 0x10).put(40, 9, 4).put(37, 0x0B).put(44, 3, 4).bytes);  // (x << 9) | 3
  EXPECT_EQ(get(d, 0, 0x40, 2, kUint16), (Floats{0x203, 0x203}));
}

TEST(GoldenTensorWords, TensorReduceFoldsLeadingDimensions) {
  TensorDevice d = device();
  put(d, 0, 0, {1, 2, 3, 4, 5, 6});
  auto word = Builder(0x42).row(12, 4, 0, 3).put(32, kFp32).put(33, kFp32).put(34, 1).row(44, 4, 0x40, 2);
  word.put(18, 3, 2).put(26, 2, 2).put(36, 0x04).put(37, 2);
  d.execute(word.bytes);
  EXPECT_EQ(get(d, 0, 0x40, 2), (Floats{6, 15}));
  d.execute(word.put(35, 1).put(37, 3).row(44, 4, 0x40, 1).bytes);
  EXPECT_EQ(get(d, 0, 0x40, 2), (Floats{-21, 15}));
}

TEST(GoldenTensorWords, CopiesKeepBitsAndCastsConvert) {
  TensorDevice d = device();
  d.memory.at(Space::sbuf, 0, 0) = 0xB4;
  d.memory.at(Space::sbuf, 0, 1) = 0xFF;  // a bf16 NaN with a payload
  auto word = Builder(0x46).row(12, 4, 0, 1).put(32, kBf16).put(33, kBf16).put(34, 1).row(44, 4, 0x40, 1);
  d.execute(word.bytes);
  EXPECT_EQ(d.memory.at(Space::sbuf, 0, 0x40), 0xB4);
  EXPECT_EQ(d.memory.at(Space::sbuf, 0, 0x41), 0xFF);
  word.bytes[0] = 0x47;
  d.execute(word.bytes);
  EXPECT_EQ(d.memory.at(Space::sbuf, 0, 0x40), 0xC0);
  EXPECT_EQ(d.memory.at(Space::sbuf, 0, 0x41), 0x7F);
  put(d, 0, 0, {300, -2.75F, 4});
  word.row(12, 4, 0, 3).put(32, kFp32).put(33, kInt8).row(44, 4, 0x40, 3);
  d.execute(word.bytes);
  EXPECT_EQ(get(d, 0, 0x40, 3, kInt8), (Floats{127, -2, 4}));
  word.bytes[0] = 0x48;
  d.execute(word.put(33, kFp32).bytes);
  EXPECT_EQ(get(d, 0, 0x48, 1), (Floats{0.25F}));
  auto memset = Builder(0x49).put(32, kBf16).put(34, 2).put(40, 0x3F80, 4).row(44, 4, 0x42, 2, 2);
  d.execute(memset.bytes);
  EXPECT_EQ(get(d, 1, 0x40, 5, kBf16), (Floats{0, 1, 0, 1, 0}));
}

TEST(GoldenTensorWords, CrossLaneReduceWritesOnePartition) {
  TensorDevice d = device();
  for (std::size_t p = 0; p < 3; ++p) put(d, p, 0, {static_cast<float>(p), 10, -1});
  auto word = Builder(0x7C).row(12, 4, 0, 3).put(32, kFp32).put(33, kFp32).put(34, 3).put(40, 0x3F000000, 4);
  word.put(36, 1).row(44, 4, 32 * 0x40000 + 0x40, 3);
  d.execute(word.bytes);
  EXPECT_EQ(get(d, 32, 0x40, 3), (Floats{3, 30, -3}));
  EXPECT_EQ(get(d, 33, 0x40, 3), (Floats{0, 0, 0}));
  d.execute(word.put(35, 1).put(36, 0).row(44, 4, 32 * 0x40000 + 0x40, 1).bytes);  // half of everything
  EXPECT_EQ(get(d, 32, 0x40, 2), (Floats{15, 30}));
  word.bytes[0] = 0x7D;
  word.put(32, kInt32).put(33, kInt32).put(35, 3).put(36, 1).row(12, 4, 8, 1);
  d.execute(word.bytes);
  EXPECT_EQ(get(d, 32, 0x40, 1), (Floats{-1}));
}

// 2^24, 1 in partition 0; 1, 1 in partition 1. One after the other every 1 is lost.
TEST(GoldenTensorWords, AllElementsFoldInTheOrderAsked) {
  for (const bool tree : {false, true}) {
    TensorOptions options;
    options.clr_tree = tree;
    TensorDevice d = device(options);
    put(d, 0, 0, {16777216, 1});
    put(d, 1, 0, {1, 1});
    auto word = Builder(0x7C).row(12, 4, 0, 2).put(32, kFp32).put(33, kFp32).put(34, 2).row(44, 4, 0x40, 1);
    d.execute(word.bytes);
    EXPECT_EQ(get(d, 0, 0x40, 1), (Floats{tree ? 16777218.0F : 16777216.0F}));
  }
}

TEST(GoldenTensorWords, ActivateFillsTheAccumulator) {
  TensorDevice d = device();
  put(d, 32, 0, {1, 2});
  put(d, 32, 0x10, {0.5F}, kBf16);
  auto word = Builder(0x21).row(16, 3, 32 * 0x40000, 2).put(32, kFp32 + 16 * kBf16).put(33, kFp32).put(34, 1);
  word.put(35, 0x1E).put(36, 0x40000000, 4).put(40, 32 * 0x40000 + 0x10, 4).row(48, 3, 32 * 0x40000 + 0x40, 2);
  d.execute(word.put(14, 3).bytes);  // (2 x + 1/2)^2
  EXPECT_EQ(get(d, 32, 0x40, 2), (Floats{6.25F, 20.25F}));
  EXPECT_EQ(d.accumulators[32], 26.5F);
  d.execute(word.put(14, 2).bytes);
  EXPECT_EQ(d.accumulators[32], 53.0F);
  auto read = Builder(0x24).put(28, 1, 4).put(32, kFp32).put(34, 1).row(44, 1, 32 * 0x40000 + 0x50, 1);
  d.execute(read.bytes);
  EXPECT_EQ(get(d, 32, 0x50, 1), (Floats{53}));
  d.execute(read.put(33, 1).bytes);
  EXPECT_EQ(get(d, 32, 0x50, 1), (Floats{-53}));
  d.execute(word.put(14, 1).bytes);
  EXPECT_EQ(d.accumulators[32], 0.0F);
  // Prelu with alpha from the word; bias as a literal.
  d.execute(word.put(35, 0x04).put(15, 1).put(40, 0xC0400000, 4).put(44, 0x3E800000, 4).bytes);  // 2 x - 3
  EXPECT_EQ(get(d, 32, 0x40, 2), (Floats{-0.25F, 1}));
  EXPECT_THROW(d.execute(word.put(14, 4).bytes), std::out_of_range);
  d.execute(Builder(0x23).put(35, 2).bytes);
  EXPECT_EQ(d.resident_set, 2);
}

TEST(GoldenTensorWords, FlagsWhatFiniteOperandsBecome) {
  TensorDevice d = device();
  const auto divide = [&d](float x, std::uint8_t out) {
    put(d, 0, 0, {x});
    return d.execute(Builder(0x48).row(12, 4, 0, 1).put(32, kFp32).put(33, out).put(34, 1).row(44, 4, 0x40, 1).bytes);
  };
  EXPECT_TRUE(divide(0, kFp32).divide_by_zero);
  EXPECT_FALSE(divide(0, kFp32).overflow);
  EXPECT_FALSE(divide(0, kInt32).divide_by_zero);
  EXPECT_TRUE(divide(1e-40F, kFp32).overflow);
  EXPECT_FALSE(divide(1e-40F, kFp32).divide_by_zero);
  EXPECT_TRUE(divide(1e-6F, 0x07).overflow);
  EXPECT_FALSE(divide(NAN, kFp32).invalid);
  put(d, 0, 0, {kInfinity});
  put(d, 0, 0x20, {kInfinity});
  EXPECT_TRUE(d.execute(tensor_tensor(0x41, 0xAA, kFp32, 0x05, 1).bytes).invalid);
  EXPECT_FALSE(d.execute(tensor_tensor(0x41, 0xAA, kFp32, 0x04, 1).bytes).overflow);
}

TEST(GoldenTensorWords, RefusesWhatItDoesNotKnow) {
  TensorDevice d = device();
  EXPECT_THROW(d.execute(Builder(0x60).bytes), std::invalid_argument);
  EXPECT_THROW(d.execute(tensor_tensor(0x51, 0x88, kInt32, 0x1C, 1).bytes), std::out_of_range);
  EXPECT_THROW(d.execute(tensor_tensor(0x41, 0xAA, kFp32, 0x04, 100).bytes), std::out_of_range);
}

}  // namespace tensor_words_test
}  // namespace golden
