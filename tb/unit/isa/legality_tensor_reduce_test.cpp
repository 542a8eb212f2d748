// TensorReduce 0x42, Copy 0x46, Cast 0x47, Reciprocal 0x48, Memset 0x49, CrossLaneReduce 0x7C, 0x7D (isa-neighbours.md
// 6 to 8): each rule broken once.
#include <set>

#include "words.h"

namespace dve::isa::test {
namespace legality_tensor_reduce_test {

constexpr auto kReduce = Opcode::tensor_reduce_arith_op;
constexpr auto kCopy = Opcode::copy;
constexpr auto kCast = Opcode::cast;
constexpr auto kReciprocal = Opcode::reciprocal;
constexpr auto kMemset = Opcode::memset;
constexpr auto kCrossArith = Opcode::cross_lane_reduce_arith_op;
constexpr auto kCrossBitvec = Opcode::cross_lane_reduce_bitvec_op;

bool is_plain(unsigned d) { return d >= 2 && d <= 0xF && d != 0xB && d != 0xC; }

TEST(LegalityTensorReduce, OperationsOnDve) {
  for (const Generation g : kGenerations) {
    const int version = core_version(g);
    std::set<unsigned> legal = {0, 4, 5, 6, 8, 9, 0xD, 0xE, 0xF, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19};
    if (version >= 4) legal.insert({0x20, 0x21, 0x22, 0x23});
    if (version >= 5) legal.insert(0x24);
    for (unsigned op = 0; op < 256; ++op) {
      const bool member = op <= 0x1D || (op >= 0xC4 && op <= 0xC6) || (op >= 0xC7 && op <= 0xE1 && version >= 3);
      std::vector<Expected> broken;
      if (legal.count(op) == 0) broken = {{member ? "s4d4_tr_arith_op" : "is_alu_op_member", "op", 36, op}};
      EXPECT_TRUE(findings_are(with(legal_word(kReduce), {{36, 1, op}}), on(g), broken)) << op;
    }
  }
}

TEST(LegalityTensorReduce, OperationsOnPool) {
  for (const Generation g : kGenerations) {
    const int version = core_version(g);
    for (unsigned op = 0; op < 256; ++op) {
      const bool member = op <= 0x1D || (op >= 0xC4 && op <= 0xC6) || (op >= 0xC7 && op <= 0xE1 && version >= 3) ||
                          (op >= 0x20 && op <= 0x23 && version >= 4) || (op == 0x24 && version >= 5);
      const bool legal = member && (op == 0x1B || (op >= 0xC4 && op <= 0xDD && op != 0xCE));
      const unsigned dtype = op >= 0xD5 ? 9 : 8;
      std::vector<Expected> broken;
      if (!legal) broken = {{member ? "s4d4_tr_arith_op" : "is_alu_op_member", "op", 36, op}};
      const Word word = with(legal_word(kReduce), {{32, 1, dtype}, {33, 1, dtype}, {36, 1, op}});
      EXPECT_TRUE(findings_are(word, on(g, Engine::pool), broken)) << op;
    }
  }
}

TEST(LegalityTensorReduce, DtypesOnPool) {
  const auto word = [](unsigned in, unsigned out, unsigned op) {
    return with(legal_word(kReduce), {{32, 1, in}, {33, 1, out}, {36, 1, op}});
  };
  const auto pool = on(Generation::cayman, Engine::pool);
  for (const unsigned d : {8u, 9u, 1u, 0xCu}) EXPECT_TRUE(findings_are(word(d, d, 0xC4), pool, {})) << d;
  EXPECT_TRUE(findings_are(word(8, 0xC, 0xC4), pool, {{"pool_int_operand_size", "out_dtype", 33, 0xC}}));
  EXPECT_TRUE(findings_are(word(4, 8, 0xC4), pool, {{"pool_int_operand_size", "in_dtype", 32, 4}}));
  EXPECT_TRUE(findings_are(word(8, 9, 0xC4), pool, {{"int_op_operand_valid", "out_dtype", 33, 9}}));
  EXPECT_TRUE(findings_are(word(8, 0xB, 0xC4), pool, {{"int_op_operand_valid", "out_dtype", 33, 0xB}}));
  EXPECT_TRUE(findings_are(word(0xA, 8, 0xC4), pool, {{"int_op_operand_valid", "in_dtype", 32, 0xA}}));
  EXPECT_TRUE(
      findings_are(word(8, 8, 0xDB), pool,
                   {{"int_op_operand_valid", "in_dtype", 32, 8}, {"int_op_operand_valid", "out_dtype", 33, 8}}));
  EXPECT_TRUE(findings_are(word(0, 8, 0xC4), pool,
                           {{"is_valid_dtype_64", "in_dtype", 32, 0}, {"int_op_operand_valid", "in_dtype", 32, 0}}));
}

TEST(LegalityTensorReduce, DtypesElsewhere) {
  for (const Generation g : kGenerations) {
    for (const Opcode op : {kReduce, kCast, kReciprocal}) {
      for (unsigned d = 0; d <= 0xF; ++d) {
        const std::vector<Expected> in = {{"is_valid_dtype", "in_dtype", 32, d}};
        const std::vector<Expected> out = {{"is_valid_dtype", "out_dtype", 33, d}};
        EXPECT_TRUE(
            findings_are(with(legal_word(op), {{32, 1, d}}), on(g), is_plain(d) ? std::vector<Expected>{} : in));
        EXPECT_TRUE(findings_are(with(legal_word(op), {{33, 1, d}}), on(g),
                                 is_plain(d) || d == 0xB ? std::vector<Expected>{} : out));
      }
    }
    // A copy moves 64-bit integers too, but converts nothing.
    for (unsigned d = 0; d <= 0xF; ++d) {
      std::vector<Expected> broken;
      if (d == 0 || d == 0xB) broken.push_back({"is_valid_dtype_64", "in_dtype", 32, d});
      EXPECT_TRUE(findings_are(with(legal_word(kCopy), {{32, 1, d}, {33, 1, d}}), on(g), broken)) << d;
      if (d == 0xA) continue;
      EXPECT_TRUE(
          findings_are(with(legal_word(kCopy), {{33, 1, d}}), on(g), {{"has_equal_dtypes", "out_dtype", 33, d}}));
    }
  }
}

// The count of dst: the product of what op_dim leaves (isa-neighbours.md 6).
TEST(LegalityTensorReduce, ResultCounts) {
  const unsigned counts[] = {3, 5, 7, 2};
  const unsigned left[] = {0, 0, 70, 14, 2, 1};
  for (unsigned op_dim = 2; op_dim <= 5; ++op_dim) {
    const auto word = [&](unsigned n) {
      return with(legal_word(kReduce), {{24, 2, counts[0]},
                                        {26, 2, counts[1]},
                                        {28, 2, counts[2]},
                                        {30, 2, counts[3]},
                                        {37, 1, op_dim},
                                        {56, 2, n}});
    };
    for (const Generation g : kGenerations) {
      EXPECT_TRUE(findings_are(word(left[op_dim]), on(g), {})) << op_dim;
      EXPECT_TRUE(findings_are(word(left[op_dim] + 1), on(g),
                               {{"s4d4_tr_element_cnt_check", "dst.num_elem", 56, left[op_dim] + 1}}));
    }
  }
}

TEST(LegalityTensorReduce, FieldsOfTheFourOpcodes) {
  std::vector<Breach> breaches;
  for (const Opcode op : {kReduce, kCopy, kCast, kReciprocal}) {
    const bool fold = op == kReduce;
    breaches.push_back({op, {{34, 1, 0}}, {{"check_active_channels", "num_active_channels", 34, 0}}});
    breaches.push_back({op, {{34, 1, 129}}, {{"check_active_channels", "num_active_channels", 34, 129}}});
    breaches.push_back({op, {{38, 1, 1}}, {{"s4d4_tr_mask_zero", "mask_enable", 38, 1}}});
    breaches.push_back({op, {{12, 4, 0x1002}}, {{"addr_aligned_dtype", "src.start_addr", 12, 0x1002}}});
    breaches.push_back({op, {{44, 4, 0x3001}}, {{"addr_aligned_dtype", "dst.start_addr", 44, 0x3001}}});
    breaches.push_back({op, {{56, 2, 5}}, {{"s4d4_tr_element_cnt_check", "dst.num_elem", 56, 5}}});
    breaches.push_back(
        {op,
         {{62, 2, 0}},
         {{"tensor4d_valid", "dst.num_elem[3]", 62, 0}, {"s4d4_tr_element_cnt_check", "dst.num_elem", 56, 0}}});
    for (const unsigned negated : {0u, 1u, 2u}) {
      const bool legal = negated == 0 || (fold && negated == 1);
      const std::vector<Expected> broken = {{"s4d4_tr_negated", "negated", 35, negated}};
      breaches.push_back({op, {{35, 1, negated}}, legal ? std::vector<Expected>{} : broken});
    }
    for (const unsigned op_dim : {0u, 1u, 2u, 6u, 255u}) {
      const bool legal = fold ? op_dim == 2 : op_dim == 0 || op_dim == 2;
      const std::vector<Expected> broken = {{"s4d4_tr_op_dim", "op_dim", 37, op_dim}};
      breaches.push_back({op, {{37, 1, op_dim}}, legal ? std::vector<Expected>{} : broken});
    }
    if (!fold) breaches.push_back({op, {{36, 1, 4}}, {{"s4d4_tr_is_zero_op", "op", 36, 4}}});
    if (!fold) breaches.push_back({op, {{37, 1, 3}}, {{"s4d4_tr_op_dim", "op_dim", 37, 3}}});
  }
  expect_breaches(breaches, all_generations());
  for (const Engine engine : kEngines) {
    EXPECT_TRUE(findings_are(legal_word(kCopy), on(Generation::cayman, engine), {}));
    EXPECT_TRUE(findings_are(legal_word(kCast), on(Generation::cayman, engine), {}));
  }
}

TEST(LegalityTensorReduce, CrossLaneFields) {
  std::vector<Breach> breaches;
  for (const Opcode op : {kCrossArith, kCrossBitvec}) {
    const unsigned first = op == kCrossArith ? 0 : 3;
    for (const unsigned reduce : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 255u}) {
      const bool legal = reduce >= first && reduce < first + 3;
      const std::vector<Expected> broken = {{"s4d4_cr_reduce_op", "reduce_op", 35, reduce}};
      breaches.push_back({op, {{35, 1, reduce}}, legal ? std::vector<Expected>{} : broken});
    }
    breaches.push_back({op, {{36, 1, 2}}, {{"s4d4_cr_reduce_axis", "reduce_axis", 36, 2}}});
    breaches.push_back({op, {{36, 1, 0}}, {{"s4d4_cr_element_cnt_check", "dst.num_elem", 56, 64}}});
    breaches.push_back({op, {{36, 1, 0}, {56, 2, 1}}, {}});
    breaches.push_back({op, {{56, 2, 1}}, {{"s4d4_cr_element_cnt_check", "dst.num_elem", 56, 1}}});
    breaches.push_back({op, {{56, 2, 4}, {58, 2, 16}}, {}});
    breaches.push_back({op, {{34, 1, 0}}, {{"check_active_channels", "num_active_channels", 34, 0}}});
    breaches.push_back({op, {{34, 1, 129}}, {{"check_active_channels", "num_active_channels", 34, 129}}});
    breaches.push_back({op, {{12, 4, 0x1002}}, {{"addr_aligned_dtype", "src.start_addr", 12, 0x1002}}});
    breaches.push_back({op, {{40, 4, 0x7FC00000}}, {}});  // scale has no rule
  }
  expect_breaches(breaches, all_generations());
}

TEST(LegalityTensorReduce, CrossLaneDtypes) {
  const std::set<unsigned> patterns = {2, 3, 4, 5, 8, 9};
  for (const Generation g : kGenerations) {
    for (unsigned d = 0; d <= 0xF; ++d) {
      const std::vector<Expected> none;
      EXPECT_TRUE(findings_are(with(legal_word(kCrossArith), {{32, 1, d}}), on(g),
                               is_plain(d) ? none : std::vector<Expected>{{"is_valid_dtype", "in_dtype", 32, d}}));
      EXPECT_TRUE(
          findings_are(with(legal_word(kCrossArith), {{33, 1, d}}), on(g),
                       is_plain(d) || d == 0xB ? none : std::vector<Expected>{{"is_valid_dtype", "out_dtype", 33, d}}));
      EXPECT_TRUE(findings_are(
          with(legal_word(kCrossBitvec), {{32, 1, d}, {33, 1, d}}), on(g),
          patterns.count(d) == 1 ? none : std::vector<Expected>{{"is_valid_int_dtype_datapath", "in_dtype", 32, d}}));
      if (d == 9) continue;
      EXPECT_TRUE(findings_are(with(legal_word(kCrossBitvec), {{33, 1, d}}), on(g),
                               {{"has_equal_dtypes", "out_dtype", 33, d}}));
    }
  }
}

TEST(LegalityTensorReduce, Memset) {
  std::vector<Breach> breaches = {
      {kMemset, {{28, 4, 63}}, {{"d4_mr_element_cnt_check", "element_count", 28, 63}}},
      {kMemset, {{28, 4, 0}}, {{"d4_mr_element_cnt_check", "element_count", 28, 0}}},
      {kMemset, {{58, 2, 5}}, {{"d4_mr_element_cnt_check", "element_count", 28, 64}}},
      {kMemset, {{58, 2, 5}, {28, 4, 80}}, {}},
      {kMemset, {{36, 1, 1}}, {{"d4_mr_serial", "serialization_mode", 36, 1}}},
      {kMemset, {{34, 1, 0}}, {{"check_active_channels", "num_active_channels", 34, 0}}},
      {kMemset, {{34, 1, 129}}, {{"check_active_channels", "num_active_channels", 34, 129}}},
      {kMemset, {{44, 4, 0x3002}}, {{"addr_aligned_dtype", "dst.start_addr", 44, 0x3002}}},
      {kMemset, {{32, 1, 6}, {40, 4, 0xFFFF}}, {}},
      {kMemset, {{32, 1, 6}, {40, 4, 0x10000}}, {{"d4_mr_set_value_bits", "set_value", 40, 0x10000}}},
      {kMemset, {{32, 1, 3}, {40, 4, 0xFF}}, {}},
      {kMemset, {{32, 1, 0xE}, {40, 4, 0x100}}, {{"d4_mr_set_value_bits", "set_value", 40, 0x100}}},
      {kMemset, {{32, 1, 0xB}, {40, 4, 0xFFFFFFFF}}, {}}};
  for (const unsigned d : {0u, 1u, 0xCu, 0x77u}) {
    breaches.push_back({kMemset, {{32, 1, d}}, {{"is_valid_dtype", "dtype", 32, d}}});
  }
  expect_breaches(breaches, all_generations());
  expect_breaches({{kMemset, {}, {}}}, all_generations(), Engine::pool);
}

// The example word of isa-neighbours.md 12: 0x7C adds three values over the partitions.
TEST(LegalityTensorReduce, TheReferencesExample) {
  const Word word =
      with(legal_word(kCrossArith),
           {{12, 4, 0x120}, {24, 8, 0x0001000100010003}, {40, 4, 0}, {44, 4, 0x200}, {56, 8, 0x0001000100010003}});
  for (const Generation g : kGenerations) EXPECT_TRUE(findings_are(word, on(g, Engine::pool), {}));
}

}  // namespace legality_tensor_reduce_test
}  // namespace dve::isa::test
