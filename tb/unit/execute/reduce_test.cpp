// TensorReduce 0x42 against the golden (isa-neighbours.md 6).
#include "side_by_side.h"

namespace dve::execute_test {
namespace reduce_test {

using namespace testing_support;
using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;

// 3 x 2 x 4 x 5 elements, of which the first `folded` dimensions fold.
isa::S4D4Tr fold(const SideBySide& bench, AluOp op, unsigned folded, Dtype in, Dtype out) {
  const TensorSpec src{sbuf(32, 0), in, {3, 2, 4, 5}, {1, 3, 6, 24}};
  constexpr std::uint16_t results[] = {120, 40, 20, 5, 1};
  return bench.build().tensor_reduce(Opcode::tensor_reduce_arith_op, src, row(sbuf(0, 0x800), results[folded], out), op,
                                     folded, 4);
}

int operations(Generation generation, Engine engine) {
  SideBySide bench(generation);
  int executed = 0;
  for (int code = 0; code < 256; ++code) {
    const auto op = static_cast<AluOp>(code);
    bool some = false;
    bench.fill(static_cast<std::uint64_t>(code));
    for (const Dtype dtype : {Dtype::fp32, Dtype::int32, Dtype::uint32, Dtype::int64, Dtype::uint64}) {
      for (unsigned folded = 1; folded <= 4; ++folded) {
        auto word = fold(bench, op, folded, dtype, dtype);
        word.negated = static_cast<std::uint8_t>(folded % 2);
        if (!bench.legal(isa::encode(word), engine)) continue;
        EXPECT_TRUE(bench.same(isa::encode(word))) << isa::name(op) << ' ' << isa::name(dtype) << ' ' << folded;
        some = true;
      }
    }
    executed += some;
  }
  return executed;
}

TEST(TensorReduce, EveryOperationOfEveryGeneration) {
  EXPECT_EQ(operations(Generation::sunda, Engine::dve), 17);
  EXPECT_EQ(operations(Generation::cayman, Engine::dve), 17);
  EXPECT_EQ(operations(Generation::mariana, Engine::dve), 21);
  EXPECT_EQ(operations(Generation::maverick, Engine::dve), 22);
  EXPECT_EQ(operations(Generation::sunda, Engine::pool), 4);
  EXPECT_EQ(operations(Generation::cayman, Engine::pool), 26);
  EXPECT_EQ(operations(Generation::maverick, Engine::pool), 26);
}

TEST(TensorReduce, EveryCombinationOfDtypes) {
  SideBySide bench;
  constexpr AluOp ops[] = {AluOp::add, AluOp::max, AluOp::mult, AluOp::subtract, AluOp::logical_or, AluOp::min};
  std::size_t round = 0;
  for (const Dtype in : kPlainDtypes) {
    for (const Dtype out : kOutputDtypes) {
      bench.fill(round);
      for (const std::uint8_t negated : Codes{0, 1}) {
        auto word = fold(bench, ops[round % std::size(ops)], static_cast<unsigned>(1 + round % 4), in, out);
        word.negated = negated;
        ++round;
        ASSERT_TRUE(bench.legal_and_same(isa::encode(word))) << isa::name(in) << ' ' << isa::name(out);
      }
    }
  }
}

// Order matters: subtraction, and sums that lose small terms when they come late.
TEST(TensorReduce, FoldsFromTheLeft) {
  SideBySide bench;
  const TensorSpec src{sbuf(0, 0), Dtype::fp32, {3, 2}, {1, 3}}, dst = row(sbuf(0, 0x100), 2);
  bench.put(src, 0, {16777216, 1, 1, 1, 1, 16777216});
  const auto run = [&](AluOp op, std::uint8_t negated) {
    auto word = bench.build().tensor_reduce(Opcode::tensor_reduce_arith_op, src, dst, op, 1, 1);
    word.negated = negated;
    EXPECT_TRUE(bench.legal_and_same(isa::encode(word)));
    return bench.get(dst, 0);
  };
  EXPECT_EQ(run(AluOp::add, 0), (std::vector<float>{16777216, 16777218}));
  EXPECT_EQ(run(AluOp::subtract, 0), (std::vector<float>{16777214, -16777216}));
  EXPECT_EQ(run(AluOp::subtract, 1), (std::vector<float>{-16777214, 16777216}));
}

TEST(TensorReduce, EveryShapeAndPlace) {
  SideBySide bench;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Rng random(seed);
    if (seed % 16 == 0) bench.fill(seed);
    const auto channels = static_cast<std::uint8_t>(seed % 8 == 0 ? 128 : 1 + below(random, 128));
    const auto counts = random_counts(random, 300, 4);
    const unsigned folded = 1 + below(random, 4);
    const std::uint32_t from = random_partition(random, channels);
    const TensorSpec src = random_source(random, counts, pick(random, kPlainDtypes),
                                         {random() % 3 == 0 ? psum(from, 0) : sbuf(from, 0), 0x1000});
    std::vector<std::uint16_t> kept(counts.begin() + folded, counts.end());
    if (kept.empty()) kept = {1};
    const TensorSpec dst = random_destination(random, kept, pick(random, kOutputDtypes),
                                              {sbuf(random_partition(random, channels), 0), 0x1000});
    constexpr AluOp ops[] = {AluOp::add, AluOp::mult, AluOp::max};
    auto word =
        bench.build().tensor_reduce(Opcode::tensor_reduce_arith_op, src, dst, pick(random, ops), folded, channels);
    word.negated = static_cast<std::uint8_t>(below(random, 2));
    ASSERT_TRUE(bench.legal_and_same(isa::encode(word))) << "seed " << seed;
  }
}

TEST(TensorReduce, DestinationTakesWhatItHasRoomFor) {
  SideBySide bench;
  for (const std::uint16_t room : Counts{1, 7, 40, 55}) {
    bench.fill(room);
    auto word = fold(bench, AluOp::add, 1, Dtype::fp16, Dtype::fp32);
    word.dst.num_elem[0] = room;
    EXPECT_TRUE(bench.same(isa::encode(word))) << room;
  }
}

TEST(TensorReduce, IntegersOfEveryWidthAndDivisionByZero) {
  SideBySide bench;
  for (const Dtype in : kIntegerDtypes) {
    for (const Dtype out : kIntegerDtypes) {
      bench.fill(isa::code(in) * 16U + isa::code(out));
      for (const AluOp op : {AluOp::add_int, AluOp::mult_int, AluOp::abs_max_int, AluOp::max_uint, AluOp::mod_int}) {
        auto word = fold(bench, op, 2, in, out);
        word.negated = isa::code(out) % 2;
        EXPECT_TRUE(bench.same(isa::encode(word))) << isa::name(op) << ' ' << isa::name(in) << ' ' << isa::name(out);
      }
    }
  }
  auto word = fold(bench, AluOp::divide_int, 2, Dtype::int32, Dtype::int32);
  for (std::uint32_t c = 0; c < 4; ++c) bench.put(row(sbuf(32, 0), 120, Dtype::int32), c, std::vector<float>(120, 3));
  EXPECT_TRUE(bench.legal_and_same(isa::encode(word), Engine::pool));
  EXPECT_TRUE(bench.faults().empty());
  bench.put(row(sbuf(32, 4 * 65), 1, Dtype::int32), 2, {0});  // inside a run
  EXPECT_TRUE(bench.legal_and_same(isa::encode(word), Engine::pool));
  ASSERT_EQ(bench.faults().size(), 1U);
  EXPECT_EQ(bench.faults()[0].predicate, "integer_divide_by_zero");
  bench.put(row(sbuf(32, 4 * 65), 1, Dtype::int32), 2, {3});
  bench.put(row(sbuf(32, 4 * 66), 1, Dtype::int32), 2, {0});  // the first of a run: a dividend
  EXPECT_TRUE(bench.legal_and_same(isa::encode(word), Engine::pool));
  EXPECT_TRUE(bench.faults().empty());
}

TEST(TensorReduce, EveryCodeIsRefusedOrComputed) {
  SideBySide bench;
  bench.fill(8);
  for (int code = 0; code < 256; ++code) {
    for (const Dtype dtype : {Dtype::fp32, Dtype::int32, Dtype::uint8, Dtype::int64}) {
      const auto word = isa::encode(fold(bench, static_cast<AluOp>(code), 2, dtype, dtype));
      if (!bench.refusal(word).empty()) continue;
      EXPECT_TRUE(bench.same(word)) << code << ' ' << isa::name(dtype);
    }
  }
}

TEST(TensorReduce, RefusesWhatHasNoDefinition) {
  const SideBySide bench;
  for (const int code : {0x01, 0x1C, 0x1E, 0xDE, 0xE1, 0xFF}) {
    EXPECT_EQ(bench.refusal(isa::encode(fold(bench, static_cast<AluOp>(code), 1, Dtype::int32, Dtype::int32))),
              "unsupported_operation op")
        << code;
  }
  EXPECT_EQ(bench.refusal(isa::encode(fold(bench, AluOp::add_int, 1, Dtype::fp32, Dtype::fp32))),
            "unsupported_operation op");
  auto word = fold(bench, AluOp::add, 1, Dtype::fp32, Dtype::fp32);
  for (const std::uint8_t op_dim : Codes{0, 1, 6, 255}) {
    word.op_dim = op_dim;
    EXPECT_EQ(bench.refusal(isa::encode(word)), "unsupported_operation op_dim") << int{op_dim};
  }
  word.op_dim = 2;
  word.mask_enable = 1;
  EXPECT_EQ(bench.refusal(isa::encode(word)), "unsupported_operation mask_enable");
}

}  // namespace reduce_test
}  // namespace dve::execute_test
