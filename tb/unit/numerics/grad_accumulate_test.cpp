// GradAccum: bit-exact against loops written from the formulas, and against exact sums of the terms.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "dve/numerics/numerics.h"
#include "oracle.h"

namespace grad_accumulate_test {

using namespace dve::numerics;
using oracle::bits;

constexpr float kInf = std::numeric_limits<float>::infinity();

struct Data {
  std::vector<float> x;
  std::vector<float> dy;
  float m;
  float v;
};

Data make(std::mt19937& rng, std::size_t n) {
  return {oracle::random_vector(rng, n, -3.0F, 5.0F), oracle::random_vector(rng, n, -1.0F, 2.0F),
          oracle::random_in(rng, 0.0F, 2.0F), oracle::random_in(rng, 0.2F, 3.0F)};
}

GradSums run(const Data& data, const Switches& switches) {
  return grad_accumulate(data.x.data(), data.dy.data(), data.x.size(), data.m, data.v, switches);
}

float term(const Data& data, std::size_t i, ProductOrder order) {
  const float deviation = data.x[i] - data.m;
  if (order == ProductOrder::documented) {
    const float normalised = deviation * data.v;
    return data.dy[i] * normalised;
  }
  const float product = deviation * data.dy[i];
  return product * data.v;
}

TEST(GradAccumulate, SequentialFollowsTheFormulaBitForBit) {
  std::mt19937 rng(1);
  for (const ProductOrder order : {ProductOrder::documented, ProductOrder::interpreter}) {
    for (std::size_t n = 0; n < 300; ++n) {
      const Data data = make(rng, n);
      float beta = 0;
      float gamma = 0;
      float coupling = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const float t = term(data, i, order);
        beta += data.dy[i];
        gamma += t;
        coupling += t * data.v;
      }
      Switches switches;
      switches.product_order = order;
      const GradSums sums = run(data, switches);
      ASSERT_EQ(bits(sums.d_beta), bits(beta)) << n;
      ASSERT_EQ(bits(sums.d_gamma), bits(gamma)) << n;
      ASSERT_EQ(bits(sums.coupling), bits(coupling)) << n;
    }
  }
}

TEST(GradAccumulate, WideIsTheExactSumOfTheTermsRoundedOnce) {
  std::mt19937 rng(2);
  for (const ProductOrder order : {ProductOrder::documented, ProductOrder::interpreter}) {
    for (std::size_t n = 0; n < 200; n += 7) {
      const Data data = make(rng, n);
      std::vector<float> t(n);
      std::vector<float> tv(n);
      for (std::size_t i = 0; i < n; ++i) {
        t[i] = term(data, i, order);
        tv[i] = t[i] * data.v;
      }
      Switches switches;
      switches.product_order = order;
      switches.accumulator = Accumulator::wide;
      const GradSums sums = run(data, switches);
      ASSERT_EQ(bits(sums.d_beta), bits(oracle::exact_sum(data.dy))) << n;
      ASSERT_EQ(bits(sums.d_gamma), bits(oracle::exact_sum(t))) << n;
      ASSERT_EQ(bits(sums.coupling), bits(oracle::exact_sum(tv))) << n;
    }
  }
}

TEST(GradAccumulate, WithinTheErrorBoundOfDouble) {
  std::mt19937 rng(3);
  constexpr double kUnit = 1.0 / 16777216.0;
  for (const std::size_t n : {1U, 10U, 1000U, 20000U}) {
    const Data data = make(rng, n);
    double beta = 0, gamma = 0, coupling = 0, abs_beta = 0, abs_gamma = 0, abs_coupling = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double t = double{data.dy[i]} * (double{data.x[i]} - double{data.m}) * double{data.v};
      beta += double{data.dy[i]};
      gamma += t;
      coupling += t * double{data.v};
      abs_beta += std::fabs(double{data.dy[i]});
      abs_gamma += std::fabs(t);
      abs_coupling += std::fabs(t * double{data.v});
    }
    // A term takes at most 4 roundings; a running sum errs like sqrt(n) roundings in practice. Wide needs no sqrt(n).
    for (const Accumulator accumulator : {Accumulator::sequential, Accumulator::wide}) {
      const double roundings = accumulator == Accumulator::wide ? 6.0 : 8.0 + std::sqrt(static_cast<double>(n));
      Switches switches;
      switches.accumulator = accumulator;
      const GradSums sums = run(data, switches);
      EXPECT_NEAR(double{sums.d_beta}, beta, roundings * kUnit * abs_beta) << n;
      EXPECT_NEAR(double{sums.d_gamma}, gamma, roundings * kUnit * abs_gamma) << n;
      EXPECT_NEAR(double{sums.coupling}, coupling, roundings * kUnit * abs_coupling) << n;
    }
  }
}

TEST(GradAccumulate, ProductOrdersDiffer) {
  // dy * ((x-m)*v) = 1e30 * (1e30 * 1e-30) is finite, (1e30 * 1e30) * 1e-30 is not.
  const Data data{{1e30F}, {1e30F}, 0.0F, 1e-30F};
  Switches switches;
  EXPECT_NEAR(run(data, switches).d_gamma, 1e30F, 1e24F);
  switches.product_order = ProductOrder::interpreter;
  EXPECT_EQ(run(data, switches).d_gamma, kInf);
}

TEST(GradAccumulate, AccumulatorsDiffer) {
  const Data data{{0, 0, 0, 0, 0}, {16777216, 1, 1, 1, 1}, 0.0F, 1.0F};
  Switches switches;
  EXPECT_EQ(run(data, switches).d_beta, 16777216.0F);
  switches.accumulator = Accumulator::wide;
  EXPECT_EQ(run(data, switches).d_beta, 16777220.0F);
}

TEST(GradAccumulate, EmptyStreamIsPlusZero) {
  for (const Accumulator accumulator : {Accumulator::sequential, Accumulator::wide}) {
    Switches switches;
    switches.accumulator = accumulator;
    const GradSums sums = grad_accumulate(nullptr, nullptr, 0, 1.0F, -1.0F, switches);
    EXPECT_EQ(bits(sums.d_beta), 0U);
    EXPECT_EQ(bits(sums.d_gamma), 0U);
    EXPECT_EQ(bits(sums.coupling), 0U);
    // A sum of negative zeros starts at +0 too.
    EXPECT_EQ(bits(run({{1.0F}, {-0.0F}, 0.0F, 1.0F}, switches).d_gamma), 0U);
  }
}

TEST(GradAccumulate, SpecialValuesFollowIeee) {
  for (const Accumulator accumulator : {Accumulator::sequential, Accumulator::wide}) {
    Switches switches;
    switches.accumulator = accumulator;
    const GradSums zero_times_inf = run({{2.0F, 4.0F}, {kInf, 1.0F}, 2.0F, 1.0F}, switches);
    EXPECT_EQ(zero_times_inf.d_beta, kInf);
    EXPECT_EQ(bits(zero_times_inf.d_gamma), oracle::kNan);
    EXPECT_EQ(bits(zero_times_inf.coupling), oracle::kNan);
    EXPECT_EQ(bits(run({{0.0F, 0.0F}, {kInf, -kInf}, 1.0F, 1.0F}, switches).d_beta), oracle::kNan);
    EXPECT_EQ(bits(run({{0.0F}, {oracle::from_bits(0xFFA00000)}, 1.0F, 1.0F}, switches).d_beta), oracle::kNan);
    EXPECT_EQ(run({{-1.0F}, {kInf}, 1.0F, 1.0F}, switches).d_gamma, -kInf);
  }
}

TEST(GradAccumulate, DestinationOrders) {
  const GradSums sums{1.0F, 2.0F, 3.0F};
  EXPECT_EQ(in_dst_order(sums, DstOrder::documented), (std::array<float, 3>{1, 2, 3}));
  EXPECT_EQ(in_dst_order(sums, DstOrder::interpreter), (std::array<float, 3>{1, 3, 2}));
}

}  // namespace grad_accumulate_test
