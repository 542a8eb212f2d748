#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "operands.h"

namespace dve::timing {
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

void expect_cost(const Cost& cost, std::uint64_t s) {
  EXPECT_EQ(cost.stream.value, s);
  EXPECT_EQ(cost.interval.value, s < kU ? kU : s + kG);
  EXPECT_EQ(cost.total.value, s + kL);
}

std::vector<isa::Operand> one_source(std::uint16_t n, Space src, std::uint16_t m, Space dst) {
  return {operand(OperandRole::src0, src, 0, 0, stream(n)), operand(OperandRole::dst, dst, 0, 0x2000, stream(m))};
}

std::vector<isa::Operand> two_sources(std::uint16_t n, Space src0, Space src1, std::uint16_t m) {
  return {operand(OperandRole::src0, src0, 0, 0, stream(n)), operand(OperandRole::src1, src1, 0, 0x8000, stream(n)),
          operand(OperandRole::imm0, Space::sbuf, 0, 0x10000, stream(1)),
          operand(OperandRole::imm1, Space::sbuf, 0, 0x10004, stream(1)),
          operand(OperandRole::dst, Space::sbuf, 0, 0x10010, stream(m))};
}

const std::vector<std::uint16_t> kLengths = {1, 2, 63, 64, 65, 511, 512, 513, 2048, 4096, 8192};

std::vector<Space> spaces(Generation generation) {
  if (generation == Generation::maverick) return {Space::sbuf};
  return {Space::sbuf, Space::psum};
}

TEST(Cost, StatisticsStreamOneElementACycle) {
  struct Case {
    Opcode opcode;
    std::uint16_t longest, multiple, results;
  };
  const std::vector<Case> cases = {{Opcode::batch_norm_stats, 256, 1, 3},
                                   {Opcode::batch_norm_stats2, 512, 1, 6},
                                   {Opcode::transpose_batch_norm_stats2, 512, 32, 6}};
  for (const Generation generation : isa::kGenerations) {
    for (const Case& c : cases) {
      for (const std::uint16_t n : kLengths) {
        if (n > c.longest || n % c.multiple != 0) continue;
        for (const Space src : spaces(generation)) {
          for (const Space dst : spaces(generation)) {
            SCOPED_TRACE(testing::Message() << isa::code(c.opcode) << " n " << n << " generation " << int(generation));
            const std::uint64_t s = n > c.results ? n : c.results;  // the results are streamed out as well
            expect_cost(cost(word(c.opcode), one_source(n, src, c.results, dst), generation, Parameters{}), s);
          }
        }
      }
    }
  }
}

TEST(Cost, AggregateTakesThirteenCyclesATriple) {
  for (const Generation generation : isa::kGenerations) {
    for (const std::uint16_t triples : kLengths) {
      for (const Space src : spaces(generation)) {
        SCOPED_TRACE(testing::Message() << triples << " triples");
        const auto n = static_cast<std::uint16_t>(3 * triples);
        expect_cost(
            cost(word(Opcode::batch_norm_aggregate), one_source(n, src, 2, Space::sbuf), generation, Parameters{}),
            13ull * triples);
      }
    }
  }
}

TEST(Cost, AggregateOfBrokenTriplesRoundsUp) {
  // Only relaxed legality lets these through: 13*4/3 = 17.33, 13*5/3 = 21.67.
  for (const auto& [n, s] : {std::pair{4, 18u}, std::pair{5, 22u}}) {
    const auto operands = one_source(static_cast<std::uint16_t>(n), Space::sbuf, 2, Space::sbuf);
    EXPECT_EQ(cost(word(Opcode::batch_norm_aggregate), operands, Generation::cayman, Parameters{}).stream.value, s);
  }
}

TEST(Cost, AggregateHasNoStridePenalty) {
  auto operands = one_source(24, Space::sbuf, 2, Space::sbuf);
  operands[0].pattern.step_elem[0] = 100;
  expect_cost(cost(word(Opcode::batch_norm_aggregate), operands, Generation::cayman, Parameters{}), 104);
}

TEST(Cost, TwoSbufSourcesShareTheReadPortAndAPsumSourceDoesNot) {
  struct Case {
    Opcode opcode;
    bool reduces;  // three results, else as many as elements
  };
  const std::vector<Case> cases = {{Opcode::batch_norm_grad_accumulate, true},
                                   {Opcode::batch_norm_grad_accumulate2, true},
                                   {Opcode::batch_norm_back_prop, false}};
  for (const Generation generation : isa::kGenerations) {
    for (const Case& c : cases) {
      for (const std::uint16_t n : kLengths) {
        for (const double rate : {2.0, 1.0, 0.5}) {
          for (const Space src0 : spaces(generation)) {
            for (const Space src1 : spaces(generation)) {
              SCOPED_TRACE(testing::Message() << "opcode " << int(isa::code(c.opcode)) << " n " << n << " c " << rate
                                              << " spaces " << int(src0) << int(src1));
              Parameters parameters;
              parameters.two_source_cycles = rate;
              const std::uint16_t m = c.reduces ? 3 : n;
              const bool both_sbuf = src0 == Space::sbuf && src1 == Space::sbuf;
              const auto reads = both_sbuf ? static_cast<std::uint64_t>(std::ceil(rate * n)) : n;
              expect_cost(cost(word(c.opcode), two_sources(n, src0, src1, m), generation, parameters),
                          reads > m ? reads : m);
            }
          }
        }
      }
    }
  }
}

TEST(Cost, HalfACyclePerElementRoundsOddStreamsUp) {
  Parameters parameters;
  parameters.two_source_cycles = 0.5;
  for (const auto& [n, s] : {std::pair{7, 4u}, std::pair{8, 4u}, std::pair{9, 5u}, std::pair{2047, 1024u}}) {
    const auto operands = two_sources(static_cast<std::uint16_t>(n), Space::sbuf, Space::sbuf, 3);
    EXPECT_EQ(cost(word(Opcode::batch_norm_grad_accumulate), operands, Generation::cayman, parameters).stream.value, s)
        << n;
  }
}

TEST(Cost, HalfACycleWithOneStridedSource) {
  // ceil(0.5 * n * (1 + 2) / 2): 7 -> 5.25 -> 6, 8 -> 6, 9 -> 6.75 -> 7.
  Parameters parameters;
  parameters.two_source_cycles = 0.5;
  for (const auto& [n, s] : {std::pair{7, 6u}, std::pair{8, 6u}, std::pair{9, 7u}}) {
    auto operands = two_sources(static_cast<std::uint16_t>(n), Space::sbuf, Space::sbuf, 3);
    operands[1].pattern.step_elem[0] = 5;
    EXPECT_EQ(cost(word(Opcode::batch_norm_grad_accumulate), operands, Generation::cayman, parameters).stream.value, s)
        << n;
  }
}

TEST(Cost, ParameterLoadsTakeTheMinimumInterval) {
  const std::vector<isa::Operand> load = {operand(OperandRole::src0, Space::sbuf, 0, 0, stream(3, 100)),
                                          operand(OperandRole::imm0, Space::sbuf, 0, 0x100, stream(1))};
  for (const Generation generation : isa::kGenerations) {
    for (const std::uint64_t u : {0u, 58u, 64u, 100u}) {
      Parameters parameters;
      parameters.min_ii = isa::Cycles(u);
      for (const Opcode opcode : {Opcode::batch_norm_param_load, Opcode::batch_norm_param_load2}) {
        const Cost c = cost(word(opcode), load, generation, parameters);
        EXPECT_EQ(c.stream.value, u);
        EXPECT_EQ(c.interval.value, u + kG);  // 134 by default: S reaches U
        EXPECT_EQ(c.total.value, u + kL);
      }
      EXPECT_EQ(cost(word(Opcode::load_parameter_ram), {}, generation, parameters).interval.value, u + kG);
    }
  }
}

TEST(Cost, IssueGapAppliesFromTheMinimumIntervalOn) {
  const auto interval = [](std::uint16_t n) {
    return cost(word(Opcode::batch_norm_stats2), one_source(n, Space::sbuf, 6, Space::sbuf), Generation::cayman,
                Parameters{})
        .interval.value;
  };
  EXPECT_EQ(interval(63), 64u);
  EXPECT_EQ(interval(64), 134u);
}

struct Width {
  Dtype dtype;
  std::int16_t bytes;
};
const std::vector<Width> kWidths = {{Dtype::fp8_e4m3, 1}, {Dtype::bf16, 2},  {Dtype::fp16, 2},  {Dtype::int16, 2},
                                    {Dtype::fp32, 4},     {Dtype::int32, 4}, {Dtype::uint64, 8}};

TEST(Cost, StrideOverSixteenBytesDoublesTheElementTime) {
  constexpr std::uint16_t n = 200;
  for (const Width& width : kWidths) {
    const auto at_limit = static_cast<std::int16_t>(16 / width.bytes);
    const auto above = static_cast<std::int16_t>(at_limit + 1);
    struct Case {
      std::int16_t step;
      std::uint64_t k;
    };
    for (const Case& c : std::vector<Case>{{1, 1},
                                           {0, 1},
                                           {-1, 1},
                                           {at_limit, 1},
                                           {above, 2},
                                           {static_cast<std::int16_t>(-at_limit), 1},
                                           {static_cast<std::int16_t>(-above), 2},
                                           {32767, 2},
                                           {-32768, 2}}) {
      SCOPED_TRACE(testing::Message() << width.bytes << " bytes, step " << c.step);
      auto operands = one_source(n, Space::sbuf, 6, Space::sbuf);
      operands[0].dtype = width.dtype;
      operands[0].pattern.step_elem[0] = c.step;
      expect_cost(cost(word(Opcode::batch_norm_stats2), operands, Generation::cayman, Parameters{}), n * c.k);

      Parameters without;
      without.stride_penalty = false;
      expect_cost(cost(word(Opcode::batch_norm_stats2), operands, Generation::cayman, without), n);
    }
  }
}

TEST(Cost, StridesCombineAsTheFormulaSays) {
  // k of src0, src1, dst; SBUF: max(n (k0 + k1), n k_dst). One source in PSUM: max(n max(k0, k1), n k_dst).
  constexpr std::uint16_t n = 300;
  for (unsigned bits = 0; bits < 8; ++bits) {
    const std::uint64_t k0 = 1 + (bits & 1), k1 = 1 + (bits >> 1 & 1), kd = 1 + (bits >> 2 & 1);
    for (const Space src1 : {Space::sbuf, Space::psum}) {
      SCOPED_TRACE(testing::Message() << k0 << k1 << kd << " space " << int(src1));
      auto operands = two_sources(n, Space::sbuf, src1, n);
      if (k0 == 2) operands[0].pattern.step_elem[0] = 5;
      if (k1 == 2) operands[1].pattern.step_elem[0] = -5;
      if (kd == 2) operands[4].pattern.step_elem[0] = 9;
      const std::uint64_t reads = src1 == Space::sbuf ? n * (k0 + k1) : n * std::max(k0, k1);
      expect_cost(cost(word(Opcode::batch_norm_back_prop), operands, Generation::cayman, Parameters{}),
                  std::max(reads, n * kd));
    }
  }
}

TEST(Cost, OnlyTheInnermostDimensionPaysForItsStride) {
  auto operands = one_source(1, Space::sbuf, 6, Space::sbuf);
  operands[0].pattern.num_elem = {1, 400, 1, 1};
  operands[0].pattern.step_elem = {1000, 1000, 1, 1};  // dimension 0 has one element: no stride is walked
  expect_cost(cost(word(Opcode::batch_norm_stats2), operands, Generation::cayman, Parameters{}), 400);
  operands[0].pattern.num_elem = {2, 200, 1, 1};
  expect_cost(cost(word(Opcode::batch_norm_stats2), operands, Generation::cayman, Parameters{}), 800);
}

TEST(Cost, SlowDestinationIsCounted) {
  auto operands = one_source(8, Space::sbuf, 6, Space::sbuf);
  operands[1].pattern.step_elem[0] = 5;
  expect_cost(cost(word(Opcode::batch_norm_stats2), operands, Generation::cayman, Parameters{}), 12);
}

TEST(Cost, LongerSourceCountsWhenTheyDiffer) {
  auto operands = two_sources(100, Space::sbuf, Space::sbuf, 3);
  operands[1].pattern.num_elem[0] = 130;
  expect_cost(cost(word(Opcode::batch_norm_grad_accumulate), operands, Generation::cayman, Parameters{}), 260);
}

TEST(Cost, AddressesInNeitherMemoryCountAsSbuf) {
  auto operands = two_sources(512, Space::sbuf, Space::sbuf, 3);
  operands[0].address.raw = 0x1FFFFFFF;
  expect_cost(cost(word(Opcode::batch_norm_grad_accumulate), operands, Generation::cayman, Parameters{}), 1024);
  // maverick has no PSUM: its address range is SBUF there.
  const auto psum_address = two_sources(512, Space::psum, Space::sbuf, 3);
  expect_cost(cost(word(Opcode::batch_norm_grad_accumulate), psum_address, Generation::maverick, Parameters{}), 1024);
}

TEST(Cost, LongestStreamIsExactAndLongerOnesAreRefused) {
  auto operands = two_sources(1, Space::sbuf, Space::sbuf, 3);
  for (const std::size_t i : {0u, 1u}) {
    operands[i].pattern.num_elem = {65535, 65535, 65535, 1};
    operands[i].pattern.step_elem = {100, 0, 0, 0};
  }
  const std::uint64_t n = 65535ull * 65535 * 65535;
  expect_cost(cost(word(Opcode::batch_norm_grad_accumulate), operands, Generation::cayman, Parameters{}), 4 * n);
  operands[0].pattern.num_elem[3] = 2;
  EXPECT_THROW(cost(word(Opcode::batch_norm_grad_accumulate), operands, Generation::cayman, Parameters{}),
               std::length_error);
  auto triples = one_source(1, Space::sbuf, 2, Space::sbuf);
  triples[0].pattern.num_elem = {65535, 65535, 65535, 65535};
  EXPECT_THROW(cost(word(Opcode::batch_norm_aggregate), triples, Generation::cayman, Parameters{}), std::length_error);
}

TEST(Cost, RefusesOtherTwoSourceRates) {
  const auto operands = two_sources(8, Space::sbuf, Space::sbuf, 3);
  for (const double rate : {0.0, 0.25, 1.5, 4.0, -1.0, std::nan("")}) {
    Parameters parameters;
    parameters.two_source_cycles = rate;
    EXPECT_THROW(cost(word(Opcode::batch_norm_grad_accumulate), operands, Generation::cayman, parameters),
                 std::invalid_argument)
        << rate;
  }
}

}  // namespace
}  // namespace dve::timing
