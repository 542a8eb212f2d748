#include "words.h"

namespace dve::isa::test {
namespace operands_test {

void expect_operand(const Operand& o, OperandRole role, std::uint32_t address, Dtype dtype,
                    std::array<std::uint16_t, 4> counts) {
  SCOPED_TRACE(name(role));
  EXPECT_EQ(o.role, role);
  EXPECT_EQ(o.address.raw, address);
  EXPECT_EQ(o.dtype, dtype);
  EXPECT_EQ(o.channels, 100u);
  EXPECT_EQ(o.pattern.num_elem, counts);
}

TEST(Operands, Stats) {
  for (const Opcode opcode : {Opcode::batch_norm_stats, Opcode::batch_norm_stats2, Opcode::batch_norm_aggregate,
                              Opcode::transpose_batch_norm_stats2}) {
    const auto list = operands(with(legal_word(opcode), {{34, 1, 100}, {32, 1, 6}, {24, 2, 5}, {26, 2, 2}}));
    ASSERT_EQ(list.size(), 2u);
    expect_operand(list[0], OperandRole::src0, 0x1000, Dtype::bf16, {5, 2, 1, 1});
    EXPECT_EQ(list[1].role, OperandRole::dst);
    EXPECT_EQ(list[1].address.raw, 0x8000u);
    EXPECT_EQ(list[1].dtype, Dtype::fp32);
  }
}

TEST(Operands, GradAccumulate) {
  const Word word =
      with(legal_word(Opcode::batch_norm_grad_accumulate), {{63, 1, 100}, {60, 1, 0x76}, {61, 1, 0}, {62, 1, 7}});
  const auto list = operands(word);
  ASSERT_EQ(list.size(), 5u);
  expect_operand(list[0], OperandRole::src0, 0x1000, Dtype::bf16, {16, 4, 1, 1});
  expect_operand(list[1], OperandRole::src1, 0x2000, Dtype::fp16, {64, 1, 1, 1});
  expect_operand(list[2], OperandRole::imm0, 0x100, Dtype::fp32, {1, 1, 1, 1});
  expect_operand(list[3], OperandRole::imm1, 0x200, Dtype::fp32, {1, 1, 1, 1});
  expect_operand(list[4], OperandRole::dst, 0x8000, Dtype::fp16, {3, 1, 1, 1});
  EXPECT_EQ(operands(with(word, {{61, 1, 6}}))[2].dtype, Dtype::bf16);
}

TEST(Operands, GradAccumulate2RegisterPointers) {
  const Word word = with(legal_word(Opcode::batch_norm_grad_accumulate2),
                         {{63, 1, 100}, {61, 1, 0x67}, {62, 1, 0x21}, {56, 4, 0xABCDEF09}});
  const auto list = operands(word);
  ASSERT_EQ(list.size(), 5u);
  expect_operand(list[2], OperandRole::imm0, 0x100, Dtype::fp16, {1, 1, 1, 1});
  expect_operand(list[3], OperandRole::imm1, 0x80000009, Dtype::fp16, {1, 1, 1, 1});
  expect_operand(list[4], OperandRole::dst, 0x8000, Dtype::bf16, {3, 1, 1, 1});
}

TEST(Operands, ParamLoad) {
  const Word word = with(legal_word(Opcode::batch_norm_param_load), {{34, 1, 100}, {32, 1, 6}});
  const auto list = operands(word);
  ASSERT_EQ(list.size(), 2u);
  expect_operand(list[0], OperandRole::src0, 0x8000, Dtype::bf16, {3, 1, 1, 1});
  expect_operand(list[1], OperandRole::imm0, 0x100, Dtype::fp32, {1, 1, 1, 1});
  EXPECT_EQ(operands(with(word, {{48, 1, 0}}))[1].address.raw, 0x100u) << "selector 0 is a pointer too";
  EXPECT_EQ(operands(with(word, {{48, 1, 2}, {44, 4, 13}}))[1].address.raw, 0x8000000Du);
}

TEST(Operands, ParamLoad2) {
  const Word word =
      with(legal_word(Opcode::batch_norm_param_load2), {{34, 1, 100}, {33, 1, 7}, {48, 1, 2}, {40, 4, 5}, {49, 1, 0}});
  const auto list = operands(word);
  ASSERT_EQ(list.size(), 3u);
  expect_operand(list[0], OperandRole::src0, 0x8000, Dtype::fp32, {2, 1, 1, 1});
  expect_operand(list[1], OperandRole::imm0, 0x80000005, Dtype::fp16, {1, 1, 1, 1});
  expect_operand(list[2], OperandRole::imm1, 0x200, Dtype::fp16, {1, 1, 1, 1});
  EXPECT_EQ(operands(with(word, {{49, 1, 2}, {44, 4, 0x11}}))[2].address.raw, 0x80000011u);
  EXPECT_EQ(operands(with(word, {{48, 1, 1}}))[1].address.raw, 5u);
}

TEST(Operands, BackProp) {
  const Word word = with(legal_word(Opcode::batch_norm_back_prop), {{15, 1, 100}, {12, 1, 0x67}, {13, 1, 6}});
  const auto list = operands(word);
  ASSERT_EQ(list.size(), 3u);
  expect_operand(list[0], OperandRole::src0, 0x1000, Dtype::fp16, {16, 4, 1, 1});
  expect_operand(list[1], OperandRole::src1, 0x2000, Dtype::bf16, {64, 1, 1, 1});
  expect_operand(list[2], OperandRole::dst, 0x3000, Dtype::bf16, {8, 8, 1, 1});
}

TEST(Operands, NoneForParameterRamAndUnknownWords) {
  EXPECT_TRUE(operands(legal_word(Opcode::load_parameter_ram)).empty());
  EXPECT_TRUE(operands(with(legal_word(Opcode::batch_norm_back_prop), {{0, 1, 0x41}})).empty());
  EXPECT_EQ(name(OperandRole::src1), "src1");
  EXPECT_EQ(name(OperandRole::dst), "dst");
}

}  // namespace operands_test
}  // namespace dve::isa::test
