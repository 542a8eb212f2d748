// The golden's layers against binary64: random data, the bundled network, finite differences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "golden/golden.h"

namespace golden {
namespace layer_test {

constexpr double kUnit = 0x1p-24;

std::vector<double> widened(const std::vector<float>& values) { return {values.begin(), values.end()}; }

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::fabs(value));
  return result;
}

// The tolerance of interfaces.md 2 on the same device inputs.
void expect_backward(const LayerInput& input, const Options& options, double half_ulp, const std::string& what) {
  const LayerResult result = layer_backward(input, options);
  for (std::size_t c = 0; c < input.x.size(); ++c) {
    TextbookInput exact;
    exact.x = widened(input.x[c]);
    exact.dy = widened(input.dy[c]);
    exact.gamma = static_cast<double>(input.gamma[c]);
    exact.mean = static_cast<double>(input.mean[c]);
    exact.inv_std = static_cast<double>(input.inv_std[c]);
    const TextbookResult reference = textbook(exact);
    const auto n = static_cast<double>(*std::max_element(input.tiles.begin(), input.tiles.end()));
    const double relative = std::max(2e-6, (8 + std::sqrt(n)) * kUnit);
    ASSERT_NEAR(result.dbeta[c], reference.dbeta, relative * reference.abs_dbeta) << what << ", channel " << c;
    ASSERT_NEAR(result.dgamma[c], reference.dgamma, relative * reference.abs_dgamma) << what << ", channel " << c;
    ASSERT_NEAR(result.coupling[c], reference.coupling, relative * reference.abs_coupling) << what << ", channel " << c;
    const double scale = largest(reference.dx);
    for (std::size_t i = 0; i < reference.dx.size(); ++i) {
      const double tolerance = relative * scale + half_ulp * std::fabs(reference.dx[i]);
      ASSERT_NEAR(result.dx[c][i], reference.dx[i], tolerance) << what << ", channel " << c << ", element " << i;
    }
  }
}

LayerInput random_layer(std::size_t channels, std::vector<std::size_t> tiles, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.0F, 1.0F);
  LayerInput input;
  input.tiles = std::move(tiles);
  std::size_t elements = 0;
  for (const std::size_t tile : input.tiles) elements += tile;
  for (std::size_t c = 0; c < channels; ++c) {
    std::vector<float> x;
    std::vector<float> dy;
    for (std::size_t i = 0; i < elements; ++i) {
      x.push_back(normal(random) + 0.5F);
      dy.push_back(normal(random));
    }
    const MeanVariance m = device_statistics(x, input.tiles, {});
    input.mean.push_back(m.mean);
    input.inv_std.push_back(host_inv_std(m.variance, 1e-5));
    input.gamma.push_back(normal(random));
    input.x.push_back(x);
    input.dy.push_back(dy);
  }
  return input;
}

TEST(GoldenLayer, EveryArithmeticOptionGivesTheGradient) {
  Options textbook_x_norm;
  textbook_x_norm.textbook = textbook_x_norm.src0_is_x_norm = true;
  Options textbook_newton;
  textbook_newton.textbook = textbook_newton.newton = true;
  Options interpreter;
  interpreter.product_order_interpreter = interpreter.dst_order_interpreter = true;
  Options wide;
  wide.wide_accumulator = true;
  const std::vector<std::vector<std::size_t>> tilings{{200}, {300, 300, 77}, {1, 2, 30}};
  for (const auto& tiles : tilings) {
    const LayerInput input = random_layer(4, tiles, 11);
    for (const Options& options : {Options{}, textbook_x_norm, textbook_newton, interpreter, wide}) {
      expect_backward(input, options, 0, "random layer with " + std::to_string(tiles.size()) + " tiles");
    }
  }
}

TEST(GoldenLayer, AddsTileSumsInOrder) {
  LayerInput input;
  input.x = {{0, 0, 0, 0, 0}};
  input.dy = {{16777216, 1, 1, 1, 1}};
  input.mean = {0};
  input.inv_std = {1};
  input.gamma = {1};
  input.tiles = {1, 4};
  EXPECT_EQ(layer_backward(input, {}).dbeta[0], 16777220.0F);
  input.tiles = {3, 2};
  EXPECT_EQ(layer_backward(input, {}).dbeta[0], 16777218.0F);
  input.tiles = {1, 1, 1, 1, 1};
  EXPECT_EQ(layer_backward(input, {}).dbeta[0], 16777216.0F);
  input.tiles = {4};
  EXPECT_THROW(layer_backward(input, {}), std::invalid_argument);
}

TEST(GoldenLayer, StoresDxInTheDtype) {
  LayerInput input = random_layer(2, {64}, 12);
  input.dx_dtype = Dtype::bf16;
  expect_backward(input, {}, 0x1p-8, "bf16");
  const LayerResult result = layer_backward(input, {});
  ASSERT_EQ(result.dx_bytes.size(), 2U * 64U * 2U);
  EXPECT_EQ(bits_of_float(result.dx[1][0]) >> 16, result.dx_bytes[128] + 256U * result.dx_bytes[129]);
  EXPECT_EQ(bits_of_float(result.dx[1][0]) & 0xFFFFU, 0U);
}

TEST(GoldenLayer, FormsHostValuesWithOneRoundingEach) {
  EXPECT_EQ(host_inv_std(4.0F, 0.0), 0.5F);
  EXPECT_EQ(host_inv_std(125.0F, -100.0), 0.2F);
  EXPECT_EQ(host_scale(3, 0.5F, 4, {}), 0.375F);
  Options options;
  options.textbook = true;
  EXPECT_EQ(host_scale(3, 0.5F, 4, options), 1.5F);
}

TEST(GoldenLayer, StatisticsAgreeWithBinary64) {
  const LayerInput input = random_layer(3, {700, 1, 512, 513}, 13);
  Options sumsq;
  sumsq.sumsq = true;
  Options other_table;
  other_table.param_ram_index_i = other_table.newton = true;
  for (const Options& options : {Options{}, sumsq, other_table}) {
    for (std::size_t c = 0; c < 3; ++c) {
      TextbookInput exact;
      exact.x = widened(input.x[c]);
      const TextbookResult reference = textbook(exact);
      const MeanVariance m = device_statistics(input.x[c], input.tiles, options);
      EXPECT_NEAR(m.mean, reference.mean, 2e-6);
      EXPECT_NEAR(m.variance, reference.var, 4e-6 * reference.var);
    }
  }
  EXPECT_THROW(device_statistics(input.x[0], {700}, {}), std::invalid_argument);
}

// The textbook's gradients are the derivatives of L = sum(w * y) with dy = w, mean and variance moving with x.
TEST(GoldenTextbook, AgreesWithFiniteDifferences) {
  std::mt19937 random(14);
  std::normal_distribution<double> normal;
  TextbookInput input;
  for (int i = 0; i < 9; ++i) {
    input.x.push_back(normal(random));
    input.dy.push_back(normal(random));
  }
  input.gamma = 1.3;
  input.beta = -0.4;
  const TextbookResult gradient = textbook(input);
  const auto loss = [](const TextbookInput& at) {
    const TextbookResult r = textbook(at);
    double sum = 0;
    for (std::size_t i = 0; i < at.dy.size(); ++i) sum += at.dy[i] * r.y[i];
    return sum;
  };
  constexpr double kStep = 1e-5;
  const auto slope = [&](double TextbookInput::*parameter, std::size_t element) {
    TextbookInput up = input;
    TextbookInput down = input;
    (parameter ? up.*parameter : up.x[element]) += kStep;
    (parameter ? down.*parameter : down.x[element]) -= kStep;
    return (loss(up) - loss(down)) / (2 * kStep);
  };
  for (std::size_t i = 0; i < input.x.size(); ++i) EXPECT_NEAR(gradient.dx[i], slope(nullptr, i), 1e-8) << i;
  EXPECT_NEAR(gradient.dgamma, slope(&TextbookInput::gamma, 0), 1e-8);
  EXPECT_NEAR(gradient.dbeta, slope(&TextbookInput::beta, 0), 1e-8);
  EXPECT_NEAR(gradient.coupling, gradient.dgamma * gradient.inv_std, 1e-12);
}

class DigitsLayer {
 public:
  explicit DigitsLayer(const std::string& name)
      : folder_(std::string(DVE_TEST_DATA_DIR) + "/digits_cnn/" + name + "/") {}
  NpyArray array(const std::string& name) const { return read_npy(folder_ + name + ".npy"); }
  LayerInput input(std::size_t tile) const {
    LayerInput in;
    const std::size_t channels = array("gamma").values.size();
    in.x = rows_of(array("x").floats(), channels);
    in.dy = rows_of(array("dy").floats(), channels);
    in.mean = array("mean").floats();
    in.inv_std = array("inv_std").floats();
    in.gamma = array("gamma").floats();
    for (std::size_t done = 0; done < in.x[0].size(); done += tile)
      in.tiles.push_back(std::min(tile, in.x[0].size() - done));
    return in;
  }

 private:
  std::string folder_;
};

TEST(GoldenDigits, BackwardAgreesWithBinary64OnEveryLayer) {
  for (const char* name : {"1", "4", "7", "10"}) {
    const LayerInput input = DigitsLayer(name).input(512);
    expect_backward(input, {}, 0, std::string("layer ") + name);
  }
}

TEST(GoldenDigits, AgreesWithTheBundledReferences) {
  for (const char* name : {"1", "4", "7", "10"}) {
    SCOPED_TRACE(std::string("layer ") + name);
    const DigitsLayer layer(name);
    const LayerInput input = layer.input(4096);
    const std::vector<double> var = layer.array("var").values;
    const std::vector<double> beta = layer.array("beta").values;
    const std::size_t channels = input.x.size();
    const auto flat_dx = layer.array("dx64").values;
    const auto flat_torch_dx = layer.array("dx").values;
    const auto flat_y = layer.array("y").values;
    const auto dgamma = layer.array("dgamma64").values;
    const auto dbeta = layer.array("dbeta64").values;
    const auto torch_dgamma = layer.array("dgamma").values;
    const auto torch_dbeta = layer.array("dbeta").values;
    const double dx_scale = largest(flat_dx);
    for (std::size_t c = 0; c < channels; ++c) {
      TextbookInput exact;
      exact.x = widened(input.x[c]);
      exact.dy = widened(input.dy[c]);
      exact.gamma = static_cast<double>(input.gamma[c]);
      exact.beta = beta[c];
      const TextbookResult own = textbook(exact);  // statistics in binary64
      ASSERT_NEAR(own.mean, input.mean[c], 1e-6) << c;
      ASSERT_NEAR(own.var, var[c], 1e-6 * own.var) << c;
      ASSERT_NEAR(own.inv_std, input.inv_std[c], 1e-6 * own.inv_std) << c;
      // The references were made with the bundled binary32 statistics.
      exact.mean = static_cast<double>(input.mean[c]);
      exact.inv_std = static_cast<double>(input.inv_std[c]);
      const TextbookResult r = textbook(exact);
      ASSERT_NEAR(r.dgamma, dgamma[c], 1e-12 * r.abs_dgamma) << c;
      ASSERT_NEAR(r.dbeta, dbeta[c], 1e-12 * r.abs_dbeta) << c;
      ASSERT_NEAR(r.dgamma, torch_dgamma[c], 2e-6 * r.abs_dgamma) << c;
      ASSERT_NEAR(r.dbeta, torch_dbeta[c], 2e-6 * r.abs_dbeta) << c;
      const MeanVariance device = device_statistics(input.x[c], input.tiles, {});
      ASSERT_NEAR(device.mean, own.mean, 1e-6 * std::max(1.0, std::fabs(own.mean))) << c;
      ASSERT_NEAR(device.variance, own.var, 1e-5 * own.var) << c;
      const std::size_t first = c * exact.x.size();
      for (std::size_t i = 0; i < exact.x.size(); ++i) {
        ASSERT_NEAR(r.dx[i], flat_dx[first + i], 1e-12 * dx_scale) << c << ", " << i;
        ASSERT_NEAR(r.dx[i], flat_torch_dx[first + i], 2e-6 * dx_scale) << c << ", " << i;
        ASSERT_NEAR(r.y[i], flat_y[first + i], 1e-5 * std::max(1.0, std::fabs(r.y[i]))) << c << ", " << i;
      }
    }
  }
}

TEST(GoldenNpy, RefusesWhatItDoesNotUnderstand) {
  EXPECT_THROW(read_npy(std::string(DVE_TEST_DATA_DIR) + "/nowhere.npy"), std::runtime_error);
  EXPECT_THROW(read_npy(std::string(DVE_TEST_DATA_DIR) + "/digits_cnn/manifest.json"), std::runtime_error);
  const NpyArray x = read_npy(std::string(DVE_TEST_DATA_DIR) + "/digits_cnn/10/x.npy");
  EXPECT_EQ(x.shape, (std::vector<std::size_t>{192, 128}));
}

}  // namespace layer_test
}  // namespace golden
