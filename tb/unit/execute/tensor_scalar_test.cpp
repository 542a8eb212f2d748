// TensorScalar 0x43 and 0x53 against the golden (isa-neighbours.md 2).
#include "side_by_side.h"

namespace dve::execute_test {
namespace tensor_scalar_test {

using namespace testing_support;
using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;

constexpr std::uint8_t kChannels = 5;

// The three sources of an immediate; pointers lead to a different value in every partition.
Immediate immediate(SideBySide& bench, std::uint32_t which, std::uint32_t slot, std::uint32_t bits) {
  const isa::Place place = sbuf(32, 0x700 + 8 * slot);
  if (which == 0) return literal_bits(bits);
  if (which == 1) return pointer_to(place);
  bench.registers[10 + slot] = isa::address_of(place, bench.generation()).raw;
  return pointer_in(isa::RegisterIndex{static_cast<std::uint8_t>(10 + slot)});
}

struct Form {
  Opcode opcode = Opcode::tensor_scalar_arith_op;
  Dtype in = Dtype::fp32, out = Dtype::fp32;
  AluOp op0 = AluOp::bypass, op1 = AluOp::bypass;
  std::uint8_t reverse = 0;
  std::uint32_t sources = 0;  // of both immediates, 0 to 8
  std::uint32_t bits0 = 0, bits1 = 0;
};

isa::Word word_of(SideBySide& bench, const Form& form) {
  auto word = bench.build().tensor_scalar(
      form.opcode, row(sbuf(32, 0), 24, form.in), row(sbuf(64, 0x400), 24, form.out),
      immediate(bench, form.sources % 3, 0, form.bits0), immediate(bench, form.sources / 3, 1, form.bits1), kChannels);
  word.op0 = form.op0;
  word.op1 = form.op1;
  word.reverse_operands = form.reverse;
  return isa::encode(word);
}

void put_scalars(SideBySide& bench) {
  for (std::uint32_t c = 0; c < kChannels; ++c) {
    bench.put(row(sbuf(32, 0x700), 1), c, {1.5F - static_cast<float>(c)});
    bench.put(row(sbuf(32, 0x708), 1), c, {0.3F * static_cast<float>(c)});
  }
}

// Every pair that is legal, with all orders of operands and all sources of scalars taking turns.
int pairs_of_operations(Generation generation) {
  SideBySide bench(generation);
  std::uint32_t round = 0;
  int executed = 0;
  for (const AluOp op0 : isa::named_alu_ops()) {
    for (const AluOp op1 : isa::named_alu_ops()) {
      if (!isa::is_general_arith_op(op0, generation) || !isa::is_general_arith_op(op1, generation)) continue;
      if (round % 16 == 0) {
        bench.fill(round);
        put_scalars(bench);
      }
      for (std::uint8_t reverse = 0; reverse < 4; ++reverse) {
        Form form;
        form.op0 = op0;
        form.op1 = op1;
        form.reverse = reverse;
        form.sources = round++ % 9;
        form.bits0 = 0x40490FDB;  // pi
        form.bits1 = 0xBEAAAAAB;  // -1/3
        const isa::Word word = word_of(bench, form);
        if (!bench.legal(word, Engine::dve)) continue;
        EXPECT_TRUE(bench.same(word)) << isa::name(op0) << ' ' << isa::name(op1) << " reverse " << int{reverse};
        ++executed;
      }
    }
  }
  return executed;
}

TEST(TensorScalar, EveryPairOfOperationsOfEveryGeneration) {
  // Any first operation but bypass with any second one, and bypass twice.
  EXPECT_EQ(pairs_of_operations(Generation::sunda), 4 * (16 * 17 + 1));
  EXPECT_EQ(pairs_of_operations(Generation::mariana), 4 * (20 * 21 + 1));
  EXPECT_EQ(pairs_of_operations(Generation::maverick), 4 * (21 * 22 + 1));
}

TEST(TensorScalar, EveryCombinationOfDtypes) {
  SideBySide bench;
  constexpr std::pair<AluOp, AluOp> ops[] = {{AluOp::mult, AluOp::add},      {AluOp::subtract, AluOp::mult},
                                             {AluOp::max, AluOp::min},       {AluOp::is_gt, AluOp::bypass},
                                             {AluOp::bypass, AluOp::bypass}, {AluOp::absolute_value, AluOp::subtract}};
  std::uint32_t round = 0;
  for (const Dtype in : kPlainDtypes) {
    for (const Dtype out : kOutputDtypes) {
      bench.fill(round);
      put_scalars(bench);
      for (const auto& [op0, op1] : ops) {
        Form form;
        form.in = in;
        form.out = out;
        form.op0 = op0;
        form.op1 = op1;
        form.reverse = static_cast<std::uint8_t>(round % 4);
        form.sources = round++ % 9;
        form.bits0 = 0x3FC00000;
        form.bits1 = 0xC2F70000;
        ASSERT_TRUE(bench.legal_and_same(word_of(bench, form)))
            << isa::name(in) << ' ' << isa::name(out) << ' ' << isa::name(op0) << ' ' << isa::name(op1);
      }
    }
  }
  EXPECT_EQ(round, 12U * 13 * 6);
}

TEST(TensorScalar, EveryPairOfBitOperations) {
  SideBySide bench;
  std::uint32_t round = 0;
  int executed = 0;
  for (const AluOp op0 : isa::named_alu_ops()) {
    for (const AluOp op1 : isa::named_alu_ops()) {
      if (!isa::is_general_bitvec_op(op0) || !isa::is_general_bitvec_op(op1)) continue;
      for (const Dtype dtype : kPredicateDtypes) {
        if (round % 32 == 0) bench.fill(round);
        Form form{Opcode::tensor_scalar_bitvec_op, dtype, dtype, op0, op1};
        form.reverse = static_cast<std::uint8_t>(round / 9 % 4);
        form.sources = round++ % 9;
        form.bits0 = isa::is_shift_op(op0) ? 3 : 0x5A;
        form.bits1 = isa::is_shift_op(op1) ? 5 : 0xC3;
        const isa::Word word = word_of(bench, form);
        if (!bench.legal(word, Engine::dve)) continue;
        ASSERT_TRUE(bench.same(word)) << isa::name(op0) << ' ' << isa::name(op1) << ' ' << isa::name(dtype);
        ++executed;
      }
    }
  }
  // 73 pairs with 4-byte dtypes; with the others all without arithmetic right shift (17) and not left then right (2).
  EXPECT_EQ(executed, 2 * 73 + 4 * (73 - 16 - 2));
}

// Every byte of data against every byte of scalar: 256 elements a partition, 128 scalars a word.
TEST(TensorScalar, BitOperationsOfAllPairsOfBytes) {
  SideBySide bench;
  for (std::uint32_t half = 0; half < 2; ++half) {
    for (std::uint32_t p = 0; p < isa::kPartitions; ++p) {
      std::vector<std::uint8_t> data(256);
      for (std::uint32_t i = 0; i < 256; ++i) data[i] = static_cast<std::uint8_t>(i);
      bench.put_bytes(sbuf(p, 0), data);
      bench.put_bytes(sbuf(p, 0x200), {static_cast<std::uint8_t>(128 * half + p)});
    }
    for (const AluOp op : isa::named_alu_ops()) {
      if (!isa::is_general_bitvec_op(op) || op == AluOp::arith_shift_right) continue;
      for (const std::uint8_t reverse : Codes{0, 1}) {
        auto word = bench.build().tensor_scalar(Opcode::tensor_scalar_bitvec_op, row(sbuf(0, 0), 256, Dtype::uint8),
                                                row(sbuf(0, 0x400), 256, Dtype::uint8), pointer_to(sbuf(0, 0x200)),
                                                literal_bits(0), 128);
        word.op0 = op;
        word.reverse_operands = reverse;
        ASSERT_TRUE(bench.legal_and_same(isa::encode(word))) << isa::name(op) << " half " << half;
      }
    }
  }
}

TEST(TensorScalar, ProductAndSumRoundTogetherWhenFused) {
  golden::TensorOptions options;
  options.scalar_fused = true;
  SideBySide fused(Generation::cayman, options), separate;
  for (SideBySide* bench : {&fused, &separate}) {
    for (std::uint8_t reverse = 0; reverse < 4; ++reverse) {
      for (const AluOp op1 : {AluOp::add, AluOp::subtract, AluOp::max}) {
        bench->fill(reverse);
        put_scalars(*bench);
        Form form;
        form.op0 = AluOp::mult;
        form.op1 = op1;
        form.reverse = reverse;
        form.sources = 4;
        EXPECT_TRUE(bench->legal_and_same(word_of(*bench, form))) << isa::name(op1) << int{reverse};
      }
    }
  }
  // 1 + 2^-12, squared, less 1 + 2^-11: 2^-24 only with one rounding.
  for (SideBySide* bench : {&fused, &separate}) {
    bench->put(row(sbuf(32, 0), 1), 0, {1.00024414F});
    Form form;
    form.op0 = AluOp::mult;
    form.op1 = AluOp::subtract;
    form.bits0 = 0x3F800800;
    form.bits1 = 0x3F801000;
    EXPECT_TRUE(bench->legal_and_same(word_of(*bench, form)));
    EXPECT_EQ(bench->get(row(sbuf(64, 0x400), 1), 0)[0], bench == &fused ? 0x1p-24F : 0.0F);
  }
}

TEST(TensorScalar, FormsOfPoolAndAct) {
  SideBySide bench;
  bench.fill(6);
  put_scalars(bench);
  for (const Dtype in : kPlainDtypes) {
    for (const Dtype out : kOutputDtypes) {
      Form form;
      form.in = in;
      form.out = out;
      form.op0 = AluOp::rsqrt;
      ASSERT_TRUE(bench.legal_and_same(word_of(bench, form), Engine::pool)) << isa::name(in) << ' ' << isa::name(out);
    }
  }
  for (const auto& [op0, op1] : {std::pair{AluOp::mult, AluOp::add}, std::pair{AluOp::mult, AluOp::bypass},
                                 std::pair{AluOp::add, AluOp::bypass}}) {
    for (std::uint32_t sources = 0; sources < 9; ++sources) {
      Form form;
      form.op0 = op0;
      form.op1 = op1;
      form.sources = sources;
      form.bits0 = 0x3FC00000;
      form.bits1 = 0xC2F70000;
      EXPECT_TRUE(bench.legal_and_same(word_of(bench, form), Engine::act)) << sources;
    }
  }
}

TEST(TensorScalar, EveryShapeAndPlace) {
  SideBySide bench;
  for (unsigned seed = 0; seed < 200; ++seed) {
    Rng random(seed);
    if (seed % 16 == 0) bench.fill(seed);
    const auto channels = static_cast<std::uint8_t>(seed % 8 == 0 ? 128 : 1 + below(random, 128));
    const auto counts = random_counts(random, 200, 3);
    const std::uint32_t from = random_partition(random, channels);
    const TensorSpec src = random_source(random, counts, pick(random, kPlainDtypes),
                                         {random() % 3 == 0 ? psum(from, 0) : sbuf(from, 0), 0x1000});
    TensorSpec dst = random_destination(random, counts, pick(random, kPlainDtypes),
                                        {sbuf(random_partition(random, channels), 0), 0x1000});
    if (random() % 4 == 0) dst = src;
    // Scalars from either memory and from partitions of their own, one of them possibly inside the destination.
    const Immediate scalar0 = pointer_to(sbuf(random_partition(random, channels), 4 * below(random, 0x400)));
    const Immediate scalar1 = pointer_to(psum(random_partition(random, channels), 4 * below(random, 0x400)));
    auto word = bench.build().tensor_scalar(Opcode::tensor_scalar_arith_op, src, dst, scalar0, scalar1, channels);
    word.op0 = AluOp::subtract;
    word.op1 = AluOp::mult;
    word.reverse_operands = static_cast<std::uint8_t>(below(random, 4));
    ASSERT_TRUE(bench.same(isa::encode(word))) << "seed " << seed;
  }
}

TEST(TensorScalar, UnequalCountsAreClipped) {
  SideBySide bench;
  for (const std::uint16_t a : Counts{5, 14}) {
    for (const std::uint16_t d : Counts{5, 9, 14}) {
      bench.fill(a * 100U + d);
      for (const Opcode opcode : {Opcode::tensor_scalar_arith_op, Opcode::tensor_scalar_bitvec_op}) {
        auto word = bench.build().tensor_scalar(opcode, row(sbuf(0, 0), a, Dtype::int16),
                                                row(sbuf(0, 0x100), d, Dtype::int16), literal_bits(3), literal(0), 2);
        EXPECT_TRUE(bench.same(isa::encode(word)));
      }
    }
  }
}

TEST(TensorScalar, RefusesWhatHasNoDefinition) {
  SideBySide bench;
  const auto refusal = [&](Opcode opcode, Dtype dtype, AluOp op0, AluOp op1) {
    return bench.refusal(word_of(bench, {opcode, dtype, dtype, op0, op1}));
  };
  const Opcode arith = Opcode::tensor_scalar_arith_op, bitvec = Opcode::tensor_scalar_bitvec_op;
  for (const int code : {0x01, 0x0A, 0x1C, 0x1E, 0x25, 0xC4, 0xCE, 0xDE, 0xE1, 0xFF}) {
    const auto op = static_cast<AluOp>(code);
    EXPECT_EQ(refusal(arith, Dtype::int32, op, AluOp::bypass), "unsupported_operation op0") << code;
    EXPECT_EQ(refusal(arith, Dtype::int32, AluOp::add, op), "unsupported_operation op1") << code;
  }
  for (const int code : {0x1C, 0x04, 0xC4, 0xFF}) {
    const auto op = static_cast<AluOp>(code);
    EXPECT_EQ(refusal(bitvec, Dtype::int32, op, AluOp::bypass), "unsupported_operation op0") << code;
    EXPECT_EQ(refusal(bitvec, Dtype::int32, AluOp::bitwise_and, op), "unsupported_operation op1") << code;
  }
  EXPECT_EQ(refusal(bitvec, Dtype::fp32, AluOp::bitwise_and, AluOp::bypass), "unsupported_operation op0");
  // CRC32 is legal in 0x53 (isa-neighbours.md 2), but its polynomial is not published.
  EXPECT_TRUE(bench.legal(word_of(bench, {bitvec, Dtype::uint32, Dtype::uint32, AluOp::crc32}), Engine::dve));

  auto word = bench.build().tensor_scalar(arith, row(sbuf(0, 0), 4), row(sbuf(0, 0x40), 4), literal(1), literal(1), 1);
  word.accumulator_cmd = 1;
  EXPECT_EQ(bench.refusal(isa::encode(word)), "unsupported_operation accumulator_cmd");
  word.accumulator_cmd = 0;
  word.imm1_src = 3;
  EXPECT_EQ(bench.refusal(isa::encode(word)), "operand_source imm1 source");
}

}  // namespace tensor_scalar_test
}  // namespace dve::execute_test
