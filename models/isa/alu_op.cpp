#include "alu_op.h"

#include <algorithm>
#include <array>

#include "code_name.h"

namespace dve::isa {
namespace {

struct Named {
  AluOp op;
  std::string_view name;
};

// clang-format off
constexpr std::array kOps = {
    Named{AluOp::bypass, "bypass"}, Named{AluOp::bitwise_not, "bitwise_not"},
    Named{AluOp::arith_shift_left, "arith_shift_left"}, Named{AluOp::arith_shift_right, "arith_shift_right"},
    Named{AluOp::add, "add"}, Named{AluOp::subtract, "subtract"}, Named{AluOp::mult, "mult"},
    Named{AluOp::divide, "divide"}, Named{AluOp::max, "max"}, Named{AluOp::min, "min"},
    Named{AluOp::bitwise_and, "bitwise_and"}, Named{AluOp::bitwise_or, "bitwise_or"},
    Named{AluOp::bitwise_xor, "bitwise_xor"}, Named{AluOp::logical_and, "logical_and"},
    Named{AluOp::logical_or, "logical_or"}, Named{AluOp::logical_xor, "logical_xor"},
    Named{AluOp::logical_shift_left, "logical_shift_left"}, Named{AluOp::logical_shift_right, "logical_shift_right"},
    Named{AluOp::is_eq, "is_eq"}, Named{AluOp::is_gt, "is_gt"}, Named{AluOp::is_ge, "is_ge"},
    Named{AluOp::is_le, "is_le"}, Named{AluOp::is_lt, "is_lt"}, Named{AluOp::absolute_diff, "absolute_diff"},
    Named{AluOp::is_ne, "is_ne"}, Named{AluOp::absolute_value, "absolute_value"}, Named{AluOp::pow, "pow"},
    Named{AluOp::mod, "mod"}, Named{AluOp::crc32, "crc32"}, Named{AluOp::rsqrt, "rsqrt"},
    Named{AluOp::abs_max, "abs_max"}, Named{AluOp::abs_min, "abs_min"}, Named{AluOp::re_lu, "re_lu"},
    Named{AluOp::square, "square"}, Named{AluOp::symmetric_clamp, "symmetric_clamp"},
    Named{AluOp::add_int, "add_int"}, Named{AluOp::mult_int, "mult_int"}, Named{AluOp::subtract_int, "subtract_int"},
    Named{AluOp::divide_int, "divide_int"}, Named{AluOp::mod_int, "mod_int"},
    Named{AluOp::is_equal_int, "is_equal_int"}, Named{AluOp::is_ne_int, "is_ne_int"},
    Named{AluOp::abs_max_int, "abs_max_int"}, Named{AluOp::abs_min_int, "abs_min_int"},
    Named{AluOp::abs_diff_int, "abs_diff_int"}, Named{AluOp::abs_value_int, "abs_value_int"},
    Named{AluOp::max_int, "max_int"}, Named{AluOp::min_int, "min_int"}, Named{AluOp::is_gt_int, "is_gt_int"},
    Named{AluOp::is_ge_int, "is_ge_int"}, Named{AluOp::is_le_int, "is_le_int"}, Named{AluOp::is_lt_int, "is_lt_int"},
    Named{AluOp::max_uint, "max_uint"}, Named{AluOp::min_uint, "min_uint"}, Named{AluOp::is_gt_uint, "is_gt_uint"},
    Named{AluOp::is_ge_uint, "is_ge_uint"}, Named{AluOp::is_le_uint, "is_le_uint"},
    Named{AluOp::is_lt_uint, "is_lt_uint"}, Named{AluOp::mult_uint, "mult_uint"},
    Named{AluOp::divide_uint, "divide_uint"}, Named{AluOp::mod_uint, "mod_uint"}, Named{AluOp::amax_int, "amax_int"},
    Named{AluOp::amin_int, "amin_int"}, Named{AluOp::amax_uint, "amax_uint"}, Named{AluOp::amin_uint, "amin_uint"}};
// clang-format on

constexpr bool between(AluOp op, AluOp first, AluOp last) { return code(op) >= code(first) && code(op) <= code(last); }

const Named* find(AluOp op) {
  const auto* at = std::find_if(kOps.begin(), kOps.end(), [op](const Named& entry) { return entry.op == op; });
  return at == kOps.end() ? nullptr : at;
}

}  // namespace

std::string_view name(AluOp op) {
  const Named* entry = find(op);
  return entry != nullptr ? entry->name : hex_name(code(op));
}

std::optional<AluOp> alu_op_from_string(std::string_view text) {
  for (const Named& entry : kOps) {
    if (entry.name == text) return entry.op;
  }
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (hex_name(static_cast<std::uint8_t>(byte)) == text) return static_cast<AluOp>(byte);
  }
  return std::nullopt;
}

const std::vector<AluOp>& named_alu_ops() {
  static const std::vector<AluOp> ops = [] {
    std::vector<AluOp> all;
    for (const Named& entry : kOps) all.push_back(entry.op);
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
