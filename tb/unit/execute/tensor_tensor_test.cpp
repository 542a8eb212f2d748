// TensorTensor 0x41 and 0x51 against the golden (isa.md 6, 12; isa-neighbours.md 4).
#include <map>
#include <utility>

#include "side_by_side.h"

namespace dve::execute_test {
namespace tensor_tensor_test {

using namespace testing_support;
using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;

AluOp alu_op(int code) { return static_cast<AluOp>(code); }

bool divides(AluOp op) {
  return op == AluOp::mod || op == AluOp::divide_int || op == AluOp::mod_int || op == AluOp::divide_uint ||
         op == AluOp::mod_uint;
}

// 4 channels of 48 elements of both dtypes at fixed places.
isa::Word small_word(const SideBySide& bench, Opcode opcode, Dtype in0, Dtype in1, Dtype out, AluOp op) {
  return isa::encode(bench.build().tensor_tensor(opcode, row(sbuf(32, 0), 48, in0), row(sbuf(32, 0x400), 48, in1),
                                                 row(sbuf(64, 0x800), 48, out), op, 4));
}

// How many of the 256 codes are legal on that engine, each executed on the dtypes that it takes.
int operations(Generation generation, Engine engine) {
  SideBySide bench(generation);
  bench.fill(code(Opcode::tensor_tensor_arith_op));
  int executed = 0;
  for (int code = 0; code < 256; ++code) {
    const AluOp op = alu_op(code);
    bool some = false;
    for (const Dtype dtype : {Dtype::fp32, Dtype::int32, Dtype::uint32, Dtype::int64, Dtype::uint64}) {
      const isa::Word word = small_word(bench, Opcode::tensor_tensor_arith_op, dtype, dtype, dtype, op);
      if (!bench.legal(word, engine)) continue;
      EXPECT_TRUE(bench.same(word)) << isa::name(op) << " of " << isa::name(dtype);
      some = true;
    }
    executed += some;
  }
  return executed;
}

TEST(TensorTensor, EveryOperationOfEveryGeneration) {
  // General arithmetic: 17, 21 from v4 on, 22 on v5. Integers: Mod and 3, all 26 from v3 on, 14 on v5's DVE.
  EXPECT_EQ(operations(Generation::sunda, Engine::dve), 17 + 4);
  EXPECT_EQ(operations(Generation::cayman, Engine::dve), 17 + 26);
  EXPECT_EQ(operations(Generation::mariana, Engine::dve), 21 + 26);
  EXPECT_EQ(operations(Generation::mariana_plus, Engine::dve), 21 + 26);
  EXPECT_EQ(operations(Generation::maverick, Engine::dve), 22 + 14);
  // POOL: Pow, Add, Subtract, Mult and integers.
  EXPECT_EQ(operations(Generation::sunda, Engine::pool), 4 + 4);
  EXPECT_EQ(operations(Generation::cayman, Engine::pool), 4 + 26);
  EXPECT_EQ(operations(Generation::mariana, Engine::pool), 4 + 26);
  EXPECT_EQ(operations(Generation::maverick, Engine::pool), 4 + 26);
}

TEST(TensorTensor, EveryCombinationOfDtypes) {
  std::vector<Dtype> inputs(std::begin(kPlainDtypes), std::end(kPlainDtypes));
  std::vector<Dtype> outputs(std::begin(kOutputDtypes), std::end(kOutputDtypes));
  for (const Dtype dtype : kLongDtypes) {
    inputs.push_back(dtype);
    outputs.push_back(dtype);
  }
  std::vector<AluOp> ops;
  for (const AluOp op : isa::named_alu_ops()) {
    if (isa::is_general_arith_op(op, Generation::mariana)) ops.push_back(op);
  }
  SideBySide bench(Generation::mariana);
  std::size_t round = 0;
  for (const Dtype in0 : inputs) {
    for (const Dtype in1 : inputs) {
      for (const Dtype out : outputs) {
        if (round % 32 == 0) bench.fill(round);
        const AluOp op = ops[round++ % ops.size()];
        ASSERT_TRUE(bench.legal_and_same(small_word(bench, Opcode::tensor_tensor_arith_op, in0, in1, out, op)))
            << isa::name(op) << ' ' << isa::name(in0) << ' ' << isa::name(in1) << ' ' << isa::name(out);
      }
    }
  }
  EXPECT_EQ(round, 14U * 14 * 15);
}

// All 65536 pairs of bytes: 512 on each of 128 partitions.
class BytePairs {
 public:
  explicit BytePairs(SideBySide& bench, bool zero_divisors) : bench_(bench) {
    for (std::uint32_t p = 0; p < isa::kPartitions; ++p) {
      std::vector<std::uint8_t> a(512), b(512);
      for (std::uint32_t i = 0; i < 512; ++i) {
        a[i] = static_cast<std::uint8_t>((512 * p + i) >> 8);
        b[i] = static_cast<std::uint8_t>(i == 0 && !zero_divisors ? 1 : i);
        if (b[i] == 0 && !zero_divisors) b[i] = 3;
      }
      bench_.put_bytes(sbuf(p, 0), a);
      bench_.put_bytes(sbuf(p, 0x200), b);
    }
  }
  testing::AssertionResult same(Opcode opcode, Dtype in, Dtype out, AluOp op) {
    return bench_.legal_and_same(isa::encode(bench_.build().tensor_tensor(
        opcode, row(sbuf(0, 0), 512, in), row(sbuf(0, 0x200), 512, in), row(sbuf(0, 0x800), 512, out), op, 128)));
  }

 private:
  SideBySide& bench_;
};

TEST(TensorTensor, IntegerOperationsOfAllPairsOfBytes) {
  SideBySide bench;
  int executed = 0;
  for (const bool zero_divisors : {true, false}) {
    BytePairs pairs(bench, zero_divisors);
    for (const AluOp op : isa::named_alu_ops()) {
      if (!isa::is_int_op(op) || divides(op) == zero_divisors) continue;
      for (const auto& [in, out] : {std::pair{Dtype::int8, Dtype::int32}, std::pair{Dtype::uint8, Dtype::uint8}}) {
        if (isa::is_signed_int(in) ? isa::is_unsigned_int_op(op) : isa::is_signed_int_op(op)) continue;
        ASSERT_TRUE(pairs.same(Opcode::tensor_tensor_arith_op, in, out, op)) << isa::name(op) << ' ' << isa::name(in);
        ++executed;
      }
    }
  }
  EXPECT_EQ(executed, 8 * 2 + 18);  // eight take both signs, Mod among them
}

TEST(TensorTensor, BitOperationsOfAllPairsOfBytes) {
  SideBySide bench;
  BytePairs pairs(bench, true);
  int executed = 0;
  for (const AluOp op : isa::named_alu_ops()) {
    if (!isa::is_general_bitvec_op(op)) continue;
    for (const Dtype dtype : {Dtype::int8, Dtype::uint8}) {
      ASSERT_TRUE(pairs.same(Opcode::tensor_tensor_bitvec_op, dtype, dtype, op))
          << isa::name(op) << ' ' << isa::name(dtype);
      ++executed;
    }
  }
  EXPECT_EQ(executed, 9 * 2);
}

TEST(TensorTensor, ArithmeticOfAllPairsOfSmallFloats) {
  SideBySide bench(Generation::maverick);
  BytePairs pairs(bench, true);
  constexpr Dtype formats[] = {Dtype::fp8_e3m4, Dtype::fp8_e4m3, Dtype::fp8_e5m2, Dtype::int8};
  std::size_t executed = 0;
  for (const AluOp op : isa::named_alu_ops()) {
    if (!isa::is_general_arith_op(op, Generation::maverick)) continue;
    const Dtype in = formats[executed++ % std::size(formats)];
    ASSERT_TRUE(pairs.same(Opcode::tensor_tensor_arith_op, in, Dtype::fp32, op)) << isa::name(op) << isa::name(in);
  }
  EXPECT_EQ(executed, 22U);
}

// The ends of every width, and -1, 0, 1: all pairs of two dtypes of one sign.
TEST(TensorTensor, IntegerOperationsOfEveryWidth) {
  SideBySide bench;
  const std::vector<std::uint64_t> ends = {0,
                                           1,
                                           2,
                                           3,
                                           0x7F,
                                           0x80,
                                           0xFF,
                                           0x7FFF,
                                           0x8000,
                                           0xFFFF,
                                           0x7FFFFFFF,
                                           0x80000000,
                                           0xFFFFFFFF,
                                           0x100000001,
                                           ~0ULL >> 1U,
                                           1ULL << 63U,
                                           ~0ULL,
                                           ~0ULL - 6,
                                           0x123456789ABCDEF0};
  const auto elements = static_cast<std::uint16_t>(ends.size());
  const auto put_ends = [&](std::uint32_t offset, Dtype dtype, bool outer) {
    const std::size_t size = isa::storage_size(dtype).value;
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < ends.size() * ends.size(); ++i) {
      const std::uint64_t value = ends[outer ? i / ends.size() : i % ends.size()];
      for (std::size_t b = 0; b < size; ++b) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * b)));
    }
    bench.put_bytes(sbuf(0, offset), bytes);
  };
  int faults = 0, executed = 0;
  for (const Dtype in0 : kIntegerDtypes) {
    for (const Dtype in1 : kIntegerDtypes) {
      if (isa::is_signed_int(in0) != isa::is_signed_int(in1)) continue;
      put_ends(0, in0, true);
      put_ends(0xC00, in1, false);
      for (const AluOp op : isa::named_alu_ops()) {
        const auto square = static_cast<std::uint16_t>(elements * elements);
        for (const Dtype out : kIntegerDtypes) {
          const isa::Word word = isa::encode(
              bench.build().tensor_tensor(Opcode::tensor_tensor_arith_op, row(sbuf(0, 0), square, in0),
                                          row(sbuf(0, 0xC00), square, in1), row(sbuf(0, 0x1400), square, out), op, 1));
          if (!isa::is_int_op(op) || !bench.legal(word, Engine::dve)) continue;
          ASSERT_TRUE(bench.same(word)) << isa::name(op) << ' ' << isa::name(in0) << ' ' << isa::name(in1) << ' '
                                        << isa::name(out);
          ++executed;
          faults += static_cast<int>(bench.faults().size());
        }
      }
    }
  }
  EXPECT_EQ(executed, 2 * 64 * 17);
  EXPECT_GT(faults, 0);
}

TEST(TensorTensor, QuotientsOfEveryWidth) {
  SideBySide bench;
  for (const Dtype dtype : kIntegerDtypes) {
    const auto size = static_cast<std::uint32_t>(isa::storage_size(dtype).value);
    bench.fill(size);
    for (std::uint32_t p = 0; p < 8; ++p) {  // odd divisors
      std::vector<std::uint8_t> divisors;
      Rng random(100 * p + isa::code(dtype));
      for (std::uint32_t i = 0; i < 64 * size; ++i)
        divisors.push_back(static_cast<std::uint8_t>(random() >> 32U | (i % size == 0 ? 1U : 0U)));
      bench.put_bytes(sbuf(p, 0x200), divisors);
    }
    for (const AluOp op : {AluOp::divide_int, AluOp::mod_int, AluOp::mod, AluOp::divide_uint, AluOp::mod_uint}) {
      if (isa::is_signed_int(dtype) && isa::is_unsigned_int_op(op)) continue;
      ASSERT_TRUE(bench.legal_and_same(isa::encode(
          bench.build().tensor_tensor(Opcode::tensor_tensor_arith_op, row(sbuf(0, 0), 64, dtype),
                                      row(sbuf(0, 0x200), 64, dtype), row(sbuf(0, 0x600), 64, dtype), op, 8))))
          << isa::name(op) << ' ' << isa::name(dtype);
      EXPECT_TRUE(bench.faults().empty());
    }
  }
}

TEST(TensorTensor, BitOperationsOfEveryWidthAndLongShifts) {
  SideBySide bench;
  bench.fill(3);
  for (const AluOp op : isa::named_alu_ops()) {
    if (!isa::is_general_bitvec_op(op)) continue;
    for (const Dtype dtype : kIntegerDtypes) {
      EXPECT_TRUE(bench.legal_and_same(small_word(bench, Opcode::tensor_tensor_bitvec_op, dtype, dtype, dtype, op)))
          << isa::name(op) << ' ' << isa::name(dtype);
    }
  }
  // Counts around the widths; a 64-bit pattern may be shifted by UINT32.
  bench.put_bytes(sbuf(32, 0x400), {0,  0, 0, 0, 1,  0, 0, 0, 31, 0, 0, 0, 32, 0, 0, 0,
                                    63, 0, 0, 0, 64, 0, 0, 0, 0,  1, 0, 0, 0,  0, 0, 0x80});
  for (const AluOp op :
       {AluOp::arith_shift_left, AluOp::arith_shift_right, AluOp::logical_shift_left, AluOp::logical_shift_right}) {
    for (const Dtype dtype : kLongDtypes)
      EXPECT_TRUE(
          bench.legal_and_same(small_word(bench, Opcode::tensor_tensor_bitvec_op, dtype, Dtype::uint32, dtype, op)));
    for (const Dtype dtype : {Dtype::int32, Dtype::uint32})
      EXPECT_TRUE(bench.legal_and_same(small_word(bench, Opcode::tensor_tensor_bitvec_op, dtype, dtype, dtype, op)));
  }
}

// Any shapes, steps, channels and partitions; one source may be in PSUM; destinations over a source, exactly or not.
TEST(TensorTensor, EveryShapeAndPlace) {
  SideBySide bench;
  constexpr Dtype dtypes[] = {Dtype::fp32, Dtype::bf16, Dtype::int32, Dtype::uint8, Dtype::fp16};
  for (unsigned seed = 0; seed < 400; ++seed) {
    Rng random(seed);
    if (seed % 16 == 0) bench.fill(seed);
    const std::uint32_t channels = seed % 8 == 0 ? 128 : 1 + below(random, 128);
    const std::uint32_t from = random_partition(random, channels);
    const auto counts = random_counts(random, 200, 3);
    const TensorSpec a = random_source(random, counts, pick(random, dtypes), {sbuf(from, 0), 0x800});
    const bool b_in_psum = random() % 3 == 0;
    const Room b_room{b_in_psum ? psum(random_partition(random, channels), 0) : sbuf(from, 0x800), 0x800};
    const TensorSpec b = random_source(random, counts, pick(random, dtypes), b_room);
    // In a room of its own, across both sources, in PSUM, or in place.
    const std::uint32_t to = random_partition(random, channels), style = below(random, 6);
    const bool in_psum = style == 1;
    const Room room = in_psum      ? Room{psum(to, 0x800), 0x800}
                      : style == 2 ? Room{sbuf(from, 0), 0x1000}
                                   : Room{sbuf(to, 0x1000), 0x1000};
    TensorSpec dst = random_destination(random, counts, in_psum ? Dtype::fp32 : pick(random, dtypes), room);
    if (style == 3) dst = a;
    const isa::Word word = isa::encode(bench.build().tensor_tensor(
        Opcode::tensor_tensor_arith_op, a, b, dst, AluOp::subtract, static_cast<std::uint8_t>(channels)));
    ASSERT_TRUE(bench.same(word)) << "seed " << seed;
  }
}

TEST(TensorTensor, ShapesOfSourcesAndDestinationMayDiffer) {
  SideBySide bench;
  bench.fill(1);
  const TensorSpec a{sbuf(0, 0), Dtype::fp32, {24}, {1}}, b{sbuf(0, 0x100), Dtype::fp32, {2, 3, 4}, {12, 4, 1}};
  const TensorSpec dst{sbuf(64, 0x300), Dtype::bf16, {4, 6}, {-1, 7}};
  EXPECT_TRUE(bench.legal_and_same(
      isa::encode(bench.build().tensor_tensor(Opcode::tensor_tensor_arith_op, a, b, dst, AluOp::mult, 33))));
}

TEST(TensorTensor, AddressesFromRegisters) {
  SideBySide bench;
  bench.fill(2);
  auto word = bench.build().tensor_tensor(Opcode::tensor_tensor_arith_op, row(sbuf(32, 0), 9), row(sbuf(32, 0x40), 9),
                                          row(sbuf(32, 0x80), 9), AluOp::max, 7);
  bench.registers[0] = word.src0.start_addr.raw;
  bench.registers[63] = word.src1.start_addr.raw;
  bench.registers[5] = word.dst.start_addr.raw;
  word.src0.start_addr = isa::Addr4::in_register(isa::RegisterIndex{0});
  word.src1.start_addr = isa::Addr4::in_register(isa::RegisterIndex{63});
  word.dst.start_addr = isa::Addr4::in_register(isa::RegisterIndex{5});
  EXPECT_TRUE(bench.legal_and_same(isa::encode(word)));
}

// Relaxed legality: the shorter source counts, and the destination takes what it has room for.
TEST(TensorTensor, UnequalCountsAreClipped) {
  SideBySide bench;
  const std::uint16_t lengths[] = {5, 9, 14};
  for (const std::uint16_t a : lengths) {
    for (const std::uint16_t b : lengths) {
      for (const std::uint16_t d : lengths) {
        bench.fill(a * 1000U + b * 100U + d);
        for (const auto& [opcode, dtype] : {std::pair{Opcode::tensor_tensor_arith_op, Dtype::fp32},
                                            std::pair{Opcode::tensor_tensor_bitvec_op, Dtype::uint16}}) {
          const AluOp op = dtype == Dtype::fp32 ? AluOp::add : AluOp::bitwise_xor;
          EXPECT_TRUE(bench.same(isa::encode(bench.build().tensor_tensor(
              opcode, row(sbuf(0, 0), a, dtype), row(sbuf(0, 0x100), b, dtype), row(sbuf(0, 0x200), d, dtype), op, 3))))
              << a << ' ' << b << ' ' << d;
        }
      }
    }
  }
}

TEST(TensorTensor, DivisionByZeroIsAFaultAndWritesNothing) {
  SideBySide bench;
  bench.fill(4);
  const TensorSpec a = row(sbuf(0, 0), 8, Dtype::int16), b = row(sbuf(0, 0x40), 8, Dtype::int16),
                   dst = row(sbuf(0, 0x80), 8, Dtype::int16);
  for (std::uint32_t c = 0; c < 3; ++c) bench.put(b, c, {1, 2, 3, 4, 5, 6, 7, 8});
  for (const AluOp op : {AluOp::divide_int, AluOp::mod_int, AluOp::mod}) {
    const isa::Word word = isa::encode(bench.build().tensor_tensor(Opcode::tensor_tensor_arith_op, a, b, dst, op, 3));
    ASSERT_TRUE(bench.legal_and_same(word));
    EXPECT_TRUE(bench.faults().empty());
    bench.put(b, 1, {1, 2, 3, 4, 5, 0, 0, 8});
    ASSERT_TRUE(bench.legal_and_same(word));
    ASSERT_EQ(bench.faults().size(), 1U);
    EXPECT_EQ(bench.faults()[0].predicate, "integer_divide_by_zero");
    EXPECT_EQ(bench.faults()[0].value, 0U) << "the divisor";
    EXPECT_NE(bench.faults()[0].expected.find("element 5"), std::string::npos) << bench.faults()[0].expected;
    EXPECT_NE(bench.faults()[0].expected.find("channel 1, element 5"), std::string::npos);
    bench.put(b, 1, {1, 2, 3, 4, 5, 6, 7, 8});
  }
}

TEST(TensorTensor, RefusesOperationsWithoutADefinition) {
  const SideBySide bench;
  const auto arith = [&](Dtype dtype, int op) {
    return bench.refusal(small_word(bench, Opcode::tensor_tensor_arith_op, dtype, dtype, dtype, alu_op(op)));
  };
  const auto bitvec = [&](Dtype in, Dtype out, int op) {
    return bench.refusal(small_word(bench, Opcode::tensor_tensor_bitvec_op, in, in, out, alu_op(op)));
  };
  const std::string unsupported = "unsupported_operation op";
  for (const int op : {0x01, 0x02, 0x0A, 0x1C, 0x1E, 0x1F, 0x25, 0x80, 0xC3, 0xDE, 0xDF, 0xE0, 0xE1, 0xE2, 0xFF}) {
    EXPECT_EQ(arith(Dtype::int32, op), unsupported) << op;
    EXPECT_EQ(arith(Dtype::fp32, op), unsupported) << op;
  }
  for (const int op : {0xC4, 0xC9, 0xCE, 0xDB, 0x1B}) EXPECT_EQ(arith(Dtype::fp32, op), unsupported) << op;
  for (const int op : {0x1C, 0x04, 0xC4, 0xDE, 0xFF})
    EXPECT_EQ(bitvec(Dtype::uint32, Dtype::uint32, op), unsupported) << op;
  EXPECT_EQ(bitvec(Dtype::fp32, Dtype::fp32, 0x0A), unsupported);
  EXPECT_EQ(bitvec(Dtype::uint32, Dtype::fp32, 0x0A), unsupported);
  EXPECT_EQ(bitvec(Dtype::uint32, Dtype::uint32, 0x0A), "");
}

// What only relaxed legality lets through still computes something defined: whatever the code, no exception leaves.
TEST(TensorTensor, EveryCodeIsRefusedOrComputed) {
  SideBySide bench;
  bench.fill(5);
  for (int code = 0; code < 256; ++code) {
    for (const Opcode opcode : {Opcode::tensor_tensor_arith_op, Opcode::tensor_tensor_bitvec_op}) {
      for (const Dtype dtype : {Dtype::fp32, Dtype::int32, Dtype::uint8, Dtype::int64}) {
        const isa::Word word = small_word(bench, opcode, dtype, dtype, dtype, alu_op(code));
        if (!bench.refusal(word).empty()) continue;
        EXPECT_TRUE(bench.same(word)) << code << ' ' << isa::name(dtype);
      }
    }
  }
}

}  // namespace tensor_tensor_test
}  // namespace dve::execute_test
