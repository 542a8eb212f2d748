// GradAccumulate 0x63, GradAccumulate2 0x94 (isa.md 7.2), BackProp 0x65 (isa.md 7.4): each rule broken once.
#include "words.h"

namespace dve::isa::test {
namespace legality_grad_test {

constexpr auto kGrad1 = Opcode::batch_norm_grad_accumulate;
constexpr auto kGrad2 = Opcode::batch_norm_grad_accumulate2;
constexpr auto kBackProp = Opcode::batch_norm_back_prop;

TEST(LegalityGrad, RulesOfBothOpcodes) {
  std::vector<Breach> breaches;
  for (const Opcode op : {kGrad1, kGrad2}) {
    breaches.push_back({op, {{63, 1, 0}}, {{"s3s3d1_bn_channels", "num_active_channels", 63, 0}}});
    breaches.push_back({op, {{63, 1, 129}}, {{"s3s3d1_bn_channels", "num_active_channels", 63, 129}}});
    breaches.push_back({op, {{63, 1, 255}}, {{"s3s3d1_bn_channels", "num_active_channels", 63, 255}}});
    for (const unsigned count : {1u, 2u, 4u, 65535u}) {
      breaches.push_back(
          {op, {{54, 2, count}, {52, 2, 0}}, {{"bnga_dst_element_cnt_check", "dst.num_elem[0]", 54, count}}});
    }
    breaches.push_back(
        {op,
         {{54, 2, 0}},
         {{"tensor1d_valid", "dst.num_elem[0]", 54, 0}, {"bnga_dst_element_cnt_check", "dst.num_elem[0]", 54, 0}}});
    breaches.push_back({op, {{26, 2, 15}}, {{"bnga_src_element_cnt_check", "src1.num_elem", 42, 64}}});
    breaches.push_back({op, {{42, 2, 63}}, {{"bnga_src_element_cnt_check", "src1.num_elem", 42, 63}}});
    breaches.push_back(
        {op,
         {{28, 2, 0}},
         {{"tensor3d_valid", "src0.num_elem[1]", 28, 0}, {"bnga_src_element_cnt_check", "src1.num_elem", 42}}});
    breaches.push_back(
        {op,
         {{46, 2, 0}},
         {{"tensor3d_valid", "src1.num_elem[2]", 46, 0}, {"bnga_src_element_cnt_check", "src1.num_elem", 42}}});
    breaches.push_back({op, {{16, 4, 0x1002}}, {{"addr_aligned_dtype", "src0.start_addr", 16, 0x1002}}});
    breaches.push_back({op, {{32, 4, 0x2001}}, {{"addr_aligned_dtype", "src1.start_addr", 32, 0x2001}}});
    breaches.push_back({op, {{48, 4, 0x8003}}, {{"addr_aligned_dtype", "dst.start_addr", 48, 0x8003}}});
    breaches.push_back({op, {{48, 4, 0x8000000}}, {{"tensor_start_addr_valid", "dst.start_addr", 48, 0x8000000}}});
    breaches.push_back({op, {{32, 4, 0x20002000}}, {{"tensor_start_addr_valid", "src1.start_addr", 32, 0x20002000}}});
    breaches.push_back({op, {{12, 4, 0x8000000}}, {{"tpb_addr_active_channels", "imm0", 12, 0x8000000}}});
    breaches.push_back({op,
                        {{56, 4, 0x80000001}},
                        {{op == kGrad1 ? "bnga_imm_check" : "bnga2_imm_check", "imm1", 56},
                         {"tpb_addr_active_channels", "imm1", 56}}});
  }
  expect_breaches(breaches, all_generations());
}

TEST(LegalityGrad, TypesOfAccumulate) {
  std::vector<Breach> breaches;
  for (const unsigned d : {1u, 0xCu, 0xBu, 0u}) {  // refused by the generic check and by the list
    breaches.push_back(
        {kGrad1,
         {{60, 1, 0xA0 | d}},
         {{"is_valid_dtype", "in0_in1_dtype.lo", 60, d}, {"bnga_valid_input_type", "in0_in1_dtype.lo", 60, d}}});
  }
  for (const unsigned d : {2u, 3u, 4u, 5u, 9u, 0xDu, 0xEu, 0xFu}) {
    breaches.push_back({kGrad1, {{60, 1, 0x0A | d << 4}}, {{"bnga_valid_input_type", "in0_in1_dtype.hi", 60, d}}});
    breaches.push_back({kGrad1, {{62, 1, d}}, {{"bnga_valid_output_type", "out_dtype", 62, d}}});
    breaches.push_back({kGrad1, {{61, 1, d}}, {{"bnga_valid_immediate_type", "immediate_dtype", 61, d}}});
  }
  breaches.push_back({kGrad1, {{62, 1, 0xB}}, {{"bnga_valid_output_type", "out_dtype", 62, 0xB}}});
  breaches.push_back(
      {kGrad1, {{62, 1, 0}}, {{"is_valid_dtype", "out_dtype", 62, 0}, {"bnga_valid_output_type", "out_dtype", 62, 0}}});
  breaches.push_back({kGrad1, {{61, 1, 0xAA}}, {{"bnga_valid_immediate_type", "immediate_dtype", 61, 0xAA}}});
  expect_breaches(breaches, all_generations());
}

TEST(LegalityGrad, TypesOfAccumulate2) {
  expect_breaches(
      {{kGrad2,
        {{60, 1, 0xBA}},
        {{"is_valid_dtype", "in0_in1_dtype.hi", 60, 0xB}, {"bnga2_valid_input_type", "in0_in1_dtype.hi", 60, 0xB}}},
       {kGrad2, {{60, 1, 0xA9}}, {{"bnga2_valid_input_type", "in0_in1_dtype.lo", 60, 9}}},
       {kGrad2, {{61, 1, 0xBA}}, {{"bnga2_valid_output_type", "immediate_out_dtype.hi", 61, 0xB}}},
       {kGrad2, {{61, 1, 0x8A}}, {{"bnga2_valid_output_type", "immediate_out_dtype.hi", 61, 8}}},
       {kGrad2,
        {{61, 1, 0x1A}},
        {{"is_valid_dtype", "immediate_out_dtype.hi", 61, 1},
         {"bnga2_valid_output_type", "immediate_out_dtype.hi", 61, 1}}},
       {kGrad2, {{61, 1, 0xA0}}, {{"bnga2_valid_immediate_type", "immediate_out_dtype.lo", 61, 0}}},
       {kGrad2, {{61, 1, 0xAB}}, {{"bnga2_valid_immediate_type", "immediate_out_dtype.lo", 61, 0xB}}}},
      all_generations());
}

TEST(LegalityGrad, LegalTypes) {
  for (const Generation generation : kGenerations) {
    for (const unsigned in0 : {6u, 7u, 8u, 0xAu}) {
      for (const unsigned in1 : {6u, 7u, 8u, 0xAu}) {
        for (const unsigned out : {6u, 7u, 0xAu}) {
          for (const unsigned imm : {0u, 6u, 7u, 8u, 0xAu}) {
            const Word v1 = with(legal_word(kGrad1), {{60, 1, in0 | in1 << 4}, {61, 1, imm}, {62, 1, out}});
            if (exists_on(kGrad1, generation)) {
              EXPECT_TRUE(findings_are(v1, on(generation), {}));
            }
            if (imm == 0) continue;  // fp32 in 0x63 only
            const Word v2 = with(legal_word(kGrad2), {{60, 1, in0 | in1 << 4}, {61, 1, imm | out << 4}});
            EXPECT_TRUE(findings_are(v2, on(generation), {}));
          }
        }
      }
    }
  }
}

TEST(LegalityGrad, TheOldFormIsNoWordOfV5) {
  for (const Generation generation : kGenerations) {
    const std::vector<Expected> broken = {{"grad_accumulate_generation", "opcode", 0, 0x63}};
    EXPECT_TRUE(findings_are(legal_word(kGrad1), on(generation),
                             generation == Generation::maverick ? broken : std::vector<Expected>{}));
    EXPECT_TRUE(findings_are(legal_word(kGrad2), on(generation), {}));
  }
}

TEST(LegalityGrad, PointerImmediates) {
  std::vector<Breach> breaches = {
      {kGrad1, {{12, 4, 0x102}}, {{"bnga_imm_check", "imm0", 12, 0x102}}},
      {kGrad1, {{12, 4, 0x102}, {61, 1, 0}}, {{"bnga_imm_check", "imm0", 12, 0x102}}},
      {kGrad1, {{56, 4, 0x201}, {61, 1, 6}}, {{"bnga_imm_check", "imm1", 56, 0x201}}},
      {kGrad1, {{56, 4, 0x202}, {61, 1, 6}}, {}},
      {kGrad2, {{12, 4, 0x102}}, {{"bnga2_imm_check", "imm0", 12, 0x102}}},
      {kGrad2, {{56, 4, 0x203}, {61, 1, 0xA7}}, {{"bnga2_imm_check", "imm1", 56, 0x203}}},
      {kGrad2, {{62, 1, 0x22}}, {{"is_valid_imm_reg", "imm0", 12, 0x100}, {"is_valid_imm_reg", "imm1", 56, 0x200}}},
      {kGrad2, {{62, 1, 0x12}, {12, 4, 63}}, {}},
      {kGrad2, {{62, 1, 0x12}, {12, 4, 64}}, {{"is_valid_imm_reg", "imm0", 12, 64}}},
      {kGrad2, {{62, 1, 0x21}, {56, 4, 0x01000005}}, {{"is_valid_imm_reg", "imm1", 56}}}};
  for (unsigned src = 0; src < 16; ++src) {
    if (src == 1 || src == 2) continue;
    breaches.push_back({kGrad2, {{62, 1, 0x10 | src}}, {{"bnga2_imm_check", "imm0_imm1_src.imm0", 62, src}}});
    breaches.push_back({kGrad2, {{62, 1, 0x01 | src << 4}}, {{"bnga2_imm_check", "imm0_imm1_src.imm1", 62, src}}});
  }
  expect_breaches(breaches, all_generations());
}

TEST(LegalityGrad, BackProp) {
  expect_breaches(
      {{kBackProp, {{15, 1, 0}}, {{"check_active_channels", "num_active_channels", 15, 0}}},
       {kBackProp, {{15, 1, 129}}, {{"check_active_channels", "num_active_channels", 15, 129}}},
       {kBackProp, {{14, 1, 6}}, {{"s3s3d3_tt_is_zero_op", "op", 14, 6}}},
       {kBackProp, {{12, 1, 0xAB}}, {{"is_valid_dtype", "in0_in1_dtype.lo", 12, 0xB}}},
       {kBackProp, {{12, 1, 0xBA}}, {{"is_valid_dtype", "in0_in1_dtype.hi", 12, 0xB}}},
       {kBackProp, {{12, 1, 0x1A}}, {{"is_valid_dtype", "in0_in1_dtype.hi", 12, 1}}},
       {kBackProp, {{12, 1, 0xAC}}, {{"is_valid_dtype", "in0_in1_dtype.lo", 12, 0xC}}},
       {kBackProp, {{12, 1, 0xA0}}, {{"is_valid_dtype", "in0_in1_dtype.lo", 12, 0}}},
       {kBackProp, {{13, 1, 0xB}}, {}},
       {kBackProp, {{13, 1, 1}}, {{"is_valid_dtype", "out_dtype", 13, 1}}},
       {kBackProp, {{13, 1, 0xC}}, {{"is_valid_dtype", "out_dtype", 13, 0xC}}},
       {kBackProp, {{13, 1, 0}}, {{"is_valid_dtype", "out_dtype", 13, 0}}},
       {kBackProp, {{13, 1, 0x77}}, {{"is_valid_dtype", "out_dtype", 13, 0x77}}},
       {kBackProp, {{42, 2, 63}}, {{"s3s3d3_tt_src_element_cnt_check", "src1.num_elem", 42, 63}}},
       {kBackProp, {{58, 2, 9}}, {{"s3s3d3_tt_dst_element_cnt_check", "dst.num_elem", 58, 72}}},
       {kBackProp,
        {{62, 2, 0}},
        {{"tensor3d_valid", "dst.num_elem[2]", 62, 0}, {"s3s3d3_tt_dst_element_cnt_check", "dst.num_elem", 58, 0}}},
       {kBackProp,
        {{26, 2, 17}},
        {{"s3s3d3_tt_src_element_cnt_check", "src1.num_elem", 42, 64},
         {"s3s3d3_tt_dst_element_cnt_check", "dst.num_elem", 58, 64}}},
       {kBackProp, {{48, 4, 0x3002}}, {{"addr_aligned_dtype", "dst.start_addr", 48, 0x3002}}}},
      all_generations());
}

TEST(LegalityGrad, BackPropTakesEveryPlainDtype) {
  for (const Generation generation : kGenerations) {
    for (unsigned d = 2; d <= 0xF; ++d) {
      if (d == 0xB || d == 0xC) continue;
      const Word word = with(legal_word(kBackProp), {{12, 1, d | d << 4}, {13, 1, d}});
      EXPECT_TRUE(findings_are(word, on(generation), {})) << d;
    }
  }
}

}  // namespace legality_grad_test
}  // namespace dve::isa::test
