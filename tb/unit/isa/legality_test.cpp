// What check() answers as a whole: legal words, many faults at once, wording.
#include "words.h"

namespace dve::isa::test {
namespace legality_test {

TEST(Legality, LegalWordsHaveNoFindingsOnAnyGeneration) {
  for (const Opcode opcode : all_opcodes()) {
    for (const Generation generation : kGenerations) {
      if (!exists_on(opcode, generation)) continue;
      EXPECT_TRUE(findings_are(legal_word(opcode), on(generation), {})) << mnemonic(opcode);
    }
  }
}

TEST(Legality, WordsWithoutALayoutGetTheCommonRulesOnly) {
  Word word;
  word.bytes.fill(0xFF);
  word.bytes[0] = 0xA5;
  word.bytes[1] = 0x10;
  word.bytes[4] = 0x05;
  word.bytes[6] = 0x13;
  EXPECT_TRUE(findings_are(word, on(Generation::cayman), {}));
  EXPECT_TRUE(
      findings_are(Word{}, on(Generation::cayman),
                   {{"has_valid_neuron_header", "opcode", 0, 0}, {"has_valid_neuron_header", "inst_word_len", 1, 0}}));
}

TEST(Legality, AllFaultsOfAWordAreReportedAtOnce) {
  const Word word =
      with(legal_word(Opcode::batch_norm_grad_accumulate2),
           {{1, 1, 0x20}, {4, 1, 0xFF}, {63, 1, 129}, {54, 2, 4}, {60, 1, 0x1A}, {62, 1, 0x10}, {42, 2, 0}});
  EXPECT_TRUE(findings_are(word, on(Generation::cayman),
                           {{"has_valid_neuron_header", "inst_word_len", 1, 0x20},
                            {"has_valid_neuron_events", "wait_mode", 4, 0xFF},
                            {"s3s3d1_bn_channels", "num_active_channels", 63, 129},
                            {"bnga_dst_element_cnt_check", "dst.num_elem[0]", 54, 4},
                            {"is_valid_dtype", "in0_in1_dtype.hi", 60, 1},
                            {"bnga2_valid_input_type", "in0_in1_dtype.hi", 60, 1},
                            {"bnga2_imm_check", "imm0_imm1_src.imm0", 62, 0},
                            {"tensor3d_valid", "src1.num_elem[0]", 42, 0},
                            {"bnga_src_element_cnt_check", "src1.num_elem", 42, 0}}));
}

TEST(Legality, OneFaultInEachTensorOfOneWord) {
  const Word word = with(legal_word(Opcode::batch_norm_back_prop),
                         {{15, 1, 32}, {16, 4, 0x1001}, {32, 4, sbuf_address(48, 0)}, {48, 4, 0x4000000}, {14, 1, 4}});
  EXPECT_TRUE(findings_are(word, on(Generation::cayman),
                           {{"addr_aligned_dtype", "src0.start_addr", 16, 0x1001},
                            {"start_addr_active_channels", "src1.start_addr", 32, sbuf_address(48, 0)},
                            {"tt_valid_partitions", "src1.start_addr", 32},
                            {"tensor_start_addr_valid", "dst.start_addr", 48, 0x4000000},
                            {"s3s3d3_tt_is_zero_op", "op", 14, 4}}));
}

TEST(Legality, FindingsComeInTheOrderOfTheRules) {
  const Word word =
      with(legal_word(Opcode::batch_norm_back_prop), {{1, 1, 0}, {4, 1, 0x93}, {12, 1, 0xA1}, {15, 1, 0}});
  const auto findings = check(word, on(Generation::cayman));
  ASSERT_EQ(findings.size(), 4u);
  EXPECT_EQ(findings[0].predicate, "has_valid_neuron_header");
  EXPECT_EQ(findings[1].predicate, "has_valid_neuron_events");
  EXPECT_EQ(findings[2].predicate, "is_valid_dtype");
  EXPECT_EQ(findings[3].predicate, "check_active_channels");
}

TEST(Legality, OneLineOfText) {
  const Word word = with(legal_word(Opcode::batch_norm_grad_accumulate), {{54, 2, 4}});
  const auto findings = check(word, on(Generation::cayman));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(to_string(findings[0]), "bnga_dst_element_cnt_check: dst.num_elem[0] at byte 54 is 4, expected 3");
  EXPECT_EQ(to_string({"rule", "field", 63, 129, "1 to 128"}),
            "rule: field at byte 63 is 129 (0x81), expected 1 to 128");
}

TEST(Legality, TextsNameTheGenerationAndThePlace) {
  const auto text = [](std::initializer_list<Poke> pokes, Generation generation) {
    const auto findings = check(with(legal_word(Opcode::batch_norm_back_prop), pokes), on(generation));
    return findings.empty() ? std::string() : findings.front().expected;
  };
  EXPECT_NE(text({{4, 1, 0xFE}}, Generation::cayman).find("cayman"), std::string::npos);
  EXPECT_NE(text({{48, 4, 0x8000000}}, Generation::maverick).find("no PSUM"), std::string::npos);
  EXPECT_NE(text({{48, 4, 0x2000000}, {13, 1, 6}}, Generation::sunda).find("psum[0]+0x0"), std::string::npos);
  const std::string extent = text({{48, 4, 0x2FFFC}}, Generation::sunda);
  EXPECT_NE(extent.find("sunda"), std::string::npos);
  EXPECT_NE(extent.find("196607"), std::string::npos) << extent;
}

}  // namespace legality_test
}  // namespace dve::isa::test
