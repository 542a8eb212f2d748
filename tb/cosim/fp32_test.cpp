// The binary32 units against the host: all operand classes crossed with all, directed values crossed with all, and
// random pairs that meet where rounding decides. Bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "cosim/fp32_operands.h"
#include "cosim/fp32_units.h"
#include "cosim/long_tests.h"
#include "golden/golden.h"

namespace dve::cosim {
namespace {

void expect_no_mismatch(const Fp32Comparison& comparison, std::uint64_t seed) {
  EXPECT_EQ(comparison.mismatches(), 0U) << "first: " << comparison.first_mismatch()
                                         << "\nreplay: DVE_COSIM_SEED=" << seed;
}

void drain(Fp32Comparison& comparison) {
  for (int i = 0; i < 3; ++i) comparison.feed(0, 0, false);
}

TEST(Fp32, DirectedOperandsCrossedWithAll) {
  const std::vector<std::uint32_t> operands = directed_operands();
  std::set<OperandClass> classes;
  for (const std::uint32_t a : operands) classes.insert(class_of(a));
  EXPECT_EQ(classes.size(), kOperandClasses) << "every class stands in the directed operands";
  Fp32Comparison comparison;
  for (const std::uint32_t a : operands) {
    for (const std::uint32_t b : operands) {
      comparison.feed(a, b, false);
      comparison.feed(a, b, true);
    }
  }
  drain(comparison);
  EXPECT_GE(comparison.compared(), 2 * operands.size() * operands.size());
  expect_no_mismatch(comparison, 0);
}

TEST(Fp32, ClassesCrossedWithAll) {
  Rng random(cosim_seed());
  Fp32Comparison comparison;
  const int times = long_tests() ? 20000 : 400;
  for (int i = 0; i < times; ++i) {
    for (std::size_t a = 0; a < kOperandClasses; ++a) {
      for (std::size_t b = 0; b < kOperandClasses; ++b) {
        const std::uint32_t x = random_member(static_cast<OperandClass>(a), random);
        const std::uint32_t y = random_member(static_cast<OperandClass>(b), random);
        ASSERT_EQ(class_of(x), static_cast<OperandClass>(a));
        ASSERT_EQ(class_of(y), static_cast<OperandClass>(b));
        comparison.feed(x, y, (random() & 1) != 0);
      }
    }
  }
  drain(comparison);
  expect_no_mismatch(comparison, cosim_seed());
}

// What the random pairs reached, seen in exact arithmetic on the host.
class Reached {
 public:
  void sample(std::uint32_t a, std::uint32_t b, bool subtract) {
    const double x = golden::float_of_bits(a);
    const double y = subtract ? -golden::float_of_bits(b) : golden::float_of_bits(b);
    if (std::isfinite(x) && std::isfinite(y)) {
      sample("product", x * y, x != 0 && y != 0);  // 48 bits: exact in binary64 down to its own subnormals
      const double sum = x + y;
      const bool exact = sum - x == y && sum - y == x;
      if (exact) sample("sum", sum, true);
      if (exact && x != 0 && sum != 0 && std::fabs(sum) < std::ldexp(std::fabs(x), -12)) ++seen_["sum cancellation"];
      if (sum == 0 && x != 0) ++seen_["sum zero of opposites"];
    }
  }
  std::uint64_t operator[](const std::string& what) const {
    const auto found = seen_.find(what);
    return found == seen_.end() ? 0 : found->second;
  }

 private:
  void sample(const std::string& operation, double exact, bool counts) {
    const float rounded = static_cast<float>(exact);
    const float away = std::nextafter(rounded, exact > static_cast<double>(rounded) ? INFINITY : -INFINITY);
    const bool inexact = static_cast<double>(rounded) != exact;
    if (std::isinf(rounded)) ++seen_[operation + " overflow"];
    if (counts && inexact && std::fabs(exact) < 0x1p-126) ++seen_[operation + " underflow"];
    if (std::fabs(rounded) == 0x1p-126F && inexact && std::fabs(exact) < 0x1p-126) ++seen_[operation + " up to normal"];
    if (counts && exact != 0 && rounded == 0) ++seen_[operation + " to zero"];
    if (inexact && std::isfinite(rounded) && std::isfinite(away) &&
        std::fabs(exact - static_cast<double>(rounded)) == std::fabs(static_cast<double>(away) - exact)) {
      ++seen_[operation + " tie"];
    }
  }
  std::map<std::string, std::uint64_t> seen_;
};

TEST(Fp32, RandomPairs) {
  const std::uint64_t pairs = long_tests() ? 24'000'000 : 2'000'000;
  Rng random(cosim_seed());
  Fp32Comparison comparison;
  Reached reached;
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const auto [a, b] = random_pair(static_cast<PairKind>(i % kPairKinds), random);
    const bool subtract = (random() & 1) != 0;
    comparison.feed(a, b, subtract);
    if (i < 400'000) reached.sample(a, b, subtract);
  }
  drain(comparison);
  EXPECT_GE(comparison.compared(), pairs);
  expect_no_mismatch(comparison, cosim_seed());
  // The pairs do meet what they are there for.
  for (const char* what :
       {"product tie", "product overflow", "product underflow", "product to zero", "product up to normal", "sum tie",
        "sum overflow", "sum cancellation", "sum zero of opposites"}) {
    EXPECT_GE(reached[what], 50U) << what;
  }
}

TEST(Fp32, HostSideIsIeee) {
  EXPECT_EQ(host_results(0x7F800000, 0, false).product, 0x7FC00000U);
  EXPECT_EQ(host_results(0x00000001, 0x3F000000, false).product, 0U) << "half of the smallest subnormal ties to even";
  EXPECT_EQ(host_results(0x00000003, 0x3F000000, false).product, 2U);
  EXPECT_EQ(host_results(0x3F800000, 0x33800000, false).sum, 0x3F800000U) << "1 + 2^-24 ties to even";
  EXPECT_EQ(host_results(0x3F800001, 0x33800000, false).sum, 0x3F800002U);
  EXPECT_EQ(host_results(0x80000000, 0, true).sum, 0x80000000U) << "-0 - +0";
  EXPECT_EQ(host_results(0x7F800001, 0x3F800000, false).sum, 0x7FC00000U) << "a signalling NaN";
}

struct UnitBug {
  PlantedBug bug;
  const char* unit;
};

TEST(Fp32, PlantedBugsAreFoundAndTheUnitNamed) {
  for (const UnitBug& planted :
       {UnitBug{PlantedBug::multiply_ties_away, "fp32_multiply"},
        UnitBug{PlantedBug::multiply_flushes, "fp32_multiply"}, UnitBug{PlantedBug::add_loses_sticky, "fp32_add"}}) {
    Rng random(1);
    Fp32Comparison comparison(planted.bug);
    for (std::uint64_t i = 0; i < 4000; ++i) {
      const auto [a, b] = random_pair(static_cast<PairKind>(i % kPairKinds), random);
      comparison.feed(a, b, false);
    }
    EXPECT_GT(comparison.mismatches(), 0U) << planted.unit;
    EXPECT_NE(comparison.first_mismatch().find(planted.unit), std::string::npos) << comparison.first_mismatch();
    EXPECT_NE(comparison.first_mismatch().find("expected"), std::string::npos) << comparison.first_mismatch();
  }
}

}  // namespace
}  // namespace dve::cosim
