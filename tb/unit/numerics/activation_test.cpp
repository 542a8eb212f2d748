// Activation functions against long double formulas of another form, exact comparisons and listed special values.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "dve/numerics/numerics.h"
#include "golden/golden.h"
#include "oracle.h"

namespace activation_test {

using namespace dve::numerics;
using dve::isa::ActivationFunc;
using oracle::bits;
using oracle::from_bits;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();
constexpr float kTiny = std::numeric_limits<float>::denorm_min();
const float kNan = from_bits(oracle::kNan);
const float kPayload = from_bits(0xFFC12345);

const std::set<int> kCodes{0x01, 0x02, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x13, 0x15, 0x17,
                           0x18, 0x19, 0x1C, 0x1D, 0x1E, 0x1F, 0x21, 0x22, 0x23, 0x24, 0x80, 0x81};
// Resident in every function set, so without a table (isa-neighbours.md 5.2).
const std::set<int> kResident{0x01, 0x02, 0x04, 0x1E, 0x1F, 0x21, 0x23, 0x80};

float of(ActivationFunc f, float x, float alpha = 0.25F) { return activate(f, x, alpha, {}); }

// Numbers of every size, and those where the functions bend.
std::vector<float> samples() {
  std::vector<float> values{0, -0.0F, kInf, -kInf, kPayload, kMax, -kMax, kTiny, -kTiny};
  for (std::uint32_t high = 0; high < 0x10000; high += 7) values.push_back(from_bits(high << 16U));
  std::mt19937 rng(1);
  for (int i = 0; i < 30000; ++i) {
    values.push_back(oracle::random_pattern(rng));
    values.push_back(oracle::random_in(rng, -1.0F, 1.0F));
    values.push_back(oracle::random_in(rng, -20.0F, 20.0F));
    values.push_back(oracle::random_in(rng, -110.0F, 110.0F));
  }
  return values;
}

TEST(Activation, KnowsItsFunctions) {
  for (int code = 0; code < 256; ++code) {
    const ActivationFunc f = static_cast<ActivationFunc>(code);
    const bool known = kCodes.count(code) == 1;
    EXPECT_EQ(has_definition(f), known) << code;
    if (known) {
      EXPECT_NO_THROW(of(f, 1)) << code;
    } else {
      EXPECT_THROW(of(f, 1), std::invalid_argument) << code;
    }
  }
}

TEST(Activation, NamesWhatItDoesNotKnow) {
  try {
    of(ActivationFunc::lrelu, 1);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "activate: function lrelu, expected one with a published definition");
  }
}

void check(int code, float x, const Switches& switches) {
  const float got = activate(static_cast<ActivationFunc>(code), x, 0.25F, switches);
  ASSERT_TRUE(golden::activation_matches(got, static_cast<std::uint8_t>(code), x, 0.25F, switches.act_relative_error))
      << std::hex << "function 0x" << code << " of 0x" << bits(x) << " is 0x" << bits(got) << ", error "
      << switches.act_relative_error;
}

// Within half an ulp of long double formulas.
TEST(Activation, AgreesWithTheGolden) {
  const std::vector<float> xs = samples();
  for (const int code : kCodes) {
    for (const float x : xs) ASSERT_NO_FATAL_FAILURE(check(code, x, {}));
  }
}

TEST(Activation, NanStaysNanAndCanonical) {
  for (const int code : kCodes) {
    const ActivationFunc f = static_cast<ActivationFunc>(code);
    for (const std::uint32_t nan : {0x7F800001U, 0x7FC00000U, 0x7FC12345U, 0xFFFFFFFFU}) {
      const float expected = f == ActivationFunc::is_finite ? 0.0F : kNan;
      EXPECT_EQ(bits(of(f, from_bits(nan))), bits(expected)) << dve::isa::name(f);
    }
  }
}

struct Special {
  ActivationFunc f;
  float minus_inf, minus_zero, plus_zero, plus_inf;
};

TEST(Activation, ZerosAndInfinities) {
  const float half_pi = 1.57079637F;
  const float ln2 = 0.693147182F;
  const std::vector<Special> specials{{ActivationFunc::identity, -kInf, -0.0F, 0, kInf},
                                      {ActivationFunc::copy, -kInf, -0.0F, 0, kInf},
                                      {ActivationFunc::relu, 0, -0.0F, 0, kInf},
                                      {ActivationFunc::prelu, -kInf, -0.0F, 0, kInf},
                                      {ActivationFunc::sigmoid, 0, 0.5F, 0.5F, 1},
                                      {ActivationFunc::tanh, -1, -0.0F, 0, 1},
                                      {ActivationFunc::exp, 0, 1, 1, kInf},
                                      {ActivationFunc::sqrt, kNan, -0.0F, 0, kInf},
                                      {ActivationFunc::softplus, 0, ln2, ln2, kInf},
                                      {ActivationFunc::ln, kNan, -kInf, -kInf, kInf},
                                      {ActivationFunc::sin, kNan, -0.0F, 0, kNan},
                                      {ActivationFunc::erf, -1, -0.0F, 0, 1},
                                      {ActivationFunc::gelu, -0.0F, -0.0F, 0, kInf},
                                      {ActivationFunc::mish, -0.0F, -0.0F, 0, kInf},
                                      {ActivationFunc::gelu_tanh, -0.0F, -0.0F, 0, kInf},
                                      {ActivationFunc::silu, -0.0F, -0.0F, 0, kInf},
                                      {ActivationFunc::arctan, -half_pi, -0.0F, 0, half_pi},
                                      {ActivationFunc::rsqrt, kNan, kInf, kInf, 0},
                                      {ActivationFunc::rsqrt_abs, 0, kInf, kInf, 0},
                                      {ActivationFunc::square, kInf, 0, 0, kInf},
                                      {ActivationFunc::sign, -1, 0, 0, 1},
                                      {ActivationFunc::abs, kInf, 0, 0, kInf},
                                      {ActivationFunc::is_finite, 0, 1, 1, 0},
                                      {ActivationFunc::reciprocal, -0.0F, -kInf, kInf, 0}};
  EXPECT_EQ(specials.size(), kCodes.size());
  for (const Special& s : specials) {
    SCOPED_TRACE(dve::isa::name(s.f));
    EXPECT_EQ(bits(of(s.f, -kInf)), bits(s.minus_inf));
    EXPECT_EQ(bits(of(s.f, -0.0F)), bits(s.minus_zero));
    EXPECT_EQ(bits(of(s.f, 0)), bits(s.plus_zero));
    EXPECT_EQ(bits(of(s.f, kInf)), bits(s.plus_inf));
  }
}

struct Example {
  ActivationFunc f;
  float x, expected;
};

// Nearest binary32 of values to twelve digits from tables.
TEST(Activation, Examples) {
  const std::vector<Example> examples{{ActivationFunc::sigmoid, 1, 0.731058578630F},
                                      {ActivationFunc::tanh, 1, 0.761594155956F},
                                      {ActivationFunc::exp, 1, 2.71828182846F},
                                      {ActivationFunc::exp, 89, kInf},
                                      {ActivationFunc::exp, -104, 0},
                                      {ActivationFunc::sqrt, 2, 1.41421356237F},
                                      {ActivationFunc::sqrt, -1, kNan},
                                      {ActivationFunc::softplus, 1, 1.31326168752F},
                                      {ActivationFunc::softplus, 1000, 1000},
                                      {ActivationFunc::ln, 10, 2.30258509299F},
                                      {ActivationFunc::ln, -1, kNan},
                                      {ActivationFunc::sin, 1, 0.841470984808F},
                                      {ActivationFunc::erf, 0.5F, 0.520499877813F},
                                      {ActivationFunc::gelu, 1, 0.841344746069F},
                                      {ActivationFunc::gelu, -1, -0.158655253931F},
                                      {ActivationFunc::gelu, -100, -0.0F},
                                      {ActivationFunc::gelu, 100, 100},
                                      {ActivationFunc::mish, 1, 0.865098388290F},
                                      {ActivationFunc::mish, -kMax, -0.0F},
                                      {ActivationFunc::mish, kMax, kMax},
                                      {ActivationFunc::gelu_tanh, 1, 0.841191990608F},
                                      {ActivationFunc::gelu_tanh, kMax, kMax},
                                      {ActivationFunc::gelu_tanh, -kMax, -0.0F},
                                      {ActivationFunc::silu, 1, 0.731058578630F},
                                      {ActivationFunc::arctan, 1, 0.785398163397F},
                                      {ActivationFunc::rsqrt, 3, 0.577350269190F},
                                      {ActivationFunc::rsqrt, -kTiny, kNan},
                                      {ActivationFunc::rsqrt_abs, -4, 0.5F},
                                      {ActivationFunc::square, -3, 9},
                                      {ActivationFunc::square, kMax, kInf},
                                      {ActivationFunc::sign, -kTiny, -1},
                                      {ActivationFunc::sign, kMax, 1},
                                      {ActivationFunc::is_finite, kMax, 1},
                                      {ActivationFunc::relu, -kTiny, 0},
                                      {ActivationFunc::relu, 3, 3},
                                      {ActivationFunc::reciprocal, kTiny, kInf},
                                      {ActivationFunc::reciprocal, 3, 0.333333333333F}};
  for (const Example& e : examples) {
    EXPECT_EQ(bits(of(e.f, e.x)), bits(e.expected)) << dve::isa::name(e.f) << " of " << e.x << " is " << of(e.f, e.x);
  }
}

TEST(Activation, AlphaIsForPrelu) {
  EXPECT_EQ(of(ActivationFunc::prelu, -2, 0.25F), -0.5F);
  EXPECT_EQ(of(ActivationFunc::prelu, -2, -3), 6.0F);
  EXPECT_EQ(of(ActivationFunc::prelu, 2, -3), 2.0F);
  EXPECT_EQ(bits(of(ActivationFunc::prelu, -0.0F, -3)), 0x80000000U);
  EXPECT_EQ(of(ActivationFunc::prelu, -3, 1e-45F), -3 * 1e-45F);
  for (const int code : kCodes) {
    const ActivationFunc f = static_cast<ActivationFunc>(code);
    if (f == ActivationFunc::prelu) continue;
    EXPECT_EQ(bits(of(f, -0.7F, 0.25F)), bits(of(f, -0.7F, kPayload))) << dve::isa::name(f);
  }
}

// Midpoints to the neighbours have 25 bits, so that these products are exact in a long double of 64 bits.
TEST(Activation, CorrectRoundingWhereProvable) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  std::mt19937 rng(2);
  for (int i = 0; i < 100000; ++i) {
    const float x = std::fabs(oracle::random_finite(rng));
    const float alpha = oracle::random_in(rng, -2.0F, 2.0F);
    const long double wide = static_cast<long double>(x);
    const auto midpoints = [](float r) {
      const long double below = static_cast<long double>(std::nextafter(r, -kInf));
      const long double above = static_cast<long double>(std::nextafter(r, kInf));
      return std::pair((below + static_cast<long double>(r)) / 2, (above + static_cast<long double>(r)) / 2);
    };
    if (x == 0) continue;
    const auto root = midpoints(of(ActivationFunc::sqrt, x));
    ASSERT_TRUE(root.first * root.first <= wide && wide <= root.second * root.second) << x;
    const float inverse = of(ActivationFunc::reciprocal, x);
    if (std::isfinite(inverse)) {
      const auto ends = midpoints(inverse);
      ASSERT_TRUE(ends.first * wide <= 1 && 1 <= ends.second * wide) << x;
    }
    const float square = of(ActivationFunc::square, x);
    if (square < kMax) {
      const auto ends = midpoints(square);
      ASSERT_TRUE(ends.first <= wide * wide && wide * wide <= ends.second) << x;
    }
    const float scaled = of(ActivationFunc::prelu, -x, alpha);
    if (std::fabs(scaled) < kMax) {
      const auto ends = midpoints(scaled);
      const long double exact = -wide * static_cast<long double>(alpha);
      ASSERT_TRUE(ends.first <= exact && exact <= ends.second) << x << " * " << alpha;
    }
  }
}

// ---- Switches -------------------------------------------------------------------------------------------------------

TEST(Activation, RelativeErrorOfTables) {
  const std::vector<float> xs = samples();
  for (const double error : {0.0, 0.25, 1e-6, -1e-3, -0.5}) {
    Switches switches;
    switches.act_relative_error = error;
    for (const int code : kCodes) {
      const ActivationFunc f = static_cast<ActivationFunc>(code);
      for (std::size_t i = 0; i < xs.size(); i += 29) {
        ASSERT_NO_FATAL_FAILURE(check(code, xs[i], switches));
        if (kResident.count(code) == 1) {
          ASSERT_EQ(bits(activate(f, xs[i], 0.25F, switches)), bits(of(f, xs[i])));
        }
      }
    }
  }
  Switches switches;
  switches.act_relative_error = 0.25;
  EXPECT_EQ(activate(ActivationFunc::exp, 0, 0, switches), 1.25F);
  EXPECT_EQ(activate(ActivationFunc::rsqrt, 4, 0, switches), 0.625F);
  EXPECT_EQ(activate(ActivationFunc::square, 2, 0, switches), 4.0F);
  switches.act_relative_error = 0x1p-26;  // before the rounding to binary32, which takes it away here
  EXPECT_EQ(activate(ActivationFunc::exp, 0, 0, switches), 1.0F);
}

TEST(ActAffine, RoundsTwiceOrOnce) {
  const auto affine = [](float x, float scale, float bias, Contraction contraction) {
    Switches switches;
    switches.act_affine_contraction = contraction;
    return act_affine(x, scale, bias, switches);
  };
  const float e = 0x1.001p0F;  // its square is 1 + 2^-11 + 2^-24, of which binary32 keeps the first two
  EXPECT_EQ(affine(e, e, -0x1.002p0F, Contraction::separate), 0.0F);
  EXPECT_EQ(affine(e, e, -0x1.002p0F, Contraction::fused), 0x1p-24F);
  EXPECT_EQ(affine(3, 2, 1, Contraction::separate), 7.0F);
  EXPECT_EQ(affine(kMax, 2, -kMax, Contraction::separate), kInf);
  EXPECT_EQ(affine(kMax, 2, -kMax, Contraction::fused), kMax);
  std::mt19937 rng(3);
  for (int i = 0; i < 100000; ++i) {
    const bool wild = i % 4 == 0;
    const float x = wild ? oracle::random_pattern(rng) : oracle::random_in(rng, -4.0F, 4.0F);
    const float scale = wild ? oracle::random_pattern(rng) : oracle::random_in(rng, -4.0F, 4.0F);
    const float bias = i % 3 == 0 ? -(x * scale) : oracle::random_in(rng, -4.0F, 4.0F);
    for (const Contraction contraction : {Contraction::separate, Contraction::fused}) {
      ASSERT_EQ(bits(affine(x, scale, bias, contraction)),
                bits(golden::affine(x, scale, bias, contraction == Contraction::fused)))
          << std::hex << bits(x) << ' ' << bits(scale) << ' ' << bits(bias);
    }
  }
}

}  // namespace activation_test
