// Copy 0x46, Cast 0x47, Reciprocal 0x48 and Memset 0x49 against the golden (isa-neighbours.md 6, 7).
#include "side_by_side.h"

namespace dve::execute_test {
namespace copy_test {

using namespace testing_support;
using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;

isa::Word copy_word(const SideBySide& bench, Opcode opcode, const TensorSpec& src, const TensorSpec& dst,
                    std::uint8_t channels) {
  return isa::encode(bench.build().tensor_reduce(opcode, src, dst, AluOp::bypass, 0, channels));
}

// Every 16-bit pattern, 512 on each partition; as bytes, every pair of them.
void put_all_patterns(SideBySide& bench) {
  for (std::uint32_t p = 0; p < isa::kPartitions; ++p) {
    std::vector<std::uint8_t> bytes;
    for (std::uint32_t i = 0; i < 512; ++i) {
      bytes.push_back(static_cast<std::uint8_t>(i));
      bytes.push_back(static_cast<std::uint8_t>((512 * p + i) >> 8U));
    }
    bench.put_bytes(sbuf(p, 0), bytes);
  }
}

TEST(Copy, KeepsEveryBitOfEveryDtype) {
  SideBySide bench;
  put_all_patterns(bench);
  std::vector<Dtype> dtypes(std::begin(kPlainDtypes), std::end(kPlainDtypes));
  dtypes.insert(dtypes.end(), std::begin(kLongDtypes), std::end(kLongDtypes));
  for (const Dtype dtype : dtypes) {
    const auto n = static_cast<std::uint16_t>(1024 / isa::storage_size(dtype).value);
    for (const Engine engine : {Engine::dve, Engine::pool, Engine::act})
      EXPECT_TRUE(bench.legal_and_same(
          copy_word(bench, Opcode::copy, row(sbuf(0, 0), n, dtype), row(sbuf(0, 0x800), n, dtype), 128), engine))
          << isa::name(dtype);
  }
  // Signalling NaN and payloads survive, to the bit.
  bench.put_bytes(sbuf(0, 0), {0x01, 0x00, 0x80, 0x7F, 0x34, 0x12, 0xFF, 0xFF});
  EXPECT_TRUE(bench.legal_and_same(copy_word(bench, Opcode::copy, row(sbuf(0, 0), 2), row(sbuf(0, 0x40), 2), 1)));
}

TEST(Copy, EveryShapeAndPlace) {
  SideBySide bench;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Rng random(seed);
    if (seed % 16 == 0) bench.fill(seed);
    const auto channels = static_cast<std::uint8_t>(seed % 8 == 0 ? 128 : 1 + below(random, 128));
    const auto counts = random_counts(random, 300, 4);
    auto shuffled = counts;
    std::reverse(shuffled.begin(), shuffled.end());
    const Dtype dtype = pick(random, kPlainDtypes);
    const bool cast = random() % 2 == 0;
    const bool from_psum = random() % 3 == 0;
    const std::uint32_t from = random_partition(random, channels), to = random_partition(random, channels);
    const TensorSpec src = random_source(random, counts, dtype, {from_psum ? psum(from, 0) : sbuf(from, 0), 0x1000});
    TensorSpec dst = random_destination(random, shuffled, cast ? pick(random, kOutputDtypes) : dtype,
                                        {sbuf(to, from_psum ? 0 : 0x800), 0x1000});
    if (random() % 8 == 0) dst.steps[0] = 0;  // the last of the elements in one place stays
    ASSERT_TRUE(bench.legal_and_same(copy_word(bench, cast ? Opcode::cast : Opcode::copy, src, dst, channels)))
        << "seed " << seed;
  }
}

TEST(Copy, RelaxedWordsConvertAndClip) {
  SideBySide bench;
  bench.fill(9);
  EXPECT_TRUE(bench.same(copy_word(bench, Opcode::copy, row(sbuf(0, 0), 20), row(sbuf(0, 0x100), 20, Dtype::bf16), 4)));
  for (const std::uint16_t room : Counts{3, 20, 31}) {
    EXPECT_TRUE(bench.same(copy_word(bench, Opcode::copy, row(sbuf(0, 0), 20), row(sbuf(0, 0x100), room), 4)));
    EXPECT_TRUE(
        bench.same(copy_word(bench, Opcode::cast, row(sbuf(0, 0), 20), row(sbuf(0, 0x100), room, Dtype::int8), 4)));
  }
}

// Every pattern of the 8- and 16-bit dtypes, and the corners of the 32-bit ones, to every output.
void expect_all_casts(const golden::TensorOptions& options) {
  SideBySide bench(Generation::cayman, options);
  for (const Dtype in : kPlainDtypes) {
    const std::size_t size = isa::storage_size(in).value;
    if (size == 4) {
      bench.fill(isa::code(in));
    } else {
      put_all_patterns(bench);
    }
    const auto channels = static_cast<std::uint8_t>(size == 2 ? 128 : 16);
    for (const Dtype out : kOutputDtypes) {
      ASSERT_TRUE(bench.legal_and_same(
          copy_word(bench, Opcode::cast, row(sbuf(0, 0), 512, in), row(sbuf(0, 0x800), 512, out), channels)))
          << isa::name(in) << " to " << isa::name(out);
    }
  }
}

TEST(Cast, EveryCombinationOfDtypes) { expect_all_casts({}); }

TEST(Cast, FollowsTheSwitchesOfConversions) {
  golden::TensorOptions options;
  options.elements.narrow_saturate = true;
  options.elements.e4m3_fn = true;
  options.elements.fp32r_mantissa = 7;
  expect_all_casts(options);
}

// Ties and ends of every output dtype, a step of binary32 to either side.
TEST(Cast, RoundsAndSaturatesAtTheBorders) {
  SideBySide bench;
  std::vector<float> values;
  for (const float v :
       {0.5F,          1.5F,           2.5F,          1.0F,        127.0F,        127.5F,        128.0F,
        255.0F,        256.0F,         32767.0F,      32768.0F,    65535.0F,      65536.0F,      2147483648.0F,
        4294967296.0F, 9.3e18F,        1.00390625F,   1.01171875F, 1.00048828F,   1.00146484F,   1.0625F,
        1.1875F,       240.0F,         248.0F,        15.5F,       15.75F,        57344.0F,      61440.0F,
        65504.0F,      65520.0F,       3.3895314e38F, 3.4e38F,     6.1035156e-5F, 5.9604645e-8F, 2.9802322e-8F,
        0.001953125F,  1.1754944e-38F, 1e-45F}) {
    for (const float to : {0.0F, INFINITY}) {
      values.push_back(v);
      values.push_back(-v);
      values.push_back(std::nextafter(v, to));
      values.push_back(-std::nextafter(v, to));
    }
  }
  const auto n = static_cast<std::uint16_t>(values.size());
  bench.put(row(sbuf(0, 0), n), 0, values);
  for (const Dtype out : kOutputDtypes) {
    EXPECT_TRUE(
        bench.legal_and_same(copy_word(bench, Opcode::cast, row(sbuf(0, 0), n), row(sbuf(0, 0x1000), n, out), 1)))
        << isa::name(out);
  }
  bench.put(row(sbuf(0, 0), 6), 0, {-1.9F, 1.9F, -3e9F, 3e9F, NAN, 200.7F});
  const auto cast = [&](Dtype out) {
    EXPECT_TRUE(
        bench.legal_and_same(copy_word(bench, Opcode::cast, row(sbuf(0, 0), 6), row(sbuf(0, 0x40), 6, out), 1)));
    return bench.get(row(sbuf(0, 0x40), 6, out), 0);
  };
  EXPECT_EQ(cast(Dtype::int8), (std::vector<float>{-1, 1, -128, 127, 0, 127}));
  EXPECT_EQ(cast(Dtype::uint8), (std::vector<float>{0, 1, 0, 255, 0, 200}));
}

TEST(Reciprocal, EveryCombinationOfDtypes) {
  for (const bool newton : {false, true}) {
    golden::TensorOptions options;
    options.elements.newton = newton;
    SideBySide bench(Generation::cayman, options);
    for (const Dtype in : kPlainDtypes) {
      if (isa::storage_size(in).value == 4) {
        bench.fill(isa::code(in));
      } else {
        put_all_patterns(bench);
      }
      for (const Dtype out : kOutputDtypes) {
        ASSERT_TRUE(bench.legal_and_same(
            copy_word(bench, Opcode::reciprocal, row(sbuf(0, 0), 512, in), row(sbuf(0, 0x800), 512, out), 8)))
            << isa::name(in) << " to " << isa::name(out) << (newton ? " by Newton" : "");
      }
    }
  }
}

TEST(Copy, RefusesMasks) {
  const SideBySide bench;
  for (const Opcode opcode : {Opcode::copy, Opcode::cast, Opcode::reciprocal}) {
    auto word = bench.build().tensor_reduce(opcode, row(sbuf(0, 0), 4), row(sbuf(0, 0x40), 4), AluOp::bypass, 0, 1);
    word.mask_enable = 1;
    EXPECT_EQ(bench.refusal(isa::encode(word)), "unsupported_operation mask_enable");
  }
}

TEST(Memset, EveryDtype) {
  SideBySide bench;
  for (const Dtype dtype : kOutputDtypes) {
    bench.fill(isa::code(dtype));
    const std::size_t bits = 8 * isa::storage_size(dtype).value;
    const std::uint32_t mask = bits == 32 ? ~0U : (1U << bits) - 1;
    for (const std::uint32_t value : {0U, 0x12345678U, 0xFFFFFFFFU, 0x7F800001U}) {
      for (const Engine engine : {Engine::dve, Engine::pool}) {
        const TensorSpec dst{sbuf(32, 0x100), dtype, {5, 3, 2, 2}, {2, -11, 40, 100}};
        EXPECT_TRUE(bench.legal_and_same(isa::encode(bench.build().memset(dst, value & mask, 20)), engine))
            << isa::name(dtype);
      }
    }
  }
}

TEST(Memset, EveryShapeAndPlace) {
  SideBySide bench;
  for (unsigned seed = 0; seed < 100; ++seed) {
    Rng random(seed);
    if (seed % 16 == 0) bench.fill(seed);
    const auto channels = static_cast<std::uint8_t>(1 + below(random, 128));
    const std::uint32_t to = random_partition(random, channels);
    const bool in_psum = random() % 3 == 0;
    const TensorSpec dst =
        random_destination(random, random_counts(random, 300, 4), in_psum ? Dtype::fp32r : pick(random, kOutputDtypes),
                           {in_psum ? psum(to, 0) : sbuf(to, 0), 0x1000});
    ASSERT_TRUE(bench.legal_and_same(isa::encode(bench.build().memset(dst, below(random, 256), channels)))) << seed;
  }
}

}  // namespace copy_test
}  // namespace dve::execute_test
