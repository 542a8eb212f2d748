#include "alu.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "activation.h"
#include "convert.h"

namespace dve::numerics {

namespace {

using isa::AluOp;

[[noreturn]] void reject(const char* function, AluOp op, const char* expected) {
  throw std::invalid_argument(std::string(function) + ": ALU operation " + std::string(isa::name(op)) + ", expected " +
                              expected);
}

// ---- Binary32 -----------------------------------------------------------------------------------------------------

float flag(bool value) { return value ? 1.0F : 0.0F; }

bool is_nan(float value) { return value != value; }

float larger(float a, float b) { return is_nan(a) || b > a ? b : a; }
float smaller(float a, float b) { return is_nan(a) || b < a ? b : a; }

float symmetric_clamp(float a, float b) {
  if (a == 0 || is_nan(a)) return a;
  return std::copysign(larger(std::fabs(a), std::fabs(b)), a);
}

float power(float a, float b) { return static_cast<float>(std::pow(static_cast<double>(a), static_cast<double>(b))); }

float fp32_result(AluOp op, float a, float b) {
  switch (op) {
    case AluOp::bypass:
      return a;
    case AluOp::add:
      return a + b;
    case AluOp::subtract:
      return a - b;
    case AluOp::mult:
      return a * b;
    case AluOp::divide:
      return a / b;
    case AluOp::max:
      return larger(a, b);
    case AluOp::min:
      return smaller(a, b);
    case AluOp::logical_and:
      return flag(a != 0 && b != 0);
    case AluOp::logical_or:
      return flag(a != 0 || b != 0);
    case AluOp::logical_xor:
      return flag((a != 0) != (b != 0));
    case AluOp::is_eq:
      return flag(a == b);
    case AluOp::is_gt:
      return flag(a > b);
    case AluOp::is_ge:
      return flag(a >= b);
    case AluOp::is_le:
      return flag(a <= b);
    case AluOp::is_lt:
      return flag(a < b);
    case AluOp::absolute_diff:
      return std::fabs(a - b);
    case AluOp::is_ne:
      return flag(a != b);
    case AluOp::absolute_value:
      return std::fabs(a);
    case AluOp::pow:
      return power(a, b);
    case AluOp::mod:
      return std::fmod(a, b);
    case AluOp::rsqrt:
      return activate(isa::ActivationFunc::rsqrt, a, 0, {});
    case AluOp::abs_max:
      return larger(std::fabs(a), std::fabs(b));
    case AluOp::abs_min:
      return smaller(std::fabs(a), std::fabs(b));
    case AluOp::re_lu:
      return a < 0 ? 0.0F : a;
    case AluOp::square:
      return a * a;
    case AluOp::symmetric_clamp:
      return symmetric_clamp(a, b);
    default:
      reject("alu_fp32", op, "one with a binary32 meaning");
  }
}

// ---- Integers -----------------------------------------------------------------------------------------------------

// The number in the low bits, extended to 64 bits.
std::uint64_t extend(std::uint64_t value, IntFormat format) {
  if (format.bits == 64) return value;
  const std::uint32_t low = static_cast<std::uint32_t>(value);
  return format.is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(low)}) : low;
}

bool less(std::uint64_t a, std::uint64_t b, bool is_signed) {
  return is_signed ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
}

std::uint64_t magnitude(std::uint64_t value) { return static_cast<std::int64_t>(value) < 0 ? 0 - value : value; }

constexpr std::uint64_t kMinusOne = ~std::uint64_t{0};

// Dividing by -1 stands apart: the smallest value has no negative, and the language no result for it.
std::uint64_t quotient(std::uint64_t a, std::uint64_t b, bool is_signed) {
  if (!is_signed) return a / b;
  if (b == kMinusOne) return 0 - a;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b));
}

std::uint64_t remainder(std::uint64_t a, std::uint64_t b, bool is_signed) {
  if (!is_signed) return a % b;
  if (b == kMinusOne) return 0;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) % static_cast<std::int64_t>(b));
}

bool signedness(AluOp op, IntFormat format) {
  if (isa::is_signed_int_op(op) || op == AluOp::abs_value_int) return true;
  return !isa::is_unsigned_int_op(op) && format.is_signed;
}

// Operands extended to 64 bits by their sign; the result is right modulo 2^bits.
std::optional<std::uint64_t> int_result(AluOp op, std::uint64_t a, std::uint64_t b, bool is_signed) {
  switch (op) {
    case AluOp::bypass:
      return a;
    case AluOp::add_int:
      return a + b;
    case AluOp::subtract_int:
      return a - b;
    case AluOp::mult_int:
    case AluOp::mult_uint:
      return a * b;
    case AluOp::divide_int:
    case AluOp::divide_uint:
      return b == 0 ? std::nullopt : std::optional(quotient(a, b, is_signed));
    case AluOp::mod:
    case AluOp::mod_int:
    case AluOp::mod_uint:
      return b == 0 ? std::nullopt : std::optional(remainder(a, b, is_signed));
    case AluOp::is_equal_int:
      return a == b;
    case AluOp::is_ne_int:
      return a != b;
    case AluOp::abs_max_int:
      return std::max(magnitude(a), magnitude(b));
    case AluOp::abs_min_int:
      return std::min(magnitude(a), magnitude(b));
    case AluOp::abs_diff_int:
      return less(a, b, is_signed) ? b - a : a - b;
    case AluOp::abs_value_int:
      return magnitude(a);
    case AluOp::max_int:
    case AluOp::max_uint:
      return less(a, b, is_signed) ? b : a;
    case AluOp::min_int:
    case AluOp::min_uint:
      return less(b, a, is_signed) ? b : a;
    case AluOp::is_gt_int:
    case AluOp::is_gt_uint:
      return less(b, a, is_signed);
    case AluOp::is_ge_int:
    case AluOp::is_ge_uint:
      return !less(a, b, is_signed);
    case AluOp::is_le_int:
    case AluOp::is_le_uint:
      return !less(b, a, is_signed);
    case AluOp::is_lt_int:
    case AluOp::is_lt_uint:
      return less(a, b, is_signed);
    default:
      reject("alu_int", op, "one with an integer meaning");
  }
}

// ---- Bit patterns -------------------------------------------------------------------------------------------------

std::uint64_t shift_left(std::uint64_t a, std::uint64_t count, unsigned bits) { return count < bits ? a << count : 0; }

std::uint64_t shift_right(std::uint64_t a, std::uint64_t count, unsigned bits) { return count < bits ? a >> count : 0; }

std::uint64_t low_bits(unsigned bits) { return ~std::uint64_t{0} >> (64U - bits); }

// A negative pattern is the complement of a non-negative one, which zeros fill.
std::uint64_t shift_right_with_sign(std::uint64_t a, std::uint64_t count, unsigned bits) {
  const bool negative = (a >> (bits - 1U)) != 0;
  return negative ? ~shift_right(~a & low_bits(bits), count, bits) : shift_right(a, count, bits);
}

std::size_t integer_bytes(const char* function, isa::Dtype dtype) {
  if (!isa::is_valid_int_dtype(dtype)) {
    throw std::invalid_argument(std::string(function) + ": dtype " + std::string(isa::name(dtype)) +
                                ", expected an integer of 1, 2, 4 or 8 bytes");
  }
  return static_cast<std::size_t>(isa::storage_size(dtype).value);
}

}  // namespace

bool has_fp32_meaning(AluOp op) {
  return isa::is_general_arith_op(op, isa::Generation::maverick) || op == AluOp::divide || op == AluOp::pow ||
         op == AluOp::mod || op == AluOp::rsqrt;
}

float alu_fp32(AluOp op, float a, float b) { return canonical(fp32_result(op, a, b)); }

float tensor_scalar(float x, AluOp op0, float s0, AluOp op1, float s1, unsigned reverse_operands,
                    const Switches& switches) {
  if (reverse_operands > 3) {
    throw std::invalid_argument("tensor_scalar: reverse_operands " + std::to_string(reverse_operands) +
                                ", expected 0 to 3");
  }
  const bool reverse_first = (reverse_operands & 1U) != 0;
  const bool reverse_second = (reverse_operands & 2U) != 0;

  const bool sum = op1 == AluOp::add || op1 == AluOp::subtract;
  if (switches.tensor_scalar_contraction == Contraction::fused && op0 == AluOp::mult && sum) {
    const bool negative_product = op1 == AluOp::subtract && reverse_second;
    const bool negative_scalar = op1 == AluOp::subtract && !reverse_second;
    return canonical(std::fma(negative_product ? -x : x, s0, negative_scalar ? -s1 : s1));
  }
  const float first = reverse_first ? alu_fp32(op0, s0, x) : alu_fp32(op0, x, s0);
  if (op1 == AluOp::bypass) return first;
  return reverse_second ? alu_fp32(op1, s1, first) : alu_fp32(op1, first, s1);
}

bool has_int_meaning(AluOp op) { return isa::is_int_op(op) || op == AluOp::abs_value_int || op == AluOp::bypass; }

std::optional<std::uint64_t> alu_int(AluOp op, std::uint64_t a, std::uint64_t b, IntFormat format) {
  if (format.bits != 32 && format.bits != 64) {
    throw std::invalid_argument("alu_int: " + std::to_string(format.bits) + " bits, expected 32 or 64");
  }
  const IntFormat own{format.bits, signedness(op, format)};
  const auto result = int_result(op, extend(a, own), extend(b, own), own.is_signed);
  return result ? std::optional(extend(*result, own)) : std::nullopt;
}

std::uint64_t alu_bitvec(AluOp op, std::uint64_t a, std::uint64_t b, unsigned bits) {
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
    throw std::invalid_argument("alu_bitvec: " + std::to_string(bits) + " bits, expected 8, 16, 32 or 64");
  }
  const std::uint64_t mask = low_bits(bits);
  a &= mask;
  b &= mask;
  switch (op) {
    case AluOp::bypass:
      return a;
    case AluOp::bitwise_not:
      return ~a & mask;
    case AluOp::bitwise_and:
      return a & b;
    case AluOp::bitwise_or:
      return a | b;
    case AluOp::bitwise_xor:
      return a ^ b;
    case AluOp::arith_shift_left:
    case AluOp::logical_shift_left:
      return shift_left(a, b, bits) & mask;
    case AluOp::arith_shift_right:
      return shift_right_with_sign(a, b, bits) & mask;
    case AluOp::logical_shift_right:
      return shift_right(a, b, bits);
    default:
      reject("alu_bitvec", op, "a bit operation other than crc32");
  }
}

std::uint64_t integer_at(const std::uint8_t* element, isa::Dtype dtype) {
  const std::size_t bytes = integer_bytes("integer_at", dtype);
  const bool negative = isa::is_signed_int(dtype) && element[bytes - 1] >= 0x80;
  std::uint64_t value = negative ? kMinusOne : 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8U | element[i];
  return value;
}

void store_integer(std::uint64_t value, isa::Dtype dtype, std::uint8_t* element) {
  const std::size_t bytes = integer_bytes("store_integer", dtype);
  for (std::size_t i = 0; i < bytes; ++i) element[i] = static_cast<std::uint8_t>(value >> (8U * i));
}

}  // namespace dve::numerics
