#include <gtest/gtest.h>

#include <cstring>

#include "words.h"

namespace dve::execute {
namespace {

using namespace test;

class PlanTest : public testing::Test {
 protected:
  std::optional<Plan> plan(const isa::Word& word) {
    findings.clear();
    return Core(config).plan(word, registers, findings);
  }
  void expect_refusal(const isa::Word& word, const std::string& predicate, const std::string& field) {
    EXPECT_FALSE(plan(word)) << predicate;
    ASSERT_EQ(findings.size(), 1u) << predicate;
    EXPECT_EQ(findings[0].predicate, predicate);
    EXPECT_EQ(findings[0].field, field);
    EXPECT_FALSE(findings[0].expected.empty());
  }
  CoreConfig config;
  Registers registers{};
  std::vector<isa::Finding> findings;
};

TEST_F(PlanTest, ResolvesOperandsOfGradAccumulate) {
  const auto p = plan(isa::encode(grad_accumulate(5, 2)));
  ASSERT_TRUE(p);
  ASSERT_EQ(p->sources.size(), 4u);
  EXPECT_EQ(p->sources[0].role, isa::OperandRole::src0);
  EXPECT_EQ(p->sources[1].start.offset, 0x4000u);
  EXPECT_EQ(p->sources[2].elements.value, 1u);
  ASSERT_TRUE(p->destination);
  EXPECT_EQ(p->destination->elements.value, 3u);
  EXPECT_EQ(p->destination->packed_bytes().value, 2u * 3 * 4);
}

TEST_F(PlanTest, RegisterAddressesAndPointersAreReadFromTheRegisters) {
  auto word = grad_accumulate(5, 2);
  word.src0.start_addr = isa::Addr4::in_register(isa::RegisterIndex{7});
  word.imm1 = isa::ImmField::in_register(isa::RegisterIndex{63});
  word.imm0_imm1_src = {1, 2};
  registers[7] = sbuf(0, 0x1234).raw;
  registers[63] = sbuf(0, 0x888).raw;
  const auto p = plan(isa::encode(word));
  ASSERT_TRUE(p);
  EXPECT_EQ(p->sources[0].start.offset, 0x1234u);
  EXPECT_EQ(p->sources[3].start.offset, 0x888u);
  EXPECT_EQ(p->resolved_operands[0].address.raw, sbuf(0, 0x1234).raw);
}

TEST_F(PlanTest, RefusesWhatHasNoMeaning) {
  isa::Word unknown;
  unknown.bytes[0] = 0x05;
  expect_refusal(unknown, "unknown_opcode", "opcode");

  auto word = grad_accumulate(5, 2);
  word.src0.start_addr.raw = 0x1F000000;
  expect_refusal(isa::encode(word), "operand_address", "src0.start_addr");

  word = grad_accumulate(5, 2);
  word.src1.start_addr = sbuf(127, 0);
  expect_refusal(isa::encode(word), "operand_address", "src1.start_addr");

  word = grad_accumulate(5, 2);
  word.src1.start_addr = isa::Addr4::in_register(isa::RegisterIndex{3});
  registers[3] = 0xFFFFFFFF;
  expect_refusal(isa::encode(word), "operand_address", "src1.start_addr (register r3)");

  word = grad_accumulate(5, 2);
  word.src1.start_addr.raw = 0x80000040;  // register 64
  expect_refusal(isa::encode(word), "operand_address", "src1.start_addr");

  word = grad_accumulate(5, 2);
  word.dst.start_addr = sbuf(0, 0x38000 - 8);  // 12 bytes from 8 before the end of cayman's active bytes
  expect_refusal(isa::encode(word), "operand_extent", "dst.start_addr");

  word = grad_accumulate(5, 2);
  word.src0.step_elem[0] = -1;
  expect_refusal(isa::encode(word), "operand_extent", "src0.start_addr");

  word = grad_accumulate(5, 2);
  word.in0_in1_dtype.hi = isa::Dtype::invalid;
  expect_refusal(isa::encode(word), "operand_dtype", "src1.dtype");

  word = grad_accumulate(5, 2);
  word.src0.start_addr.raw |= 0x40000000;
  expect_refusal(isa::encode(word), "indirect_operand", "src0.start_addr");

  word = grad_accumulate(5, 2);
  word.src0.start_addr.raw |= 0x20000000;
  expect_refusal(isa::encode(word), "indirect_operand", "src0.start_addr");

  word = grad_accumulate(1, 2);
  word.src0.num_elem = {65535, 5, 1};
  word.src0.step_elem = {0, 0, 1};
  expect_refusal(isa::encode(word), "stream_length_limit", "src0.num_elem");

  auto load = param_load(16, 1);
  load.src.num_elem = {2, 1};
  expect_refusal(isa::encode(load), "operand_count", "src.num_elem");

  auto transpose = statistics(isa::Opcode::transpose_batch_norm_stats2, 33, 6, 32);
  expect_refusal(isa::encode(transpose), "operand_count", "src.num_elem");
}

TEST_F(PlanTest, NoChannelsIsRefusedOnEveryOperand) {
  EXPECT_FALSE(plan(isa::encode(back_prop(4, 0))));
  EXPECT_EQ(findings.size(), 3u);
  for (const auto& finding : findings) EXPECT_EQ(finding.predicate, "operand_address");
}

TEST_F(PlanTest, ParameterRamBoundsInBothUnits) {
  isa::CtrlIm word;
  word.header = header(isa::Opcode::load_parameter_ram);
  word.param_ram_offset = 248;
  EXPECT_EQ(plan(isa::encode(word))->param_ram_first_entry, 248u);
  word.param_ram_offset = 249;
  expect_refusal(isa::encode(word), "param_ram_bounds", "param_ram_offset");
  config.switches.param_ram_offset_unit = numerics::ParamRamOffsetUnit::byte;
  word.param_ram_offset = 992;
  EXPECT_EQ(plan(isa::encode(word))->param_ram_first_entry, 248u);
  word.param_ram_offset = 996;
  expect_refusal(isa::encode(word), "param_ram_bounds", "param_ram_offset");
  word.param_ram_offset = 2;
  expect_refusal(isa::encode(word), "param_ram_bounds", "param_ram_offset");
}

TEST_F(PlanTest, IllegalLengthsAreClippedToTheShorterStream) {
  auto word = back_prop(6, 1);
  word.src1.num_elem[0] = 4;
  word.dst.num_elem[0] = 9;
  const auto p = plan(isa::encode(word));
  ASSERT_TRUE(p);
  EXPECT_EQ(p->sources[0].elements.value, 4u);
  EXPECT_EQ(p->sources[1].elements.value, 4u);
  EXPECT_EQ(p->destination->elements.value, 4u);
}

}  // namespace
}  // namespace dve::execute
