// The golden's conversions against second methods: bit fields, a search in the table of all values, the compiler's own
// integer conversion, and published vectors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "golden/golden.h"

namespace golden {
namespace formats_test {

struct NamedFormat {
  const char* name;
  FloatFormat format;
  std::uint32_t max_bits;
  double max;
  std::uint32_t nan;
};
const std::vector<NamedFormat> kFormats{
    {"fp16", {5, 10, true}, 0x7BFF, 65504, 0x7E00},  {"bf16", {8, 7, true}, 0x7F7F, 0x1.FEp127, 0x7FC0},
    {"fp8_e3m4", {3, 4, true}, 0x6F, 15.5, 0x78},    {"fp8_e4m3", {4, 3, true}, 0x77, 240, 0x7C},
    {"fp8_e4m3 fn", {4, 3, false}, 0x7E, 448, 0x7F}, {"fp8_e5m2", {5, 2, true}, 0x7B, 57344, 0x7E},
};

std::uint32_t patterns(FloatFormat f) { return 1U << (1 + f.exponent_bits + f.mantissa_bits); }

// Second method of decoding: place the fields in a binary32.
float by_fields(std::uint32_t bits, FloatFormat f) {
  const std::uint32_t sign = bits >> (f.exponent_bits + f.mantissa_bits);
  std::uint32_t mantissa = bits & ((1U << f.mantissa_bits) - 1);
  std::int32_t exponent = static_cast<std::int32_t>((bits >> f.mantissa_bits) & ((1U << f.exponent_bits) - 1));
  const std::int32_t rebias = 127 - ((1 << (f.exponent_bits - 1)) - 1);
  const bool top = exponent == (1 << f.exponent_bits) - 1;
  if (top && f.infinities) return float_of_bits(sign << 31 | (mantissa ? 0x7FC00000U : 0x7F800000U));
  if (top && mantissa == (1U << f.mantissa_bits) - 1) return float_of_bits(0x7FC00000U);
  if (exponent == 0 && rebias != 0) {
    if (mantissa == 0) return float_of_bits(sign << 31);
    exponent = 1;
    while (!(mantissa >> f.mantissa_bits & 1)) {
      mantissa <<= 1;
      --exponent;
    }
    mantissa &= (1U << f.mantissa_bits) - 1;
  }
  return float_of_bits(sign << 31 | static_cast<std::uint32_t>(exponent + rebias) << 23 |
                       mantissa << (23 - f.mantissa_bits));
}

TEST(GoldenFormats, DecodesEveryPatternAsItsFieldsSay) {
  for (const NamedFormat& named : kFormats) {
    for (std::uint32_t bits = 0; bits < patterns(named.format); ++bits) {
      const auto value = static_cast<float>(decode(bits, named.format));
      const float expected = by_fields(bits, named.format);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(value)) << named.name << " 0x" << std::hex << bits;
      } else {
        ASSERT_EQ(bits_of_float(value), bits_of_float(expected)) << named.name << " 0x" << std::hex << bits;
      }
    }
  }
}

TEST(GoldenFormats, EncodesEveryValueOfTheFormatBackToItsPattern) {
  for (const NamedFormat& named : kFormats) {
    for (std::uint32_t bits = 0; bits < patterns(named.format); ++bits) {
      const double value = decode(bits, named.format);
      const std::uint32_t expected = std::isnan(value) ? named.nan : bits;
      ASSERT_EQ(encode(value, named.format, false), expected) << named.name << " 0x" << std::hex << bits;
    }
  }
}

// Second method of rounding: the nearest of all finite values and of the first value past them, even pattern on a tie.
std::uint32_t by_search(double value, const std::vector<double>& values, const NamedFormat& named) {
  const auto above = std::lower_bound(values.begin(), values.end(), std::fabs(value)) - values.begin();
  auto index = static_cast<std::size_t>(above);
  if (index > 0) {
    const std::size_t below = index - 1;
    const double up =
        index < values.size() ? values[index] - std::fabs(value) : std::numeric_limits<double>::infinity();
    const double down = std::fabs(value) - values[below];
    if (down < up || (down == up && below % 2 == 0)) index = below;
  }
  const auto sign = std::signbit(value) ? patterns(named.format) / 2 : 0U;
  if (index + 1 < values.size()) return sign + static_cast<std::uint32_t>(index);
  return named.format.infinities ? sign + named.max_bits + 1 : named.nan;
}

TEST(GoldenFormats, RoundsToTheNearestValueTiesToEven) {
  std::mt19937 random(1);
  for (const NamedFormat& named : kFormats) {
    EXPECT_EQ(decode(named.max_bits, named.format), named.max) << named.name;
    std::vector<double> values;
    for (std::uint32_t bits = 0; bits <= named.max_bits; ++bits) values.push_back(decode(bits, named.format));
    values.push_back(2 * values.back() - values[values.size() - 2]);  // where the next value would stand

    std::vector<double> probes{0.0, -0.0, 1e300, std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      const double middle = (values[i] + values[i + 1]) / 2;
      for (const double probe : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e308)}) {
        probes.push_back(probe);
        probes.push_back(-probe);
      }
    }
    for (int i = 0; i < 20000; ++i) {
      const float f = float_of_bits(static_cast<std::uint32_t>(random()));
      if (!std::isnan(f)) probes.push_back(static_cast<double>(f));
    }
    for (const double probe : probes) {
      ASSERT_EQ(encode(probe, named.format, false), by_search(probe, values, named)) << named.name << " " << probe;
    }
  }
}

TEST(GoldenFormats, SaturatesOnlyWhenAsked) {
  for (const NamedFormat& named : kFormats) {
    const std::uint32_t sign = patterns(named.format) / 2;
    for (const double huge : {named.max * 1.5, 1e300, std::numeric_limits<double>::infinity()}) {
      EXPECT_EQ(encode(huge, named.format, true), named.max_bits) << named.name;
      EXPECT_EQ(encode(-huge, named.format, true), sign + named.max_bits) << named.name;
      const double plain = decode(encode(-huge, named.format, false), named.format);
      EXPECT_TRUE(named.format.infinities ? std::isinf(plain) && plain < 0 : std::isnan(plain)) << named.name;
    }
    EXPECT_EQ(encode(std::nan(""), named.format, true), named.nan) << named.name;
  }
}

std::uint64_t stored(float value, Dtype dtype, const Options& options = {}) {
  std::uint64_t bits = 0;
  const auto bytes = store_elements({value}, dtype, options);
  for (std::size_t i = bytes.size(); i > 0; --i) bits = bits << 8 | bytes[i - 1];
  return bits;
}

float loaded(std::uint64_t bits, Dtype dtype, const Options& options = {}) {
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
  return load_element(bytes.data(), dtype, options);
}

TEST(GoldenFormats, LoadsIntegersToNearestEven) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t raw = random() >> (random() % 64);
    ASSERT_EQ(loaded(raw, Dtype::uint64), static_cast<float>(raw)) << raw;
    ASSERT_EQ(loaded(raw, Dtype::int64), static_cast<float>(static_cast<std::int64_t>(raw))) << raw;
    ASSERT_EQ(loaded(raw, Dtype::uint32), static_cast<float>(static_cast<std::uint32_t>(raw))) << raw;
    ASSERT_EQ(loaded(raw, Dtype::int32), static_cast<float>(static_cast<std::int32_t>(raw))) << raw;
    ASSERT_EQ(loaded(raw, Dtype::int16), static_cast<float>(static_cast<std::int16_t>(raw))) << raw;
    ASSERT_EQ(loaded(raw, Dtype::uint16), static_cast<float>(static_cast<std::uint16_t>(raw))) << raw;
    ASSERT_EQ(loaded(raw, Dtype::int8), static_cast<float>(static_cast<std::int8_t>(raw))) << raw;
    ASSERT_EQ(loaded(raw, Dtype::uint8), static_cast<float>(static_cast<std::uint8_t>(raw))) << raw;
  }
  EXPECT_EQ(loaded(0x1000001, Dtype::int32), 16777216.0F);  // tie, to even
  EXPECT_EQ(loaded(0x8000000000000000, Dtype::int64), -0x1p63F);
  EXPECT_EQ(loaded(0xFFFFFFFFFFFFFFFF, Dtype::uint64), 0x1p64F);
  EXPECT_EQ(loaded(0x8000008000000001, Dtype::uint64), 0x1.000002p63F);  // just above a tie, seen in the last bit only
  EXPECT_EQ(loaded(0x8000008000000000, Dtype::uint64), 0x1p63F);
}

TEST(GoldenFormats, StoresIntegersTruncatedAndSaturated) {
  EXPECT_EQ(stored(2.9F, Dtype::int8), 2U);
  EXPECT_EQ(stored(-2.9F, Dtype::int8), 0xFEU);
  EXPECT_EQ(stored(-0.5F, Dtype::uint8), 0U);
  EXPECT_EQ(stored(-7.0F, Dtype::uint16), 0U);
  EXPECT_EQ(stored(128.0F, Dtype::int8), 127U);
  EXPECT_EQ(stored(-129.0F, Dtype::int8), 0x80U);
  EXPECT_EQ(stored(256.0F, Dtype::uint8), 255U);
  EXPECT_EQ(stored(-1e10F, Dtype::int32), 0x80000000U);
  EXPECT_EQ(stored(1e10F, Dtype::uint32), 0xFFFFFFFFU);
  EXPECT_EQ(stored(0x1p63F, Dtype::int64), 0x7FFFFFFFFFFFFFFFU);
  EXPECT_EQ(stored(-0x1p63F, Dtype::int64), 0x8000000000000000U);
  EXPECT_EQ(stored(0x1p63F, Dtype::uint64), 0x8000000000000000U);
  EXPECT_EQ(stored(std::numeric_limits<float>::infinity(), Dtype::uint64), 0xFFFFFFFFFFFFFFFFU);
  EXPECT_EQ(stored(std::nanf(""), Dtype::int32), 0U);
}

TEST(GoldenFormats, StoresFp32rWithAShortMantissa) {
  EXPECT_EQ(stored(1.0F, Dtype::fp32r), 0x3F800000U);
  EXPECT_EQ(stored(float_of_bits(0x3F800200), Dtype::fp32r), 0x3F800000U);  // tie at 13 bits, to even
  EXPECT_EQ(stored(float_of_bits(0x3F800600), Dtype::fp32r), 0x3F800800U);
  EXPECT_EQ(stored(float_of_bits(0x3F800201), Dtype::fp32r), 0x3F800400U);
  EXPECT_EQ(stored(float_of_bits(0x7F7FFFFF), Dtype::fp32r), 0x7F800000U);
  Options options;
  options.fp32r_mantissa = 23;
  EXPECT_EQ(stored(float_of_bits(0x3F800201), Dtype::fp32r, options), 0x3F800201U);
  options.fp32r_mantissa = 1;
  options.narrow_saturate = true;
  EXPECT_EQ(stored(float_of_bits(0x7F7FFFFF), Dtype::fp32r, options), 0x7F400000U);
}

TEST(GoldenFormats, MakesNanCanonicalInBothDirections) {
  EXPECT_EQ(stored(float_of_bits(0xFF800001), Dtype::fp32), 0x7FC00000U);
  EXPECT_EQ(stored(float_of_bits(0xFFFFFFFF), Dtype::bf16), 0x7FC0U);
  EXPECT_EQ(bits_of_float(loaded(0xFF800001, Dtype::fp32)), 0x7FC00000U);
  EXPECT_EQ(bits_of_float(loaded(0xFE01, Dtype::fp16)), 0x7FC00000U);
}

TEST(GoldenFormats, AgreesWithPublishedVectors) {
  std::ifstream file(std::string(DVE_TEST_DATA_DIR) + "/cases/float_conversions.json");
  ASSERT_TRUE(file) << "cases/float_conversions.json is missing";
  const auto json = nlohmann::json::parse(file);
  const std::map<std::string, Dtype> dtypes{{"fp32", Dtype::fp32},         {"bf16", Dtype::bf16},
                                            {"fp16", Dtype::fp16},         {"int32", Dtype::int32},
                                            {"fp8_e3m4", Dtype::fp8_e3m4}, {"fp8_e4m3", Dtype::fp8_e4m3},
                                            {"fp8_e5m2", Dtype::fp8_e5m2}};
  ASSERT_GE(json.at("vectors").size(), 70U);
  for (const auto& vector : json.at("vectors")) {
    const Dtype from = dtypes.at(vector.at("from"));
    const Dtype to = dtypes.at(vector.at("to"));
    const float value = loaded(std::stoul(vector.at("in_bits").get<std::string>(), nullptr, 16), from);
    if (vector.value("nan", "") == "any") {
      EXPECT_TRUE(std::isnan(loaded(stored(value, to), to))) << vector;
    } else {
      EXPECT_EQ(stored(value, to), std::stoul(vector.at("out_bits").get<std::string>(), nullptr, 16)) << vector;
    }
  }
}

}  // namespace formats_test
}  // namespace golden
