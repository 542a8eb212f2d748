#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "dve/layer/layer.h"

namespace dve::test {
namespace {

using layer::CompareRequest;
using layer::Layer;
using layer::Results;
using layer::TensorComparison;

constexpr double kU = 0x1p-24;

// Gradients of one channel in long double, the textbook way: another formula than the code's.
struct Golden {
  std::vector<double> dx;
  double dgamma = 0, dbeta = 0, abs_dgamma = 0, abs_dbeta = 0;
};
Golden golden(const std::vector<double>& x, const std::vector<double>& dy, double gamma, double m, double v) {
  const auto n = static_cast<long double>(x.size());
  long double dgamma = 0, dbeta = 0;
  Golden g;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double t = static_cast<long double>(dy[i]) * ((static_cast<long double>(x[i]) - m) * v);
    dgamma += t;
    dbeta += dy[i];
    g.abs_dgamma += static_cast<double>(std::fabs(t));
    g.abs_dbeta += std::fabs(dy[i]);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double h = (static_cast<long double>(x[i]) - m) * v;
    g.dx.push_back(static_cast<double>(gamma * static_cast<long double>(v) * (dy[i] - dbeta / n - h * dgamma / n)));
  }
  g.dgamma = static_cast<double>(dgamma);
  g.dbeta = static_cast<double>(dbeta);
  return g;
}

std::vector<double> stream(const std::vector<float>& tensor, std::size_t c, std::size_t n) {
  return {tensor.begin() + static_cast<std::ptrdiff_t>(c * n),
          tensor.begin() + static_cast<std::ptrdiff_t>((c + 1) * n)};
}

std::vector<std::uint8_t> device(const std::vector<float>& values, isa::Dtype dtype) {
  std::vector<std::uint8_t> bytes(values.size() * isa::storage_size(dtype).value);
  numerics::from_fp32(values.data(), dtype, values.size(), bytes.data(), {});
  return bytes;
}

// A random layer of 2 channels with given statistics, and results that are the rounded exact ones.
struct Example {
  Layer layer;
  Results results;
  std::vector<Golden> channels;  // about the device inputs
  CompareRequest request;

  explicit Example(std::size_t n = 100, isa::Dtype dtype = isa::Dtype::fp32, double mean = 0.5) {
    std::mt19937 random(7);
    const auto uniform = [&] { return static_cast<double>(random()) / 0x1p32 - 0.5; };
    layer.shape = {2, n};
    layer.channels = 2;
    layer.elements = n;
    layer.dtype = dtype;
    layer.statistics_given = true;
    for (std::size_t i = 0; i < 2 * n; ++i) {
      layer.file_x.push_back(static_cast<float>(mean + uniform()));
      layer.file_dy.push_back(static_cast<float>(uniform()));
    }
    layer.gamma = {1.25F, -0.75F};
    layer.mean = {static_cast<float>(mean), static_cast<float>(mean + 0.01)};
    layer.inv_std = {3.5F, 3.4F};
    layer.x = device(layer.file_x, dtype);
    layer.dy = device(layer.file_dy, dtype);
    request.longest_stream = n;
    std::vector<float> dx;
    for (std::size_t c = 0; c < 2; ++c) {
      channels.push_back(golden(device_stream(layer.x, c), device_stream(layer.dy, c), layer.gamma[c], layer.mean[c],
                                layer.inv_std[c]));
      results.dgamma.push_back(static_cast<float>(channels[c].dgamma));
      results.dbeta.push_back(static_cast<float>(channels[c].dbeta));
      for (const double d : channels[c].dx) dx.push_back(static_cast<float>(d));
    }
    results.dx = device(dx, dtype);
    results.mean = layer.mean;
    results.inv_std = layer.inv_std;
  }
  std::vector<double> device_stream(const std::vector<std::uint8_t>& tensor, std::size_t c) const {
    std::vector<float> values(2 * layer.elements);
    numerics::to_fp32(tensor.data(), layer.dtype, values.size(), values.data(), {});
    return stream(values, c, layer.elements);
  }
  Golden original(std::size_t c) const {
    return golden(stream(layer.file_x, c, layer.elements), stream(layer.file_dy, c, layer.elements), layer.gamma[c],
                  layer.mean[c], layer.inv_std[c]);
  }
  double largest_dx() const {
    double largest = 0;
    for (const Golden& g : channels) {
      for (const double d : g.dx) largest = std::max(largest, std::fabs(d));
    }
    return largest;
  }
  // A forward result, too: the rounded exact one of a full step that computed these statistics.
  void add_y(float beta0 = 0.25F, float beta1 = -2.0F) {
    layer.beta = {beta0, beta1};
    layer.statistics_given = false;
    request.device_statistics = true;
    results.var = {0.08F, 0.08F};
    std::vector<float> y;
    for (std::size_t c = 0; c < 2; ++c) {
      for (const double d : exact_y(device_stream(layer.x, c), c)) y.push_back(static_cast<float>(d));
    }
    results.y = device(y, layer.dtype);
  }
  // (x - mean) * inv_std * gamma + beta.
  std::vector<double> exact_y(const std::vector<double>& x, std::size_t c) const {
    std::vector<double> y;
    for (const double value : x) {
      const long double h = (static_cast<long double>(value) - results.mean[c]) * results.inv_std[c];
      y.push_back(static_cast<double>(h * layer.gamma[c] + layer.beta[c]));
    }
    return y;
  }
  // 8 u (|scale| (|x| + |m|) + |beta|): what binary32 may lose.
  double y_roundings(double x, std::size_t c) const {
    const double scale = std::fabs(double{layer.gamma[c]} * double{results.inv_std[c]});
    return 8 * kU * (scale * (std::fabs(x) + std::fabs(double{results.mean[c]})) + std::fabs(double{layer.beta[c]}));
  }
  void set_y(std::size_t i, double value) {
    const std::vector<std::uint8_t> bytes = device({static_cast<float>(value)}, layer.dtype);
    std::memcpy(results.y.data() + bytes.size() * i, bytes.data(), bytes.size());
  }
  void set_dx(std::size_t i, float value) { std::memcpy(results.dx.data() + 4 * i, &value, 4); }
  TensorComparison of(const std::string& name) const {
    for (const TensorComparison& c : layer::compare(layer, results, request)) {
      if (c.name == name) return c;
    }
    ADD_FAILURE() << "no " << name;
    return {};
  }
};

TEST(Compare, RoundedExactResultsMatch) {
  for (const isa::Dtype dtype : {isa::Dtype::fp32, isa::Dtype::bf16, isa::Dtype::fp16}) {
    const Example e(100, dtype);
    const auto comparisons = layer::compare(e.layer, e.results, e.request);
    ASSERT_EQ(comparisons.size(), 3U);
    EXPECT_TRUE(layer::all_match(comparisons)) << isa::name(dtype);
    EXPECT_EQ(comparisons[0].name, "dx_device64");
    EXPECT_EQ(comparisons[1].name, "dgamma_device64");
    EXPECT_EQ(comparisons[2].name, "dbeta_device64");
  }
}

TEST(Compare, SumsHaveTheDocumentedTolerance) {
  for (const std::uint64_t n : {std::uint64_t{100}, std::uint64_t{1000000}}) {
    Example e;
    e.request.longest_stream = n;
    const double r = n == 100 ? 2e-6 : 1008 * kU;
    const double tolerance = r * std::max(e.channels[0].abs_dgamma, e.channels[1].abs_dgamma);
    EXPECT_NEAR(e.of("dgamma_device64").tolerance, tolerance, 1e-9 * tolerance);
    e.results.dgamma[1] = static_cast<float>(e.channels[1].dgamma + 0.9 * r * e.channels[1].abs_dgamma);
    EXPECT_EQ(e.of("dgamma_device64").mismatches, 0U);
    e.results.dgamma[1] = static_cast<float>(e.channels[1].dgamma - 1.1 * r * e.channels[1].abs_dgamma);
    const TensorComparison wrong = e.of("dgamma_device64");
    EXPECT_EQ(wrong.mismatches, 1U);
    EXPECT_NEAR(wrong.max_abs, 1.1 * r * e.channels[1].abs_dgamma, 0.05 * wrong.max_abs);
    const double largest = std::max(std::fabs(e.channels[0].dgamma), std::fabs(e.channels[1].dgamma));
    EXPECT_NEAR(wrong.max_rel, wrong.max_abs / largest, 1e-6 * wrong.max_rel);
    e.results.dbeta[0] = static_cast<float>(e.channels[0].dbeta + 1.1 * r * e.channels[0].abs_dbeta);
    EXPECT_EQ(e.of("dbeta_device64").mismatches, 1U);
    EXPECT_EQ(e.of("dx_device64").mismatches, 0U);
  }
}

TEST(Compare, DxHasTheDocumentedTolerance) {
  Example e;
  const double tolerance = 2e-6 * e.largest_dx();
  EXPECT_NEAR(e.of("dx_device64").tolerance, tolerance, 1e-9 * tolerance);
  e.set_dx(137, static_cast<float>(e.channels[1].dx[37] + 0.9 * tolerance));
  EXPECT_EQ(e.of("dx_device64").mismatches, 0U);
  e.set_dx(137, static_cast<float>(e.channels[1].dx[37] + 1.1 * tolerance));
  e.set_dx(2, static_cast<float>(e.channels[0].dx[2] - 1.1 * tolerance));
  EXPECT_EQ(e.of("dx_device64").mismatches, 2U);
}

TEST(Compare, NarrowOutputsMayBeHalfAnUlpOff) {
  for (const isa::Dtype dtype : {isa::Dtype::bf16, isa::Dtype::fp16}) {
    Example e(100, dtype);
    const double largest = e.largest_dx();
    const double half_ulp = dtype == isa::Dtype::bf16 ? 0x1p-8 * largest : 0x1p-11 * largest + 0x1p-25;
    const TensorComparison good = e.of("dx_device64");
    EXPECT_NEAR(good.tolerance, 2e-6 * largest + half_ulp, 1e-9 * half_ulp);
    std::size_t biggest = 0;
    for (std::size_t i = 0; i < 200; ++i) {
      if (std::fabs(e.channels[i / 100].dx[i % 100]) == largest) biggest = i;
    }
    e.results.dx[2 * biggest] =
        static_cast<std::uint8_t>(e.results.dx[2 * biggest] ^ 4);  // four units in the last place
    EXPECT_EQ(e.of("dx_device64").mismatches, 1U) << isa::name(dtype);
  }
}

TEST(Compare, LossScaleIsTakenOutOfTheDeviceInputs) {
  Example e;
  e.layer.loss_scale = 8;
  std::vector<float> scaled = e.layer.file_dy;
  for (float& v : scaled) v *= 8;
  e.layer.dy = device(scaled, isa::Dtype::fp32);
  EXPECT_EQ(e.of("dx_device64").mismatches, 0U);
  EXPECT_EQ(e.of("dgamma_device64").mismatches, 0U);
  EXPECT_NEAR(e.of("dbeta_device64").tolerance, 2e-6 * std::max(e.channels[0].abs_dbeta, e.channels[1].abs_dbeta),
              1e-12);
}

TEST(Compare, SpecialValues) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  Example e;
  e.layer.references["dgamma"] = {layer::NpyType::f8, {double{nan}, double{inf}}};
  e.results.dgamma = {nan, inf};
  TensorComparison c = e.of("dgamma");
  EXPECT_EQ(c.mismatches, 0U);
  EXPECT_EQ(c.max_abs, 0);
  EXPECT_EQ(c.max_rel, 0);
  for (const auto& [first, second] :
       {std::pair{1.0F, inf}, std::pair{nan, -inf}, std::pair{inf, inf}, std::pair{nan, 1.0F}}) {
    e.results.dgamma = {first, second};
    c = e.of("dgamma");
    EXPECT_EQ(c.mismatches, 1U) << first << " " << second;
    EXPECT_EQ(c.max_abs, double{inf});
  }
  e.layer.references["dgamma"] = {layer::NpyType::f8, {0, 0}};
  e.results.dgamma = {inf, 1};
  EXPECT_EQ(e.of("dgamma").mismatches, 2U);
  EXPECT_EQ(e.of("dgamma").max_rel, double{inf});
}

TEST(Compare, NonFiniteInputsGiveTheSameClassesOnBothSides) {
  Example e;
  e.layer.file_x[3] = std::numeric_limits<float>::quiet_NaN();
  e.layer.x = device(e.layer.file_x, isa::Dtype::fp32);
  e.results.dgamma[0] = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t i = 0; i < 100; ++i) e.set_dx(i, std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(layer::all_match(layer::compare(e.layer, e.results, e.request)));
  e.set_dx(7, 0);
  EXPECT_EQ(e.of("dx_device64").mismatches, 1U);
  e.set_dx(107, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(e.of("dx_device64").mismatches, 2U);
}

TEST(Compare, ReferencesAddTheErrorOfTheMean) {
  Example e(100, isa::Dtype::fp32, 1000);
  std::vector<double> exact;
  for (const Golden& g : e.channels) exact.push_back(g.dgamma);
  e.layer.references["dgamma64"] = {layer::NpyType::f8, exact};
  e.layer.references["y"] = {layer::NpyType::f4, {}};
  const auto expected = [&](double extra) {
    double tolerance = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      const double r = 2e-6 + extra * kU * double{e.layer.mean[c]} * double{e.layer.inv_std[c]};
      tolerance = std::max(tolerance, r * e.channels[c].abs_dgamma);
    }
    return tolerance;
  };
  EXPECT_NEAR(e.of("dgamma64").tolerance, expected(2), 1e-9 * expected(2));
  e.request.device_statistics = true;
  e.request.triples = 9;
  e.results.var = {0.08F, 0.08F};
  EXPECT_NEAR(e.of("dgamma64").tolerance, expected(12), 1e-9 * expected(12));
  EXPECT_EQ(e.of("dgamma64").mismatches, 0U);
  EXPECT_NEAR(e.of("dgamma_device64").tolerance, expected(0), 1e-9 * expected(0)) << "the device knows its own mean";
}

TEST(Compare, ComputedStatistics) {
  Example e(100, isa::Dtype::fp32, 1000);
  e.request.device_statistics = true;
  e.request.triples = 4;
  e.results.var = {0.25F, 0};
  e.layer.references["mean"] = {layer::NpyType::f8, {double{e.results.mean[0]}, double{e.results.mean[1]}}};
  e.layer.references["var64"] = {layer::NpyType::f8, {0.25, 0}};
  const double q = 8 * kU * double{e.results.mean[0]}, q1 = 8 * kU * double{e.results.mean[1]};
  double mean_abs = 0;
  for (const float x : e.layer.file_x) mean_abs += std::fabs(double{x}) / 200;
  EXPECT_NEAR(e.of("mean").tolerance, 2e-6 * mean_abs + q, 1e-3 * q);
  EXPECT_NEAR(e.of("var64").tolerance, 2e-6 * 0.25 + q + q * q, 1e-9 * q);
  e.results.var[0] = static_cast<float>(0.25 + 1.2 * (2e-6 * 0.25 + q));
  e.results.var[1] = static_cast<float>(0.9 * q1 * q1);  // a constant channel: the deviations are the mean's error
  EXPECT_EQ(e.of("var64").mismatches, 1U);
  e.results.var[1] = static_cast<float>(1.1 * q1 * q1);
  EXPECT_EQ(e.of("var64").mismatches, 2U);
  e.results.var.clear();
  e.request.device_statistics = false;
  EXPECT_EQ(layer::compare(e.layer, e.results, e.request).size(), 3U) << "given statistics are not compared";
}

TEST(Compare, InputQuantisationIsInsideItsBound) {
  for (const double mean : {0.0, 2.0, 30.0}) {
    for (const bool computed : {false, true}) {
      std::mt19937 random(11);
      layer::Channel original, rounded;
      const auto uniform = [&] { return static_cast<float>(static_cast<double>(random()) / 0x1p32 - 0.5); };
      for (int i = 0; i < 400; ++i) {
        const float x = static_cast<float>(mean) + uniform(), dy = uniform();
        original.x.push_back(x);
        original.dy.push_back(dy);
        rounded.x.push_back(numerics::bf16_to_fp32(numerics::fp32_to_bf16(x)));
        rounded.dy.push_back(numerics::bf16_to_fp32(numerics::fp32_to_bf16(dy)));
      }
      const auto set_statistics = [](layer::Channel& c) {
        double m = 0, var = 0;
        for (const double x : c.x) m += x / static_cast<double>(c.x.size());
        for (const double x : c.x) var += (x - m) * (x - m) / static_cast<double>(c.x.size());
        c.mean = m;
        c.inv_std = 1 / std::sqrt(var + 1e-5);
        return var;
      };
      original.gamma = rounded.gamma = 1.5;
      original.beta = rounded.beta = -0.5;
      const double var = set_statistics(original), rounded_var = set_statistics(rounded);
      if (!computed) {
        rounded.mean = original.mean;
        rounded.inv_std = original.inv_std;
      }
      SCOPED_TRACE(::testing::Message() << "mean " << mean << " computed " << computed);
      const Golden exact = golden(original.x, original.dy, 1.5, original.mean, original.inv_std);
      const Golden device = golden(rounded.x, rounded.dy, 1.5, rounded.mean, rounded.inv_std);
      const layer::QuantisationBound bound =
          layer::quantisation_bound(original, rounded, layer::gradients64(original), computed);
      double largest_difference = 0, largest_bound = 0;
      for (std::size_t i = 0; i < exact.dx.size(); ++i) {
        const double difference = std::fabs(exact.dx[i] - device.dx[i]);
        EXPECT_LE(difference, bound.dx[i]) << i;
        largest_difference = std::max(largest_difference, difference);
        largest_bound = std::max(largest_bound, bound.dx[i]);
      }
      EXPECT_LT(largest_bound, 40 * largest_difference) << "the bound says nothing";
      double largest_y = 0, largest_y_bound = 0;
      for (std::size_t i = 0; i < 400; ++i) {
        const auto y = [i](const layer::Channel& c) { return (c.x[i] - c.mean) * c.inv_std * c.gamma + c.beta; };
        const double difference = std::fabs(y(original) - y(rounded));
        EXPECT_LE(difference, bound.y[i] * (1 + 1e-9)) << i;
        largest_y = std::max(largest_y, difference);
        largest_y_bound = std::max(largest_y_bound, bound.y[i]);
      }
      EXPECT_LT(largest_y_bound, 10 * largest_y) << "the bound says nothing";
      EXPECT_LE(std::fabs(exact.dgamma - device.dgamma), bound.dgamma);
      EXPECT_LE(std::fabs(exact.dbeta - device.dbeta), bound.dbeta);
      if (computed) {
        EXPECT_LE(std::fabs(original.mean - rounded.mean), bound.mean);
        EXPECT_LE(std::fabs(var - rounded_var), bound.var);
      } else {
        EXPECT_EQ(bound.mean, 0);
        EXPECT_EQ(bound.var, 0);
      }
      const layer::QuantisationBound none =
          layer::quantisation_bound(original, original, layer::gradients64(original), computed);
      EXPECT_EQ(none.dgamma, 0);
      EXPECT_EQ(none.dx, std::vector<double>(400, 0.0));
      EXPECT_EQ(none.y, std::vector<double>(400, 0.0));
    }
  }
}

TEST(Compare, YStandsBetweenTheGradientsAndTheStatistics) {
  for (const isa::Dtype dtype : {isa::Dtype::fp32, isa::Dtype::bf16, isa::Dtype::fp16}) {
    Example e(100, dtype);
    e.add_y();
    std::vector<std::string> names;
    for (const TensorComparison& c : layer::compare(e.layer, e.results, e.request)) names.push_back(c.name);
    EXPECT_EQ(names, (std::vector<std::string>{"dx_device64", "dgamma_device64", "dbeta_device64", "y_device64",
                                               "mean_device64", "var_device64"}));
    EXPECT_EQ(e.of("y_device64").mismatches, 0U) << isa::name(dtype);
    e.results.y.clear();
    EXPECT_EQ(layer::compare(e.layer, e.results, e.request).size(), 5U) << "a backward step has none";
  }
}

TEST(Compare, YHasTheDocumentedTolerance) {
  for (const double mean : {0.5, -300.0}) {
    Example e(100, isa::Dtype::fp32, mean);
    e.add_y();
    double largest = 0;
    for (std::size_t i = 0; i < 200; ++i)
      largest = std::max(largest, e.y_roundings(double{e.layer.file_x[i]}, i / 100));
    EXPECT_NEAR(e.of("y_device64").tolerance, largest, 1e-9 * largest);
    const double exact = e.exact_y(e.device_stream(e.layer.x, 1), 1)[37];
    const double tolerance = e.y_roundings(double{e.layer.file_x[137]}, 1);
    e.set_y(137, exact + 0.8 * tolerance);
    EXPECT_EQ(e.of("y_device64").mismatches, 0U) << mean;
    e.set_y(137, exact - 1.2 * tolerance);
    const TensorComparison wrong = e.of("y_device64");
    EXPECT_EQ(wrong.mismatches, 1U) << mean;
    EXPECT_EQ(wrong.first_mismatch.channel, 1U);
    EXPECT_EQ(wrong.first_mismatch.element, 37U);
    EXPECT_EQ(wrong.first_mismatch.expected, exact);
    EXPECT_NEAR(wrong.first_mismatch.tolerance, tolerance, 1e-9 * tolerance);
    EXPECT_EQ(e.of("dx_device64").mismatches, 0U);
  }
}

// The device computes y as scale * x + shift in binary32; its roundings stay inside the tolerance however large the
// mean, and a y without beta does not, as long as beta can be told from roundings.
TEST(Compare, TheDevicesRoundingsOfYAreInsideTheTolerance) {
  for (const double mean : {0.0, 0.5, 1000.0, -1e6}) {
    Example e(400, isa::Dtype::fp32, mean);
    e.add_y();
    const auto compute = [&e](bool with_beta) {
      std::vector<float> y;
      for (std::size_t c = 0; c < 2; ++c) {
        const float scale = e.layer.gamma[c] * e.results.inv_std[c];
        const float product = e.results.mean[c] * scale;
        const float shift = (with_beta ? e.layer.beta[c] : 0.0F) - product;
        for (std::size_t i = 0; i < 400; ++i) {
          const float scaled = scale * e.layer.file_x[400 * c + i];
          y.push_back(scaled + shift);
        }
      }
      e.results.y = device(y, isa::Dtype::fp32);
    };
    compute(true);
    EXPECT_EQ(e.of("y_device64").mismatches, 0U) << mean;
    EXPECT_GT(e.of("y_device64").max_abs, 0) << mean;
    if (mean < -1e5) continue;
    compute(false);
    EXPECT_EQ(e.of("y_device64").mismatches, 800U) << mean;
  }
}

TEST(Compare, NarrowYMayBeHalfAnUlpOff) {
  for (const isa::Dtype dtype : {isa::Dtype::bf16, isa::Dtype::fp16}) {
    Example e(100, dtype);
    e.add_y();
    const std::vector<double> x = e.device_stream(e.layer.x, 0), exact = e.exact_y(x, 0);
    const TensorComparison good = e.of("y_device64");
    EXPECT_EQ(good.mismatches, 0U);
    EXPECT_GT(good.max_abs, 4 * e.y_roundings(x[0], 0)) << "rounding must be visible here";
    double largest = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      const std::vector<double> xs = e.device_stream(e.layer.x, c), ys = e.exact_y(xs, c);
      for (std::size_t i = 0; i < 100; ++i) {
        const double half_ulp =
            dtype == isa::Dtype::bf16 ? 0x1p-8 * std::fabs(ys[i]) : 0x1p-11 * std::fabs(ys[i]) + 0x1p-25;
        largest = std::max(largest, e.y_roundings(xs[i], c) + half_ulp);
      }
    }
    EXPECT_NEAR(good.tolerance, largest, 1e-9 * largest);
    e.results.y[2 * 7] = static_cast<std::uint8_t>(e.results.y[2 * 7] ^ 4);  // four units in the last place
    EXPECT_EQ(e.of("y_device64").mismatches, 1U) << isa::name(dtype);
    EXPECT_EQ(e.of("y_device64").first_mismatch.expected, exact[7]);
  }
}

TEST(Compare, ReferencesOfYAddTheErrorsOfTheStatistics) {
  Example e(100, isa::Dtype::fp32, 1000);
  e.add_y();
  e.request.triples = 9;
  std::vector<double> exact;
  for (std::size_t c = 0; c < 2; ++c) {
    for (const double y : e.exact_y(stream(e.layer.file_x, c, 100), c)) exact.push_back(y);
  }
  e.layer.references["y64"] = {layer::NpyType::f8, exact};
  e.layer.references["y"] = {layer::NpyType::f2, exact};
  const auto tolerance = [&](std::size_t i) {
    const std::size_t c = i / 100;
    const double m = std::fabs(double{e.results.mean[c]}), v = double{e.results.inv_std[c]};
    const double h = std::fabs((double{e.layer.file_x[i]} - double{e.results.mean[c]}) * v);
    const double r = 2e-6 + 4 * std::sqrt(9.0) * kU * m * v;
    return e.y_roundings(double{e.layer.file_x[i]}, c) + std::fabs(double{e.layer.gamma[c]}) * (1 + h) * r;
  };
  double largest = 0, largest_narrow = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    largest = std::max(largest, tolerance(i));
    largest_narrow = std::max(largest_narrow, tolerance(i) + 0x1p-11 * std::fabs(exact[i]) + 0x1p-25);
  }
  EXPECT_NEAR(e.of("y64").tolerance, largest, 1e-9 * largest);
  EXPECT_NEAR(e.of("y").tolerance, largest_narrow, 1e-9 * largest_narrow) << "half an ulp of the file's format";
  EXPECT_EQ(e.of("y64").mismatches, 0U);
  e.set_y(150, exact[150] + 0.9 * tolerance(150));
  EXPECT_EQ(e.of("y64").mismatches, 0U);
  EXPECT_EQ(e.of("y_device64").mismatches, 1U) << "the device knows its own statistics";
  e.set_y(150, exact[150] + 1.1 * tolerance(150));
  EXPECT_EQ(e.of("y64").mismatches, 1U);
  EXPECT_EQ(e.of("y64").first_mismatch.channel, 1U);
  e.layer.references["y64"].values[3] += 1;
  EXPECT_EQ(e.of("y64").mismatches, 2U) << "a wrong reference";
  e.results.y.clear();
  for (const TensorComparison& c : layer::compare(e.layer, e.results, e.request)) EXPECT_NE(c.name[0], 'y');
}

TEST(Compare, YOfANarrowDtypeIsComparedWithTheOriginalLayer) {
  for (const isa::Dtype dtype : {isa::Dtype::bf16, isa::Dtype::fp16}) {
    Example e(100, dtype);
    e.add_y();
    std::vector<double> exact;
    for (std::size_t c = 0; c < 2; ++c) {
      for (const double y : e.exact_y(stream(e.layer.file_x, c, 100), c)) exact.push_back(y);
    }
    e.layer.references["y64"] = {layer::NpyType::f8, exact};
    EXPECT_EQ(e.of("y64").mismatches, 0U) << isa::name(dtype);
    EXPECT_GT(e.of("y64").max_abs, e.of("y_device64").max_abs) << "quantisation of x must be visible here";
    e.set_y(5, exact[5] + 1);
    EXPECT_EQ(e.of("y64").mismatches, 1U);
  }
}

TEST(Compare, NotANumberInYIsAMismatch) {
  Example e;
  e.add_y();
  e.set_y(3, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(e.of("y_device64").mismatches, 1U);
  EXPECT_EQ(e.of("y_device64").non_finite, 1U);
  e.layer.file_x[3] = std::numeric_limits<float>::quiet_NaN();
  e.layer.x = device(e.layer.file_x, isa::Dtype::fp32);
  EXPECT_EQ(e.of("y_device64").mismatches, 0U);
}

TEST(Compare, NarrowDtypeIsComparedWithTheOriginalLayer) {
  Example e(100, isa::Dtype::bf16);
  std::vector<double> dx;
  for (std::size_t c = 0; c < 2; ++c) {
    const Golden g = e.original(c);
    dx.insert(dx.end(), g.dx.begin(), g.dx.end());
    e.layer.references["dgamma64"].values.push_back(g.dgamma);
    e.layer.references["dbeta64"].values.push_back(g.dbeta);
  }
  e.layer.references["dgamma64"].type = e.layer.references["dbeta64"].type = layer::NpyType::f8;
  e.layer.references["dx64"] = {layer::NpyType::f8, dx};
  const auto comparisons = layer::compare(e.layer, e.results, e.request);
  EXPECT_EQ(comparisons.size(), 6U);
  EXPECT_TRUE(layer::all_match(comparisons));
  EXPECT_GT(comparisons[3].max_abs, 10 * 2e-6 * e.channels[0].abs_dbeta / 100) << "quantisation must be visible here";
}

}  // namespace
}  // namespace dve::test
