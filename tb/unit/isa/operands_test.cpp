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

// isa.md 12: the operands of BackProp.
TEST(Operands, TensorTensor) {
  for (const Opcode opcode : {Opcode::tensor_tensor_arith_op, Opcode::tensor_tensor_bitvec_op, Opcode::copy_predicated,
                              Opcode::cast_predicated}) {
    const auto list = operands(with(legal_word(opcode), {{15, 1, 100}, {12, 1, 0x67}, {13, 1, 6}}));
    ASSERT_EQ(list.size(), 3u);
    expect_operand(list[0], OperandRole::src0, 0x1000, Dtype::fp16, {16, 4, 1, 1});
    expect_operand(list[1], OperandRole::src1, 0x2000, Dtype::bf16, {64, 1, 1, 1});
    expect_operand(list[2], OperandRole::dst, 0x3000, Dtype::bf16, {8, 8, 1, 1});
  }
}

// isa-neighbours.md 2: scalars by source; a pointer's dtype is fp32 for arithmetic, the input's for bit operations.
TEST(Operands, TensorScalar) {
  const auto word = [](Opcode opcode, std::uint64_t source0, std::uint64_t source1) {
    return with(
        legal_word(opcode),
        {{32, 1, 5}, {33, 1, 6}, {34, 1, 100}, {35, 1, source0}, {39, 1, source1}, {40, 4, 0x100}, {44, 4, 0x21}});
  };
  auto list = operands(word(Opcode::tensor_scalar_arith_op, 1, 0));
  ASSERT_EQ(list.size(), 3u);
  expect_operand(list[0], OperandRole::src0, 0x1000, Dtype::uint16, {16, 4, 1, 1});
  expect_operand(list[1], OperandRole::imm0, 0x100, Dtype::fp32, {1, 1, 1, 1});
  expect_operand(list[2], OperandRole::dst, 0x3000, Dtype::bf16, {64, 1, 1, 1});
  EXPECT_EQ(list[1].byte, 40u);
  EXPECT_EQ(list[1].field, "imm0");

  list = operands(word(Opcode::tensor_scalar_bitvec_op, 1, 2));
  ASSERT_EQ(list.size(), 4u);
  expect_operand(list[1], OperandRole::imm0, 0x100, Dtype::uint16, {1, 1, 1, 1});
  expect_operand(list[2], OperandRole::imm1, 0x80000021, Dtype::uint16, {1, 1, 1, 1});

  EXPECT_EQ(operands(word(Opcode::tensor_scalar_arith_op, 0, 0)).size(), 2u) << "literals are no operands";
}

// isa-neighbours.md 6.
TEST(Operands, TensorReduceFamily) {
  for (const Opcode opcode : {Opcode::tensor_reduce_arith_op, Opcode::copy, Opcode::cast, Opcode::reciprocal}) {
    const auto list =
        operands(with(legal_word(opcode), {{34, 1, 100}, {32, 1, 2}, {33, 1, 7}, {56, 2, 3}, {58, 2, 1}, {60, 2, 2}}));
    ASSERT_EQ(list.size(), 2u);
    expect_operand(list[0], OperandRole::src0, 0x1000, Dtype::int8, {16, 4, 1, 1});
    expect_operand(list[1], OperandRole::dst, 0x3000, Dtype::fp16, {3, 1, 2, 1});
  }
}

// isa-neighbours.md 8.1: num_active_channels are folded, one partition is written.
TEST(Operands, CrossLaneReduceWritesOneChannel) {
  for (const Opcode opcode : {Opcode::cross_lane_reduce_arith_op, Opcode::cross_lane_reduce_bitvec_op}) {
    const auto list = operands(with(legal_word(opcode), {{34, 1, 100}, {32, 1, 9}, {33, 1, 8}}));
    ASSERT_EQ(list.size(), 2u);
    expect_operand(list[0], OperandRole::src0, 0x1000, Dtype::uint32, {16, 4, 1, 1});
    EXPECT_EQ(list[1].role, OperandRole::dst);
    EXPECT_EQ(list[1].dtype, Dtype::int32);
    EXPECT_EQ(list[1].channels, 1u);
  }
}

// isa-neighbours.md 7 and 2.
TEST(Operands, MemsetAndReadAccumulatorOnlyWrite) {
  const auto memset = operands(with(legal_word(Opcode::memset), {{34, 1, 100}, {32, 1, 6}}));
  ASSERT_EQ(memset.size(), 1u);
  expect_operand(memset[0], OperandRole::dst, 0x3000, Dtype::bf16, {16, 4, 1, 1});
  const auto read = operands(with(legal_word(Opcode::activation_read_accumulator), {{34, 1, 100}, {32, 1, 7}}));
  ASSERT_EQ(read.size(), 1u);
  expect_operand(read[0], OperandRole::dst, 0x3000, Dtype::fp16, {1, 1, 1, 1});
}

// isa-neighbours.md 5.1: the bias counts its sources the other way round; 13: alpha counts for Prelu only.
TEST(Operands, Activate) {
  const auto word = [](std::uint64_t function, std::uint64_t imm, std::uint64_t scale, std::uint64_t bias) {
    return with(legal_word(Opcode::activate), {{34, 1, 100},
                                               {12, 1, imm},
                                               {13, 1, scale},
                                               {15, 1, bias},
                                               {32, 1, 0x76},
                                               {33, 1, 6},
                                               {35, 1, function},
                                               {36, 4, 0x40},
                                               {40, 4, 0x22},
                                               {44, 4, 0x80}});
  };
  constexpr std::uint64_t kPrelu = 0x04, kExp = 0x07;
  auto list = operands(word(kPrelu, 1, 1, 0));
  ASSERT_EQ(list.size(), 5u);
  expect_operand(list[0], OperandRole::src0, 0x1000, Dtype::bf16, {16, 4, 1, 1});
  expect_operand(list[1], OperandRole::imm0, 0x40, Dtype::fp32, {1, 1, 1, 1});
  expect_operand(list[2], OperandRole::imm1, 0x22, Dtype::fp16, {1, 1, 1, 1});
  expect_operand(list[3], OperandRole::imm2, 0x80, Dtype::fp32, {1, 1, 1, 1});
  expect_operand(list[4], OperandRole::dst, 0x3000, Dtype::bf16, {64, 1, 1, 1});
  EXPECT_EQ(list[1].field, "scale");
  EXPECT_EQ(list[2].field, "bias");
  EXPECT_EQ(list[3].field, "imm");

  EXPECT_EQ(operands(word(kExp, 1, 1, 0)).size(), 4u) << "no alpha";
  EXPECT_EQ(operands(word(kExp, 0, 0, 1)).size(), 2u) << "literals are no operands";
  list = operands(word(kExp, 0, 2, 2));
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[1].address.raw, 0x80000040u);
  EXPECT_EQ(list[2].address.raw, 0x80000022u);
}

TEST(Operands, SourcesOfImmediates) {
  const auto source = [](Opcode opcode, std::string_view field, std::uint32_t byte, std::uint64_t code) {
    return immediate_source(with(legal_word(opcode), {{byte, 1, code}}), *find_field(format_of(opcode), field));
  };
  using S = ImmediateSource;
  const std::vector<S> standard = {S::literal, S::pointer, S::register_pointer, S::invalid};
  const std::vector<S> pointers = {S::pointer, S::pointer, S::register_pointer, S::invalid};
  const std::vector<S> inverted = {S::pointer, S::literal, S::register_pointer, S::invalid};
  for (std::uint64_t code = 0; code < 4; ++code) {
    EXPECT_EQ(source(Opcode::tensor_scalar_arith_op, "imm0", 35, code), standard[code]);
    EXPECT_EQ(source(Opcode::tensor_scalar_bitvec_op, "imm1", 39, code), standard[code]);
    EXPECT_EQ(source(Opcode::activate, "scale", 13, code), standard[code]);
    EXPECT_EQ(source(Opcode::activate, "imm", 12, code), standard[code]);
    EXPECT_EQ(source(Opcode::activate, "bias", 15, code), inverted[code]);
    EXPECT_EQ(source(Opcode::batch_norm_param_load, "imm0", 48, code), pointers[code]);
    EXPECT_EQ(source(Opcode::batch_norm_param_load2, "imm1", 49, code), pointers[code]);
    EXPECT_EQ(source(Opcode::batch_norm_grad_accumulate2, "imm0", 62, code | 0x10), pointers[code]);
    EXPECT_EQ(source(Opcode::batch_norm_grad_accumulate2, "imm1", 62, code << 4 | 1), pointers[code]);
    EXPECT_EQ(source(Opcode::batch_norm_grad_accumulate, "imm0", 60, code), S::pointer);
  }
}

TEST(Operands, NoneForControlAndUnknownWords) {
  for (const Opcode opcode :
       {Opcode::load_parameter_ram, Opcode::activation_table_load, Opcode::event_semaphore, Opcode::halt, Opcode::drain,
        Opcode::move, Opcode::tensor_load, Opcode::tensor_store, Opcode::semaphore_range_clear}) {
    EXPECT_TRUE(operands(legal_word(opcode)).empty()) << mnemonic(opcode);
  }
  EXPECT_TRUE(operands(with(legal_word(Opcode::batch_norm_back_prop), {{0, 1, 0xA9}})).empty());
}

TEST(Operands, NamesOfTheRoles) {
  EXPECT_EQ(name(OperandRole::src0), "src0");
  EXPECT_EQ(name(OperandRole::src1), "src1");
  EXPECT_EQ(name(OperandRole::imm0), "imm0");
  EXPECT_EQ(name(OperandRole::imm1), "imm1");
  EXPECT_EQ(name(OperandRole::imm2), "imm2");
  EXPECT_EQ(name(OperandRole::dst), "dst");
}

}  // namespace operands_test
}  // namespace dve::isa::test
