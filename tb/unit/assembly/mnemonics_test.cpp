// Every mnemonic with all its keys, from natural text to exact bytes; the example words of isa-neighbours.md 12.
#include "texts.h"

namespace dve::assembly::test {
namespace mnemonics_test {

struct Example {
  std::string_view text;
  Bytes bytes;
};

void expect_all(const std::vector<Example>& examples) {
  for (const Example& example : examples) EXPECT_TRUE(assembles_to(example.text, example.bytes));
}

// isa-neighbours.md 12: two packers that know nothing of each other agree on these.
TEST(Mnemonics, ExampleWordsOfTheReference) {
  const std::vector<std::pair<std::string, std::string>> examples = {
      {"activate src=sbuf[0]+0x104:fp32{1} dst=sbuf[0]+0x108:fp32{1} activation_func=rsqrt scale=1.0 bias=1e-5 "
       "channels=128",
       "2110000000000000000000000000000104010000010001000100010001000100"
       "aa0a801d0000803facc527370000000008010000010001000100010001000100"},
      {"tensor_scalar_arith_op src=sbuf[0]+0x100:fp32{1} dst=sbuf[0]+0x110:fp32{1} op0=mult imm0=sbuf[0]+0x10C "
       "op1=subtract imm1=sbuf[0]+0x118 reverse_operands=2 channels=128",
       "4310000000000000000000000000000000010000010001000100010001000100"
       "0a0a8001060502010c0100001801000010010000010001000100010001000100"},
      {"activate src=sbuf[0]+0x1000:bf16{512} dst=sbuf[0]+0x2000:bf16{512} activation_func=identity "
       "scale=sbuf[0]+0x10c bias=sbuf[0]+0x110 channels=128",
       "2110000000000000000000000001000000100000010001000100000201000100"
       "a60680010c010000100100000000000000200000010001000100000201000100"},
      {"tensor_scalar_arith_op src=sbuf[0]+0x114:fp32{1} dst=sbuf[0]+0x11c:fp32{1} op0=mult imm0=sbuf[0]+0x108 "
       "op1=mult imm1=0.0009765625 channels=128",
       "4310000000000000000000000000000014010000010001000100010001000100"
       "0a0a800106060000080100000000803a1c010000010001000100010001000100"},
      {"cross_lane_reduce_arith_op src=sbuf[0]+0x120:fp32{3} dst=sbuf[0]+0x200:fp32{3} reduce_op=add "
       "reduce_axis=1 channels=128",
       "7c10000000000000000000002001000001000100010001000300010001000100"
       "0a0a800001000000000000000002000001000100010001000300010001000100"}};
  for (const auto& [text, bytes] : examples) EXPECT_EQ(bytes_of(text), bytes) << text;
}

// isa.md 8.1; counts are ceil(n/2) and floor(n/2), 0 for Aggregate.
TEST(Mnemonics, Statistics) {
  const auto word = [](std::uint8_t opcode, std::uint32_t even, std::uint32_t odd) {
    return Bytes(opcode)
        .tensor(12, 4, 0x2000, {5, 3}, {1, 5})
        .tensor(48, 2, 0x8000, {6}, {1})
        .at(32, 3, 0x800A06)
        .at(40, 4, even)
        .at(44, 4, odd);
  };
  const std::string operands = " src=sbuf[0]+0x2000:bf16{5,3} dst=sbuf[0]+0x8000:fp32{6} channels=128";
  EXPECT_TRUE(assembles_to("batch_norm_stats" + operands, word(0x60, 0x41000000, 0x40E00000)));
  EXPECT_TRUE(assembles_to("batch_norm_stats2" + operands, word(0x61, 0x41000000, 0x40E00000)));
  EXPECT_TRUE(assembles_to("transpose_batch_norm_stats2" + operands, word(0x82, 0x41000000, 0x40E00000)));
  EXPECT_TRUE(assembles_to("batch_norm_aggregate" + operands, word(0x62, 0, 0)));
  EXPECT_TRUE(assembles_to("batch_norm_aggregate odd_count=1 even_count=0x3f000000" + operands,
                           word(0x62, 0x3F000000, 0x3F800000)));
  EXPECT_TRUE(assembles_to("batch_norm_stats2 even_count=0 odd_count=0" + operands, word(0x61, 0, 0)));
}

// isa.md 8.2.
TEST(Mnemonics, GradAccumulate) {
  const auto word = [](std::uint8_t opcode) {
    return Bytes(opcode)
        .at(12, 4, 0x100)
        .tensor(16, 3, 0x2000, {512, 4}, {1, 600})
        .tensor(32, 3, 0x2008040, {512, 4}, {1, 512})
        .tensor(48, 1, 0x80000009, {3}, {1})
        .at(56, 4, 0x108)
        .at(63, 1, 64);
  };
  const std::string operands =
      " src0=sbuf[0]+0x2000:bf16{512,4;1,600} src1=psum[1]+0x40:fp16{512,4} dst=[r9]:fp32{3} imm0=sbuf[0]+0x100 "
      "imm1=sbuf[0]+0x108 channels=64";
  const std::string one = "batch_norm_grad_accumulate" + operands, two = "batch_norm_grad_accumulate2" + operands;
  EXPECT_TRUE(assembles_to(one, word(0x63).at(60, 3, 0x0A0A76)));
  EXPECT_TRUE(assembles_to(one + " imm_dtype=invalid", word(0x63).at(60, 3, 0x0A0076)));
  EXPECT_TRUE(assembles_to(one + " imm_dtype=bf16", word(0x63).at(60, 3, 0x0A0676)));
  EXPECT_TRUE(assembles_to(two, word(0x94).at(60, 3, 0x11AA76)));
  EXPECT_TRUE(assembles_to(two + " imm_dtype=int32", word(0x94).at(60, 3, 0x11A876)));
  EXPECT_TRUE(
      assembles_to("batch_norm_grad_accumulate2 src0=sbuf[0]+0x2000:bf16{512,4;1,600} src1=psum[1]+0x40:fp16{512,4} "
                   "dst=[r9]:fp32{3} imm0=r7 imm1=r63 channels=64",
                   word(0x94).at(60, 3, 0x22AA76).at(12, 4, 7).at(56, 4, 63)));
}

// isa.md 8.3, 8.4.
TEST(Mnemonics, ParamLoad) {
  expect_all({{"batch_norm_param_load src=sbuf[0]+0x120:fp32{3} imm0=sbuf[0]+0x100 element_count=1024 channels=128",
               Bytes(0x64)
                   .tensor(16, 2, 0x120, {3}, {1})
                   .at(28, 4, 0x44800000)
                   .at(32, 1, 0x0A)
                   .at(34, 1, 128)
                   .at(44, 4, 0x100)
                   .at(48, 1, 1)},
              {"batch_norm_param_load src=sbuf[0]+0x120:bf16{1,3;1,2} imm0=r5 element_count=inf channels=1",
               Bytes(0x64)
                   .tensor(16, 2, 0x120, {1, 3}, {1, 2})
                   .at(28, 4, 0x7F800000)
                   .at(32, 1, 6)
                   .at(34, 1, 1)
                   .at(44, 4, 5)
                   .at(48, 1, 2)},
              {"batch_norm_param_load2 src=sbuf[32]+0x120:fp32{2} imm0=sbuf[32]+0x11c imm1=r3 element_count=100 "
               "imm_dtype=fp16 channels=32",
               Bytes(0x8E)
                   .tensor(12, 2, 0x800120, {2}, {1})
                   .at(28, 4, 0x42C80000)
                   .at(32, 3, 0x20070A)
                   .at(40, 4, 0x80011C)
                   .at(44, 4, 3)
                   .at(48, 2, 0x0201)}});
}

// isa.md 8.5, 12.
TEST(Mnemonics, TensorTensor) {
  const auto word = [](std::uint8_t opcode, std::uint8_t op) {
    return Bytes(opcode)
        .at(12, 4, 0x80000000u | std::uint32_t{op} << 16 | 0x0667u)
        .tensor(16, 3, 0x1000, {8, 2, 2}, {1, 8, 16})
        .tensor(32, 3, 0x2000, {32}, {0})
        .tensor(48, 3, 0x3000, {32}, {-1});
  };
  const std::string operands =
      " src0=sbuf[0]+0x1000:fp16{8,2,2} src1=sbuf[0]+0x2000:bf16{32;0} dst=sbuf[0]+0x3000:bf16{32;-1} channels=128";
  EXPECT_TRUE(assembles_to("batch_norm_back_prop" + operands, word(0x65, 0)));
  EXPECT_TRUE(assembles_to("tensor_tensor_arith_op op=is_gt_uint" + operands, word(0x41, 0xD7)));
  EXPECT_TRUE(assembles_to("tensor_tensor_arith_op op=0x55" + operands, word(0x41, 0x55)));
  EXPECT_TRUE(assembles_to("tensor_tensor_bitvec_op op=bitwise_xor" + operands, word(0x51, 0x0C)));
  EXPECT_TRUE(assembles_to("copy_predicated op=bypass" + operands, word(0x72, 0)));
  EXPECT_TRUE(assembles_to("cast_predicated" + operands, word(0x99, 0)));
}

// isa.md 11.1.
TEST(Mnemonics, LoadParameterRam) {
  Bytes loaded(0x66);
  loaded.at(12, 2, 248).at(14, 1, 3);
  const std::vector<std::uint32_t> values = {0x3F800000, 0x3F000000, 0x80000000, 0x7F800000,
                                             0xFF800000, 0x7FC00000, 0x7F800001, 0x00000001};
  for (std::size_t k = 0; k < 8; ++k) loaded.at(32 + 4 * k, 4, values[k]);
  EXPECT_TRUE(
      assembles_to("load_parameter_ram param_ram_offset=248 imm_ptr_select=3 "
                   "immediate=1,0.5,-0,inf,-inf,nan,0x7f800001,1e-45",
                   loaded));
  EXPECT_TRUE(assembles_to("load_parameter_ram immediate=0,0,0,0,0,0,0,0", Bytes(0x66)));
}

// isa-neighbours.md 2.
TEST(Mnemonics, TensorScalar) {
  const auto word = [](std::uint8_t opcode) {
    return Bytes(opcode).tensor(16, 3, 0x100, {4}, {1}).tensor(48, 3, 0x200, {2, 2}, {1, 2}).at(32, 3, 0x400808);
  };
  const std::string operands = " src=sbuf[0]+0x100:int32{4} dst=sbuf[0]+0x200:int32{2,2} channels=64";
  const std::string arith = "tensor_scalar_arith_op" + operands, bitvec = "tensor_scalar_bitvec_op" + operands;
  EXPECT_TRUE(assembles_to(arith, word(0x43)));
  EXPECT_TRUE(assembles_to(arith + " op0=add imm0=2.5 op1=mult imm1=0x3f800000 accumulator_cmd=2",
                           word(0x43).at(12, 1, 2).at(36, 2, 0x0604).at(40, 4, 0x40200000).at(44, 4, 0x3F800000)));
  EXPECT_TRUE(assembles_to(arith + " imm0=3", word(0x43).at(40, 4, 0x40400000))) << "a decimal is a binary32 here";
  EXPECT_TRUE(assembles_to(arith + " imm0=r7 imm1=sbuf[1]+0x8 reverse_operands=both",
                           word(0x43).at(35, 1, 2).at(38, 2, 0x0103).at(40, 4, 7).at(44, 4, 0x40008)));
  EXPECT_TRUE(assembles_to(bitvec + " op0=logical_shift_left imm0=3 op1=bitwise_and imm1=0xffff0000",
                           word(0x53).at(36, 2, 0x0A10).at(40, 4, 3).at(44, 4, 0xFFFF0000)));
}

// isa-neighbours.md 6.
TEST(Mnemonics, TensorReduceFamily) {
  const auto word = [](std::uint8_t opcode) {
    return Bytes(opcode)
        .tensor(12, 4, 0x100, {2, 3, 4, 5}, {3, -6, 100, 1})
        .tensor(44, 4, 0x200, {120}, {1})
        .at(32, 3, 0x7F0A02);
  };
  const std::string operands = " src=sbuf[0]+0x100:int8{2,3,4,5;3,-6,100,1} dst=sbuf[0]+0x200:fp32{120} channels=127";
  EXPECT_TRUE(
      assembles_to("tensor_reduce_arith_op op=add op_dim=xyz negated=1" + operands, word(0x42).at(35, 3, 0x040401)));
  EXPECT_TRUE(
      assembles_to("tensor_reduce_arith_op op=max op_dim=5 mask_enable=1" + operands, word(0x42).at(36, 3, 0x010508)));
  EXPECT_TRUE(assembles_to("copy" + operands, word(0x46)));
  EXPECT_TRUE(assembles_to("cast op_dim=x" + operands, word(0x47).at(37, 1, 2)));
  EXPECT_TRUE(assembles_to("reciprocal" + operands, word(0x48)));
}

// isa-neighbours.md 7.
TEST(Mnemonics, Memset) {
  const Bytes word = Bytes(0x49).tensor(44, 4, 0x40000, {4, 5}, {1, 4}).at(32, 1, 7).at(34, 1, 3);
  EXPECT_TRUE(assembles_to("memset dst=sbuf[1]+0x0:fp16{4,5} set_value=0x3c00 channels=3",
                           Bytes(word).at(28, 4, 20).at(40, 4, 0x3C00)));
  EXPECT_TRUE(
      assembles_to("memset dst=sbuf[1]+0x0:fp16{4,5} set_value=7 element_count=4294967295 "
                   "serialization_mode=2 channels=3",
                   Bytes(word).at(28, 4, 0xFFFFFFFF).at(36, 1, 2).at(40, 4, 7)));
}

// isa-neighbours.md 8.1.
TEST(Mnemonics, CrossLaneReduce) {
  const auto word = [](std::uint8_t opcode) {
    return Bytes(opcode).tensor(12, 4, 0x100, {2}, {1}).tensor(44, 4, 0x200, {1}, {1}).at(32, 3, 0x800909);
  };
  const std::string operands = " src=sbuf[0]+0x100:uint32{2} dst=sbuf[0]+0x200:uint32{1} channels=128";
  EXPECT_TRUE(assembles_to("cross_lane_reduce_arith_op reduce_op=average scale=0.25" + operands,
                           word(0x7C).at(35, 1, 1).at(40, 4, 0x3E800000)));
  for (const auto& [name, code] : std::vector<std::pair<std::string, unsigned>>{
           {"add", 0}, {"average", 1}, {"max", 2}, {"or", 3}, {"and", 4}, {"xor", 5}, {"6", 6}, {"0xff", 255}}) {
    EXPECT_TRUE(assembles_to("cross_lane_reduce_bitvec_op reduce_axis=partitions reduce_op=" + name + operands,
                             word(0x7D).at(35, 1, code).at(36, 1, 1)));
  }
}

// isa-neighbours.md 5.1, 5.3, 2.
TEST(Mnemonics, Activation) {
  const Bytes base = Bytes(0x21).tensor(16, 3, 0x104, {1}, {1}).tensor(48, 3, 0x108, {1}, {1}).at(33, 2, 0x800A);
  const std::string operands = " src=sbuf[0]+0x104:bf16{1} dst=sbuf[0]+0x108:fp32{1} channels=128";
  EXPECT_TRUE(assembles_to("activate activation_func=0x80" + operands,
                           Bytes(base).at(15, 1, 1).at(32, 1, 0xA6).at(35, 1, 0x80)))
      << "an absent bias is the literal 0, whose source code is 1";
  EXPECT_TRUE(assembles_to(
      "activate activation_func=prelu scale=r1 bias=r2 imm=r3 accumulator_cmd=3" + operands,
      Bytes(base).at(12, 4, 0x02030202).at(32, 1, 0xA6).at(35, 1, 4).at(36, 4, 1).at(40, 4, 2).at(44, 4, 3)));
  EXPECT_TRUE(assembles_to(
      "activate activation_func=exp scale=sbuf[0]+0x4 bias=sbuf[0]+0x8 bias_dtype=fp16 imm=psum[0]+0x0" + operands,
      Bytes(base).at(12, 4, 0x00000101).at(32, 1, 0x76).at(35, 1, 7).at(36, 4, 4).at(40, 4, 8).at(44, 4, 0x2000000)));
  EXPECT_TRUE(
      assembles_to("activate activation_func=copy scale=1 bias=-1 imm=0.5" + operands, Bytes(base)
                                                                                           .at(15, 1, 1)
                                                                                           .at(32, 1, 0xA6)
                                                                                           .at(35, 1, 0x80)
                                                                                           .at(36, 4, 0x3F800000)
                                                                                           .at(40, 4, 0xBF800000)
                                                                                           .at(44, 4, 0x3F000000)));
  expect_all({{"activation_table_load set_index=2", Bytes(0x23).at(35, 1, 2)},
              {"activation_read_accumulator dst=sbuf[0]+0x200:bf16{1} channels=128",
               Bytes(0x24).at(28, 4, 1).at(32, 1, 6).at(34, 1, 128).tensor(44, 1, 0x200, {1}, {1})},
              {"activation_read_accumulator dst=sbuf[0]+0x200:bf16{2} element_count=2 negated=1 channels=128",
               Bytes(0x24).at(28, 4, 2).at(32, 1, 6).at(33, 1, 1).at(34, 1, 128).tensor(44, 1, 0x200, {2}, {1})}});
}

TEST(Mnemonics, ControlWordsWithoutLists) {
  expect_all({{"halt", Bytes(0xA1)},
              {"instruction_flush", Bytes(0xA3)},
              {"nop", Bytes(0xA4)},
              {"drain", Bytes(0xA2)},
              {"drain count=0x100", Bytes(0xA2).at(40, 4, 256)},
              {"event_semaphore", Bytes(0xA0)},
              {"event_semaphore setter_signature=9", Bytes(0xA0).at(12, 1, 9)}});
}

}  // namespace mnemonics_test
}  // namespace dve::assembly::test
