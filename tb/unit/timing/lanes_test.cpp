// timing.<engine>.lanes: fewer lanes than channels, a question of design and no published device.
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "operands.h"

namespace dve::timing {
namespace lanes_test {
namespace {

using isa::Dtype;
using isa::Generation;
using isa::Opcode;
using isa::OperandRole;
using isa::Space;
using test::operand;
using test::stream;
using test::word;

constexpr std::uint64_t kU = 64, kG = 70, kL = 144;  // microarchitecture.md 8, default parameters

Parameters with_lanes(unsigned lanes) {
  Parameters parameters;
  parameters.lanes = lanes;
  return parameters;
}

std::vector<isa::Operand> two_sources(std::uint16_t n, std::uint32_t channels) {
  const auto of = [&](OperandRole role, std::uint32_t offset) {
    return operand(role, Space::sbuf, 0, offset, stream(n), Dtype::fp32, channels);
  };
  return {of(OperandRole::src0, 0), of(OperandRole::src1, 0x8000), of(OperandRole::dst, 0x10000)};
}

void expect_cost(const Cost& cost, std::uint64_t s) {
  EXPECT_EQ(cost.stream.value, s);
  EXPECT_EQ(cost.interval.value, s < kU ? kU : s + kG);
  EXPECT_EQ(cost.total.value, s + kL);
}

TEST(Lanes, AWordStreamsOnceForEachLaneFullOfChannels) {
  struct Case {
    unsigned lanes;
    std::uint32_t channels;
    std::uint64_t passes;  // ceil(channels / lanes), by hand
  };
  const std::vector<Case> cases = {{128, 1, 1},   {128, 127, 1}, {128, 128, 1}, {64, 1, 1},  {64, 63, 1},  {64, 64, 1},
                                   {64, 65, 2},   {64, 127, 2},  {64, 128, 2},  {32, 31, 1}, {32, 32, 1},  {32, 33, 2},
                                   {32, 64, 2},   {32, 65, 3},   {32, 96, 3},   {32, 97, 4}, {32, 128, 4}, {1, 1, 1},
                                   {1, 128, 128}, {100, 100, 1}, {100, 101, 2}};
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::Message() << c.lanes << " lanes, " << c.channels << " channels");
    for (const std::uint16_t n : std::vector<std::uint16_t>{1, 16, 31, 32, 512}) {
      expect_cost(cost(word(Opcode::tensor_tensor_arith_op), two_sources(n, c.channels), Generation::cayman,
                       with_lanes(c.lanes)),
                  2 * n * c.passes);
    }
  }
}

// The floor U is of the word, not of a pass: 8 passes of 8 cycles are 64.
TEST(Lanes, FloorAndGapCountOnce) {
  const Cost eight =
      cost(word(Opcode::tensor_tensor_arith_op), two_sources(4, 128), Generation::cayman, with_lanes(16));
  expect_cost(eight, 64);
  const Cost seven =
      cost(word(Opcode::tensor_tensor_arith_op), two_sources(4, 112), Generation::cayman, with_lanes(16));
  expect_cost(seven, 56);
  EXPECT_EQ(seven.interval.value, kU);
}

TEST(Lanes, ParameterLoadsPassAsWell) {
  const std::vector<isa::Operand> sums = {operand(OperandRole::src0, Space::sbuf, 0, 0, stream(3), Dtype::fp32, 128)};
  EXPECT_EQ(cost(word(Opcode::batch_norm_param_load), sums, Generation::cayman, with_lanes(128)).stream.value, kU);
  EXPECT_EQ(cost(word(Opcode::batch_norm_param_load), sums, Generation::cayman, with_lanes(64)).stream.value, 2 * kU);
}

// No tensor, no channels: LoadParameterRam and control words do not know lanes.
TEST(Lanes, WordsWithoutChannelsKeepTheirCost) {
  expect_cost(cost(word(Opcode::load_parameter_ram), {}, Generation::cayman, with_lanes(1)), kU);
  EXPECT_EQ(control_cost(with_lanes(1)).total.value, 10u);
}

// 200 channels can only stand in a word that relaxed legality lets through; the core has 128 partitions.
TEST(Lanes, MoreChannelsThanPartitionsCountAsAllPartitions) {
  expect_cost(cost(word(Opcode::tensor_tensor_arith_op), two_sources(512, 200), Generation::cayman, with_lanes(128)),
              1024);
  expect_cost(cost(word(Opcode::tensor_tensor_arith_op), two_sources(512, 200), Generation::cayman, with_lanes(64)),
              2048);
}

TEST(Lanes, NoneIsAnError) {
  EXPECT_THROW(cost(word(Opcode::tensor_tensor_arith_op), two_sources(1, 1), Generation::cayman, with_lanes(0)),
               std::invalid_argument);
}

}  // namespace
}  // namespace lanes_test
}  // namespace dve::timing
