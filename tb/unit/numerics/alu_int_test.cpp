// ALU_OP on integers, and integer elements, against the golden's 128-bit arithmetic and against examples.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <stdexcept>
#include <vector>

#include "dve/numerics/numerics.h"
#include "golden/golden.h"
#include "oracle.h"

namespace alu_int_test {

using namespace dve::numerics;
using dve::isa::AluOp;
using dve::isa::Dtype;

constexpr std::uint64_t kMinusOne = ~std::uint64_t{0};
constexpr std::uint64_t kSmallest32 = 0xFFFFFFFF80000000;
constexpr std::uint64_t kSmallest64 = std::uint64_t{1} << 63U;

constexpr IntFormat kInt32{32, true};
constexpr IntFormat kUint32{32, false};
constexpr IntFormat kInt64{64, true};
constexpr IntFormat kUint64{64, false};

std::set<int> codes() {
  std::set<int> all{0x00, 0x1B};
  for (int code = 0xC4; code <= 0xDD; ++code) all.insert(code);
  return all;
}

std::uint64_t negative(std::uint64_t magnitude) { return 0 - magnitude; }

// The low `width` bits, extended by their sign or by zeros: what an element of a dtype of that width holds.
std::uint64_t element(std::uint64_t value, unsigned width, bool is_signed) {
  if (width == 64) return value;
  const std::uint64_t low = value & ((std::uint64_t{1} << width) - 1U);
  return is_signed && (low >> (width - 1U)) != 0 ? low | (kMinusOne << width) : low;
}

void check(int code, std::uint64_t a, std::uint64_t b, IntFormat format) {
  const auto got = alu_int(static_cast<AluOp>(code), a, b, format);
  const auto expected =
      golden::int_op(static_cast<std::uint8_t>(code), a, b, static_cast<int>(format.bits), format.is_signed);
  ASSERT_EQ(got, expected) << std::hex << "op 0x" << code << " of 0x" << a << ", 0x" << b << std::dec << ", "
                           << format.bits << " bits, signed " << format.is_signed;
}

TEST(AluInt, KnowsItsOperations) {
  for (int code = 0; code < 256; ++code) {
    const AluOp op = static_cast<AluOp>(code);
    const bool known = codes().count(code) == 1;
    EXPECT_EQ(has_int_meaning(op), known) << code;
    if (known) {
      EXPECT_NO_THROW(alu_int(op, 1, 2, kInt32)) << code;
    } else {
      EXPECT_THROW(alu_int(op, 1, 2, kInt32), std::invalid_argument) << code;
    }
  }
  for (const unsigned bits : {0U, 8U, 16U, 31U, 33U, 63U, 65U}) {
    EXPECT_THROW(alu_int(AluOp::add_int, 1, 2, {bits, true}), std::invalid_argument) << bits;
  }
}

TEST(AluInt, EveryPairOfBytes) {
  for (const int code : codes()) {
    for (const bool is_signed : {true, false}) {
      for (std::uint64_t a = 0; a < 256; ++a) {
        for (std::uint64_t b = 0; b < 256; ++b) {
          ASSERT_NO_FATAL_FAILURE(check(code, element(a, 8, is_signed), element(b, 8, is_signed), {32, is_signed}));
        }
      }
    }
  }
}

std::vector<std::uint64_t> edges(unsigned width, bool is_signed) {
  std::set<std::uint64_t> values;
  for (unsigned power = 0; power < width; ++power) {
    for (const std::uint64_t offset : {negative(1), std::uint64_t{0}, std::uint64_t{1}}) {
      const std::uint64_t value = (std::uint64_t{1} << power) + offset;
      values.insert(element(value, width, is_signed));
      values.insert(element(negative(value), width, is_signed));
    }
  }
  return {values.begin(), values.end()};
}

void check_width(unsigned width, unsigned seed) {
  for (const bool is_signed : {true, false}) {
    const IntFormat format{width == 64 ? 64U : 32U, is_signed};
    const std::vector<std::uint64_t> edge = edges(width, is_signed);
    std::mt19937_64 rng(seed);
    const auto draw = [&] {
      if (rng() % 4U == 0) return edge[rng() % edge.size()];
      return element(rng() >> (rng() % 64U), width, is_signed);
    };
    for (const int code : codes()) {
      for (const std::uint64_t a : edge) {
        for (const std::uint64_t b : {std::uint64_t{0}, std::uint64_t{1}, kMinusOne, edge.front(), edge.back(), a}) {
          ASSERT_NO_FATAL_FAILURE(check(code, a, element(b, width, is_signed), format));
          ASSERT_NO_FATAL_FAILURE(check(code, element(b, width, is_signed), a, format));
        }
      }
      for (int i = 0; i < 20000; ++i) ASSERT_NO_FATAL_FAILURE(check(code, draw(), draw(), format));
    }
  }
}

TEST(AluInt, EdgesAndRandom16) { check_width(16, 1); }
TEST(AluInt, EdgesAndRandom32) { check_width(32, 2); }
TEST(AluInt, EdgesAndRandom64) { check_width(64, 3); }

TEST(AluInt, IgnoresBitsAboveTheFormat) {
  std::mt19937_64 rng(4);
  for (const int code : codes()) {
    const AluOp op = static_cast<AluOp>(code);
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t a = rng();
      const std::uint64_t b = rng();
      for (const IntFormat format : {kInt32, kUint32}) {
        EXPECT_EQ(alu_int(op, a, b, format), alu_int(op, a & 0xFFFFFFFFU, b & 0xFFFFFFFFU, format)) << code;
      }
    }
  }
}

TEST(AluInt, ZeroDividesNothing) {
  for (const AluOp op : {AluOp::divide_int, AluOp::mod_int, AluOp::mod, AluOp::divide_uint, AluOp::mod_uint}) {
    for (const IntFormat format : {kInt32, kUint32, kInt64, kUint64}) {
      EXPECT_EQ(alu_int(op, 5, 0, format), std::nullopt) << dve::isa::name(op);
      EXPECT_EQ(alu_int(op, 0, 0, format), std::nullopt) << dve::isa::name(op);
      EXPECT_EQ(alu_int(op, 0, 5, format), 0U) << dve::isa::name(op);
    }
    const std::uint64_t above = std::uint64_t{1} << 32U;  // zero in 32 bits
    EXPECT_EQ(alu_int(op, 5, above, kInt32), std::nullopt) << dve::isa::name(op);
    EXPECT_NE(alu_int(op, 5, above, kInt64), std::nullopt) << dve::isa::name(op);
  }
}

struct Example {
  AluOp op;
  std::uint64_t a, b;
  IntFormat format;
  std::uint64_t expected;
};

// The choices that alu.h states.
TEST(AluInt, StatedChoices) {
  const std::uint64_t big = 0xC0000000;
  const std::vector<Example> examples{{AluOp::add_int, 0x7FFFFFFF, 1, kInt32, kSmallest32},
                                      {AluOp::add_int, 0xFFFFFFFF, 1, kUint32, 0},
                                      {AluOp::add_int, kMinusOne, 2, kUint64, 1},
                                      {AluOp::subtract_int, 0, 1, kUint32, 0xFFFFFFFF},
                                      {AluOp::mult_int, 0x10000, 0x8000, kInt32, kSmallest32},
                                      {AluOp::mult_uint, 0x10000, 0x8000, kUint32, 0x80000000},
                                      {AluOp::divide_int, negative(7), 2, kInt32, negative(3)},
                                      {AluOp::divide_int, big, 2, kUint32, 0x60000000},
                                      {AluOp::divide_int, kSmallest32, kMinusOne, kInt32, kSmallest32},
                                      {AluOp::divide_int, kSmallest64, kMinusOne, kInt64, kSmallest64},
                                      {AluOp::mod_int, kSmallest64, kMinusOne, kInt64, 0},
                                      {AluOp::mod_int, negative(7), 2, kInt32, kMinusOne},
                                      {AluOp::mod_int, 7, negative(2), kInt32, 1},
                                      {AluOp::mod, negative(7), 2, kInt64, kMinusOne},
                                      {AluOp::mod, kMinusOne, 2, kUint64, 1},
                                      {AluOp::is_equal_int, 3, 3, kUint32, 1},
                                      {AluOp::is_ne_int, 3, 3, kInt32, 0},
                                      {AluOp::abs_max_int, negative(5), 3, kInt32, 5},
                                      {AluOp::abs_max_int, kSmallest32, 3, kInt32, kSmallest32},
                                      {AluOp::abs_min_int, kSmallest32, 3, kInt32, 3},
                                      {AluOp::abs_min_int, kSmallest64, kSmallest64, kInt64, kSmallest64},
                                      {AluOp::abs_diff_int, negative(5), 3, kInt32, 8},
                                      {AluOp::abs_diff_int, kSmallest32, 0x7FFFFFFF, kInt32, kMinusOne},  // 2^32 - 1
                                      {AluOp::abs_value_int, negative(5), 0, kInt32, 5},
                                      {AluOp::abs_value_int, kSmallest32, 0, kInt32, kSmallest32},
                                      {AluOp::bypass, negative(5), 9, kInt32, negative(5)},
                                      // Signed and unsigned operations go by their own sign, whatever the format's.
                                      {AluOp::max_int, big, 1, kUint32, 1},
                                      {AluOp::max_uint, big, 1, kInt32, big},
                                      {AluOp::min_int, big, 1, kUint32, 0xFFFFFFFFC0000000},
                                      {AluOp::min_uint, big, 1, kInt32, 1},
                                      {AluOp::is_gt_int, kMinusOne, 1, kUint64, 0},
                                      {AluOp::is_gt_uint, kMinusOne, 1, kInt64, 1},
                                      {AluOp::is_ge_int, 1, 1, kInt32, 1},
                                      {AluOp::is_le_int, kMinusOne, 1, kInt32, 1},
                                      {AluOp::is_le_uint, kMinusOne, 1, kInt32, 0},
                                      {AluOp::is_lt_int, 1, 1, kInt32, 0},
                                      {AluOp::is_lt_uint, 1, kMinusOne, kInt32, 1},
                                      {AluOp::divide_uint, kMinusOne, 2, kInt64, kMinusOne >> 1U},
                                      {AluOp::mod_uint, kMinusOne, 10, kInt32, 5}};
  for (const Example& e : examples) {
    EXPECT_EQ(alu_int(e.op, e.a, e.b, e.format), e.expected) << dve::isa::name(e.op) << " of " << e.a << ", " << e.b;
  }
}

// ---- Elements -------------------------------------------------------------------------------------------------------

TEST(IntegerElements, ReadsLittleEndianBySign) {
  const std::array<std::uint8_t, 9> bytes{0x55, 0x81, 0x92, 0xA3, 0xB4, 0xC5, 0xD6, 0xE7, 0xF8};
  const std::uint8_t* unaligned = bytes.data() + 1;
  EXPECT_EQ(integer_at(unaligned, Dtype::uint8), 0x81U);
  EXPECT_EQ(integer_at(unaligned, Dtype::int8), 0xFFFFFFFFFFFFFF81U);
  EXPECT_EQ(integer_at(unaligned, Dtype::uint16), 0x9281U);
  EXPECT_EQ(integer_at(unaligned, Dtype::int16), 0xFFFFFFFFFFFF9281U);
  EXPECT_EQ(integer_at(unaligned, Dtype::uint32), 0xB4A39281U);
  EXPECT_EQ(integer_at(unaligned, Dtype::int32), 0xFFFFFFFFB4A39281U);
  EXPECT_EQ(integer_at(unaligned, Dtype::uint64), 0xF8E7D6C5B4A39281U);
  EXPECT_EQ(integer_at(unaligned, Dtype::int64), 0xF8E7D6C5B4A39281U);
  EXPECT_EQ(integer_at(bytes.data(), Dtype::int8), 0x55U);
}

TEST(IntegerElements, StoresTheLowBytesOnly) {
  const std::vector<std::pair<Dtype, std::size_t>> sizes{{Dtype::int8, 1},   {Dtype::uint8, 1}, {Dtype::int16, 2},
                                                         {Dtype::uint16, 2}, {Dtype::int32, 4}, {Dtype::uint32, 4},
                                                         {Dtype::int64, 8},  {Dtype::uint64, 8}};
  for (const auto& [dtype, size] : sizes) {
    std::array<std::uint8_t, 10> bytes{};
    bytes.fill(0xEE);
    store_integer(0xF8E7D6C5B4A39281U, dtype, bytes.data() + 1);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const std::array<std::uint8_t, 8> stored{0x81, 0x92, 0xA3, 0xB4, 0xC5, 0xD6, 0xE7, 0xF8};
      const bool written = i >= 1 && i < 1 + size;
      EXPECT_EQ(bytes[i], written ? stored[i - 1] : 0xEE) << dve::isa::name(dtype) << " byte " << i;
    }
  }
}

TEST(IntegerElements, NamesTheDtypeItRefuses) {
  try {
    integer_at(nullptr, Dtype::bf16);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "integer_at: dtype bf16, expected an integer of 1, 2, 4 or 8 bytes");
  }
}

TEST(IntegerElements, RefusesOtherDtypes) {
  std::array<std::uint8_t, 8> bytes{};
  for (int code = 0; code < 256; ++code) {
    const Dtype dtype = static_cast<Dtype>(code);
    const bool integer = std::set<int>{1, 2, 3, 4, 5, 8, 9, 0xC}.count(code) == 1;
    if (integer) {
      EXPECT_NO_THROW(integer_at(bytes.data(), dtype)) << code;
      EXPECT_NO_THROW(store_integer(0, dtype, bytes.data())) << code;
    } else {
      EXPECT_THROW(integer_at(bytes.data(), dtype), std::invalid_argument) << code;
      EXPECT_THROW(store_integer(0, dtype, bytes.data()), std::invalid_argument) << code;
    }
  }
}

}  // namespace alu_int_test
