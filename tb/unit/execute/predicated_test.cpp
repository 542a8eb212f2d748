// CopyPredicated 0x72 and CastPredicated 0x99 against the golden (isa.md 12).
#include "side_by_side.h"

namespace dve::execute_test {
namespace predicated_test {

using namespace testing_support;
using isa::AluOp;
using isa::Dtype;
using isa::Opcode;

isa::Word predicated(const SideBySide& bench, Opcode opcode, const TensorSpec& predicate, const TensorSpec& src,
                     const TensorSpec& dst, std::uint8_t channels) {
  return isa::encode(bench.build().tensor_tensor(opcode, predicate, src, dst, AluOp::bypass, channels));
}

// Predicates of which about half are zero, some with zero low bytes.
void put_predicates(SideBySide& bench, Dtype dtype, std::uint64_t seed) {
  Rng random(seed);
  const std::size_t size = isa::storage_size(dtype).value;
  for (std::uint32_t p = 0; p < 8; ++p) {
    std::vector<std::uint8_t> bytes;
    for (std::uint32_t i = 0; i < 64; ++i) {
      const std::size_t set = random() % 2 == 0 ? size : random() % size;  // the byte that is not zero; size: none
      for (std::size_t b = 0; b < size; ++b)
        bytes.push_back(static_cast<std::uint8_t>(b == set ? 1U << (random() % 8) : 0U));
    }
    bench.put_bytes(sbuf(p, 0), bytes);
  }
}

TEST(Predicated, CopiesOfEveryCombinationOfDtypes) {
  SideBySide bench;
  for (const Dtype predicate : kPredicateDtypes) {
    for (const Dtype dtype : kPlainDtypes) {
      bench.fill(isa::code(predicate) * 16U + isa::code(dtype));
      put_predicates(bench, predicate, isa::code(dtype));
      EXPECT_TRUE(bench.legal_and_same(predicated(bench, Opcode::copy_predicated, row(sbuf(0, 0), 64, predicate),
                                                  row(sbuf(0, 0x400), 64, dtype), row(sbuf(0, 0x800), 64, dtype), 8)))
          << isa::name(predicate) << ' ' << isa::name(dtype);
    }
  }
}

TEST(Predicated, CastsOfEveryCombinationOfDtypes) {
  SideBySide bench;
  for (const Dtype predicate : kPredicateDtypes) {
    bench.fill(isa::code(predicate));
    put_predicates(bench, predicate, 1);
    for (const Dtype in : kPlainDtypes) {
      for (const Dtype out : kPlainDtypes)
        ASSERT_TRUE(bench.legal_and_same(predicated(bench, Opcode::cast_predicated, row(sbuf(0, 0), 64, predicate),
                                                    row(sbuf(0, 0x400), 64, in), row(sbuf(0, 0x800), 64, out), 8)))
            << isa::name(predicate) << ' ' << isa::name(in) << ' ' << isa::name(out);
    }
  }
}

TEST(Predicated, KeepsEveryBitOfWhatItDoesNotWrite) {
  SideBySide bench;
  const TensorSpec predicate = row(sbuf(0, 0), 4, Dtype::uint8), src = row(sbuf(0, 0x40), 4),
                   dst = row(sbuf(0, 0x80), 4);
  bench.put_bytes(sbuf(0, 0), {0, 1, 0, 0});
  bench.put_bytes(sbuf(0, 0x44), {0x01, 0x00, 0x80, 0x7F});                          // a signalling NaN, copied
  bench.put_bytes(sbuf(0, 0x80), {0x02, 0x00, 0x80, 0xFF, 0, 0, 0, 0, 1, 2, 3, 4});  // another one, kept
  EXPECT_TRUE(bench.legal_and_same(predicated(bench, Opcode::copy_predicated, predicate, src, dst, 1)));
  bench.put_bytes(sbuf(0, 0), {0, 0, 0, 0});
  EXPECT_TRUE(bench.legal_and_same(predicated(bench, Opcode::cast_predicated, predicate, src, dst, 1)));
}

TEST(Predicated, EveryShapeAndPlace) {
  SideBySide bench;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Rng random(seed);
    if (seed % 16 == 0) bench.fill(seed);
    const auto channels = static_cast<std::uint8_t>(seed % 8 == 0 ? 128 : 1 + below(random, 128));
    const std::uint32_t from = random_partition(random, channels);
    const auto counts = random_counts(random, 150, 3);
    const bool cast = random() % 2 == 0;
    const TensorSpec predicate = random_source(random, counts, pick(random, kPredicateDtypes),
                                               {random() % 3 == 0 ? psum(from, 0) : sbuf(from, 0), 0x800});
    const TensorSpec src = random_source(random, counts, pick(random, kPlainDtypes), {sbuf(from, 0x800), 0x800});
    TensorSpec dst = random_destination(random, counts, cast ? pick(random, kPlainDtypes) : src.dtype,
                                        {sbuf(random_partition(random, channels), 0), 0x1800});
    if (random() % 4 == 0) dst.place = src.place, dst.dtype = src.dtype, dst.steps = src.steps;
    ASSERT_TRUE(bench.legal_and_same(
        predicated(bench, cast ? Opcode::cast_predicated : Opcode::copy_predicated, predicate, src, dst, channels)))
        << "seed " << seed;
  }
}

// Several elements in one place: the last that is written stays, and one that is not written leaves it alone.
TEST(Predicated, ElementsInOnePlace) {
  SideBySide bench;
  const TensorSpec predicate = row(sbuf(0, 0), 4, Dtype::uint8), src = row(sbuf(0, 0x40), 4);
  bench.put(src, 0, {1, 2, 3, 4});
  for (const Opcode opcode : {Opcode::copy_predicated, Opcode::cast_predicated}) {
    for (unsigned bits = 0; bits < 16; ++bits) {
      bench.put(row(sbuf(0, 0x80), 2), 0, {8, 9});
      std::vector<std::uint8_t> predicates;
      for (unsigned i = 0; i < 4; ++i) predicates.push_back((bits >> i) & 1U);
      bench.put_bytes(sbuf(0, 0), predicates);
      EXPECT_TRUE(
          bench.legal_and_same(predicated(bench, opcode, predicate, src, {sbuf(0, 0x80), Dtype::fp32, {4}, {0}}, 1)))
          << bits;
      EXPECT_TRUE(bench.legal_and_same(
          predicated(bench, opcode, predicate, src, {sbuf(0, 0x80), Dtype::fp32, {2, 2}, {1, 0}}, 1)))
          << bits;
    }
  }
}

TEST(Predicated, UnequalCountsAreClipped) {
  SideBySide bench;
  const std::uint16_t lengths[] = {5, 9, 14};
  for (const std::uint16_t a : lengths) {
    for (const std::uint16_t b : lengths) {
      for (const std::uint16_t d : lengths) {
        bench.fill(a * 1000U + b * 100U + d);
        EXPECT_TRUE(bench.same(predicated(bench, Opcode::copy_predicated, row(sbuf(0, 0), a, Dtype::int8),
                                          row(sbuf(0, 0x100), b), row(sbuf(0, 0x200), d), 3)))
            << a << ' ' << b << ' ' << d;
      }
    }
  }
}

TEST(Predicated, RefusesPredicatesThatAreNoIntegers) {
  const SideBySide bench;
  for (const Opcode opcode : {Opcode::copy_predicated, Opcode::cast_predicated}) {
    EXPECT_EQ(bench.refusal(predicated(bench, opcode, row(sbuf(0, 0), 4, Dtype::fp32), row(sbuf(0, 0x40), 4),
                                       row(sbuf(0, 0x80), 4), 1)),
              "unsupported_operation in0_in1_dtype.lo");
  }
}

}  // namespace predicated_test
}  // namespace dve::execute_test
