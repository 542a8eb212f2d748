// Rules that differ between generations.
#include "words.h"

namespace dve::isa::test {
namespace legality_generation_test {

constexpr auto kBackProp = Opcode::batch_norm_back_prop;

bool is_v2(Generation generation) { return generation == Generation::sunda; }

TEST(LegalityGeneration, UnorderedWaitIsOfV5) {
  const Word word = with(legal_word(kBackProp), {{4, 1, 0xFE}});
  for (const Generation generation : kGenerations) {
    const std::vector<Expected> broken = {{"has_valid_neuron_events", "wait_mode", 4, 0xFE}};
    EXPECT_TRUE(
        findings_are(word, on(generation), generation == Generation::maverick ? std::vector<Expected>{} : broken));
  }
}

TEST(LegalityGeneration, MarkersOfTensors) {
  for (const Generation generation : kGenerations) {
    const auto expect = [&](std::uint32_t raw, bool legal) {
      const std::vector<Expected> broken = {{"tensor_start_addr_valid", "dst.start_addr", 48, raw}};
      EXPECT_TRUE(findings_are(with(legal_word(kBackProp), {{48, 4, raw}}), on(generation),
                               legal ? std::vector<Expected>{} : broken))
          << std::hex << raw;
    };
    expect(0x00003000, true);
    expect(0x40003000, !is_v2(generation));  // shape register
    expect(0x80000007, true);
    expect(0xC0000007, !is_v2(generation));  // address and shape register
    expect(0x81000007, !is_v2(generation));  // bits 24..28 are looked at on v2 only
    for (const std::uint32_t marker : {0x20u, 0x60u, 0xA0u, 0xE0u}) expect(marker << 24 | 7 << 8, false);
  }
}

TEST(LegalityGeneration, ShapeRegistersWaiveTheCountsFromV3On) {
  struct Case {
    Opcode opcode;
    std::vector<Poke> pokes;
    std::vector<Expected> on_v2;
  };
  const auto marker = [](const char* field, std::uint32_t byte) {
    return Expected{"tensor_start_addr_valid", field, byte};
  };
  const Case cases[] = {{Opcode::batch_norm_stats2,
                         {{12, 4, 0x40001000}, {24, 2, 0}},
                         {marker("src.start_addr", 12), {"tensor4d_valid", "src.num_elem[0]", 24}}},
                        {Opcode::batch_norm_stats2,
                         {{12, 4, 0xC0000001}, {24, 2, 9999}},
                         {marker("src.start_addr", 12), {"s4d2_bn_src_element_cnt_check", "src.num_elem", 24}}},
                        {Opcode::batch_norm_aggregate,
                         {{12, 4, 0x40001000}, {24, 2, 7}},
                         {marker("src.start_addr", 12), {"s4d2_bn_src_element_multiple_check", "src.num_elem", 24}}},
                        {Opcode::batch_norm_grad_accumulate,
                         {{16, 4, 0xC0000001}, {26, 2, 5}},
                         {marker("src0.start_addr", 16), {"bnga_src_element_cnt_check", "src1.num_elem", 42}}},
                        {Opcode::batch_norm_grad_accumulate2,
                         {{32, 4, 0x40002000}, {42, 2, 5}},
                         {marker("src1.start_addr", 32), {"bnga_src_element_cnt_check", "src1.num_elem", 42}}},
                        {Opcode::batch_norm_param_load,
                         {{16, 4, 0x40008000}, {24, 2, 5}},
                         {marker("src.start_addr", 16), {"s2_bn_src_element_cnt_check", "src.num_elem", 24}}},
                        {Opcode::batch_norm_param_load2,
                         {{12, 4, 0x40008000}, {20, 2, 5}},
                         {marker("src.start_addr", 12), {"s2_bnpl2_src_element_cnt_check", "src.num_elem", 20}}},
                        {kBackProp,
                         {{16, 4, 0x40001000}, {26, 2, 5}},
                         {marker("src0.start_addr", 16),
                          {"s3s3d3_tt_src_element_cnt_check", "src1.num_elem", 42},
                          {"s3s3d3_tt_dst_element_cnt_check", "dst.num_elem", 58}}},
                        {kBackProp,
                         {{48, 4, 0x40003000}, {58, 2, 5}},
                         {marker("dst.start_addr", 48), {"s3s3d3_tt_dst_element_cnt_check", "dst.num_elem", 58}}},
                        {Opcode::tensor_scalar_arith_op,
                         {{16, 4, 0x40001000}, {26, 2, 5}},
                         {marker("src.start_addr", 16), {"equal_element_cnt", "dst.num_elem", 58}}},
                        {Opcode::activate,
                         {{48, 4, 0xC0000001}, {58, 2, 5}},
                         {marker("dst.start_addr", 48), {"equal_element_cnt", "dst.num_elem", 58}}},
                        {Opcode::tensor_reduce_arith_op,
                         {{12, 4, 0x40001000}, {26, 2, 5}},
                         {marker("src.start_addr", 12), {"s4d4_tr_element_cnt_check", "dst.num_elem", 56}}},
                        {Opcode::copy,
                         {{44, 4, 0x40003000}, {56, 2, 5}},
                         {marker("dst.start_addr", 44), {"s4d4_tr_element_cnt_check", "dst.num_elem", 56}}},
                        {Opcode::cross_lane_reduce_arith_op,
                         {{12, 4, 0x40001000}, {26, 2, 5}},
                         {marker("src.start_addr", 12), {"s4d4_cr_element_cnt_check", "dst.num_elem", 56}}},
                        {Opcode::cross_lane_reduce_arith_op,
                         {{36, 1, 0}, {44, 4, 0x40003000}},
                         {marker("dst.start_addr", 44), {"s4d4_cr_element_cnt_check", "dst.num_elem", 56}}},
                        {Opcode::memset,
                         {{44, 4, 0x40003000}, {56, 2, 5}},
                         {marker("dst.start_addr", 44), {"d4_mr_element_cnt_check", "element_count", 28}}}};
  for (const Case& c : cases) {
    Word word = legal_word(c.opcode);
    for (const Poke& p : c.pokes) poke(word, p);
    SCOPED_TRACE(mnemonic(c.opcode));
    for (const Generation generation : kGenerations) {
      if (!exists_on(c.opcode, generation)) continue;
      EXPECT_TRUE(findings_are(word, on(generation), is_v2(generation) ? c.on_v2 : std::vector<Expected>{}));
    }
  }
}

TEST(LegalityGeneration, ThreeSumsAreAskedForEvenWithAShapeRegister) {
  const Word word = with(legal_word(Opcode::batch_norm_grad_accumulate), {{48, 4, 0x40008000}, {54, 2, 4}});
  EXPECT_TRUE(findings_are(word, on(Generation::cayman), {{"bnga_dst_element_cnt_check", "dst.num_elem[0]", 54, 4}}));
}

TEST(LegalityGeneration, DtypesOfLaterGenerations) {
  for (const Generation generation : kGenerations) {
    const int version = core_version(generation);
    for (unsigned d = 0x10; d < 0x28; ++d) {
      const bool member = version >= 4 && (d == 0x10 || (d >= 0x19 && d <= 0x1F));
      const bool member5 = version == 5 && (d == 0x11 || (d >= 0x19 && d <= 0x1F));
      const bool valid = version == 5 ? member5 : member;
      // Members that the generic check lets through still have no conversion in the batch-norm path.
      const std::vector<Expected> expected = {{valid ? "is_arithmetic_dtype" : "is_valid_dtype", "in_dtype", 32, d}};
      EXPECT_TRUE(findings_are(with(legal_word(Opcode::batch_norm_stats2), {{32, 1, d}}), on(generation), expected));
      // Nor with the address in a register, where nothing else looks at the dtype.
      EXPECT_TRUE(findings_are(with(legal_word(Opcode::batch_norm_stats2), {{32, 1, d}, {12, 4, 0x80000001}}),
                               on(generation), expected));
    }
  }
}

TEST(LegalityGeneration, MaverickHasNoPsum) {
  // 0x2000000 is partition 32 of its SBUF: a PSUM address there is an SBUF address, with bf16 writes and all.
  const Word word = with(legal_word(kBackProp), {{15, 1, 32}, {48, 4, 0x2000000}, {13, 1, 6}});
  EXPECT_TRUE(findings_are(word, on(Generation::maverick), {}));
  EXPECT_TRUE(findings_are(word, on(Generation::cayman), {{"tensor_start_addr_valid", "dst.start_addr", 48}}));
  const Word two = with(legal_word(kBackProp), {{15, 1, 32}, {16, 4, 0x2000000}, {32, 4, 0x2000400}});
  EXPECT_TRUE(findings_are(two, on(Generation::maverick), {}));
  EXPECT_TRUE(findings_are(two, on(Generation::cayman), {{"tt_valid_partitions", "src1.start_addr", 32}}));
}

TEST(LegalityGeneration, OneAddressFiveGenerations) {
  // The start of cayman's hole: outside on v2, the edge on v3, inside from v4 on.
  const Word word = with(legal_word(Opcode::batch_norm_param_load), {{16, 4, 0x38000}});
  for (const Generation generation : kGenerations) {
    const bool inside = core_version(generation) >= 4;
    const std::vector<Expected> broken = {{"tensor_extent_in_partition", "src.start_addr", 16, 0x38000}};
    EXPECT_TRUE(findings_are(word, on(generation), inside ? std::vector<Expected>{} : broken));
  }
}

TEST(LegalityGeneration, ImmediateDtypeZeroIsLegalInV1OfTheOpcodeOnly) {
  for (const Generation generation : kGenerations) {
    if (exists_on(Opcode::batch_norm_grad_accumulate, generation)) {
      EXPECT_TRUE(findings_are(with(legal_word(Opcode::batch_norm_grad_accumulate), {{61, 1, 0}}), on(generation), {}));
    }
    EXPECT_TRUE(findings_are(with(legal_word(Opcode::batch_norm_grad_accumulate2), {{61, 1, 0xA0}}), on(generation),
                             {{"bnga2_valid_immediate_type", "immediate_out_dtype.lo", 61, 0}}));
  }
}

}  // namespace legality_generation_test
}  // namespace dve::isa::test
