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

TEST(Legality, TextsSayWhatTheWordShouldHave) {
  struct Case {
    Opcode opcode;
    std::initializer_list<Poke> pokes;
    std::optional<Engine> engine;
    const char* expected;
  };
  const Case cases[] = {
      {Opcode::tensor_tensor_arith_op,
       {{14, 1, 8}},
       Engine::pool,
       "pow, add, subtract, mult or an integer operation on pool: max is not one of them"},
      {Opcode::tensor_tensor_arith_op,
       {{12, 2, 0x0989}, {14, 1, 0xC4}},
       {},
       "an integer, signed or unsigned like the first operand for add_int, not int32"},
      {Opcode::tensor_tensor_arith_op, {{42, 2, 10}}, {}, "a product of 64, as in src0"},
      {Opcode::tensor_tensor_bitvec_op, {{13, 1, 8}}, {}, "uint32, as src0, not int32"},
      {Opcode::tensor_scalar_arith_op,
       {{36, 1, 5}},
       Engine::act,
       "mult then add, mult alone or add alone on act, not subtract then add"},
      {Opcode::tensor_scalar_arith_op, {{35, 1, 3}}, {}, "0 (literal), 1 (pointer) or 2 (register pointer)"},
      {Opcode::tensor_scalar_bitvec_op,
       {{32, 2, 0x0303}, {36, 1, 3}, {35, 1, 0}, {40, 8, 0}},
       {},
       "a 4-byte dtype for arith_shift_right then bitwise_xor, not uint8"},
      {Opcode::tensor_reduce_arith_op, {{56, 2, 16}}, {}, "a product of 4, the dimensions of src that are not folded"},
      {Opcode::copy,
       {{44, 4, 0x2000100}},
       Engine::pool,
       "an SBUF address: pool reaches no PSUM with this opcode, this is psum[0]+0x100"},
      {Opcode::cross_lane_reduce_arith_op, {{56, 2, 1}}, {}, "a product of 64"},
      {Opcode::cross_lane_reduce_arith_op, {{36, 1, 0}}, {}, "a product of 1"},
      {Opcode::memset, {{28, 4, 1}}, {}, "64, the elements of dst"},
      {Opcode::activate, {{15, 1, 3}}, {}, "0 (pointer), 1 (literal) or 2 (register pointer)"},
      {Opcode::tensor_store, {{13, 2, 0x0901}, {32, 8, 0}}, {}, "a product of at most 8"},
      {Opcode::semaphore_range_clear, {{14, 1, 2}}, {}, "at least first, 3"}};
  for (const Case& c : cases) {
    const auto findings = check(with(legal_word(c.opcode), c.pokes), on(Generation::cayman, c.engine));
    ASSERT_EQ(findings.size(), 1u) << mnemonic(c.opcode) << ": " << c.expected;
    EXPECT_EQ(findings.front().expected, c.expected);
  }
}

}  // namespace legality_test
}  // namespace dve::isa::test
