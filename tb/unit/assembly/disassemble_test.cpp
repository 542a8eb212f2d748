// What disassemble() writes: defaults left out, `.word` only where nothing else gives the bytes back.
#include "texts.h"

namespace dve::assembly::test {
namespace disassemble_test {

using isa::Generation;

TEST(Disassemble, Lines) {
  const std::vector<std::string> lines = {
      "batch_norm_stats2 src=sbuf[0]+0x2000:bf16{512} dst=sbuf[0]+0x8000:fp32{6} channels=128",
      "batch_norm_grad_accumulate2 src0=sbuf[0]+0x2000:bf16{512,4;1,600} src1=psum[1]+0x40:fp16{512,4} "
      "dst=[r9]:fp32{3} "
      "imm0=r7 imm1=sbuf[0]+0x108 channels=64 wait=sem[3]>=16 update=sem[4]++@read",
      "batch_norm_param_load2 src=sbuf[0]+0x120:fp32{2} imm0=sbuf[0]+0x11c imm1=r3 element_count=100 imm_dtype=fp16 "
      "channels=32",
      "load_parameter_ram param_ram_offset=8 immediate=1,0.5,0.33333334,nan,inf,-0,1e-05,0x7f800001",
      "activate src=sbuf[0]+0x104:fp32{1} dst=sbuf[0]+0x108:fp32{1} scale=1 bias=1e-05 activation_func=rsqrt "
      "channels=128",
      "tensor_scalar_bitvec_op src=sbuf[0]+0x100:int32{4} dst=sbuf[0]+0x200:int32{4} imm0=0xff op0=bitwise_and "
      "channels=1",
      "tensor_scalar_arith_op src=sbuf[0]+0x100:fp32{1} dst=sbuf[0]+0x110:fp32{1} imm0=sbuf[0]+0x10c "
      "imm1=sbuf[0]+0x118 "
      "op0=mult op1=subtract reverse_operands=second channels=128",
      "tensor_reduce_arith_op src=sbuf[0]+0x100:fp32{8} dst=sbuf[0]+0x200:fp32{1} op=add op_dim=x channels=128",
      "memset dst=sbuf[0]+0x0:bf16{8} set_value=0x3f80 channels=128",
      "cross_lane_reduce_arith_op src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0x0:fp32{8} reduce_op=average "
      "reduce_axis=partitions scale=0.5 channels=128",
      "event_semaphore wait1=evt[2]:clear update1=sem[9]+=r5@read wait=sem[3]==-4",
      "move dtype=fp32 dst=r1,r2 immediate=1.5,-0",
      "tensor_store dst=host:0x10:int16{3;2} immediate=-1,5,7",
      "semaphore_range_clear bitmask=1,4,200",
      "nop inst_word_len=17 wait_mode=0xfe",
      "batch_norm_back_prop src0=sbuf[0]+0x0:fp32{4} src1=sbuf[0]+0x0:fp32{4} dst=addr4[0xe0000000]:0x2a{4;0} op=add "
      "channels=0"};
  for (const std::string& line : lines) {
    const Assembled assembled = assemble(line, Generation::cayman);
    ASSERT_EQ(assembled.words.size(), 1u) << line << ": " << assembled.errors[0].message;
    EXPECT_EQ(disassemble(assembled.words[0].word, Generation::cayman), line);
  }
}

TEST(Disassemble, RawWordsWhereNothingElseHelps) {
  const auto expect_raw = [](const Bytes& bytes) {
    for (const Generation generation : isa::kGenerations) {
      EXPECT_EQ(disassemble(bytes.word(), generation), ".word " + bytes.hex());
      EXPECT_EQ(bytes_of(".word " + bytes.hex(), generation), bytes.hex());
    }
  };
  expect_raw(Bytes(0x00));
  expect_raw(Bytes(0xA9));
  expect_raw(Bytes(0xA4).at(63, 1, 1));
  expect_raw(Bytes(0x61).at(35, 1, 1));
  expect_raw(Bytes(0xA7).at(12, 3, 0x000901).at(16, 1, 2).at(24, 1, 1).at(32, 1, 1));  // values beside registers
}

TEST(Disassemble, DigitsOfAnyCase) {
  const std::string digits = Bytes(0xA9).at(20, 2, 0xABCD).hex();
  std::string upper;
  for (const char c : digits) upper += static_cast<char>(std::toupper(c));
  EXPECT_EQ(bytes_of(".word " + upper), digits);
}

// The text of an address is that of the generation it is for.
TEST(Disassemble, PlacesOfTheGeneration) {
  const Bytes word = Bytes(0x65)
                         .tensor(16, 3, 0x100040, {1}, {1})
                         .tensor(32, 3, 0x2000000, {1}, {1})
                         .tensor(48, 3, 0x7000000, {1}, {1})
                         .at(12, 4, 0x01000AAA);
  EXPECT_EQ(disassemble(word.word(), Generation::sunda),
            "batch_norm_back_prop src0=sbuf[4]+0x40:fp32{1} src1=psum[0]+0x0:fp32{1} dst=addr4[0x7000000]:fp32{1} "
            "channels=1");
  EXPECT_EQ(disassemble(word.word(), Generation::maverick),
            "batch_norm_back_prop src0=sbuf[1]+0x40:fp32{1} src1=sbuf[32]+0x0:fp32{1} dst=sbuf[112]+0x0:fp32{1} "
            "channels=1");
}

}  // namespace disassemble_test
}  // namespace dve::assembly::test
