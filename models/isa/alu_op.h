// ALU_OP: the operations of TensorTensor, TensorScalar and TensorReduce words (isa.md 6).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "generation.h"

namespace dve::isa {

// Codes as they stand in words. Any other byte can be held too: decode never fails.
// clang-format off
enum class AluOp : std::uint8_t {
  bypass = 0x00, bitwise_not = 0x01, arith_shift_left = 0x02, arith_shift_right = 0x03,
  add = 0x04, subtract = 0x05, mult = 0x06, divide = 0x07, max = 0x08, min = 0x09,
  bitwise_and = 0x0A, bitwise_or = 0x0B, bitwise_xor = 0x0C, logical_and = 0x0D, logical_or = 0x0E, logical_xor = 0x0F,
  logical_shift_left = 0x10, logical_shift_right = 0x11,
  is_eq = 0x12, is_gt = 0x13, is_ge = 0x14, is_le = 0x15, is_lt = 0x16, absolute_diff = 0x17, is_ne = 0x18,
  absolute_value = 0x19, pow = 0x1A, mod = 0x1B, crc32 = 0x1C, rsqrt = 0x1D,
  abs_max = 0x20, abs_min = 0x21, re_lu = 0x22, square = 0x23, symmetric_clamp = 0x24,
  add_int = 0xC4, mult_int = 0xC5, subtract_int = 0xC6, divide_int = 0xC7, mod_int = 0xC8,
  is_equal_int = 0xC9, is_ne_int = 0xCA, abs_max_int = 0xCB, abs_min_int = 0xCC, abs_diff_int = 0xCD,
  abs_value_int = 0xCE, max_int = 0xCF, min_int = 0xD0, is_gt_int = 0xD1, is_ge_int = 0xD2, is_le_int = 0xD3,
  is_lt_int = 0xD4, max_uint = 0xD5, min_uint = 0xD6, is_gt_uint = 0xD7, is_ge_uint = 0xD8, is_le_uint = 0xD9,
  is_lt_uint = 0xDA, mult_uint = 0xDB, divide_uint = 0xDC, mod_uint = 0xDD,
  amax_int = 0xDE, amin_int = 0xDF, amax_uint = 0xE0, amin_uint = 0xE1
};
// clang-format on

constexpr std::uint8_t code(AluOp op) { return static_cast<std::uint8_t>(op); }

// Name in assembly text: the enumerator, e.g. "add", "is_gt_int"; "0x2a" style for codes without one.
std::string_view name(AluOp op);
// Inverse of name(), hexadecimal forms included. Empty for any other text.
std::optional<AluOp> alu_op_from_string(std::string_view text);
// All codes that have a name, ascending.
const std::vector<AluOp>& named_alu_ops();

// Member of the generation's ALU_OP enumeration: 33 on v2, 60 on v3, 64 on v4, 65 on v5 (isa.md 6). argmax and argmin
// codes count from v3 on.
bool is_alu_op_member(AluOp op, Generation generation);

// Class sets of isa.md 6. general_arith has 17 members up to v3, 21 from v4 on (22 on v5 with symmetric_clamp: the
// source gives the code to maverick without naming its sets; project choice).
bool is_bitvec_op(AluOp op);          // ten, CRC32 included
bool is_general_bitvec_op(AluOp op);  // nine
bool is_general_arith_op(AluOp op, Generation generation);
bool is_int_op(AluOp op);           // is_valid_int_aluop: 0xC4..0xDD without 0xCE, and Mod
bool is_signed_int_op(AluOp op);    // operands must be signed (isa-neighbours.md 4)
bool is_unsigned_int_op(AluOp op);  // operands must be unsigned
bool is_shift_op(AluOp op);         // 2, 3, 0x10, 0x11
bool is_arg_op(AluOp op);           // 0xDE..0xE1
// The integer operations that DVE keeps on maverick (isa.md 12), Bypass included.
bool is_maverick_dve_int_op(AluOp op);
// Uses its second operand.
bool is_binary_op(AluOp op);

}  // namespace dve::isa
