// TensorScalar 0x43, 0x53 (isa-neighbours.md 2): each rule broken once, and the pairs of operations in full.
#include <set>

#include "words.h"

namespace dve::isa::test {
namespace legality_tensor_scalar_test {

constexpr auto kArith = Opcode::tensor_scalar_arith_op;
constexpr auto kBitvec = Opcode::tensor_scalar_bitvec_op;
constexpr auto kCayman = Generation::cayman;

bool is_member(unsigned op, Generation g) {
  const int version = core_version(g);
  if (op <= 0x1D || (op >= 0xC4 && op <= 0xC6)) return true;
  if (op >= 0x20 && op <= 0x23) return version >= 4;
  if (op == 0x24) return version >= 5;
  return op >= 0xC7 && op <= 0xE1 && version >= 3;
}
bool is_general(unsigned op, Generation g) {
  const std::set<unsigned> always = {0, 4, 5, 6, 8, 9, 0xD, 0xE, 0xF, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19};
  return always.count(op) == 1 || (op >= 0x20 && op <= 0x24 && is_member(op, g));
}
bool is_dve_int(unsigned op, Generation g) {
  const std::set<unsigned> ops = {0,    0xC4, 0xC5, 0xC6, 0xCF, 0xD0, 0xCB, 0xCC,
                                  0xCD, 0xC9, 0xD1, 0xD2, 0xD3, 0xD4, 0xCA};
  return g == Generation::maverick && ops.count(op) == 1;
}

Word with_ops(Opcode opcode, unsigned op0, unsigned op1, unsigned dtype) {
  return with(legal_word(opcode), {{32, 1, dtype}, {33, 1, dtype}, {36, 1, op0}, {37, 1, op1}});
}

// Which ops are reported, all pairs out of one code of every kind. The legality table of isa-neighbours.md 2.
TEST(LegalityTensorScalar, PairsOfOperationsOnDve) {
  const unsigned ops[] = {0,    1,    3,    4,    6,    7,    0x0A, 0x0D, 0x19, 0x1A, 0x1B, 0x1C,
                          0x1D, 0x1E, 0x22, 0x24, 0x60, 0xC4, 0xC7, 0xCE, 0xD4, 0xD5, 0xDE, 0xFF};
  for (const Generation g : kGenerations) {
    for (const unsigned op0 : ops) {
      for (const unsigned op1 : ops) {
        std::vector<Expected> broken;
        const auto judge = [&](unsigned op, const char* field, std::uint32_t byte) {
          if (!is_member(op, g)) broken.push_back({"is_alu_op_member", field, byte, op});
        };
        judge(op0, "op0", 36);
        judge(op1, "op1", 37);
        if (broken.empty()) {
          if (!is_general(op0, g) && !is_dve_int(op0, g)) broken.push_back({"s3d3_ts_arith_op", "op0", 36, op0});
          if (!is_general(op1, g) && !is_dve_int(op1, g)) broken.push_back({"s3d3_ts_arith_op", "op1", 37, op1});
        }
        if (broken.empty()) {
          const bool one_class =
              (is_general(op0, g) && is_general(op1, g)) || (is_dve_int(op0, g) && is_dve_int(op1, g));
          if (!one_class) broken.push_back({"s3d3_ts_op_class", "op1", 37, op1});
          if (op0 == 0 && op1 != 0) broken.push_back({"s3d3_ts_op_order", "op1", 37, op1});
        }
        ASSERT_TRUE(findings_are(with_ops(kArith, op0, op1, 8), on(g), broken)) << std::hex << op0 << ", " << op1;
      }
    }
  }
}

TEST(LegalityTensorScalar, DivisionPowerAndRemainderAreNever) {
  for (const Generation g : kGenerations) {
    for (const unsigned op : {0x07u, 0x1Au, 0x1Bu}) {
      EXPECT_TRUE(findings_are(with_ops(kArith, op, 0, 0xA), on(g), {{"s3d3_ts_arith_op", "op0", 36, op}}));
      EXPECT_TRUE(findings_are(with_ops(kArith, 4, op, 0xA), on(g), {{"s3d3_ts_arith_op", "op1", 37, op}}));
      EXPECT_TRUE(findings_are(with_ops(kBitvec, op, 0, 9), on(g), {{"s3d3_ts_bitvec_op", "op0", 36, op}}));
      EXPECT_TRUE(findings_are(with_ops(kBitvec, 0xA, op, 9), on(g), {{"s3d3_ts_bitvec_op", "op1", 37, op}}));
    }
  }
}

TEST(LegalityTensorScalar, IntegerOperandsOfV5) {
  const auto word = [](unsigned in, unsigned out, unsigned op) {
    return with(with_ops(kArith, op, 0, in), {{33, 1, out}});
  };
  const auto v5 = on(Generation::maverick);
  EXPECT_TRUE(findings_are(word(8, 8, 0xC4), v5, {}));
  EXPECT_TRUE(findings_are(word(3, 9, 0xC4), v5, {}));
  EXPECT_TRUE(findings_are(word(8, 9, 0xC4), v5, {{"int_op_operand_valid", "out_dtype", 33, 9}}));
  EXPECT_TRUE(findings_are(word(0xA, 8, 0xC4), v5, {{"int_op_operand_valid", "in_dtype", 32, 0xA}}));
  EXPECT_TRUE(
      findings_are(word(9, 9, 0xCF), v5,
                   {{"int_op_operand_valid", "in_dtype", 32, 9}, {"int_op_operand_valid", "out_dtype", 33, 9}}));
  EXPECT_TRUE(findings_are(word(8, 9, 4), v5, {})) << "other operations convert";
}

TEST(LegalityTensorScalar, ActScalesAndAdds) {
  for (const Generation g : kGenerations) {
    for (const unsigned op0 : {0u, 4u, 5u, 6u, 8u, 0xAu, 0x1Du}) {
      for (const unsigned op1 : {0u, 4u, 5u, 6u}) {
        const bool legal = (op0 == 6 && (op1 == 4 || op1 == 0)) || (op0 == 4 && op1 == 0);
        const bool starts = op0 == 6 || op0 == 4;
        const Expected broken =
            starts ? Expected{"s3d3_ts_act_ops", "op1", 37, op1} : Expected{"s3d3_ts_act_ops", "op0", 36, op0};
        EXPECT_TRUE(findings_are(with_ops(kArith, op0, op1, 0xA), on(g, Engine::act),
                                 legal ? std::vector<Expected>{} : std::vector<Expected>{broken}))
            << op0 << ", " << op1;
      }
    }
    EXPECT_TRUE(findings_are(with_ops(kArith, 0x1E, 0, 0xA), on(g, Engine::act), {{"is_alu_op_member", "op0", 36}}));
  }
}

TEST(LegalityTensorScalar, PoolTakesTheReciprocalRoot) {
  const Word rsqrt = with(legal_word(kArith), {{35, 3, 0x001D00}, {39, 1, 0}, {40, 8, 0}});
  const auto broken = [](const char* field, std::uint32_t byte, std::int64_t value) {
    return std::vector<Expected>{{"s3d3_ts_rsqrt_form", field, byte, value}};
  };
  for (const Generation g : kGenerations) {
    const auto pool = on(g, Engine::pool);
    EXPECT_TRUE(findings_are(rsqrt, pool, {}));
    EXPECT_TRUE(findings_are(with(rsqrt, {{36, 1, 6}}), pool, broken("op0", 36, 6)));
    EXPECT_TRUE(findings_are(with(rsqrt, {{36, 1, 0}}), pool, broken("op0", 36, 0)));
    EXPECT_TRUE(findings_are(with(rsqrt, {{37, 1, 4}}), pool, broken("op1", 37, 4)));
    EXPECT_TRUE(findings_are(with(rsqrt, {{35, 1, 1}}), pool, broken("imm0_src", 35, 1)));
    EXPECT_TRUE(findings_are(with(rsqrt, {{39, 1, 2}}), pool, broken("imm1_src", 39, 2)));
    EXPECT_TRUE(findings_are(with(rsqrt, {{40, 4, 1}}), pool, broken("imm0", 40, 1)));
    EXPECT_TRUE(findings_are(with(rsqrt, {{44, 4, 0x80000000}}), pool, broken("imm1", 44, 0x80000000)));
    EXPECT_TRUE(findings_are(with(rsqrt, {{36, 1, 0x1F}}), pool, {{"is_alu_op_member", "op0", 36, 0x1F}}));
  }
}

TEST(LegalityTensorScalar, OperationsOfTheBitOpcode) {
  const std::set<unsigned> legal = {0, 1, 2, 3, 0x10, 0x11, 0xA, 0xB, 0xC, 0x1C};
  for (const Generation g : kGenerations) {
    for (unsigned op = 0; op < 256; ++op) {
      std::vector<Expected> broken0, broken1;
      if (legal.count(op) == 0) {
        const char* rule = is_member(op, g) ? "s3d3_ts_bitvec_op" : "is_alu_op_member";
        broken0 = {{rule, "op0", 36, op}};
        broken1 = {{rule, "op1", 37, op}};
      }
      EXPECT_TRUE(findings_are(with_ops(kBitvec, op, 0, 9), on(g), broken0)) << op;
      EXPECT_TRUE(findings_are(with_ops(kBitvec, 0xA, op, 9), on(g), broken1)) << op;
    }
    EXPECT_TRUE(findings_are(with_ops(kBitvec, 0, 0xA, 9), on(g), {{"s3d3_ts_op_order", "op1", 37, 0xA}}));
    EXPECT_TRUE(findings_are(with_ops(kBitvec, 0, 0, 9), on(g), {}));
  }
}

// A left and a right shift, and the arithmetic right shift in any place, want four bytes.
TEST(LegalityTensorScalar, ShiftsOfNarrowIntegers) {
  const std::set<unsigned> ops = {0, 2, 3, 0x10, 0x11, 0xA};
  for (const unsigned d : {2u, 3u, 4u, 5u, 8u, 9u}) {
    for (const unsigned op0 : ops) {
      for (const unsigned op1 : ops) {
        if (op0 == 0 && op1 != 0) continue;
        const bool pair = (op0 == 2 || op0 == 0x10) && (op1 == 3 || op1 == 0x11);
        const bool refused = d < 8 && (pair || op0 == 3 || op1 == 3);
        const Word word = with(with_ops(kBitvec, op0, op1, d), {{35, 1, 0}, {40, 4, 1}, {44, 4, 1}});
        EXPECT_TRUE(findings_are(
            word, on(kCayman),
            refused ? std::vector<Expected>{{"s3d3_ts_shift_dtype", "in_dtype", 32, d}} : std::vector<Expected>{}))
            << op0 << ", " << op1;
      }
    }
  }
}

TEST(LegalityTensorScalar, DtypesOfTheArithmeticOpcode) {
  for (const Generation g : kGenerations) {
    for (unsigned d = 0; d < 0x18; ++d) {
      const bool plain = d >= 2 && d <= 0xF && d != 0xB && d != 0xC;
      const bool v4 = (d == 0x10 && core_version(g) == 4) || (d == 0x11 && core_version(g) == 5);
      const char* rule = v4 ? "is_arithmetic_dtype" : "is_valid_dtype";
      EXPECT_TRUE(findings_are(with(legal_word(kArith), {{32, 1, d}}), on(g),
                               plain ? std::vector<Expected>{} : std::vector<Expected>{{rule, "in_dtype", 32, d}}));
      EXPECT_TRUE(findings_are(
          with(legal_word(kArith), {{33, 1, d}}), on(g),
          plain || d == 0xB ? std::vector<Expected>{} : std::vector<Expected>{{rule, "out_dtype", 33, d}}));
    }
  }
}

TEST(LegalityTensorScalar, DtypesOfTheBitOpcode) {
  const std::set<unsigned> legal = {2, 3, 4, 5, 8, 9};
  for (const Generation g : kGenerations) {
    for (unsigned d = 0; d < 0x18; ++d) {
      const Word word = with(with_ops(kBitvec, 0xA, 0xC, d), {{44, 4, 1}});
      std::vector<Expected> broken;
      if (legal.count(d) == 0) broken.push_back({"is_valid_int_dtype_datapath", "in_dtype", 32, d});
      EXPECT_TRUE(findings_are(word, on(g), broken)) << d;
      if (d == 9) continue;
      EXPECT_TRUE(
          findings_are(with(legal_word(kBitvec), {{33, 1, d}}), on(g), {{"has_equal_dtypes", "out_dtype", 33, d}}));
    }
  }
}

TEST(LegalityTensorScalar, LiteralsOfTheBitOpcodeFitTheElement) {
  const auto word = [](unsigned d, unsigned imm0, unsigned imm1) {
    return with(with_ops(kBitvec, 0xA, 0xC, d), {{35, 1, 0}, {40, 4, imm0}, {44, 4, imm1}});
  };
  for (const Generation g : kGenerations) {
    EXPECT_TRUE(findings_are(word(9, 0xFFFFFFFF, 0xFFFFFFFF), on(g), {}));
    EXPECT_TRUE(findings_are(word(8, 0x80000000, 1), on(g), {}));
    EXPECT_TRUE(findings_are(word(5, 0xFFFF, 0xFFFF), on(g), {}));
    EXPECT_TRUE(findings_are(word(4, 0x10000, 0), on(g), {{"s3d3_ts_literal_bits", "imm0", 40, 0x10000}}));
    EXPECT_TRUE(findings_are(word(5, 0, 0x80000000), on(g), {{"s3d3_ts_literal_bits", "imm1", 44, 0x80000000}}));
    EXPECT_TRUE(findings_are(word(3, 0xFF, 0xFF), on(g), {}));
    EXPECT_TRUE(
        findings_are(word(2, 0x100, 0x200), on(g),
                     {{"s3d3_ts_literal_bits", "imm0", 40, 0x100}, {"s3d3_ts_literal_bits", "imm1", 44, 0x200}}));
    EXPECT_TRUE(findings_are(with(word(2, 0x100, 0), {{35, 1, 1}}), on(g), {})) << "a pointer is no literal";
    EXPECT_TRUE(findings_are(with(legal_word(kArith), {{32, 2, 0x0202}, {44, 4, 0xFFFFFFFF}}), on(g), {}))
        << "the other opcode's literal is fp32 always";
  }
}

TEST(LegalityTensorScalar, Immediates) {
  std::vector<Breach> breaches;
  for (const Opcode op : {kArith, kBitvec}) {
    for (const unsigned src : {3u, 4u, 0x11u, 255u}) {
      breaches.push_back({op, {{35, 1, src}}, {{"imm_check", "imm0_src", 35, src}}});
      breaches.push_back({op, {{39, 1, src}}, {{"imm_check", "imm1_src", 39, src}}});
    }
    breaches.push_back({op, {{40, 4, 0x102}}, {{"imm_check", "imm0", 40, 0x102}}});
    breaches.push_back({op, {{39, 1, 1}, {44, 4, 0x201}}, {{"imm_check", "imm1", 44, 0x201}}});
    breaches.push_back({op, {{40, 4, 0x8000000}}, {{"tpb_addr_active_channels", "imm0", 40, 0x8000000}}});
    breaches.push_back({op, {{39, 1, 1}, {44, 4, 0x1FFFFFFC}}, {{"tpb_addr_active_channels", "imm1", 44}}});
    breaches.push_back({op, {{35, 1, 2}, {40, 4, 63}}, {}});
    breaches.push_back({op, {{35, 1, 2}, {40, 4, 64}}, {{"is_valid_imm_reg", "imm0", 40, 64}}});
    breaches.push_back({op, {{39, 1, 2}, {44, 4, 0x105}}, {{"is_valid_imm_reg", "imm1", 44, 0x105}}});
    breaches.push_back({op, {{39, 1, 0}, {44, 4, 0x7FC00000}}, {}});
  }
  // fp32 in memory for arithmetic whatever the input, the input's dtype for bit operations.
  breaches.push_back({kArith, {{32, 2, 0x0202}, {40, 4, 0x102}}, {{"imm_check", "imm0", 40, 0x102}}});
  breaches.push_back({kBitvec, {{32, 2, 0x0505}, {40, 4, 0x102}, {44, 4, 1}}, {}});
  breaches.push_back({kBitvec, {{32, 2, 0x0505}, {40, 4, 0x101}, {44, 4, 1}}, {{"imm_check", "imm0", 40, 0x101}}});
  breaches.push_back({kBitvec, {{32, 2, 0x0303}, {40, 4, 0x101}, {44, 4, 1}}, {}});
  expect_breaches(breaches, all_generations());
}

TEST(LegalityTensorScalar, RulesOfBothOpcodes) {
  std::vector<Breach> breaches;
  for (const Opcode op : {kArith, kBitvec}) {
    for (const unsigned cmd : {1u, 4u, 255u}) {
      breaches.push_back({op, {{12, 1, cmd}}, {{"s3d3_ts_accumulator_idle", "accumulator_cmd", 12, cmd}}});
    }
    for (unsigned reverse = 0; reverse <= 3; ++reverse) breaches.push_back({op, {{38, 1, reverse}}, {}});
    breaches.push_back({op, {{38, 1, 4}}, {{"s3d3_ts_reverse_operands", "reverse_operands", 38, 4}}});
    breaches.push_back({op, {{34, 1, 0}}, {{"check_active_channels", "num_active_channels", 34, 0}}});
    breaches.push_back({op, {{34, 1, 129}}, {{"check_active_channels", "num_active_channels", 34, 129}}});
    breaches.push_back({op, {{58, 2, 63}}, {{"equal_element_cnt", "dst.num_elem", 58, 63}}});
    breaches.push_back({op, {{26, 2, 17}}, {{"equal_element_cnt", "dst.num_elem", 58, 64}}});
    breaches.push_back({op, {{16, 4, 0x1001}}, {{"addr_aligned_dtype", "src.start_addr", 16, 0x1001}}});
    breaches.push_back({op, {{48, 4, 0x3002}}, {{"addr_aligned_dtype", "dst.start_addr", 48, 0x3002}}});
    breaches.push_back(
        {op, {{30, 2, 0}}, {{"tensor3d_valid", "src.num_elem[2]", 30, 0}, {"equal_element_cnt", "dst.num_elem", 58}}});
  }
  expect_breaches(breaches, all_generations());
}

// The words F6 and B3 of isa-neighbours.md 12.
TEST(LegalityTensorScalar, TheReferencesExamples) {
  const Word f6 = with(legal_word(kArith), {{16, 4, 0x100},
                                            {26, 4, 0x00010001},
                                            {35, 5, 0x0102050601},
                                            {40, 4, 0x10C},
                                            {44, 4, 0x118},
                                            {48, 4, 0x110},
                                            {58, 2, 1}});
  const Word b3 = with(legal_word(kArith), {{26, 4, 0x00010001}, {35, 5, 0x0000060601}, {58, 2, 1}});
  for (const Generation g : kGenerations) {
    EXPECT_TRUE(findings_are(f6, on(g, Engine::dve), {}));
    EXPECT_TRUE(findings_are(b3, on(g, Engine::dve), {}));
  }
}

}  // namespace legality_tensor_scalar_test
}  // namespace dve::isa::test
