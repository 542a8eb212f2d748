// ALU_OP codes, names and class sets against literal lists of isa.md 6 and isa-neighbours.md 4.
#include <map>
#include <set>

#include "words.h"

namespace dve::isa::test {
namespace alu_op_test {

using Codes = std::set<unsigned>;

template <class Predicate>
Codes codes_where(Predicate holds) {
  Codes codes;
  for (unsigned b = 0; b < 256; ++b) {
    if (holds(static_cast<AluOp>(b))) codes.insert(b);
  }
  return codes;
}

Codes range(unsigned first, unsigned last) {
  Codes codes;
  for (unsigned b = first; b <= last; ++b) codes.insert(b);
  return codes;
}
Codes join(Codes a, const Codes& b) {
  a.insert(b.begin(), b.end());
  return a;
}
Codes without(Codes a, const Codes& b) {
  for (const unsigned code : b) a.erase(code);
  return a;
}

const std::map<unsigned, std::string>& names() {
  static const std::map<unsigned, std::string> all = {{0x00, "bypass"},
                                                      {0x01, "bitwise_not"},
                                                      {0x02, "arith_shift_left"},
                                                      {0x03, "arith_shift_right"},
                                                      {0x04, "add"},
                                                      {0x05, "subtract"},
                                                      {0x06, "mult"},
                                                      {0x07, "divide"},
                                                      {0x08, "max"},
                                                      {0x09, "min"},
                                                      {0x0A, "bitwise_and"},
                                                      {0x0B, "bitwise_or"},
                                                      {0x0C, "bitwise_xor"},
                                                      {0x0D, "logical_and"},
                                                      {0x0E, "logical_or"},
                                                      {0x0F, "logical_xor"},
                                                      {0x10, "logical_shift_left"},
                                                      {0x11, "logical_shift_right"},
                                                      {0x12, "is_eq"},
                                                      {0x13, "is_gt"},
                                                      {0x14, "is_ge"},
                                                      {0x15, "is_le"},
                                                      {0x16, "is_lt"},
                                                      {0x17, "absolute_diff"},
                                                      {0x18, "is_ne"},
                                                      {0x19, "absolute_value"},
                                                      {0x1A, "pow"},
                                                      {0x1B, "mod"},
                                                      {0x1C, "crc32"},
                                                      {0x1D, "rsqrt"},
                                                      {0x20, "abs_max"},
                                                      {0x21, "abs_min"},
                                                      {0x22, "re_lu"},
                                                      {0x23, "square"},
                                                      {0x24, "symmetric_clamp"},
                                                      {0xC4, "add_int"},
                                                      {0xC5, "mult_int"},
                                                      {0xC6, "subtract_int"},
                                                      {0xC7, "divide_int"},
                                                      {0xC8, "mod_int"},
                                                      {0xC9, "is_equal_int"},
                                                      {0xCA, "is_ne_int"},
                                                      {0xCB, "abs_max_int"},
                                                      {0xCC, "abs_min_int"},
                                                      {0xCD, "abs_diff_int"},
                                                      {0xCE, "abs_value_int"},
                                                      {0xCF, "max_int"},
                                                      {0xD0, "min_int"},
                                                      {0xD1, "is_gt_int"},
                                                      {0xD2, "is_ge_int"},
                                                      {0xD3, "is_le_int"},
                                                      {0xD4, "is_lt_int"},
                                                      {0xD5, "max_uint"},
                                                      {0xD6, "min_uint"},
                                                      {0xD7, "is_gt_uint"},
                                                      {0xD8, "is_ge_uint"},
                                                      {0xD9, "is_le_uint"},
                                                      {0xDA, "is_lt_uint"},
                                                      {0xDB, "mult_uint"},
                                                      {0xDC, "divide_uint"},
                                                      {0xDD, "mod_uint"},
                                                      {0xDE, "amax_int"},
                                                      {0xDF, "amin_int"},
                                                      {0xE0, "amax_uint"},
                                                      {0xE1, "amin_uint"}};
  return all;
}

TEST(AluOps, NamesOfEveryCode) {
  for (unsigned b = 0; b < 256; ++b) {
    const auto op = static_cast<AluOp>(b);
    const auto known = names().find(b);
    const std::string hex = {'0', 'x', "0123456789abcdef"[b >> 4], "0123456789abcdef"[b & 0xF]};
    EXPECT_EQ(name(op), known != names().end() ? known->second : hex);
    EXPECT_EQ(alu_op_from_string(name(op)), op);
    EXPECT_EQ(alu_op_from_string(hex), op);
  }
  std::vector<unsigned> named;
  for (const AluOp op : named_alu_ops()) named.push_back(code(op));
  std::vector<unsigned> expected;
  for (const auto& entry : names()) expected.push_back(entry.first);
  EXPECT_EQ(named, expected);
  for (const char* text : {"", "Add", "add ", "adds", "4", "0x4", "0x100", "0x2A"})
    EXPECT_EQ(alu_op_from_string(text), std::nullopt) << text;
}

// Members: sunda 33, cayman 60, mariana 64, maverick 65; argmax and argmin codes count from v3 on.
TEST(AluOps, MembersByGeneration) {
  const Codes sunda = join(range(0x00, 0x1D), range(0xC4, 0xC6));
  const Codes cayman = join(sunda, range(0xC7, 0xE1));
  const Codes mariana = join(cayman, range(0x20, 0x23));
  const Codes maverick = join(mariana, {0x24});
  EXPECT_EQ(sunda.size(), 33u);
  EXPECT_EQ(cayman.size(), 60u);
  EXPECT_EQ(mariana.size(), 64u);
  EXPECT_EQ(maverick.size(), 65u);
  const std::vector<Codes> members = {sunda, cayman, mariana, mariana, maverick};
  for (std::size_t k = 0; k < kGenerations.size(); ++k) {
    EXPECT_EQ(codes_where([k](AluOp op) { return is_alu_op_member(op, kGenerations[k]); }), members[k]);
  }
}

TEST(AluOps, BitOperations) {
  const Codes general = {0, 1, 2, 3, 0x10, 0x11, 0x0A, 0x0B, 0x0C};
  EXPECT_EQ(codes_where(is_general_bitvec_op), general);
  EXPECT_EQ(codes_where(is_bitvec_op), join(general, {0x1C}));
  EXPECT_EQ(codes_where(is_shift_op), (Codes{2, 3, 0x10, 0x11}));
}

TEST(AluOps, GeneralArithmetic) {
  const Codes until_v3 = join({0, 4, 5, 6, 8, 9, 0x0D, 0x0E, 0x0F}, range(0x12, 0x19));
  const Codes from_v4 = join(until_v3, range(0x20, 0x23));
  EXPECT_EQ(until_v3.size(), 17u);
  EXPECT_EQ(from_v4.size(), 21u);
  const std::vector<Codes> sets = {until_v3, until_v3, from_v4, from_v4, join(from_v4, {0x24})};
  for (std::size_t k = 0; k < kGenerations.size(); ++k) {
    EXPECT_EQ(codes_where([k](AluOp op) { return is_general_arith_op(op, kGenerations[k]); }), sets[k]);
  }
}

TEST(AluOps, IntegerOperations) {
  EXPECT_EQ(codes_where(is_int_op), join(without(range(0xC4, 0xDD), {0xCE}), {0x1B}));
  EXPECT_EQ(codes_where(is_signed_int_op), (Codes{0xCB, 0xCC, 0xCD, 0xCF, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4}));
  EXPECT_EQ(codes_where(is_unsigned_int_op), range(0xD5, 0xDD));
  EXPECT_EQ(codes_where(is_arg_op), range(0xDE, 0xE1));
  EXPECT_EQ(codes_where(is_maverick_dve_int_op),
            (Codes{0, 0xC4, 0xC5, 0xC6, 0xCF, 0xD0, 0xCB, 0xCC, 0xCD, 0xC9, 0xD1, 0xD2, 0xD3, 0xD4, 0xCA}));
}

// Operations of one operand: their result column in isa.md 6 names src0 alone.
TEST(AluOps, OperandsThatAreUsed) {
  EXPECT_EQ(codes_where([](AluOp op) { return !is_binary_op(op); }), (Codes{0x00, 0x01, 0x19, 0x1D, 0x22, 0x23, 0xCE}));
}

}  // namespace alu_op_test
}  // namespace dve::isa::test
