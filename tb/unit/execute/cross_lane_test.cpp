// CrossLaneReduce 0x7C and 0x7D against the golden (isa-neighbours.md 8).
#include "side_by_side.h"

namespace dve::execute_test {
namespace cross_lane_test {

using namespace testing_support;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;

constexpr std::uint8_t kAll = 0, kPartitions = 1;
constexpr std::uint8_t kAdd = 0, kAverage = 1, kMax = 2, kOr = 3, kXor = 5;
constexpr std::uint8_t kLaneCounts[] = {1, 2, 3, 5, 31, 32, 33, 64, 100, 127, 128};

golden::TensorOptions order(bool tree) {
  golden::TensorOptions options;
  options.clr_tree = tree;
  return options;
}

isa::S4D4Cr fold(const SideBySide& bench, std::uint8_t op, std::uint8_t axis, Dtype in, Dtype out, std::uint8_t lanes) {
  const Opcode opcode = op < kOr ? Opcode::cross_lane_reduce_arith_op : Opcode::cross_lane_reduce_bitvec_op;
  const auto results = static_cast<std::uint16_t>(axis == kAll ? 1 : 12);
  auto word = bench.build().cross_lane_reduce(opcode, row(sbuf(0, 0x20), 12, in), row(sbuf(32, 0x400), results, out),
                                              op, axis, lanes);
  if (op == kAverage) word.scale_bits = golden::bits_of_float(1.0F / static_cast<float>(lanes));
  return word;
}

TEST(CrossLaneReduce, EveryOperationAxisOrderAndNumberOfPartitions) {
  for (const bool tree : {false, true}) {
    SideBySide bench(Generation::cayman, order(tree));
    for (const std::uint8_t lanes : kLaneCounts) {
      bench.fill(lanes);
      for (std::uint8_t op = kAdd; op <= kXor; ++op) {
        for (const std::uint8_t axis : {kAll, kPartitions}) {
          for (const Dtype dtype : {Dtype::fp32, Dtype::int32, Dtype::bf16}) {
            if (op >= kOr && dtype != Dtype::int32) continue;
            EXPECT_TRUE(bench.legal_and_same(isa::encode(fold(bench, op, axis, dtype, dtype, lanes)), Engine::pool))
                << "op " << int{op} << ", axis " << int{axis} << ", " << int{lanes} << " partitions, "
                << isa::name(dtype) << (tree ? ", tree" : "");
          }
        }
      }
    }
  }
}

// Only finite terms: no NaN hides a wrong sum.
TEST(CrossLaneReduce, SumsOfFiniteTermsInBothOrders) {
  for (const bool tree : {false, true}) {
    SideBySide bench(Generation::cayman, order(tree));
    Rng random(11);
    for (std::uint32_t p = 0; p < isa::kPartitions; ++p) {
      std::vector<float> values(12);
      for (float& v : values) v = static_cast<float>(static_cast<double>(random() >> 12U) * 0x1p-52 - 0.5);
      bench.put(row(sbuf(0, 0x20), 12), p, values);
    }
    for (const std::uint8_t lanes : kLaneCounts) {
      for (const std::uint8_t op : {kAdd, kAverage}) {
        for (const std::uint8_t axis : {kAll, kPartitions}) {
          EXPECT_TRUE(
              bench.legal_and_same(isa::encode(fold(bench, op, axis, Dtype::fp32, Dtype::fp32, lanes)), Engine::pool))
              << "op " << int{op} << ", axis " << int{axis} << ", " << int{lanes} << (tree ? ", tree" : "");
        }
      }
    }
  }
}

TEST(CrossLaneReduce, EveryCombinationOfDtypes) {
  SideBySide bench;
  for (const Dtype in : kPlainDtypes) {
    for (const Dtype out : kOutputDtypes) {
      bench.fill(isa::code(in) * 16U + isa::code(out));
      for (const std::uint8_t op : {kAdd, kAverage, kMax}) {
        for (const std::uint8_t axis : {kAll, kPartitions})
          ASSERT_TRUE(bench.legal_and_same(isa::encode(fold(bench, op, axis, in, out, 9)), Engine::pool))
              << int{op} << ' ' << isa::name(in) << ' ' << isa::name(out);
      }
    }
  }
  for (const Dtype dtype : kPredicateDtypes) {
    for (std::uint8_t op = kOr; op <= kXor; ++op) {
      for (const std::uint8_t axis : {kAll, kPartitions})
        ASSERT_TRUE(bench.legal_and_same(isa::encode(fold(bench, op, axis, dtype, dtype, 9)), Engine::pool))
            << int{op} << ' ' << isa::name(dtype);
    }
  }
}

TEST(CrossLaneReduce, MaximumPrefersNumbers) {
  for (const bool tree : {false, true}) {
    SideBySide bench(Generation::cayman, order(tree));
    const TensorSpec src = row(sbuf(0, 0x20), 12);
    for (std::uint32_t p = 0; p < 7; ++p) bench.put(src, p, std::vector<float>(12, NAN));
    const auto maximum = [&] {
      EXPECT_TRUE(
          bench.legal_and_same(isa::encode(fold(bench, kMax, kPartitions, Dtype::fp32, Dtype::fp32, 7)), Engine::pool));
      return bench.get(row(sbuf(32, 0x400), 1), 0)[0];
    };
    EXPECT_TRUE(std::isnan(maximum()));
    for (std::uint32_t p = 0; p < 7; ++p) {
      bench.put(src, p, {-5});
      EXPECT_EQ(maximum(), -5.0F) << p;
      bench.put(src, p, {NAN});
    }
  }
}

TEST(CrossLaneReduce, EveryShapeAndPlace) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Rng random(seed);
    SideBySide bench(Generation::cayman, order(seed % 2 == 0));
    bench.fill(seed);
    const auto lanes = static_cast<std::uint8_t>(1 + below(random, 128));
    const bool all = random() % 2 == 0;
    const auto counts = random_counts(random, 60, 4);
    const TensorSpec src =
        random_source(random, counts, pick(random, kPlainDtypes), {sbuf(random_partition(random, lanes), 0), 0x800});
    // Possibly over the source itself, in any of the four partitions.
    const TensorSpec dst =
        random_destination(random, all ? std::vector<std::uint16_t>{1} : counts, pick(random, kOutputDtypes),
                           {sbuf(32 * below(random, 4), random() % 2 == 0 ? 0 : 0x800), 0x1000});
    auto word =
        bench.build().cross_lane_reduce(Opcode::cross_lane_reduce_arith_op, src, dst,
                                        static_cast<std::uint8_t>(below(random, 3)), all ? kAll : kPartitions, lanes);
    word.scale_bits = golden::bits_of_float(0.1F);
    ASSERT_TRUE(bench.legal_and_same(isa::encode(word), Engine::pool)) << "seed " << seed;
  }
}

TEST(CrossLaneReduce, UnequalCountsAreClipped) {
  SideBySide bench;
  for (const std::uint8_t op : {kAdd, kXor}) {
    for (const std::uint8_t axis : {kAll, kPartitions}) {
      for (const std::uint16_t room : Counts{1, 5, 12, 20}) {
        bench.fill(room);
        auto word = fold(bench, op, axis, Dtype::int16, Dtype::int16, 6);
        word.dst.num_elem[0] = room;
        EXPECT_TRUE(bench.same(isa::encode(word))) << int{op} << ' ' << int{axis} << ' ' << room;
      }
    }
  }
}

TEST(CrossLaneReduce, RefusesWhatHasNoDefinition) {
  const SideBySide bench;
  auto word = fold(bench, kAdd, kAll, Dtype::int32, Dtype::int32, 4);
  for (const std::uint8_t op : Codes{3, 5, 6, 255}) {
    word.reduce_op = op;
    EXPECT_EQ(bench.refusal(isa::encode(word)), "unsupported_operation reduce_op") << int{op};
  }
  word.reduce_op = kAdd;
  word.reduce_axis = 2;
  EXPECT_EQ(bench.refusal(isa::encode(word)), "unsupported_operation reduce_axis");
  word = fold(bench, kOr, kAll, Dtype::int32, Dtype::int32, 4);
  for (const std::uint8_t op : Codes{0, 2, 6}) {
    word.reduce_op = op;
    EXPECT_EQ(bench.refusal(isa::encode(word)), "unsupported_operation reduce_op") << int{op};
  }
  EXPECT_EQ(bench.refusal(isa::encode(fold(bench, kOr, kAll, Dtype::fp32, Dtype::fp32, 4))),
            "unsupported_operation in_dtype");
}

}  // namespace cross_lane_test
}  // namespace dve::execute_test
