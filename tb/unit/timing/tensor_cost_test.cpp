// Cost of the words beside the batch-norm ones: microarchitecture.md 7.1, 7.2 and 8 written out here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "operands.h"

namespace dve::timing {
namespace tensor_cost_test {
namespace {

using isa::AluOp;
using isa::Cycles;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;
using isa::OperandRole;
using isa::Space;
using test::operand;
using test::stream;
using test::word;

constexpr std::uint64_t kU = 64, kG = 70, kL = 144;  // microarchitecture.md 8, default parameters
const std::vector<std::uint16_t> kLengths = {1, 2, 3, 5, 63, 64, 127, 512, 2047, 4096};

void expect_stream(const Cost& cost, std::uint64_t s) {
  EXPECT_EQ(cost.stream.value, s);
  EXPECT_EQ(cost.interval.value, s < kU ? kU : s + kG);
  EXPECT_EQ(cost.total.value, s + kL);
}

bool is_v2(Generation g) { return g == Generation::sunda; }
bool is_v4_or_later(Generation g) { return g != Generation::sunda && g != Generation::cayman; }

// The types that 7.2 lists: bf16 and fp16, on trn3 and later fp8 as well.
bool is_narrow(Dtype d, Generation g) {
  if (d == Dtype::bf16 || d == Dtype::fp16) return true;
  return is_v4_or_later(g) && (d == Dtype::fp8_e3m4 || d == Dtype::fp8_e4m3 || d == Dtype::fp8_e5m2);
}

std::uint64_t half(std::uint64_t n) { return (n + 1) / 2; }
std::uint64_t quarter(std::uint64_t n) { return (n + 3) / 4; }

Parameters on(Engine engine) {
  Parameters parameters;
  parameters.engine = engine;
  return parameters;
}

isa::Word tensor_tensor(Opcode opcode, AluOp op) {
  isa::S3S3D3Tt w;
  w.header.opcode = isa::code(opcode);
  w.op = op;
  return isa::encode(w);
}

struct Source {
  Space space;
  Dtype dtype;
  std::int16_t step;
};

std::vector<isa::Operand> two_sources(std::uint16_t n, const Source& a, const Source& b, const Source& out) {
  return {operand(OperandRole::src0, a.space, 0, 0, stream(n, a.step), a.dtype),
          operand(OperandRole::src1, b.space, 0, 0x1000, stream(n, b.step), b.dtype),
          operand(OperandRole::dst, out.space, 0, 0x2000, stream(n, out.step), out.dtype)};
}

std::vector<isa::Operand> one_source(std::uint16_t n, const Source& in, const Source& out) {
  return {operand(OperandRole::src0, in.space, 0, 0, stream(n, in.step), in.dtype),
          operand(OperandRole::dst, out.space, 0, 0x2000, stream(n, out.step), out.dtype)};
}

// ---- TensorTensor ----

struct TensorTensorCase {
  Generation generation;
  AluOp op;
  Dtype in0, in1, out;
  bool psum;           // src1 in PSUM
  std::int16_t step0;  // of src0
};

// 7.1: N when a source is in PSUM, or when all is bf16, unit stride, and the operation add, subtract or mult; else 2 N.
// 7.2: from trn2 on N when all is 16-bit float and both sources are in SBUF.
std::uint64_t expected_stream(const TensorTensorCase& c, std::uint64_t n) {
  if (c.psum) return n;
  const bool simple = c.op == AluOp::add || c.op == AluOp::subtract || c.op == AluOp::mult;
  const bool all_bf16 = c.in0 == Dtype::bf16 && c.in1 == Dtype::bf16 && c.out == Dtype::bf16;
  if (simple && all_bf16 && (c.step0 == 1 || n == 1)) return n;
  const bool all_narrow =
      is_narrow(c.in0, c.generation) && is_narrow(c.in1, c.generation) && is_narrow(c.out, c.generation);
  return all_narrow && !is_v2(c.generation) ? n : 2 * n;
}

std::vector<TensorTensorCase> tensor_tensor_cases() {
  const std::vector<Dtype> dtypes = {Dtype::fp32, Dtype::bf16, Dtype::fp16, Dtype::int32, Dtype::fp8_e4m3};
  const std::vector<AluOp> ops = {AluOp::add, AluOp::subtract, AluOp::mult, AluOp::max, AluOp::add_int};
  std::vector<TensorTensorCase> cases;
  for (const Generation generation : isa::kGenerations) {
    for (const AluOp op : ops) {
      for (const Dtype in0 : dtypes) {
        for (unsigned bits = 0; bits < 16; ++bits) {
          const auto is = [bits](unsigned bit) { return (bits >> bit & 1) != 0; };
          if (is(2) && generation == Generation::maverick) continue;  // no PSUM
          cases.push_back({generation, op, in0, is(0) ? Dtype::bf16 : in0, is(1) ? Dtype::fp32 : in0, is(2),
                           static_cast<std::int16_t>(is(3) ? 2 : 1)});
        }
      }
    }
  }
  return cases;
}

std::string describe(const TensorTensorCase& c, std::uint16_t n) {
  return std::string(isa::to_string(c.generation)) + " op " + std::to_string(code(c.op)) + " " +
         std::string(isa::name(c.in0)) + " " + std::string(isa::name(c.in1)) + " " + std::string(isa::name(c.out)) +
         (c.psum ? " psum" : " sbuf") + " step " + std::to_string(c.step0) + " n " + std::to_string(n);
}

TEST(TensorCost, TensorTensorHasTwoRatesAndAPerformanceMode) {
  int fast = 0, slow = 0;
  for (const TensorTensorCase& c : tensor_tensor_cases()) {
    for (const std::uint16_t n : kLengths) {
      SCOPED_TRACE(describe(c, n));
      const auto operands = two_sources(n, {Space::sbuf, c.in0, c.step0},
                                        {c.psum ? Space::psum : Space::sbuf, c.in1, 1}, {Space::sbuf, c.out, 1});
      const std::uint64_t s = expected_stream(c, n);
      expect_stream(cost(tensor_tensor(Opcode::tensor_tensor_arith_op, c.op), operands, c.generation, Parameters{}), s);
      (s == n ? fast : slow) += 1;
    }
  }
  EXPECT_GT(fast, 1000);
  EXPECT_GT(slow, 1000);
}

TEST(TensorCost, TensorTensorTakesTheConfiguredRate) {
  constexpr std::uint16_t n = 1001;
  for (const double c : {2.0, 1.0, 0.5}) {
    Parameters parameters;
    parameters.two_source_cycles = c;
    const auto s = static_cast<std::uint64_t>(std::ceil(c * n));
    const Source fp32{Space::sbuf, Dtype::fp32, 1}, bf16{Space::sbuf, Dtype::bf16, 1};
    const auto wide = two_sources(n, fp32, fp32, fp32), narrow = two_sources(n, bf16, bf16, bf16);
    const isa::Word add = tensor_tensor(Opcode::tensor_tensor_arith_op, AluOp::add);
    const isa::Word bits = tensor_tensor(Opcode::tensor_tensor_bitvec_op, AluOp::bitwise_xor);
    // The write port takes one element a cycle: no rate is faster than that.
    expect_stream(cost(add, wide, Generation::cayman, parameters), std::max<std::uint64_t>(s, n));
    expect_stream(cost(bits, wide, Generation::cayman, parameters), std::max<std::uint64_t>(s, n));
    expect_stream(cost(add, narrow, Generation::cayman, parameters), n);
  }
}

TEST(TensorCost, TensorTensorPaysForLongStridesInEitherMode) {
  constexpr std::uint16_t n = 300;
  const Source strided{Space::sbuf, Dtype::bf16, 9}, plain{Space::sbuf, Dtype::bf16, 1};  // 18 bytes: k = 2
  const isa::Word max = tensor_tensor(Opcode::tensor_tensor_arith_op, AluOp::max);
  // 1x: ceil(2 n (k0 + k1) / 2); performance mode: half of it.
  expect_stream(cost(max, two_sources(n, strided, plain, plain), Generation::sunda, Parameters{}), 3 * n);
  expect_stream(cost(max, two_sources(n, strided, plain, plain), Generation::cayman, Parameters{}), 3 * n / 2);
  expect_stream(cost(max, two_sources(n, strided, strided, plain), Generation::cayman, Parameters{}), 2 * n);
  expect_stream(cost(max, two_sources(n, plain, plain, strided), Generation::cayman, Parameters{}), 2 * n);
}

TEST(TensorCost, PerformanceModesBelongToTheDve) {
  const Source bf16{Space::sbuf, Dtype::bf16, 1};
  const isa::Word add = tensor_tensor(Opcode::tensor_tensor_arith_op, AluOp::add);
  for (const Engine engine : {Engine::pool, Engine::act}) {
    SCOPED_TRACE(isa::to_string(engine));
    const Parameters parameters = on(engine);
    expect_stream(cost(add, two_sources(512, bf16, bf16, bf16), Generation::mariana, parameters), 1024);
    for (const Opcode opcode : {Opcode::copy, Opcode::cast, Opcode::tensor_scalar_arith_op})
      expect_stream(cost(word(opcode), one_source(512, bf16, bf16), Generation::mariana, parameters), 512);
    isa::S4D4Tr reduce;
    reduce.header.opcode = isa::code(Opcode::tensor_reduce_arith_op);
    reduce.op = AluOp::add;
    expect_stream(cost(isa::encode(reduce), one_source(512, bf16, bf16), Generation::mariana, parameters), 512);
  }
}

// ---- One source: TensorScalar, Copy, Cast ----

// 7.2: a quarter when both are 16-bit floats in SBUF and contiguous; half when not contiguous, or contiguous with one
// of the two in PSUM; trn1 has no modes.
std::uint64_t expected_stream(Generation g, const Source& in, const Source& out, std::uint64_t n) {
  if (is_v2(g) || !is_narrow(in.dtype, g) || !is_narrow(out.dtype, g)) return n;
  const bool contiguous = n == 1 || (in.step == 1 && out.step == 1);
  const int in_psum = (in.space == Space::psum ? 1 : 0) + (out.space == Space::psum ? 1 : 0);
  if (in_psum == 0) return contiguous ? quarter(n) : half(n);
  return in_psum == 1 && contiguous ? half(n) : n;
}

struct OneSourceCase {
  Generation generation;
  Source in, out;
};

std::vector<OneSourceCase> one_source_cases() {
  const std::vector<Dtype> dtypes = {Dtype::fp32, Dtype::bf16, Dtype::fp16, Dtype::int16, Dtype::fp8_e5m2};
  const std::vector<std::pair<std::int16_t, std::int16_t>> steps = {{1, 1}, {2, 1}, {1, -1}};
  std::vector<OneSourceCase> cases;
  for (const Generation generation : isa::kGenerations) {
    for (std::size_t pair = 0; pair < dtypes.size() * dtypes.size(); ++pair) {
      for (unsigned psum = 0; psum < (generation == Generation::maverick ? 1u : 4u); ++psum) {
        for (const auto& [in_step, out_step] : steps) {
          cases.push_back({generation,
                           {(psum & 1) != 0 ? Space::psum : Space::sbuf, dtypes[pair / dtypes.size()], in_step},
                           {(psum & 2) != 0 ? Space::psum : Space::sbuf, dtypes[pair % dtypes.size()], out_step}});
        }
      }
    }
  }
  return cases;
}

TEST(TensorCost, CopiesAndTensorScalarRunAtFourTwoOrOne) {
  std::vector<int> seen(3);
  for (const OneSourceCase& c : one_source_cases()) {
    for (const std::uint16_t n : kLengths) {
      SCOPED_TRACE(testing::Message() << isa::to_string(c.generation) << " " << isa::name(c.in.dtype) << " "
                                      << isa::name(c.out.dtype) << " steps " << c.in.step << " " << c.out.step
                                      << " psum " << (c.in.space == Space::psum) << (c.out.space == Space::psum)
                                      << " n " << n);
      const std::uint64_t s = expected_stream(c.generation, c.in, c.out, n);
      for (const Opcode opcode : {Opcode::copy, Opcode::cast, Opcode::tensor_scalar_arith_op})
        expect_stream(cost(word(opcode), one_source(n, c.in, c.out), c.generation, Parameters{}), s);
      seen[s == n ? 0 : s == half(n) ? 1 : 2] += 1;
    }
  }
  for (const int mode : seen) EXPECT_GT(mode, 100);
}

TEST(TensorCost, OnlyTheInnermostDimensionHasToBeContiguous) {
  auto operands = one_source(8, {Space::sbuf, Dtype::bf16, 1}, {Space::sbuf, Dtype::bf16, 1});
  operands[0].pattern.num_elem = {8, 16, 1, 1};
  operands[0].pattern.step_elem = {1, 100, 1, 1};
  operands[1].pattern.num_elem = {8, 16, 1, 1};
  operands[1].pattern.step_elem = {1, 8, 1, 1};
  expect_stream(cost(word(Opcode::copy), operands, Generation::cayman, Parameters{}), 8 * 16 / 4);
}

TEST(TensorCost, PerformanceModesPayForLongStrides) {
  const Source strided{Space::sbuf, Dtype::bf16, 9}, plain{Space::sbuf, Dtype::bf16, 1};
  expect_stream(cost(word(Opcode::copy), one_source(300, strided, plain), Generation::cayman, Parameters{}), 300);
  expect_stream(cost(word(Opcode::copy), one_source(300, plain, strided), Generation::cayman, Parameters{}), 300);
}

TEST(TensorCost, BitvecTensorScalarStreamsOneElementACycle) {
  const Source int16{Space::sbuf, Dtype::int16, 1};
  expect_stream(
      cost(word(Opcode::tensor_scalar_bitvec_op), one_source(500, int16, int16), Generation::cayman, Parameters{}),
      500);
}

// ---- The others ----

isa::Word tensor_reduce(AluOp op) {
  isa::S4D4Tr w;
  w.header.opcode = isa::code(Opcode::tensor_reduce_arith_op);
  w.op = op;
  w.op_dim = 2;
  return isa::encode(w);
}

TEST(TensorCost, TensorReduceIsHalvedForBf16SumsAndMaxima) {
  for (const Generation generation : isa::kGenerations) {
    for (const AluOp op : {AluOp::add, AluOp::max, AluOp::min, AluOp::mult}) {
      for (const Dtype in : {Dtype::bf16, Dtype::fp16, Dtype::fp32}) {
        for (const Dtype out : {Dtype::bf16, Dtype::fp32}) {
          for (const std::uint16_t n : kLengths) {
            SCOPED_TRACE(testing::Message()
                         << "op " << int(code(op)) << " " << isa::name(in) << isa::name(out) << " n " << n);
            auto operands = one_source(n, {Space::sbuf, in, 1}, {Space::sbuf, out, 1});
            operands[1].pattern.num_elem[0] = 1;
            const bool halved = (op == AluOp::add || op == AluOp::max) && in == Dtype::bf16 && out == Dtype::bf16;
            expect_stream(cost(tensor_reduce(op), operands, generation, Parameters{}), halved ? half(n) : n);
          }
        }
      }
    }
  }
}

TEST(TensorCost, MemsetIsHalvedForSixteenBitZeros) {
  for (const Generation generation : isa::kGenerations) {
    for (const Dtype dtype : {Dtype::bf16, Dtype::fp16, Dtype::int16, Dtype::uint8, Dtype::fp32}) {
      for (const std::uint32_t value : {0u, 1u}) {
        for (const std::uint16_t n : kLengths) {
          SCOPED_TRACE(testing::Message() << isa::name(dtype) << " value " << value << " n " << n);
          isa::D4Mr w;
          w.header.opcode = isa::code(Opcode::memset);
          w.dtype = dtype;
          w.set_value = value;
          const auto operands =
              std::vector<isa::Operand>{operand(OperandRole::dst, Space::sbuf, 0, 0x2000, stream(n), dtype)};
          const bool halved = value == 0 && isa::storage_size(dtype).value == 2;
          expect_stream(cost(isa::encode(w), operands, generation, Parameters{}), halved ? half(n) : n);
        }
      }
    }
  }
}

TEST(TensorCost, ReciprocalTakesEightCyclesAnElement) {
  for (const std::uint16_t n : kLengths) {
    for (const Space src : {Space::sbuf, Space::psum}) {
      const auto operands = one_source(n, {src, Dtype::fp32, 1}, {Space::sbuf, Dtype::fp32, 1});
      expect_stream(cost(word(Opcode::reciprocal), operands, Generation::cayman, Parameters{}), 8ull * n);
    }
  }
}

TEST(TensorCost, PredicatedWordsTakeTwoCyclesUnlessASourceIsInPsum) {
  for (const Generation generation : {Generation::sunda, Generation::cayman, Generation::mariana}) {
    for (const Opcode opcode : {Opcode::copy_predicated, Opcode::cast_predicated}) {
      for (const std::uint16_t n : kLengths) {
        const Source mask{Space::sbuf, Dtype::uint8, 1}, in_sbuf{Space::sbuf, Dtype::bf16, 1},
            in_psum{Space::psum, Dtype::fp32, 1}, out{Space::sbuf, Dtype::bf16, 1};
        expect_stream(cost(word(opcode), two_sources(n, mask, in_sbuf, out), generation, Parameters{}), 2ull * n);
        expect_stream(cost(word(opcode), two_sources(n, mask, in_psum, out), generation, Parameters{}), n);
      }
    }
  }
}

TEST(TensorCost, CrossLaneReduceStreamsOneElementACycle) {
  for (const Opcode opcode : {Opcode::cross_lane_reduce_arith_op, Opcode::cross_lane_reduce_bitvec_op}) {
    for (const std::uint16_t results : {std::uint16_t{1}, std::uint16_t{700}}) {
      auto operands = one_source(700, {Space::sbuf, Dtype::int32, 1}, {Space::sbuf, Dtype::int32, 1});
      operands[0].channels = 128;
      operands[1].pattern.num_elem[0] = results;
      expect_stream(cost(word(opcode), operands, Generation::cayman, on(Engine::pool)), 700);
    }
  }
}

TEST(TensorCost, ActivateStreamsOneElementACycleWhateverItsScalars) {
  for (const Space src : {Space::sbuf, Space::psum}) {
    for (const std::uint16_t n : kLengths) {
      auto operands = one_source(n, {src, Dtype::bf16, 1}, {Space::sbuf, Dtype::bf16, 1});
      expect_stream(cost(word(Opcode::activate), operands, Generation::cayman, on(Engine::act)), n);
      for (const OperandRole role : {OperandRole::imm0, OperandRole::imm1, OperandRole::imm2})
        operands.push_back(operand(role, Space::sbuf, 0, 0x3000, stream(1)));
      expect_stream(cost(word(Opcode::activate), operands, Generation::cayman, on(Engine::act)), n);
    }
  }
}

TEST(TensorCost, TableLoadTakesItsNanosecondsOfTheEnginesClock) {
  struct Case {
    std::uint64_t hz;
    double ns;
    std::uint64_t cycles;
  };
  for (const Case& c : std::vector<Case>{
           {1'200'000'000, 368, 442}, {1'400'000'000, 368, 516}, {960'000'000, 100, 96}, {1'200'000'000, 0, 0}}) {
    Parameters parameters = on(Engine::act);
    parameters.clock_hz = c.hz;
    parameters.table_load_ns = c.ns;
    expect_stream(cost(word(Opcode::activation_table_load), {}, Generation::cayman, parameters), c.cycles);
  }
}

TEST(TensorCost, ReadingTheAccumulatorTakesTheMinimumInterval) {
  for (const std::uint64_t u : {0u, 64u, 100u}) {
    Parameters parameters = on(Engine::act);
    parameters.min_ii = Cycles(u);
    const std::vector<isa::Operand> operands = {operand(OperandRole::dst, Space::sbuf, 0, 0, stream(1))};
    const Cost c = cost(word(Opcode::activation_read_accumulator), operands, Generation::cayman, parameters);
    EXPECT_EQ(c.stream.value, u);
    EXPECT_EQ(c.interval.value, u + kG);
    EXPECT_EQ(c.total.value, u + kL);
  }
}

TEST(TensorCost, PoolPaysItsOwnStartUp) {
  // 7.1: 150 + N, the 150 as L of POOL's parameters.
  Parameters parameters = on(Engine::pool);
  parameters.fill_drain = Cycles(150);
  isa::D4Mr memset;
  memset.header.opcode = isa::code(Opcode::memset);
  memset.set_value = 7;
  const std::vector<isa::Operand> operands = {operand(OperandRole::dst, Space::sbuf, 0, 0, stream(1000))};
  EXPECT_EQ(cost(isa::encode(memset), operands, Generation::cayman, parameters).total.value, 1150u);
}

}  // namespace
}  // namespace tensor_cost_test
}  // namespace dve::timing
