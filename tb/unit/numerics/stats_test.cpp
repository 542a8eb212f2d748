// Stats and Stats2: bit-exact recurrences, golden values, both algorithms, and their use of the table.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "dve/numerics/numerics.h"
#include "oracle.h"

namespace stats_test {

using namespace dve::numerics;
using oracle::bits;

const ParamTable kTable = reciprocal_table(ParamRamIndex::i_plus_1);

Switches sumsq() {
  Switches switches;
  switches.stats_algorithm = StatsAlgorithm::sumsq;
  return switches;
}

Stats2Result run2(const std::vector<float>& x, const Switches& switches, const ParamTable& table = kTable) {
  const float n = static_cast<float>(x.size());
  return stats2(x.data(), x.size(), std::ceil(n / 2), std::floor(n / 2), table, switches);
}

void expect_moments(const Moments& got, float count, float mean, float nvar) {
  EXPECT_EQ(bits(got.count), bits(count));
  EXPECT_EQ(bits(got.mean), bits(mean));
  EXPECT_EQ(bits(got.nvar), bits(nvar));
}

// The recurrence of isa.md 9.1 S over every `stride`-th element from `first`; r = 1/k correctly rounded.
std::array<float, 2> welford_by_hand(const std::vector<float>& x, std::size_t first, std::size_t stride) {
  float mean = 0;
  float nvar = 0;
  float k = 0;
  for (std::size_t i = first; i < x.size(); i += stride) {
    k += 1;
    const float r = 1.0F / k;
    const float kept = (1.0F - r) * mean;
    const float added = r * x[i];
    const float next = kept + added;
    const float product = (x[i] - next) * (x[i] - mean);
    nvar = nvar + product;
    mean = next;
  }
  return {mean, nvar};
}

std::array<float, 2> sumsq_by_hand(const std::vector<float>& x, std::size_t first, std::size_t stride) {
  float sum = 0;
  float squares = 0;
  float n = 0;
  for (std::size_t i = first; i < x.size(); i += stride) {
    sum += x[i];
    const float square = x[i] * x[i];
    squares += square;
    n += 1;
  }
  if (n == 0) return {0, 0};
  const float mean = sum * (1.0F / n);
  const float scaled = n * mean;
  const float product = scaled * mean;
  return {mean, squares - product};
}

TEST(Stats2, BothAlgorithmsBitForBit) {
  std::mt19937 rng(1);
  for (std::size_t n = 0; n <= 700; n += n < 20 ? 1 : 37) {  // past 512: the halves outgrow the table
    SCOPED_TRACE(n);
    const std::vector<float> x = oracle::random_vector(rng, n, -2.0F, 6.0F);
    const float even_count = static_cast<float>((n + 1) / 2);
    const float odd_count = static_cast<float>(n / 2);
    const Stats2Result welford = run2(x, {});
    const auto even = welford_by_hand(x, 0, 2);
    const auto odd = welford_by_hand(x, 1, 2);
    expect_moments(welford.even, even_count, even[0], even[1]);
    expect_moments(welford.odd, odd_count, odd[0], odd[1]);

    const Stats2Result squares = run2(x, sumsq());
    const auto even_squares = sumsq_by_hand(x, 0, 2);
    const auto odd_squares = sumsq_by_hand(x, 1, 2);
    expect_moments(squares.even, even_count, even_squares[0], even_squares[1]);
    expect_moments(squares.odd, odd_count, odd_squares[0], odd_squares[1]);
  }
}

TEST(Stats, BothAlgorithmsBitForBit) {
  std::mt19937 rng(2);
  for (std::size_t n = 0; n <= 400; n += n < 20 ? 1 : 37) {
    SCOPED_TRACE(n);
    const std::vector<float> x = oracle::random_vector(rng, n, -2.0F, 6.0F);
    const auto welford = welford_by_hand(x, 0, 1);
    expect_moments(stats(x.data(), n, 77.0F, kTable, {}), 77.0F, welford[0], welford[1]);
    const auto squares = sumsq_by_hand(x, 0, 1);
    expect_moments(stats(x.data(), n, 77.0F, kTable, sumsq()), 77.0F, squares[0], squares[1]);
  }
}

TEST(Stats2, OneToFive) {
  // Exact moments of the odd and even elements of 1, 2, .. n; the only inexact reciprocal is 1/3, worth a few ulp.
  struct Row {
    std::size_t n;
    std::array<double, 6> expected;
  };
  const std::vector<Row> rows{{1, {1, 1, 0, 0, 0, 0}},
                              {2, {1, 1, 0, 1, 2, 0}},
                              {3, {2, 2, 2, 1, 2, 0}},
                              {4, {2, 2, 2, 2, 3, 2}},
                              {5, {3, 3, 8, 2, 3, 2}}};
  const std::vector<float> x{1, 2, 3, 4, 5};
  for (const Row& row : rows) {
    for (const Switches& switches : {Switches{}, sumsq()}) {
      SCOPED_TRACE(row.n);
      const Stats2Result got =
          run2(std::vector<float>(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(row.n)), switches);
      const double tolerance = row.n == 5 ? 1e-5 : 0.0;
      EXPECT_EQ(double{got.even.count}, row.expected[0]);
      EXPECT_NEAR(double{got.even.mean}, row.expected[1], tolerance);
      EXPECT_NEAR(double{got.even.nvar}, row.expected[2], tolerance);
      EXPECT_EQ(double{got.odd.count}, row.expected[3]);
      EXPECT_EQ(double{got.odd.mean}, row.expected[4]);
      EXPECT_EQ(double{got.odd.nvar}, row.expected[5]);
    }
  }
}

TEST(Stats2, CountsAreCopiedNotCounted) {
  const std::vector<float> x{1, 2, 3, 4};
  for (const Switches& switches : {Switches{}, sumsq()}) {
    const Stats2Result got = stats2(x.data(), 4, 100.0F, -3.5F, kTable, switches);
    expect_moments(got.even, 100.0F, 2.0F, 2.0F);
    expect_moments(got.odd, -3.5F, 3.0F, 2.0F);
  }
}

TEST(Stats, LargeMeanNeedsWelford) {
  // isa.md 9.1: mean 1000, sigma 0.1. The sum of squares keeps no digit of the variance.
  std::mt19937 rng(3);
  const std::vector<float> x = oracle::random_vector(rng, 256, 999.8F, 1000.2F);
  double mean = 0;
  for (const float value : x) mean += double{value} / 256.0;
  double nvar = 0;
  for (const float value : x) nvar += (double{value} - mean) * (double{value} - mean);
  // Each running mean is off by about an ulp of 1000 (6e-5) against deviations of 0.1.
  EXPECT_NEAR(double{stats(x.data(), 256, 256.0F, kTable, {}).nvar}, nvar, 0.01 * nvar);
  EXPECT_GT(std::fabs(double{stats(x.data(), 256, 256.0F, kTable, sumsq()).nvar} - nvar), nvar);
}

ParamTable zero_except(std::size_t entry, float value) {
  ParamTable table{};
  table[entry] = value;
  return table;
}

TEST(Stats2, ReciprocalsComeFromTheTableAsItStands) {
  // Second pair only: with r = 0 the first pair leaves mean 0, then r = entry gives mean = entry * x.
  const std::vector<float> x{5, 6, 8, 16};
  const Stats2Result from_one = run2(x, {}, zero_except(1, 0.25F));
  EXPECT_EQ(from_one.even.mean, 2.0F);
  EXPECT_EQ(from_one.odd.mean, 4.0F);
  Switches shifted;
  shifted.param_ram_index = ParamRamIndex::i;
  EXPECT_EQ(run2(x, shifted, zero_except(2, 0.25F)).even.mean, 2.0F);
  EXPECT_EQ(run2(x, shifted, zero_except(1, 0.25F)).even.mean, (1.0F - 0.0F) * (0.25F * 5.0F));
  // sumsq reads the entry of the half's own length.
  Switches squares = sumsq();
  EXPECT_EQ(run2(x, squares, zero_except(1, 0.25F)).even.mean, 13.0F * 0.25F);
  EXPECT_EQ(stats(x.data(), 4, 4.0F, zero_except(3, 0.5F), squares).mean, 35.0F * 0.5F);
  // The single-set form counts every element.
  EXPECT_EQ(stats(x.data(), 2, 2.0F, zero_except(1, 0.25F), {}).mean, 6.0F * 0.25F);
}

TEST(Stats2, DividerBeyondTheTable) {
  // An empty table: only the elements past its reach change the statistics, by exactly 1/k.
  std::vector<float> x(514, 3.0F);  // k runs to 257
  EXPECT_EQ(bits(run2(x, {}, ParamTable{}).even.mean), bits((1.0F / 257.0F) * 3.0F));
  x.resize(512);
  EXPECT_EQ(run2(x, {}, ParamTable{}).even.mean, 0.0F);
  Switches shifted;
  shifted.param_ram_index = ParamRamIndex::i;  // reaches 255 only
  EXPECT_EQ(run2(x, shifted, ParamTable{}).odd.mean, 3.0F / 256.0F);
}

TEST(Stats2, TableCountsThatAreRead) {
  using Counts = std::vector<std::uint64_t>;
  Switches shifted;
  shifted.param_ram_index = ParamRamIndex::i;
  EXPECT_EQ(stats_table_counts(0, true, {}), Counts{});
  EXPECT_EQ(stats_table_counts(1, true, {}), Counts{1});
  EXPECT_EQ(stats_table_counts(5, true, {}), (Counts{1, 2, 3}));
  EXPECT_EQ(stats_table_counts(5, false, {}), (Counts{1, 2, 3, 4, 5}));
  EXPECT_EQ(stats_table_counts(5, true, sumsq()), (Counts{2, 3}));
  EXPECT_EQ(stats_table_counts(6, true, sumsq()), Counts{3});
  EXPECT_EQ(stats_table_counts(1, true, sumsq()), Counts{1});
  EXPECT_EQ(stats_table_counts(5, false, sumsq()), Counts{5});
  EXPECT_EQ(stats_table_counts(257, false, sumsq()), Counts{});
  EXPECT_EQ(stats_table_counts(513, true, sumsq()), Counts{256});
  EXPECT_EQ(stats_table_counts(100000, true, {}).size(), 256U);
  EXPECT_EQ(stats_table_counts(100000, false, shifted).size(), 255U);
  EXPECT_EQ(stats_table_counts(512, true, shifted).back(), 255U);
  EXPECT_EQ(stats_table_counts(512, true, {}).back(), 256U);
}

TEST(Stats2, NansAreCanonicalAndStayInTheirHalf) {
  const std::vector<float> x{1.0F, oracle::from_bits(0xFF80BEEF), 3.0F, 4.0F};
  for (const Switches& switches : {Switches{}, sumsq()}) {
    const Stats2Result got = stats2(x.data(), 4, oracle::from_bits(0xFFFFFFFF), 2.0F, kTable, switches);
    expect_moments(got.even, oracle::from_bits(oracle::kNan), 2.0F, 2.0F);
    expect_moments(got.odd, 2.0F, oracle::from_bits(oracle::kNan), oracle::from_bits(oracle::kNan));
  }
}

}  // namespace stats_test
