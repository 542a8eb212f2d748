// The golden's formulas against small examples. Hexadecimal literals were computed with every operation rounded by hand
// to binary32 outside this code base.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "golden/golden.h"

namespace golden {
namespace arithmetic_test {

const Options kDefault;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Options with(bool Options::*flag) {
  Options options;
  options.*flag = true;
  return options;
}

TEST(GoldenGradSums, SumsSmallNumbers) {
  const Sums sums = grad_sums({1, 3}, {2, 4}, 2, 0.5F, kDefault);
  EXPECT_EQ(sums.d_beta, 6.0F);
  EXPECT_EQ(sums.d_gamma, 1.0F);  // 2*(-0.5) + 4*0.5
  EXPECT_EQ(sums.coupling, 0.5F);
  EXPECT_EQ(in_destination_order(sums, kDefault), (std::vector<float>{6, 1, 0.5F}));
  EXPECT_EQ(in_destination_order(sums, with(&Options::dst_order_interpreter)), (std::vector<float>{6, 0.5F, 1}));
}

TEST(GoldenGradSums, MultipliesInTheChosenOrder) {
  const std::vector<float> x{0.4F};
  const std::vector<float> dy{1.7F};
  const Sums documented = grad_sums(x, dy, 1.6F, 0.6F, kDefault);
  EXPECT_EQ(bits_of_float(documented.d_gamma), 0xBF9CAC09U);
  EXPECT_EQ(bits_of_float(documented.coupling), 0xBF3C01A5U);
  const Sums interpreter = grad_sums(x, dy, 1.6F, 0.6F, with(&Options::product_order_interpreter));
  EXPECT_EQ(bits_of_float(interpreter.d_gamma), 0xBF9CAC0AU);
  EXPECT_EQ(bits_of_float(interpreter.coupling), 0xBF3C01A6U);
}

TEST(GoldenGradSums, AddsInElementOrderOrExactly) {
  const std::vector<float> x(5, 0.0F);
  const std::vector<float> dy{16777216, 1, 1, 1, 1};
  EXPECT_EQ(grad_sums(x, dy, 0, 1, kDefault).d_beta, 16777216.0F);
  EXPECT_EQ(grad_sums(x, dy, 0, 1, with(&Options::wide_accumulator)).d_beta, 16777220.0F);
  EXPECT_EQ(grad_sums(x, {1, 1, 1, 1, 16777216}, 0, 1, kDefault).d_beta, 16777220.0F);
}

TEST(GoldenGradSums, StartsAtPlusZeroAndSpreadsNan) {
  for (const Options& options : {kDefault, with(&Options::wide_accumulator)}) {
    EXPECT_EQ(bits_of_float(grad_sums({}, {}, 1, 1, options).d_gamma), 0U);
    EXPECT_EQ(bits_of_float(grad_sums({2}, {-0.0F}, 2, 1, options).d_beta), 0U);
    const Sums sums = grad_sums({2, 4}, {kInfinity, 1}, 2, 1, options);
    EXPECT_EQ(sums.d_beta, kInfinity);
    EXPECT_TRUE(std::isnan(sums.d_gamma));  // inf * 0
  }
}

TEST(GoldenBackPropagate, EvaluatesTheStagedForm) {
  const Lane lane{7, 0.3F, 0.21F, 1.7F, -0.9F, 0.8F};
  const auto dx = back_propagate({1.1F, -2.3F}, {0.4F, 0.7F}, lane, {}, kDefault);
  ASSERT_EQ(dx.size(), 2U);
  EXPECT_EQ(bits_of_float(dx[0]), 0x3EC3AFB7U);
  EXPECT_EQ(bits_of_float(dx[1]), 0x3E38EF36U);
}

TEST(GoldenBackPropagate, EvaluatesTheTextbookForm) {
  const Options textbook_form = with(&Options::textbook);
  const Lane lane{7, 0.3F, 0.21F, 1.7F, -0.9F, 0.8F};
  const ParamRam ram = full_param_ram(textbook_form);
  const auto dx = back_propagate({1.1F, -2.3F}, {0.4F, 0.7F}, lane, ram, textbook_form);
  ASSERT_EQ(dx.size(), 2U);
  EXPECT_EQ(bits_of_float(dx[0]), 0x3D4DF266U);
  EXPECT_EQ(bits_of_float(dx[1]), 0x3D232F47U);

  // The same from normalised sources; here (x - m) * v is exact.
  Options normalised = textbook_form;
  normalised.src0_is_x_norm = true;
  const Lane exact{4, 1, 2, 3, 5, 0.5F};
  EXPECT_EQ(back_propagate({0.5F}, {6}, exact, ram, normalised), back_propagate({2}, {6}, exact, ram, textbook_form));
  EXPECT_EQ(back_propagate({0.5F}, {6}, exact, ram, normalised)[0], 9.25F);  // 2/4 * ((24 - 3) - 0.5*5)
}

TEST(GoldenBackPropagate, TakesTheReciprocalFromTheTableAsItStands) {
  const Options textbook_form = with(&Options::textbook);
  ParamRam ram{};
  ram[255] = 10;
  EXPECT_EQ(back_propagate({0}, {1}, {256, 0, 1, 0, 0, 0}, ram, textbook_form)[0], 2560.0F);
  EXPECT_EQ(back_propagate({0}, {1}, {257, 0, 1, 0, 0, 0}, ram, textbook_form)[0], 257 * (1.0F / 257));
  EXPECT_EQ(back_propagate({0}, {1}, {0.5F, 0, 1, 0, 0, 0}, ram, textbook_form)[0], 1.0F);
  Options index_i = textbook_form;
  index_i.param_ram_index_i = true;
  EXPECT_EQ(back_propagate({0}, {1}, {255, 0, 1, 0, 0, 0}, ram, index_i)[0], 2550.0F);
  EXPECT_EQ(back_propagate({0}, {1}, {256, 0, 1, 0, 0, 0}, ram, index_i)[0], 1.0F);
}

TEST(GoldenReciprocal, HoldsTheWholeTable) {
  const ParamRam table = full_param_ram(kDefault);
  const ParamRam shifted = full_param_ram(with(&Options::param_ram_index_i));
  for (std::size_t k = 1; k <= 256; ++k) {
    const auto exact = static_cast<float>(1.0 / static_cast<double>(k));
    EXPECT_EQ(table[k - 1], exact) << k;
    EXPECT_EQ(shifted[k % 256], k == 256 ? 1.0F : exact) << k;
  }
}

TEST(GoldenReciprocal, DividesExactlyOrByNewton) {
  struct Example {
    float d;
    std::uint32_t newton;
    std::uint32_t exact;
  };
  const std::vector<Example> examples{{3, 0x3EAAAAAA, 0x3EAAAAAB},      {7, 0x3E124924, 0x3E124925},
                                      {300, 0x3B5A740D, 0x3B5A740E},    {2048, 0x3A000000, 0x3A000000},
                                      {100000, 0x3727C5AC, 0x3727C5AC}, {20000000, 0x3356BF95, 0x3356BF95}};
  for (const Example& example : examples) {
    EXPECT_EQ(bits_of_float(divider(example.d, with(&Options::newton))), example.newton) << example.d;
    EXPECT_EQ(bits_of_float(divider(example.d, kDefault)), example.exact) << example.d;
  }
}

TEST(GoldenStatistics, SplitsEvenAndOdd) {
  const ParamRam ram = full_param_ram(kDefault);
  EXPECT_EQ(stats2_values({1, 2, 3, 4, 5}, 3, 2, ram, kDefault), (std::vector<float>{3, 3, 8, 2, 3, 2}));
  EXPECT_EQ(stats2_values({7}, 1, 0, ram, kDefault), (std::vector<float>{1, 7, 0, 0, 0, 0}));
  // Counts are copied, not counted.
  EXPECT_EQ(stats2_values({1, 2}, 9, 0.5F, ram, kDefault), (std::vector<float>{9, 1, 0, 0.5F, 2, 0}));
}

TEST(GoldenStatistics, RoundsAsTheRecurrenceDoes) {
  const ParamRam ram = full_param_ram(kDefault);
  const Moments welford = moments({0.1F, 0.7F, -0.3F, 2.5F}, ram, kDefault);
  EXPECT_EQ(bits_of_float(welford.mean), 0x3F400000U);
  EXPECT_EQ(bits_of_float(welford.nvar), 0x4092E147U);
  const Moments sumsq = moments({0.1F, 0.7F, -0.3F, 2.5F}, ram, with(&Options::sumsq));
  EXPECT_EQ(bits_of_float(sumsq.mean), 0x3F400000U);
  EXPECT_EQ(bits_of_float(sumsq.nvar), 0x4092E148U);
  EXPECT_EQ(bits_of_float(moments({0.1F, 0.7F, -0.3F}, ram, kDefault).mean), 0x3E2AAAA9U);
  EXPECT_EQ(bits_of_float(moments({0.1F, 0.7F, -0.3F}, ram, with(&Options::sumsq)).mean), 0x3E2AAAABU);
}

TEST(GoldenStatistics, ReadsTheTableAsItStands) {
  ParamRam ram = full_param_ram(kDefault);
  ram[1] = 0.25F;
  EXPECT_EQ(moments({0, 8}, ram, kDefault).mean, 2.0F);  // 0.75*0 + 0.25*8
  EXPECT_EQ(moments({0, 8}, ram, with(&Options::param_ram_index_i)).mean, 8 * ram[2]);
}

TEST(GoldenStatistics, KeepsAConstantAndALargeMean) {
  const ParamRam ram = full_param_ram(kDefault);
  const Moments constant = moments({100, 100, 100, 100, 100}, ram, kDefault);
  EXPECT_EQ(constant.mean, 100.0F);
  EXPECT_EQ(constant.nvar, 0.0F);
  // Deviations of 0.1 around 1000: n*var is 2.56. The squares, near a million, leave no digits for it.
  std::vector<float> far;
  for (int i = 0; i < 256; ++i) far.push_back(i % 2 == 0 ? 1000.1F : 999.9F);
  EXPECT_NEAR(moments(far, ram, kDefault).nvar, 2.56, 0.01);
  EXPECT_GT(std::fabs(moments(far, ram, with(&Options::sumsq)).nvar - 2.56F), 1);
}

TEST(GoldenAggregate, MergesTriples) {
  const MeanVariance small = aggregate_triples({3, 3, 8, 2, 3, 2}, kDefault);
  EXPECT_EQ(small.mean, 3.0F);
  EXPECT_EQ(small.variance, 2.0F);
  const MeanVariance two = aggregate_triples({4, 2.5F, 5, 3, 7, 2}, kDefault);
  EXPECT_EQ(bits_of_float(two.mean), 0x408DB6DCU);
  EXPECT_EQ(bits_of_float(two.variance), 0x40BEB1A3U);
  const MeanVariance three = aggregate_triples({5, 0.1F, 0.7F, 3, -0.4F, 0.2F, 7, 1.3F, 2.1F}, kDefault);
  EXPECT_EQ(bits_of_float(three.mean), 0x3F0F5C29U);
  EXPECT_EQ(bits_of_float(three.variance), 0x3F35DCC6U);
}

TEST(GoldenAggregate, EmptyTriplesInFrontMakeNanLaterOnesDoNothing) {
  const MeanVariance plain = aggregate_triples({4, 2.5F, 5, 3, 7, 2}, kDefault);
  const MeanVariance inner = aggregate_triples({4, 2.5F, 5, 0, 0, 0, 3, 7, 2}, kDefault);
  EXPECT_FLOAT_EQ(inner.mean, plain.mean);
  EXPECT_FLOAT_EQ(inner.variance, plain.variance);
  const MeanVariance front = aggregate_triples({0, 0, 0, 4, 2.5F, 5}, kDefault);
  EXPECT_TRUE(std::isnan(front.mean));
  EXPECT_TRUE(std::isnan(front.variance));
  EXPECT_EQ(aggregate_triples({}, kDefault).mean, 0.0F);
}

}  // namespace arithmetic_test
}  // namespace golden
