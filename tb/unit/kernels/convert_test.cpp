// Conversions on every target against the scalar specification, byte by byte.
#include "streams.h"

namespace dve::kernels_test {
namespace convert_test {

using isa::Dtype;

std::vector<numerics::Switches> variants() {
  std::vector<numerics::Switches> all(4);
  all[1].narrow_overflow = numerics::NarrowOverflow::saturate;
  all[2].e4m3_variant = numerics::E4m3Variant::fn;
  all[2].fp32r_mantissa = 1;
  all[3].fp32r_mantissa = 23;
  return all;
}

TEST(ToFp32Kernel, EveryDtypeEveryTail) {
  Rng random(1);
  for (const Dtype dtype : kDtypes) {
    for (std::size_t n = 0; n <= 70; ++n) {
      SCOPED_TRACE(testing::Message() << isa::name(dtype) << " x " << n);
      const Streams in(dtype, 1, n, kMixes[n % kMixes.size()], random);
      for (const auto& switches : variants()) {
        const auto expected = in.values(0, switches);
        on_every_target([&] {
          std::vector<float> values(n);
          kernels::to_fp32(in.channel(0), dtype, n, values.data(), switches);
          for (std::size_t i = 0; i < n; ++i) expect_bits(values[i], expected[i], "element");
        });
        if (HasFatalFailure()) return;
      }
    }
  }
}

// All 65536 patterns.
TEST(ToFp32Kernel, EveryHalfWord) {
  std::vector<std::uint8_t> bytes;
  for (unsigned bits = 0; bits < 65536; ++bits) {
    bytes.push_back(static_cast<std::uint8_t>(bits));
    bytes.push_back(static_cast<std::uint8_t>(bits >> 8));
  }
  for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::int16, Dtype::uint16}) {
    std::vector<float> expected(65536), values(65536);
    numerics::to_fp32(bytes.data(), dtype, expected.size(), expected.data(), {});
    on_every_target([&] {
      kernels::to_fp32(bytes.data(), dtype, values.size(), values.data(), {});
      for (std::size_t i = 0; i < values.size(); ++i) expect_bits(values[i], expected[i], "pattern");
    });
  }
}

TEST(FromFp32Kernel, EveryDtypeEveryTail) {
  Rng random(2);
  for (const Dtype dtype : kDtypes) {
    for (std::size_t n = 0; n <= 70; ++n) {
      SCOPED_TRACE(testing::Message() << isa::name(dtype) << " x " << n);
      std::vector<float> values(n);
      for (float& v : values) v = value_of(kMixes[n % kMixes.size()], random);
      for (const auto& switches : variants()) {
        const std::size_t size = n * isa::storage_size(dtype).value;
        std::vector<std::uint8_t> expected(size + 1, 0xA5);
        numerics::from_fp32(values.data(), dtype, n, expected.data(), switches);
        on_every_target([&] {
          std::vector<std::uint8_t> found(size + 1, 0xA5);
          kernels::from_fp32(values.data(), dtype, n, found.data(), switches);
          ASSERT_EQ(found, expected);
        });
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Values around every rounding boundary: all upper half words, with lower halves that round down, tie and round up.
TEST(FromFp32Kernel, EveryUpperHalfWord) {
  std::vector<float> values;
  for (std::uint32_t upper = 0; upper < 65536; ++upper) {
    for (const std::uint32_t lower : {0x0000U, 0x0FFFU, 0x1000U, 0x1001U, 0x7FFFU, 0x8000U, 0x8001U, 0xFFFFU})
      values.push_back(numerics::float_from_bits(upper << 16U | lower));
  }
  for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp32r, Dtype::int8, Dtype::uint16, Dtype::int32}) {
    std::vector<std::uint8_t> expected(values.size() * isa::storage_size(dtype).value), found(expected.size());
    numerics::from_fp32(values.data(), dtype, values.size(), expected.data(), {});
    on_every_target([&] {
      kernels::from_fp32(values.data(), dtype, values.size(), found.data(), {});
      ASSERT_TRUE(found == expected) << isa::name(dtype);
    });
  }
}

TEST(AnyNonFiniteKernel, EveryPlace) {
  Rng random(3);
  for (const Dtype dtype : kDtypes) {
    const std::size_t size = isa::storage_size(dtype).value;
    for (std::size_t n = 1; n <= 70; ++n) {
      const Streams plain(dtype, 3, n, Mix::finite, random);
      on_every_target([&] { ASSERT_FALSE(kernels::any_non_finite(plain.rows(), 3, n, {})); });
      if (HasFatalFailure() || isa::is_valid_int_dtype(dtype)) break;
      for (const std::uint32_t bits : {0x7F800000U, 0xFF800000U, 0xFFC12345U}) {
        Streams streams(dtype, 3, n, Mix::finite, random);
        const float special = numerics::float_from_bits(bits);
        std::uint8_t* const somewhere = streams.result_rows().channel(static_cast<std::uint32_t>(random() % 3));
        numerics::from_fp32(&special, dtype, 1, somewhere + (random() % n) * size, {});
        on_every_target([&] { ASSERT_TRUE(kernels::any_non_finite(streams.rows(), 3, n, {})); });
      }
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace convert_test
}  // namespace dve::kernels_test
