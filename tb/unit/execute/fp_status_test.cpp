// Floating-point flags of words (isa.md 15.1; the model's definition: models/execute/fp_status.h).
#include "side_by_side.h"

namespace dve::execute_test {
namespace fp_status_test {

using namespace testing_support;
using execute::FpStatus;
using isa::ActivationFunc;
using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;

constexpr std::uint8_t kNone = 0, kOverflow = FpStatus::kOverflow, kInvalid = FpStatus::kInvalid,
                       kZero = FpStatus::kDivideByZero;

class FpStatusTest : public testing::Test {
 protected:
  // Flags of the word; the golden must see the same.
  std::uint8_t flags(const isa::Word& word) {
    EXPECT_TRUE(bench.same(word));
    return bench.flags();
  }
  std::uint8_t tensor_tensor(AluOp op, float a, float b, Dtype out = Dtype::fp32) {
    bench.put(row(sbuf(0, 0), 1), 0, {a});
    bench.put(row(sbuf(0, 0x40), 1), 0, {b});
    return flags(isa::encode(bench.build().tensor_tensor(Opcode::tensor_tensor_arith_op, row(sbuf(0, 0), 1),
                                                         row(sbuf(0, 0x40), 1), row(sbuf(0, 0x80), 1, out), op, 1)));
  }
  std::uint8_t copies(Opcode opcode, const std::vector<float>& x, Dtype out) {
    const auto n = static_cast<std::uint16_t>(x.size());
    bench.put(row(sbuf(0, 0), n), 0, x);
    return flags(isa::encode(
        bench.build().tensor_reduce(opcode, row(sbuf(0, 0), n), row(sbuf(0, 0x80), n, out), AluOp::bypass, 0, 1)));
  }
  std::uint8_t activate(ActivationFunc f, float x, const Immediate& scale, const Immediate& bias,
                        Dtype out = Dtype::fp32) {
    bench.put(row(sbuf(0, 0), 1), 0, {x});
    auto word = bench.build().activate(f, row(sbuf(0, 0), 1), row(sbuf(0, 0x80), 1, out), 1);
    bench.build().put_scale(word, scale);
    bench.build().put_bias(word, bias, Dtype::fp32);
    return flags(isa::encode(word));
  }
  std::uint8_t scalar(AluOp op0, float x, const Immediate& s0) {
    bench.put(row(sbuf(0, 0), 1), 0, {x});
    auto word = bench.build().tensor_scalar(Opcode::tensor_scalar_arith_op, row(sbuf(0, 0), 1), row(sbuf(0, 0x80), 1),
                                            s0, literal(0), 1);
    word.op0 = op0;
    return flags(isa::encode(word));
  }
  SideBySide bench;
};

TEST_F(FpStatusTest, InvalidIsANanOfNumbers) {
  EXPECT_EQ(tensor_tensor(AluOp::subtract, INFINITY, INFINITY), kInvalid);
  EXPECT_EQ(tensor_tensor(AluOp::mult, INFINITY, 0), kInvalid);
  EXPECT_EQ(tensor_tensor(AluOp::add, NAN, 1), kNone);
  EXPECT_EQ(tensor_tensor(AluOp::subtract, 1, 1), kNone);
  EXPECT_EQ(activate(ActivationFunc::sqrt, -1, literal(1), literal(0)), kInvalid);
  EXPECT_EQ(activate(ActivationFunc::sqrt, NAN, literal(1), literal(0)), kNone);
}

TEST_F(FpStatusTest, OverflowIsAnInfinityOfFiniteNumbers) {
  EXPECT_EQ(tensor_tensor(AluOp::mult, 1e30F, -1e30F), kOverflow);
  EXPECT_EQ(tensor_tensor(AluOp::add, INFINITY, 1), kNone);
  EXPECT_EQ(tensor_tensor(AluOp::add, 1e30F, 1, Dtype::fp16), kOverflow);
  EXPECT_EQ(tensor_tensor(AluOp::add, 1e30F, 1, Dtype::bf16), kNone);
  EXPECT_EQ(activate(ActivationFunc::exp, 100, literal(1), literal(0)), kOverflow);
  EXPECT_EQ(copies(Opcode::cast, {1e5F}, Dtype::fp16), kOverflow);
  EXPECT_EQ(copies(Opcode::cast, {65504}, Dtype::fp16), kNone);
}

TEST_F(FpStatusTest, DivideByZeroIsTheInfinityOfAZero) {
  EXPECT_EQ(copies(Opcode::reciprocal, {0}, Dtype::fp32), kZero);
  EXPECT_EQ(copies(Opcode::reciprocal, {-0.0F}, Dtype::fp16), kZero);
  for (const ActivationFunc f :
       {ActivationFunc::rsqrt, ActivationFunc::rsqrt_abs, ActivationFunc::reciprocal, ActivationFunc::ln}) {
    EXPECT_EQ(activate(f, 0, literal(1), literal(0)), kZero) << isa::name(f);
    EXPECT_EQ(activate(f, 3, literal(2), literal(-6)), kZero) << isa::name(f);  // 2 * 3 - 6
    EXPECT_EQ(activate(f, 1, literal(1), literal(0)), kNone) << isa::name(f);
  }
  EXPECT_EQ(tensor_tensor(AluOp::pow, 0, -1), kZero);
  EXPECT_EQ(tensor_tensor(AluOp::pow, 1e-30F, -2), kOverflow);
  EXPECT_EQ(tensor_tensor(AluOp::divide, 1, 0), kZero);
  EXPECT_EQ(tensor_tensor(AluOp::divide, 0, 0), kInvalid);
  EXPECT_EQ(scalar(AluOp::rsqrt, 0, literal(0)), kZero);
  EXPECT_EQ(scalar(AluOp::rsqrt, -1, literal(0)), kInvalid);
}

// What overflows in a dividing word without a zero is an overflow.
TEST_F(FpStatusTest, QuotientsOfSmallNumbersOverflow) {
  EXPECT_EQ(copies(Opcode::reciprocal, {1e-40F}, Dtype::fp32), kOverflow);
  EXPECT_EQ(copies(Opcode::reciprocal, {1e-6F}, Dtype::fp16), kOverflow);
  EXPECT_EQ(activate(ActivationFunc::reciprocal, 1e-40F, literal(1), literal(0)), kOverflow);
  EXPECT_EQ(activate(ActivationFunc::rsqrt, 1e-20F, literal(1), literal(0), Dtype::fp16), kOverflow);
  EXPECT_EQ(copies(Opcode::reciprocal, {0, 1e-40F}, Dtype::fp32), kZero | kOverflow);
}

// A literal is an operand like one in memory.
TEST_F(FpStatusTest, LiteralsAreOperands) {
  EXPECT_EQ(scalar(AluOp::add, 1, literal(INFINITY)), kNone);
  EXPECT_EQ(scalar(AluOp::add, 1, literal(NAN)), kNone);
  EXPECT_EQ(scalar(AluOp::mult, 0, literal(INFINITY)), kInvalid);
  EXPECT_EQ(activate(ActivationFunc::identity, 1, literal(INFINITY), literal(0)), kNone);
  EXPECT_EQ(activate(ActivationFunc::identity, 1, literal(1), literal(NAN)), kNone);
  for (const float special : {INFINITY, NAN}) {
    bench.put(row(sbuf(0, 0x40), 1), 0, {special});
    EXPECT_EQ(scalar(AluOp::add, 1, pointer_to(sbuf(0, 0x40))), kNone);
    EXPECT_EQ(activate(ActivationFunc::identity, 1, literal(1), pointer_to(sbuf(0, 0x40))), kNone);
  }
  bench.put(row(sbuf(0, 0), 1), 0, {1});
  auto average = bench.build().cross_lane_reduce(Opcode::cross_lane_reduce_arith_op, row(sbuf(0, 0), 1),
                                                 row(sbuf(0, 0x80), 1), 1, 0, 1);
  average.scale_bits = golden::bits_of_float(INFINITY);
  EXPECT_EQ(flags(isa::encode(average)), kNone);
}

TEST_F(FpStatusTest, CopiesBitsAndIntegersRaiseNothing) {
  EXPECT_EQ(copies(Opcode::copy, {INFINITY, NAN}, Dtype::fp32), kNone);
  EXPECT_EQ(copies(Opcode::cast, {1e30F, INFINITY}, Dtype::int8), kNone);
  EXPECT_EQ(copies(Opcode::reciprocal, {0}, Dtype::int32), kNone);
  EXPECT_EQ(flags(isa::encode(bench.build().memset(row(sbuf(0, 0), 4), 0x7F800000, 1))), kNone);
  bench.put(row(sbuf(0, 0), 2), 0, {1, 1});
  bench.put(row(sbuf(0, 0x40), 2), 0, {INFINITY, NAN});
  EXPECT_EQ(
      flags(isa::encode(bench.build().tensor_tensor(Opcode::copy_predicated, row(sbuf(0, 0), 2, Dtype::int32),
                                                    row(sbuf(0, 0x40), 2), row(sbuf(0, 0x80), 2), AluOp::bypass, 1))),
      kNone);
  bench.put(row(sbuf(0, 0x40), 2), 0, {1e5F, -1e5F});
  EXPECT_EQ(flags(isa::encode(bench.build().tensor_tensor(Opcode::cast_predicated, row(sbuf(0, 0), 2, Dtype::int32),
                                                          row(sbuf(0, 0x40), 2), row(sbuf(0, 0x80), 2, Dtype::fp16),
                                                          AluOp::bypass, 1))),
            kNone);
}

// Reading an accumulator is no computation, but it may be too large for its dtype.
TEST_F(FpStatusTest, AccumulatorsAreOperands) {
  const auto read = [this](const std::vector<float>& terms, Dtype dtype) {
    const auto n = static_cast<std::uint16_t>(terms.size());
    bench.put(row(sbuf(0, 0), n), 0, terms);
    auto word = bench.build().activate(ActivationFunc::identity, row(sbuf(0, 0), n), row(sbuf(0, 0x80), n), 1);
    word.accumulator_cmd = 3;
    flags(isa::encode(word));
    return flags(isa::encode(bench.build().read_accumulator(row(sbuf(0, 0x40), 1, dtype), 1)));
  };
  EXPECT_EQ(read({1, 2}, Dtype::fp32), kNone);
  EXPECT_EQ(read({1e5F}, Dtype::fp16), kOverflow);
  EXPECT_EQ(read({INFINITY}, Dtype::fp32), kNone);
  EXPECT_EQ(read({NAN}, Dtype::fp32), kNone);
}

// One channel's NaN does not excuse another's; the flags of all channels are joined.
TEST_F(FpStatusTest, ChannelsAreJudgedOneByOne) {
  const TensorSpec a = row(sbuf(0, 0), 2), b = row(sbuf(0, 0x40), 2), dst = row(sbuf(0, 0x80), 2);
  bench.put(a, 0, {NAN, 1});
  bench.put(b, 0, {1, 1});
  bench.put(a, 1, {INFINITY, 1});
  bench.put(b, 1, {INFINITY, 1});
  bench.put(a, 2, {3e38F, 1});
  bench.put(b, 2, {-3e38F, 1});
  const auto word =
      isa::encode(bench.build().tensor_tensor(Opcode::tensor_tensor_arith_op, a, b, dst, AluOp::subtract, 3));
  EXPECT_EQ(flags(word), kInvalid | kOverflow);
  bench.put(a, 1, {1, 1});
  bench.put(b, 2, {3e38F, 1});
  bench.put(b, 1, {1, 1});
  EXPECT_EQ(flags(word), kNone);
  // All partitions are operands of the one channel that CrossLaneReduce writes.
  const auto sum = isa::encode(
      bench.build().cross_lane_reduce(Opcode::cross_lane_reduce_arith_op, a, row(sbuf(0, 0x80), 2), 0, 1, 3));
  EXPECT_EQ(flags(sum), kNone);
  bench.put(a, 0, {3e38F, 1});
  EXPECT_EQ(flags(sum), kOverflow);
  bench.put(a, 1, {NAN, 1});
  EXPECT_EQ(flags(sum), kNone);
}

// Counts of 1 and -1 add up to nothing; two of 1 lie too far apart for the variance.
TEST_F(FpStatusTest, AggregateDividesByTheRunningCount) {
  const auto flags_of = [](const std::vector<float>& triples) {
    isa::S4D2Bn word;
    word.header.opcode = isa::code(Opcode::batch_norm_aggregate);
    word.src = isa::contiguous_tensor<4>({0}, static_cast<std::uint16_t>(triples.size()));
    word.dst = isa::contiguous_tensor<2>({0x100}, 2);
    word.in_dtype = word.out_dtype = Dtype::fp32;
    word.num_active_channels = 1;
    execute::Core core{execute::CoreConfig{}};
    std::vector<isa::Finding> findings;
    const auto plan = core.plan(isa::encode(word), execute::Registers{}, findings);
    return core.compute(*plan, {golden::store_elements(triples, golden::Dtype::fp32, {})}, {}).fp_status.bits;
  };
  EXPECT_EQ(flags_of({1, 0, 0, 1, 2, 0}), kNone);
  EXPECT_EQ(flags_of({1, 0, 0, -1, 1, 0}), kZero | kInvalid);
  EXPECT_EQ(flags_of({1, 0, 0, 1, 3e38F, 0}), kOverflow);
}

TEST_F(FpStatusTest, SaturatingConversionsRaiseNothing) {
  golden::TensorOptions options;
  options.elements.narrow_saturate = true;
  bench = SideBySide(Generation::cayman, options);
  EXPECT_EQ(copies(Opcode::cast, {1e5F}, Dtype::fp16), kNone);
  EXPECT_EQ(copies(Opcode::reciprocal, {0}, Dtype::fp16), kNone);
  EXPECT_EQ(copies(Opcode::reciprocal, {0}, Dtype::fp32), kZero);
}

}  // namespace fp_status_test
}  // namespace dve::execute_test
