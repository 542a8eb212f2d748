// Aggregate: bit-exact recurrence, and agreement with direct statistics in double.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dve/numerics/numerics.h"
#include "oracle.h"

namespace aggregate_test {

using namespace dve::numerics;
using oracle::bits;

MeanVariance run(const std::vector<float>& triples, const Switches& switches = {}) {
  return aggregate(triples.data(), triples.size() / 3, switches);
}

MeanVariance by_hand(const std::vector<float>& triples, Divide divide) {
  float n = 0;
  float mean = 0;
  float var = 0;
  for (std::size_t i = 0; i + 2 < triples.size(); i += 3) {
    const float n_t = triples[i];
    const float total = n_t + n;
    const float r = divide_reciprocal(total, divide);
    const float d = mean - triples[i + 1];
    const float old_part = mean * n;
    const float new_part = n_t * triples[i + 1];
    const float own = (var * n + triples[i + 2]) * r;
    float between = n_t * n;
    between = between * d;
    between = between * d;
    between = between * r;
    between = between * r;
    mean = (old_part + new_part) * r;
    var = own + between;
    n = total;
  }
  return {mean, var};
}

std::vector<float> random_triples(std::mt19937& rng, std::size_t n) {
  std::vector<float> triples;
  for (std::size_t i = 0; i < n; ++i) {
    triples.push_back(static_cast<float>(1 + rng() % 256));
    triples.push_back(oracle::random_in(rng, -3.0F, 4.0F));
    triples.push_back(oracle::random_in(rng, 0.0F, 300.0F));
  }
  return triples;
}

TEST(Aggregate, FollowsTheRecurrenceBitForBit) {
  std::mt19937 rng(1);
  for (const Divide divide : {Divide::exact, Divide::newton}) {
    Switches switches;
    switches.divide = divide;
    for (std::size_t n = 0; n < 200; ++n) {
      const std::vector<float> triples = random_triples(rng, n);
      const MeanVariance got = run(triples, switches);
      const MeanVariance expected = by_hand(triples, divide);
      ASSERT_EQ(bits(got.mean), bits(expected.mean)) << n;
      ASSERT_EQ(bits(got.variance), bits(expected.variance)) << n;
    }
  }
}

TEST(Aggregate, NothingIsZero) {
  EXPECT_EQ(bits(run({}).mean), 0U);
  EXPECT_EQ(bits(run({}).variance), 0U);
}

TEST(Aggregate, OneTripleIsItself) {
  const MeanVariance got = run({4.0F, 2.5F, 5.0F});
  EXPECT_EQ(got.mean, 2.5F);
  EXPECT_EQ(got.variance, 1.25F);
}

TEST(Aggregate, EmptyTotalIsNan) {
  EXPECT_EQ(bits(run({0.0F, 0.0F, 0.0F}).mean), oracle::kNan);
  EXPECT_EQ(bits(run({0.0F, 0.0F, 0.0F}).variance), oracle::kNan);
}

TEST(Aggregate, AnEmptyTripleAfterTheFirstChangesNothing) {
  const MeanVariance got = run({4.0F, 2.5F, 5.0F, 0.0F, 0.0F, 0.0F});
  EXPECT_EQ(got.mean, 2.5F);
  EXPECT_EQ(got.variance, 1.25F);
}

TEST(Aggregate, BothHalvesGiveTheDirectStatistics) {
  std::mt19937 rng(2);
  const ParamTable table = reciprocal_table(ParamRamIndex::i_plus_1);
  for (const std::size_t n : {1U, 2U, 3U, 7U, 64U, 255U, 512U}) {
    SCOPED_TRACE(n);
    const std::vector<float> x = oracle::random_vector(rng, n, -1.0F, 3.0F);
    const Stats2Result halves =
        stats2(x.data(), n, static_cast<float>(n - n / 2), static_cast<float>(n / 2), table, {});
    const MeanVariance got = run(
        {halves.even.count, halves.even.mean, halves.even.nvar, halves.odd.count, halves.odd.mean, halves.odd.nvar});
    double mean = 0;
    for (const float value : x) mean += double{value};
    mean /= static_cast<double>(n);
    double variance = 0;
    for (const float value : x) variance += (double{value} - mean) * (double{value} - mean);
    variance /= static_cast<double>(n);
    // A running mean takes some three roundings a step, which average out: far below 64 units of 2^-24 of the range.
    EXPECT_NEAR(double{got.mean}, mean, 64.0 / 16777216.0 * 4.0);
    EXPECT_NEAR(double{got.variance}, variance, 64.0 / 16777216.0 * 4.0);
  }
}

TEST(Aggregate, ManyTilesGiveTheDirectStatistics) {
  std::mt19937 rng(3);
  const ParamTable table = reciprocal_table(ParamRamIndex::i_plus_1);
  std::vector<float> triples;
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (int tile = 0; tile < 50; ++tile) {
    const std::size_t n = 1 + rng() % 512;
    const std::vector<float> x = oracle::random_vector(rng, n, -1.0F, 3.0F);
    const Stats2Result s = stats2(x.data(), n, static_cast<float>(n - n / 2), static_cast<float>(n / 2), table, {});
    for (const Moments& m : {s.even, s.odd}) triples.insert(triples.end(), {m.count, m.mean, m.nvar});
    for (const float value : x) {
      sum += double{value};
      squares += double{value} * double{value};
      count += 1;
    }
  }
  const double mean = sum / count;
  const MeanVariance got = run(triples);
  EXPECT_NEAR(double{got.mean}, mean, 1e-5);
  EXPECT_NEAR(double{got.variance}, squares / count - mean * mean, 1e-5);
}

}  // namespace aggregate_test
