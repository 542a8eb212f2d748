// Values of single fields: numbers, binary32, dtypes, names of codes; raw field keys and what they override.
#include "texts.h"

namespace dve::assembly::test {
namespace fields_text_test {

Bytes copied(unsigned in, unsigned out) {
  return Bytes(0x46).tensor(12, 4, 0, {1}, {1}).tensor(44, 4, 0, {1}, {1}).at(32, 1, in).at(33, 1, out).at(34, 1, 1);
}

TEST(Numbers, DecimalAndHexadecimal) {
  EXPECT_TRUE(assembles_to("drain count=0", Bytes(0xA2)));
  EXPECT_TRUE(assembles_to("drain count=4294967295", Bytes(0xA2).at(40, 4, 0xFFFFFFFF)));
  EXPECT_TRUE(assembles_to("drain count=0xFFFFffff", Bytes(0xA2).at(40, 4, 0xFFFFFFFF)));
  EXPECT_TRUE(assembles_to("drain count=0X1f", Bytes(0xA2).at(40, 4, 31)));
  EXPECT_TRUE(assembles_to("drain count=010", Bytes(0xA2).at(40, 4, 10))) << "no octal";
}

TEST(Numbers, AnythingElseIsRefused) {
  for (const std::string bad : {"", "4294967296", "0x100000000", "99999999999999999999999", "-1", "+1", "1.0", "12a",
                                "0x", "0xg", "x12", "1,2", "1e3", "0b1", "one"}) {
    EXPECT_TRUE(
        one_error("drain count=" + bad, 1, bad == "1,2" || bad == "1.0" ? 14 : 13, {"count=" + bad, "expected"}))
        << bad;
  }
  EXPECT_TRUE(one_error("event_semaphore setter_signature=256", 1, 34, {"setter_signature=256", "from 0 to 255"}));
  EXPECT_TRUE(
      one_error("load_parameter_ram immediate=0,0,0,0,0,0,0,0 param_ram_offset=65536", 1, 63, {"from 0 to 65535"}));
}

// The bits of scale, a binary32 field, from text.
std::string scale_bits(const std::string& text) {
  const std::string bytes =
      bytes_of("cross_lane_reduce_arith_op src=sbuf[0]+0x0:fp32{1} dst=sbuf[0]+0x0:fp32{1} channels=1 scale=" + text);
  return bytes.size() == 128 ? bytes.substr(86, 2) + bytes.substr(84, 2) + bytes.substr(82, 2) + bytes.substr(80, 2)
                             : bytes;
}

TEST(Binary32, DecimalsAndBits) {
  EXPECT_EQ(scale_bits("1"), "3f800000");
  EXPECT_EQ(scale_bits("-2.5"), "c0200000");
  EXPECT_EQ(scale_bits("1e-5"), "3727c5ac");
  EXPECT_EQ(scale_bits("1E+5"), "47c35000");
  EXPECT_EQ(scale_bits(".5"), "3f000000");
  EXPECT_EQ(scale_bits("5."), "40a00000");
  EXPECT_EQ(scale_bits("0.1"), "3dcccccd");
  EXPECT_EQ(scale_bits("16777217"), "4b800000") << "to nearest, ties to even";
  EXPECT_EQ(scale_bits("3.4028235e38"), "7f7fffff");
  EXPECT_EQ(scale_bits("1e-45"), "00000001");
  EXPECT_EQ(scale_bits("-0"), "80000000");
  EXPECT_EQ(scale_bits("inf"), "7f800000");
  EXPECT_EQ(scale_bits("-inf"), "ff800000");
  EXPECT_EQ(scale_bits("nan"), "7fc00000");
  EXPECT_EQ(scale_bits("0x3f800000"), "3f800000");
  EXPECT_EQ(scale_bits("0xffffffff"), "ffffffff");
  EXPECT_EQ(scale_bits("0x1"), "00000001");
}

TEST(Binary32, AnythingElseIsRefused) {
  for (const std::string bad : {"", "1e39", "-1e39", "1e-60", "1e", "e5", "-", "+1", "-nan", "nan(1)", "infinity",
                                "Inf", "0x100000000", "-0x1", "1.5.2", "1f", "0x1p3", "one"}) {
    EXPECT_NE(scale_bits(bad).find("scale=" + bad + ": expected"), std::string::npos) << bad << " " << scale_bits(bad);
  }
}

TEST(Binary32, TextKeepsEveryBit) {
  Random random(5);
  for (int round = 0; round < 200000; ++round) {
    std::uint64_t bits = random.next() & 0xFFFFFFFF;
    if (round % 8 == 0) bits = (bits & 0x807FFFFF) | 0x7F800000;  // NaNs and infinities
    if (round % 8 == 1) bits &= 0x807FFFFF;                       // subnormals
    const Bytes word = Bytes(0x66).at(32, 4, bits);
    const std::string text = disassemble(word.word(), isa::Generation::cayman);
    ASSERT_NE(text.substr(0, 5), ".word");
    ASSERT_EQ(bytes_of(text), word.hex()) << text;
  }
}

TEST(Dtypes, EveryNameAndCode) {
  const std::vector<std::string> names = {
      "invalid",  "uint64",   "int8",  "uint8",   "int16",   "uint16",   "bf16",     "fp16",
      "int32",    "uint32",   "fp32",  "fp32r",   "int64",   "fp8_e3m4", "fp8_e4m3", "fp8_e5m2",
      "fp4_e2m1", "fp8_e2m5", "int4",  "sfp8_e8", "sfp8_e7", "sfp8_e6",  "sfp8_e5",  "0x17",
      "0x18",     "cptc1",    "cptc2", "cptc3",   "cptc4",   "cptc5",    "cptc6",    "cptc7"};
  for (unsigned code = 0; code < 256; ++code) {
    const std::string name = code < names.size() ? names[code] : std::to_string(code);
    EXPECT_TRUE(
        assembles_to("copy src=sbuf[0]+0x0:" + name + "{1} dst=sbuf[0]+0x0:fp32{1} channels=1", copied(code, 10)));
    EXPECT_TRUE(assembles_to("copy src=sbuf[0]+0x0:fp32{1} dst=sbuf[0]+0x0:fp16{1} channels=1 out_dtype=" + name,
                             copied(10, code)));
  }
}

TEST(Dtypes, NibblesHoldSixteen) {
  const std::string text =
      "batch_norm_back_prop src0=sbuf[0]+0x0:fp4_e2m1{1} src1=sbuf[0]+0x0:fp32{1} "
      "dst=sbuf[0]+0x0:fp32{1} channels=1";
  EXPECT_TRUE(one_error(text, 1, 39, {"a dtype with a code up to 15", "fp4_e2m1 is 16"}));
  EXPECT_TRUE(one_error("copy src=sbuf[0]+0x0:fp33{1} dst=sbuf[0]+0x0:fp32{1} channels=1", 1, 22,
                        {"a dtype by name or number", "did you mean `fp32`?"}));
  EXPECT_TRUE(one_error("copy src=sbuf[0]+0x0:256{1} dst=sbuf[0]+0x0:fp32{1} channels=1", 1, 22, {"from 0 to 255"}));
}

TEST(Codes, OperationsAndFunctions) {
  const std::string tensors = " src=sbuf[0]+0x0:fp32{1} dst=sbuf[0]+0x0:fp32{1} channels=1";
  EXPECT_TRUE(one_error("tensor_scalar_arith_op op0=mul" + tensors, 1, 28,
                        {"op0=mul", "an ALU operation", "did you mean `mult`?"}));
  EXPECT_TRUE(one_error("tensor_scalar_arith_op op0=256" + tensors, 1, 28, {"from 0 to 255"}));
  EXPECT_TRUE(
      one_error("activate activation_func=rsqr" + tensors, 1, 26, {"an activation function", "did you mean `rsqrt`?"}));
  EXPECT_TRUE(one_error("tensor_reduce_arith_op op_dim=xz" + tensors, 1, 31, {"op_dim", "did you mean `x`?"}));
  for (unsigned code = 0; code < 256; ++code) {
    EXPECT_TRUE(assembles_to(
        "tensor_reduce_arith_op op=" + std::to_string(code) + tensors,
        Bytes(0x42).tensor(12, 4, 0, {1}, {1}).tensor(44, 4, 0, {1}, {1}).at(32, 3, 0x010A0A).at(36, 1, code)));
    EXPECT_TRUE(
        assembles_to("activate activation_func=" + std::to_string(code) + tensors, Bytes(0x21)
                                                                                       .at(15, 1, 1)
                                                                                       .tensor(16, 3, 0, {1}, {1})
                                                                                       .tensor(48, 3, 0, {1}, {1})
                                                                                       .at(32, 3, 0x010AAA)
                                                                                       .at(35, 1, code)));
  }
}

TEST(RawFields, Preamble) {
  EXPECT_TRUE(assembles_to("nop inst_word_len=0x11 debug_cmd=3 debug_hint=200", Bytes(0xA4).at(1, 3, 0xC80311)));
  EXPECT_TRUE(assembles_to("nop wait_mode=1 wait_idx=2 update_mode=3 update_idx=4 semaphore_value=5",
                           Bytes(0xA4).at(4, 4, 0x04030201).at(8, 4, 5)));
}

TEST(RawFields, WinOverTheOtherKeys) {
  const std::string stats = "batch_norm_stats2 src=sbuf[0]+0x0:bf16{2} dst=sbuf[0]+0x0:fp32{6} channels=4";
  const Bytes base =
      Bytes(0x61).tensor(12, 4, 0, {2}, {1}).tensor(48, 2, 0, {6}, {1}).at(40, 4, 0x3F800000).at(44, 4, 0x3F800000);
  EXPECT_TRUE(assembles_to("batch_norm_stats2 in_dtype=0x2a out_dtype=fp16 num_active_channels=200" + stats.substr(17),
                           Bytes(base).at(32, 3, 0xC8072A)));
  EXPECT_TRUE(assembles_to("batch_norm_stats2 src=sbuf[0]+0x0:bf16{2} dst=sbuf[0]+0x0:fp32{6} num_active_channels=4",
                           Bytes(base).at(32, 3, 0x040A06)));

  const std::string back =
      "batch_norm_back_prop src0=sbuf[0]+0x0:fp32{1} src1=sbuf[0]+0x0:fp32{1} "
      "dst=sbuf[0]+0x0:fp32{1} channels=1 in0_in1_dtype=";
  const Bytes tt =
      Bytes(0x65).tensor(16, 3, 0, {1}, {1}).tensor(32, 3, 0, {1}, {1}).tensor(48, 3, 0, {1}, {1}).at(13, 3, 0x01000A);
  EXPECT_TRUE(assembles_to(back + "bf16,fp16", Bytes(tt).at(12, 1, 0x76)));
  EXPECT_TRUE(assembles_to(back + "0xc1", Bytes(tt).at(12, 1, 0xC1)));
  EXPECT_TRUE(assembles_to(back + "1,0xc", Bytes(tt).at(12, 1, 0xC1)));
  EXPECT_TRUE(one_error(back + "bf16", 1, 121, {"two values with a comma, low nibble first"}));
  EXPECT_TRUE(one_error(back + "256", 1, 121, {"in0_in1_dtype=256", "expected"}));
  EXPECT_TRUE(one_error(back + "bf16,int4", 1, 126, {"a code up to 15"}));
}

TEST(RawFields, ImmediateSources) {
  const std::string grad =
      "batch_norm_grad_accumulate2 src0=sbuf[0]+0x0:fp32{1} src1=sbuf[0]+0x0:fp32{1} "
      "dst=sbuf[0]+0x0:fp32{3} channels=1 ";
  const Bytes bn2 = Bytes(0x94)
                        .tensor(16, 3, 0, {1}, {1})
                        .tensor(32, 3, 0, {1}, {1})
                        .tensor(48, 1, 0, {3}, {1})
                        .at(60, 2, 0xAAAA)
                        .at(63, 1, 1);
  EXPECT_TRUE(assembles_to(grad + "imm0=sbuf[0]+0x4 imm1=r9 imm0_imm1_src=0,3",
                           Bytes(bn2).at(12, 4, 4).at(56, 4, 9).at(62, 1, 0x30)));
  EXPECT_TRUE(assembles_to(grad + "imm0=sbuf[0]+0x4 imm1=r9 imm0_imm1_src=0xff immediate_out_dtype=0x01",
                           Bytes(bn2).at(12, 4, 4).at(56, 4, 9).at(61, 2, 0xFF01)));
  EXPECT_TRUE(
      assembles_to("tensor_scalar_arith_op src=sbuf[0]+0x0:fp32{1} dst=sbuf[0]+0x0:fp32{1} channels=1 imm0=1.5 "
                   "imm0_src=3 imm1=addr4[0x105] imm1_src=2",
                   Bytes(0x43)
                       .tensor(16, 3, 0, {1}, {1})
                       .tensor(48, 3, 0, {1}, {1})
                       .at(32, 4, 0x03010A0A)
                       .at(39, 1, 2)
                       .at(40, 4, 0x3FC00000)
                       .at(44, 4, 0x105)));
}

TEST(Immediates, LiteralsOfBitOperationsAreIntegers) {
  const std::string text = "tensor_scalar_bitvec_op src=sbuf[0]+0x0:int8{1} dst=sbuf[0]+0x0:int8{1} channels=1 imm0=";
  EXPECT_TRUE(one_error(text + "2.5", 1, 90, {"imm0=2.5", "nothing more than `2`"}));
  EXPECT_TRUE(one_error(text + "4294967296", 1, 89, {"from 0 to 4294967295"}));
  EXPECT_TRUE(one_error(text + "-1", 1, 89, {"from 0 to 4294967295"}));
}

TEST(Immediates, EveryBranchNamesWhatIsExpected) {
  const std::string text = "tensor_scalar_arith_op src=sbuf[0]+0x0:fp32{1} dst=sbuf[0]+0x0:fp32{1} channels=1 imm0=";
  EXPECT_TRUE(one_error(text + "r64", 1, 88, {"r0 to r63"}));
  EXPECT_TRUE(one_error(text + "sbuf[0]", 1, 95, {"`+` and a byte offset"}));
  EXPECT_TRUE(one_error(text + "sbuf", 1, 88, {"a binary32 number"}));
  EXPECT_TRUE(one_error("batch_norm_param_load src=sbuf[0]+0x0:fp32{3} imm0=5 element_count=1 channels=1", 1, 52,
                        {"a pointer such as sbuf[0]+0x40 or a register such as r7"}));
}

}  // namespace fields_text_test
}  // namespace dve::assembly::test
