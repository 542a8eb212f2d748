#include "alu_op.h"

#include <array>

#include "code_name.h"

namespace dve::isa {
namespace {

struct NamedOp {
  AluOp code;
  std::string_view name;
};

// clang-format off
constexpr std::array kOps = {
    NamedOp{AluOp::bypass, "bypass"}, NamedOp{AluOp::bitwise_not, "bitwise_not"},
    NamedOp{AluOp::arith_shift_left, "arith_shift_left"}, NamedOp{AluOp::arith_shift_right, "arith_shift_right"},
    NamedOp{AluOp::add, "add"}, NamedOp{AluOp::subtract, "subtract"}, NamedOp{AluOp::mult, "mult"},
    NamedOp{AluOp::divide, "divide"}, NamedOp{AluOp::max, "max"}, NamedOp{AluOp::min, "min"},
    NamedOp{AluOp::bitwise_and, "bitwise_and"}, NamedOp{AluOp::bitwise_or, "bitwise_or"},
    NamedOp{AluOp::bitwise_xor, "bitwise_xor"}, NamedOp{AluOp::logical_and, "logical_and"},
    NamedOp{AluOp::logical_or, "logical_or"}, NamedOp{AluOp::logical_xor, "logical_xor"},
    NamedOp{AluOp::logical_shift_left, "logical_shift_left"}, NamedOp{AluOp::logical_shift_right, "logical_shift_right"},
    NamedOp{AluOp::is_eq, "is_eq"}, NamedOp{AluOp::is_gt, "is_gt"}, NamedOp{AluOp::is_ge, "is_ge"},
    NamedOp{AluOp::is_le, "is_le"}, NamedOp{AluOp::is_lt, "is_lt"}, NamedOp{AluOp::absolute_diff, "absolute_diff"},
    NamedOp{AluOp::is_ne, "is_ne"}, NamedOp{AluOp::absolute_value, "absolute_value"}, NamedOp{AluOp::pow, "pow"},
    NamedOp{AluOp::mod, "mod"}, NamedOp{AluOp::crc32, "crc32"}, NamedOp{AluOp::rsqrt, "rsqrt"},
    NamedOp{AluOp::abs_max, "abs_max"}, NamedOp{AluOp::abs_min, "abs_min"}, NamedOp{AluOp::re_lu, "re_lu"},
    NamedOp{AluOp::square, "square"}, NamedOp{AluOp::symmetric_clamp, "symmetric_clamp"},
    NamedOp{AluOp::add_int, "add_int"}, NamedOp{AluOp::mult_int, "mult_int"}, NamedOp{AluOp::subtract_int, "subtract_int"},
    NamedOp{AluOp::divide_int, "divide_int"}, NamedOp{AluOp::mod_int, "mod_int"},
    NamedOp{AluOp::is_equal_int, "is_equal_int"}, NamedOp{AluOp::is_ne_int, "is_ne_int"},
    NamedOp{AluOp::abs_max_int, "abs_max_int"}, NamedOp{AluOp::abs_min_int, "abs_min_int"},
    NamedOp{AluOp::abs_diff_int, "abs_diff_int"}, NamedOp{AluOp::abs_value_int, "abs_value_int"},
    NamedOp{AluOp::max_int, "max_int"}, NamedOp{AluOp::min_int, "min_int"}, NamedOp{AluOp::is_gt_int, "is_gt_int"},
    NamedOp{AluOp::is_ge_int, "is_ge_int"}, NamedOp{AluOp::is_le_int, "is_le_int"}, NamedOp{AluOp::is_lt_int, "is_lt_int"},
    NamedOp{AluOp::max_uint, "max_uint"}, NamedOp{AluOp::min_uint, "min_uint"}, NamedOp{AluOp::is_gt_uint, "is_gt_uint"},
    NamedOp{AluOp::is_ge_uint, "is_ge_uint"}, NamedOp{AluOp::is_le_uint, "is_le_uint"},
    NamedOp{AluOp::is_lt_uint, "is_lt_uint"}, NamedOp{AluOp::mult_uint, "mult_uint"},
    NamedOp{AluOp::divide_uint, "divide_uint"}, NamedOp{AluOp::mod_uint, "mod_uint"}, NamedOp{AluOp::amax_int, "amax_int"},
    NamedOp{AluOp::amin_int, "amin_int"}, NamedOp{AluOp::amax_uint, "amax_uint"}, NamedOp{AluOp::amin_uint, "amin_uint"}};
// clang-format on

constexpr bool between(AluOp op, AluOp first, AluOp last) { return code(op) >= code(first) && code(op) <= code(last); }

}  // namespace

std::string_view name(AluOp op) { return name_in(kOps, op); }

std::optional<AluOp> alu_op_from_string(std::string_view text) { return code_in(kOps, text); }

const std::vector<AluOp>& named_alu_ops() {
  static const std::vector<AluOp> ops = [] {
    std::vector<AluOp> all;
    for (const NamedOp& entry : kOps) all.push_back(entry.code);
    return all;
  }();
  return ops;
}

bool is_alu_op_member(AluOp op, Generation generation) {
  const int version = core_version(generation);
  if (between(op, AluOp::bypass, AluOp::rsqrt) || between(op, AluOp::add_int, AluOp::subtract_int)) return true;
  if (between(op, AluOp::divide_int, AluOp::amin_uint)) return version >= 3;
  if (between(op, AluOp::abs_max, AluOp::square)) return version >= 4;
  return op == AluOp::symmetric_clamp && version >= 5;
}

bool is_shift_op(AluOp op) {
  return op == AluOp::arith_shift_left || op == AluOp::arith_shift_right || op == AluOp::logical_shift_left ||
         op == AluOp::logical_shift_right;
}

bool is_bitvec_op(AluOp op) { return is_general_bitvec_op(op) || op == AluOp::crc32; }

bool is_general_bitvec_op(AluOp op) {
  return op == AluOp::bypass || op == AluOp::bitwise_not || is_shift_op(op) ||
         between(op, AluOp::bitwise_and, AluOp::bitwise_xor);
}

bool is_general_arith_op(AluOp op, Generation generation) {
  if (between(op, AluOp::abs_max, AluOp::symmetric_clamp)) return is_alu_op_member(op, generation);
  return op == AluOp::bypass || between(op, AluOp::add, AluOp::mult) || op == AluOp::max || op == AluOp::min ||
         between(op, AluOp::logical_and, AluOp::logical_xor) || between(op, AluOp::is_eq, AluOp::absolute_value);
}

bool is_int_op(AluOp op) {
  return op == AluOp::mod || (between(op, AluOp::add_int, AluOp::mod_uint) && op != AluOp::abs_value_int);
}

bool is_signed_int_op(AluOp op) {
  return between(op, AluOp::abs_max_int, AluOp::abs_diff_int) || between(op, AluOp::max_int, AluOp::is_lt_int);
}

bool is_unsigned_int_op(AluOp op) { return between(op, AluOp::max_uint, AluOp::mod_uint); }

bool is_arg_op(AluOp op) { return between(op, AluOp::amax_int, AluOp::amin_uint); }

bool is_maverick_dve_int_op(AluOp op) {
  return op == AluOp::bypass || between(op, AluOp::add_int, AluOp::subtract_int) || op == AluOp::is_equal_int ||
         op == AluOp::is_ne_int || between(op, AluOp::abs_max_int, AluOp::abs_diff_int) ||
         between(op, AluOp::max_int, AluOp::is_lt_int);
}

bool is_binary_op(AluOp op) {
  switch (op) {
    case AluOp::bypass:
    case AluOp::bitwise_not:
    case AluOp::absolute_value:
    case AluOp::abs_value_int:
    case AluOp::rsqrt:
    case AluOp::re_lu:
    case AluOp::square:
      return false;
    default:
      return true;
  }
}

}  // namespace dve::isa
