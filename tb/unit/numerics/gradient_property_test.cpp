// Mathematical properties of the gradient, with the whole path of a layer in binary32 against double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "dve/numerics/numerics.h"
#include "oracle.h"

namespace gradient_property_test {

using namespace dve::numerics;

constexpr double kUnit = 1.0 / 16777216.0;

struct Channel {
  std::vector<float> x;
  std::vector<float> dy;
  float gamma = 1.5F;
  double epsilon = 1e-5;

  double n() const { return static_cast<double>(x.size()); }
  double mean() const {
    double sum = 0;
    for (const float value : x) sum += double{value};
    return sum / n();
  }
  double inv_std() const {
    const double m = mean();
    double squares = 0;
    for (const float value : x) squares += (double{value} - m) * (double{value} - m);
    return 1.0 / std::sqrt(squares / n() + epsilon);
  }
};

Channel make(unsigned seed, std::size_t n) {
  std::mt19937 rng(seed);
  return {oracle::random_vector(rng, n, -2.0F, 3.0F), oracle::random_vector(rng, n, -1.0F, 1.0F)};
}

GradSums sums_of(const Channel& c, const Switches& switches) {
  return grad_accumulate(c.x.data(), c.dy.data(), c.x.size(), static_cast<float>(c.mean()),
                         static_cast<float>(c.inv_std()), switches);
}

// What a host stages for each form, then BackProp. `exchange` feeds d_gamma and coupling the wrong way round.
std::vector<float> gradient(const Channel& c, const Switches& switches, bool exchange = false) {
  const float n = static_cast<float>(c.x.size());
  const float v = static_cast<float>(c.inv_std());
  const bool staged = switches.backprop_form == BackpropForm::staged;
  const GradSums sums = sums_of(c, switches);
  LaneParameters p;
  p.element_count = n;
  p.mean = static_cast<float>(c.mean());
  p.a = staged ? c.gamma * v / n : c.gamma * v;
  p.b = sums.d_beta;
  p.c = staged != exchange ? sums.coupling : sums.d_gamma;
  p.inv_std = v;
  std::vector<float> src0 = c.x;
  if (!staged && switches.src0_is == Src0Is::x_norm) {
    for (float& value : src0) value = (value - p.mean) * v;
  }
  std::vector<float> dx(c.x.size());
  back_propagate(src0.data(), c.dy.data(), c.x.size(), p, reciprocal_table(switches.param_ram_index), switches,
                 dx.data());
  return dx;
}

// Sum of dy * y with y = gamma * (x - m) * inv_std, in double, with x[i] moved by h.
double loss(Channel c, std::size_t i, double h) {
  std::vector<double> x(c.x.begin(), c.x.end());
  x[i] += h;
  double mean = 0;
  for (const double value : x) mean += value / c.n();
  double variance = 0;
  for (const double value : x) variance += (value - mean) * (value - mean) / c.n();
  double total = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    total += double{c.dy[j]} * double{c.gamma} * (x[j] - mean) / std::sqrt(variance + c.epsilon);
  }
  return total;
}

std::vector<Switches> every_form() {
  std::vector<Switches> all;
  for (const BackpropForm form : {BackpropForm::staged, BackpropForm::textbook}) {
    for (const Src0Is src0_is : {Src0Is::ofmap, Src0Is::x_norm}) {
      for (const ProductOrder order : {ProductOrder::documented, ProductOrder::interpreter}) {
        for (const Accumulator accumulator : {Accumulator::sequential, Accumulator::wide}) {
          for (const Divide divide : {Divide::exact, Divide::newton}) {
            Switches switches;
            switches.backprop_form = form;
            switches.src0_is = src0_is;
            switches.product_order = order;
            switches.accumulator = accumulator;
            switches.divide = divide;
            all.push_back(switches);
          }
        }
      }
    }
  }
  return all;
}

TEST(GradientProperty, FiniteDifferences) {
  const double h = 1e-4;
  for (const std::size_t n : {2U, 5U, 16U, 300U}) {
    const Channel c = make(11, n);
    std::vector<double> expected(n);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      expected[i] = (loss(c, i, h) - loss(c, i, -h)) / (2 * h);
      largest = std::max(largest, std::fabs(double{c.dy[i]} * double{c.gamma} * c.inv_std()));
    }
    // The difference quotient errs by about h^2; binary32 by (8 + sqrt n) units of the largest term.
    const double tolerance = 1e-6 + (8 + std::sqrt(c.n())) * kUnit * 4 * largest;
    for (const Switches& switches : every_form()) {
      const std::vector<float> dx = gradient(c, switches);
      for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(double{dx[i]}, expected[i], tolerance) << n << ", element " << i;
    }
  }
}

TEST(GradientProperty, ExchangedSumsGiveAWrongGradient) {
  const Channel c = make(12, 64);
  ASSERT_GT(std::fabs(c.inv_std() - 1.0), 0.1);  // else both sums nearly agree
  for (const BackpropForm form : {BackpropForm::staged, BackpropForm::textbook}) {
    Switches switches;
    switches.backprop_form = form;
    const std::vector<float> right = gradient(c, switches);
    const std::vector<float> wrong = gradient(c, switches, true);
    float largest = 0;
    for (std::size_t i = 0; i < right.size(); ++i) largest = std::max(largest, std::fabs(right[i] - wrong[i]));
    EXPECT_GT(largest, 1e-3F);
  }
}

TEST(GradientProperty, ConstantGradientGivesNearlyZero) {
  for (const std::size_t n : {1U, 2U, 17U, 256U, 1000U}) {
    Channel c = make(13, n);
    c.dy.assign(n, 2.0F);
    if (n == 1) c.epsilon = 1.0;
    const double scale = double{c.gamma} * c.inv_std() * 2.0;
    for (const Switches& switches : every_form()) {
      for (const float value : gradient(c, switches)) {
        ASSERT_NEAR(double{value}, 0.0, (8 + std::sqrt(c.n())) * kUnit * 4 * scale) << n;
      }
    }
  }
}

TEST(GradientProperty, GradientIsOrthogonalToOnesAndDeviations) {
  Channel c = make(14, 500);
  c.epsilon = 0;  // exact only without epsilon
  for (const Switches& switches : every_form()) {
    double total = 0;
    double moment = 0;
    double scale = 0;
    const std::vector<float> dx = gradient(c, switches);
    for (std::size_t i = 0; i < dx.size(); ++i) {
      total += double{dx[i]};
      moment += double{dx[i]} * (double{c.x[i]} - c.mean());
      scale += std::fabs(double{dx[i]});
    }
    EXPECT_NEAR(total, 0.0, 2e-6 * scale);
    EXPECT_NEAR(moment, 0.0, 5e-6 * scale);
  }
}

TEST(GradientProperty, CouplingIsInverseStdTimesGamma) {
  for (const Switches& switches : every_form()) {
    const Channel c = make(15, 700);
    const GradSums sums = sums_of(c, switches);
    const double v = double{static_cast<float>(c.inv_std())};
    double absolute = 0;
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      absolute += std::fabs(double{c.dy[i]} * (double{c.x[i]} - c.mean()) * v * v);
    }
    EXPECT_NEAR(double{sums.coupling}, v * double{sums.d_gamma}, (8 + std::sqrt(c.n())) * kUnit * absolute);
  }
}

}  // namespace gradient_property_test
