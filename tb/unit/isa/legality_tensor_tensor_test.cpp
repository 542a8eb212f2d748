// TensorTensor 0x41, 0x51, CopyPredicated 0x72, CastPredicated 0x99 (isa.md 6, 12; isa-neighbours.md 4): each rule
// broken once, and the sets of operations and dtypes in full.
#include <set>

#include "words.h"

namespace dve::isa::test {
namespace legality_tensor_tensor_test {

constexpr auto kArith = Opcode::tensor_tensor_arith_op;
constexpr auto kBitvec = Opcode::tensor_tensor_bitvec_op;
constexpr auto kCopy = Opcode::copy_predicated;
constexpr auto kCast = Opcode::cast_predicated;

int version(Generation generation) { return core_version(generation); }

// The sets of isa.md 6, 12 and isa-neighbours.md 4 by code.
std::set<unsigned> members(Generation g) {
  std::set<unsigned> ops;
  for (unsigned op = 0; op <= 0x1D; ++op) ops.insert(op);
  for (unsigned op = 0xC4; op <= (version(g) >= 3 ? 0xE1u : 0xC6u); ++op) ops.insert(op);
  if (version(g) >= 4) ops.insert({0x20, 0x21, 0x22, 0x23});
  if (version(g) >= 5) ops.insert(0x24);
  return ops;
}
std::set<unsigned> general_arith(Generation g) {
  std::set<unsigned> ops = {0, 4, 5, 6, 8, 9, 0xD, 0xE, 0xF, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19};
  if (version(g) >= 4) ops.insert({0x20, 0x21, 0x22, 0x23});
  if (version(g) >= 5) ops.insert(0x24);
  return ops;
}
std::set<unsigned> int_ops(Generation g) {
  std::set<unsigned> ops = {0x1B};
  for (unsigned op = 0xC4; op <= (version(g) >= 3 ? 0xDDu : 0xC6u); ++op) ops.insert(op);
  ops.erase(0xCE);
  return ops;
}
const std::set<unsigned> kMaverickDve = {0xC4, 0xC5, 0xC6, 0xCF, 0xD0, 0xCB, 0xCC,
                                         0xCD, 0xC9, 0xD1, 0xD2, 0xD3, 0xD4, 0xCA};
const std::set<unsigned> kSignedOnly = {0xCB, 0xCC, 0xCD, 0xCF, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4};
const std::set<unsigned> kUnsignedOnly = {0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD};
const std::set<unsigned> kSigned = {2, 4, 8, 0xC}, kUnsigned = {3, 5, 9, 1};

TEST(LegalityTensorTensor, OperationsOfTheArithmeticOpcode) {
  for (const Generation g : kGenerations) {
    for (const Engine engine : {Engine::dve, Engine::pool}) {
      std::set<unsigned> legal = int_ops(g);
      if (engine == Engine::pool) {
        legal.insert({0x1A, 4, 5, 6});
      } else {
        if (g == Generation::maverick) legal = kMaverickDve;
        for (const unsigned op : general_arith(g)) legal.insert(op);
      }
      for (unsigned op = 0; op < 256; ++op) {
        const bool unsigned_op = kUnsignedOnly.count(op) == 1;  // operands that suit every operation
        const Word word = with(legal_word(kArith), {{12, 2, unsigned_op ? 0x0999u : 0x0888u}, {14, 1, op}});
        std::vector<Expected> expected;
        if (members(g).count(op) == 0) {
          expected = {{"is_alu_op_member", "op", 14, op}};
        } else if (legal.count(op) == 0) {
          expected = {{"s3s3d3_tt_arith_op", "op", 14, op}};
        }
        EXPECT_TRUE(findings_are(word, on(g, engine), expected)) << std::hex << op;
      }
    }
  }
}

TEST(LegalityTensorTensor, DivideRsqrtAndArgmaxAreNever) {
  expect_breaches({{kArith, {{14, 1, 0x07}}, {{"s3s3d3_tt_arith_op", "op", 14, 7}}},
                   {kArith, {{14, 1, 0x1D}}, {{"s3s3d3_tt_arith_op", "op", 14, 0x1D}}}},
                  all_generations());
  for (const Engine engine : {Engine::dve, Engine::pool}) {
    for (unsigned op = 0xDE; op <= 0xE1; ++op) {
      EXPECT_TRUE(findings_are(with(legal_word(kArith), {{12, 2, 0x0999}, {14, 1, op}}), on(Generation::cayman, engine),
                               {{"s3s3d3_tt_arith_op", "op", 14, op}}));
    }
  }
}

TEST(LegalityTensorTensor, DtypesOfTheArithmeticOpcode) {
  for (const Generation g : kGenerations) {
    for (unsigned d = 0; d < 16; ++d) {
      const bool source = d != 0 && d != 0xB;  // 64-bit integers are allowed
      const std::vector<Expected> none;
      EXPECT_TRUE(
          findings_are(with(legal_word(kArith), {{12, 1, 0xA0 | d}}), on(g),
                       source ? none : std::vector<Expected>{{"is_valid_dtype_64", "in0_in1_dtype.lo", 12, d}}));
      EXPECT_TRUE(
          findings_are(with(legal_word(kArith), {{12, 1, 0x0A | d << 4}}), on(g),
                       source ? none : std::vector<Expected>{{"is_valid_dtype_64", "in0_in1_dtype.hi", 12, d}}));
      EXPECT_TRUE(findings_are(with(legal_word(kArith), {{13, 1, d}}), on(g),
                               d != 0 ? none : std::vector<Expected>{{"is_valid_dtype_64", "out_dtype", 13, d}}));
    }
    // Codes that only some generations have, and that nobody can convert.
    for (unsigned d = 0x10; d < 0x28; ++d) {
      const bool v4 = version(g) >= 4 && (d == 0x10 || (d >= 0x19 && d <= 0x1F));
      const bool member = v4 || (version(g) >= 5 && d >= 0x11 && d <= 0x16);
      const std::vector<Expected> broken = {{member ? "is_arithmetic_dtype" : "is_valid_dtype_64", "out_dtype", 13, d}};
      EXPECT_TRUE(findings_are(with(legal_word(kArith), {{13, 1, d}}), on(g), broken)) << d;
    }
  }
}

// Every integer operation on every trio of dtypes out of a few of each kind.
TEST(LegalityTensorTensor, IntegerOperands) {
  const unsigned dtypes[] = {2, 3, 4, 9, 0xC, 1, 8, 0xA};
  const auto kind_is = [](unsigned op, unsigned d, unsigned first) {
    if (kSignedOnly.count(op) == 1) return kSigned.count(d) == 1;
    if (kUnsignedOnly.count(op) == 1) return kUnsigned.count(d) == 1;
    if (kSigned.count(first) == 1) return kSigned.count(d) == 1;
    if (kUnsigned.count(first) == 1) return kUnsigned.count(d) == 1;
    return kSigned.count(d) == 1 || kUnsigned.count(d) == 1;
  };
  for (const unsigned op : int_ops(Generation::cayman)) {
    for (const unsigned in0 : dtypes) {
      for (const unsigned in1 : dtypes) {
        for (const unsigned out : dtypes) {
          std::vector<Expected> broken;
          if (!kind_is(op, in0, in0)) broken.push_back({"int_op_operand_valid", "in0_in1_dtype.lo", 12, in0});
          if (!kind_is(op, in1, in0)) broken.push_back({"int_op_operand_valid", "in0_in1_dtype.hi", 12, in1});
          if (!kind_is(op, out, in0)) broken.push_back({"int_op_operand_valid", "out_dtype", 13, out});
          const Word word = with(legal_word(kArith), {{12, 1, in0 | in1 << 4}, {13, 1, out}, {14, 1, op}});
          ASSERT_TRUE(findings_are(word, on(Generation::cayman), broken)) << std::hex << op << in0 << in1 << out;
        }
      }
    }
  }
}

TEST(LegalityTensorTensor, PoolDoesNotMixSizes) {
  const auto word = [](unsigned dtypes, unsigned out) {
    return with(legal_word(kArith), {{12, 1, dtypes}, {13, 1, out}, {14, 1, 0xC4}});
  };
  const auto pool = on(Generation::mariana, Engine::pool);
  EXPECT_TRUE(findings_are(word(0x88, 8), pool, {}));
  EXPECT_TRUE(findings_are(word(0x99, 9), pool, {}));
  EXPECT_TRUE(findings_are(word(0xCC, 0xC), pool, {}));
  EXPECT_TRUE(findings_are(word(0x11, 1), pool, {}));
  EXPECT_TRUE(findings_are(word(0xC8, 8), pool, {{"pool_int_operand_size", "in0_in1_dtype.hi", 12, 0xC}}));
  EXPECT_TRUE(findings_are(word(0x88, 0xC), pool, {{"pool_int_operand_size", "out_dtype", 13, 0xC}}));
  EXPECT_TRUE(findings_are(word(0x84, 8), pool, {{"pool_int_operand_size", "in0_in1_dtype.lo", 12, 4}}));
  EXPECT_TRUE(findings_are(
      word(0x22, 8), pool,
      {{"pool_int_operand_size", "in0_in1_dtype.lo", 12, 2}, {"pool_int_operand_size", "in0_in1_dtype.hi", 12, 2}}));
  EXPECT_TRUE(findings_are(word(0x8A, 8), pool, {{"int_op_operand_valid", "in0_in1_dtype.lo", 12, 0xA}}));
  EXPECT_TRUE(findings_are(word(0x22, 8), on(Generation::mariana, Engine::dve), {})) << "DVE takes any size";
  // Sizes are a matter of the integer engine: other operations of POOL convert.
  EXPECT_TRUE(findings_are(with(word(0x22, 8), {{14, 1, 4}}), pool, {}));
}

TEST(LegalityTensorTensor, OperationsOfTheBitOpcode) {
  const std::set<unsigned> legal = {0, 1, 2, 3, 0x10, 0x11, 0xA, 0xB, 0xC};
  for (const Generation g : kGenerations) {
    for (const Engine engine : {Engine::dve, Engine::pool}) {
      for (unsigned op = 0; op < 256; ++op) {
        std::vector<Expected> expected;
        if (members(g).count(op) == 0) {
          expected = {{"is_alu_op_member", "op", 14, op}};
        } else if (legal.count(op) == 0) {
          expected = {{"s3s3d3_tt_bitvec_op", "op", 14, op}};
        }
        EXPECT_TRUE(findings_are(with(legal_word(kBitvec), {{14, 1, op}}), on(g, engine), expected)) << op;
      }
    }
  }
}

TEST(LegalityTensorTensor, DtypesOfTheBitOpcode) {
  for (const unsigned op : {0x0Au, 0x11u, 0x02u}) {
    const bool shift = op != 0x0A;
    for (unsigned in0 = 0; in0 < 16; ++in0) {
      for (unsigned in1 = 0; in1 < 16; ++in1) {
        for (unsigned out = 0; out < 16; ++out) {
          std::vector<Expected> broken;
          if (kSigned.count(in0) + kUnsigned.count(in0) == 0) {
            broken.push_back({"is_valid_int_dtype", "in0_in1_dtype.lo", 12, in0});
          }
          const bool counted = shift && (in0 == 1 || in0 == 0xC) && in1 == 9;
          if (in1 != in0 && !counted) broken.push_back({"s3s3d3_tt_bitvec_src1", "in0_in1_dtype.hi", 12, in1});
          if (out != in0) broken.push_back({"has_equal_dtypes", "out_dtype", 13, out});
          const Word word = with(legal_word(kBitvec), {{12, 1, in0 | in1 << 4}, {13, 1, out}, {14, 1, op}});
          ASSERT_TRUE(findings_are(word, on(Generation::cayman), broken)) << std::hex << op << in0 << in1 << out;
        }
      }
    }
  }
}

TEST(LegalityTensorTensor, DtypesOfPredicatedWords) {
  const std::set<unsigned> predicates = {2, 3, 4, 5, 8, 9};
  for (const Generation g : kGenerations) {
    for (unsigned d = 0; d < 16; ++d) {
      const bool plain = d != 0 && d != 1 && d != 0xB && d != 0xC;
      for (const Opcode op : {kCopy, kCast}) {
        EXPECT_TRUE(findings_are(with(legal_word(op), {{12, 1, 0xA0 | d}}), on(g),
                                 predicates.count(d) == 1 ? std::vector<Expected>{}
                                                          : std::vector<Expected>{{"is_valid_int_dtype_datapath",
                                                                                   "in0_in1_dtype.lo", 12, d}}));
      }
      // Both of one dtype.
      std::vector<Expected> broken;
      if (!plain) broken.push_back({"is_valid_dtype", "in0_in1_dtype.hi", 12, d});
      EXPECT_TRUE(findings_are(with(legal_word(kCopy), {{12, 1, 9 | d << 4}, {13, 1, d}}), on(g), broken)) << d;
      if (!plain) broken.push_back({"is_valid_dtype", "out_dtype", 13, d});
      EXPECT_TRUE(findings_are(with(legal_word(kCast), {{12, 1, 9 | d << 4}, {13, 1, d}}), on(g), broken)) << d;
      // Two dtypes: a copy must not convert, a cast may.
      if (d == 0xA) continue;
      EXPECT_TRUE(
          findings_are(with(legal_word(kCopy), {{13, 1, d}}), on(g), {{"has_equal_dtypes", "out_dtype", 13, d}}));
      EXPECT_TRUE(findings_are(
          with(legal_word(kCast), {{13, 1, d}}), on(g),
          plain ? std::vector<Expected>{} : std::vector<Expected>{{"is_valid_dtype", "out_dtype", 13, d}}));
    }
  }
}

TEST(LegalityTensorTensor, PredicatedWordsHaveNoOperation) {
  std::vector<Breach> breaches;
  for (const Opcode op : {kCopy, kCast}) {
    for (const unsigned code : {4u, 0xAu, 0xFFu}) {
      breaches.push_back({op, {{14, 1, code}}, {{"s3s3d3_tt_is_zero_op", "op", 14, code}}});
    }
  }
  expect_breaches(breaches, all_generations());
}

TEST(LegalityTensorTensor, OperandsOfAllFour) {
  std::vector<Breach> breaches;
  for (const Opcode op : {kArith, kBitvec, kCopy, kCast}) {
    breaches.push_back({op, {{15, 1, 0}}, {{"check_active_channels", "num_active_channels", 15, 0}}});
    breaches.push_back({op, {{15, 1, 129}}, {{"check_active_channels", "num_active_channels", 15, 129}}});
    breaches.push_back({op, {{42, 2, 63}}, {{"s3s3d3_tt_src_element_cnt_check", "src1.num_elem", 42, 63}}});
    breaches.push_back({op, {{58, 2, 9}}, {{"s3s3d3_tt_dst_element_cnt_check", "dst.num_elem", 58, 72}}});
    breaches.push_back({op, {{16, 4, 0x1002}}, {{"addr_aligned_dtype", "src0.start_addr", 16, 0x1002}}});
    breaches.push_back({op, {{32, 4, 0x2001}}, {{"addr_aligned_dtype", "src1.start_addr", 32, 0x2001}}});
    breaches.push_back({op, {{48, 4, 0x3003}}, {{"addr_aligned_dtype", "dst.start_addr", 48, 0x3003}}});
    breaches.push_back({op, {{16, 4, 0x8000000}}, {{"tensor_start_addr_valid", "src0.start_addr", 16, 0x8000000}}});
    breaches.push_back({op, {{32, 4, 0x8000000}}, {{"tensor_start_addr_valid", "src1.start_addr", 32, 0x8000000}}});
    breaches.push_back({op, {{48, 4, 0x8000000}}, {{"tensor_start_addr_valid", "dst.start_addr", 48, 0x8000000}}});
    breaches.push_back(
        {op,
         {{62, 2, 0}},
         {{"tensor3d_valid", "dst.num_elem[2]", 62, 0}, {"s3s3d3_tt_dst_element_cnt_check", "dst.num_elem", 58, 0}}});
  }
  expect_breaches(breaches, all_generations());
}

TEST(LegalityTensorTensor, LongIntegersAreAlignedToEight) {
  const Word word = with(legal_word(kArith), {{12, 2, 0x0CCC}, {14, 1, 0xC4}, {16, 4, 0x1004}});
  for (const Generation g : kGenerations) {
    EXPECT_TRUE(findings_are(word, on(g), {{"addr_aligned_dtype", "src0.start_addr", 16, 0x1004}}));
    if (g == Generation::maverick) continue;  // PSUM takes 4-byte writes only
    EXPECT_TRUE(findings_are(with(word, {{16, 4, 0x1008}, {48, 4, psum_address(0, 0)}}), on(g),
                             {{"tensor_start_addr_valid", "dst.start_addr", 48}}));
  }
}

}  // namespace legality_tensor_tensor_test
}  // namespace dve::isa::test
