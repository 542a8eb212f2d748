// Seeded tensors and shapes of a workload's layers.
#include <gtest/gtest.h>

#include <cmath>

#include "dve/workload/workload.h"

namespace dve::workload_test {
namespace tensors_test {
namespace {

workload::Workload two_layers(std::uint64_t seed, const char* dtype) {
  const json::Json document = {
      {"schema", 1},
      {"name", "w"},
      {"batch", 2},
      {"seed", seed},
      {"dtype", dtype},
      {"layers",
       {{{"name", "a"}, {"nchw", {2, 5, 8, 9}}}, {{"name", "b"}, {"nchw", {2, 5, 8, 9}}, {"statistics", "given"}}}}};
  return workload::workload_of(document, "w.json");
}

TEST(SeededLayer, HasTheShapeAndNothingElseWithoutContents) {
  layer::LayerOptions options;
  options.contents = false;
  const layer::Layer layer = workload::make_layer(two_layers(1, "bf16"), 0, options);
  EXPECT_EQ(layer.shape, (std::vector<std::uint64_t>{2, 5, 8, 9}));
  EXPECT_EQ(layer.channels, 5u);
  EXPECT_EQ(layer.elements, 2u * 8 * 9);
  EXPECT_EQ(layer.dtype, isa::Dtype::bf16);
  EXPECT_TRUE(layer.x.empty() && layer.file_x.empty());
}

TEST(SeededLayer, DependsOnSeedAndLayerAlone) {
  const auto x_of = [](std::uint64_t seed, std::size_t k) {
    return workload::make_layer(two_layers(seed, "fp32"), k, {}).file_x;
  };
  EXPECT_EQ(x_of(1, 0), x_of(1, 0));
  EXPECT_NE(x_of(1, 0), x_of(2, 0));
  EXPECT_NE(x_of(1, 0), x_of(1, 1));
}

TEST(SeededLayer, IsUniformAroundAMeanOfEachChannel) {
  const layer::Layer layer = workload::make_layer(two_layers(3, "fp32"), 0, {});
  for (std::uint64_t c = 0; c < 5; ++c) {
    double sum = 0;
    for (std::uint64_t k = 0; k < layer.elements; ++k) {
      const double x = static_cast<double>(layer.file_x[c * layer.elements + k]) - static_cast<double>(c % 4) / 4;
      EXPECT_GE(x, -1.0);
      EXPECT_LT(x, 1.0);
      sum += x;
    }
    EXPECT_LT(std::abs(sum / static_cast<double>(layer.elements)), 0.25);  // 5 standard deviations
    EXPECT_GE(layer.gamma[c], 0.5f);
    EXPECT_LT(layer.gamma[c], 1.5f);
  }
}

TEST(SeededLayer, FileValuesAreExactInTheDtype) {
  const layer::Layer layer = workload::make_layer(two_layers(1, "bf16"), 0, {});
  ASSERT_EQ(layer.x.size(), 2 * layer.file_x.size());
  for (std::size_t k = 0; k < layer.file_x.size(); ++k) {
    const auto bits = static_cast<std::uint16_t>(layer.x[2 * k] | layer.x[2 * k + 1] << 8);
    EXPECT_EQ(numerics::bf16_to_fp32(bits), layer.file_x[k]);
  }
}

TEST(SeededLayer, LossScaleMultipliesTheDevicesGradientAlone) {
  layer::LayerOptions options;
  options.loss_scale = 4;
  const layer::Layer scaled = workload::make_layer(two_layers(1, "bf16"), 0, options);
  const layer::Layer plain = workload::make_layer(two_layers(1, "bf16"), 0, {});
  EXPECT_EQ(scaled.file_dy, plain.file_dy);
  EXPECT_EQ(scaled.x, plain.x);
  const auto value = [](const layer::Layer& layer, std::size_t k) {
    return numerics::bf16_to_fp32(static_cast<std::uint16_t>(layer.dy[2 * k] | layer.dy[2 * k + 1] << 8));
  };
  for (std::size_t k = 0; k < plain.file_dy.size(); ++k) EXPECT_EQ(value(scaled, k), 4 * value(plain, k));
}

TEST(SeededLayer, GivenStatisticsAreThoseOfItsTensors) {
  const layer::Layer layer = workload::make_layer(two_layers(1, "fp32"), 1, {});
  ASSERT_TRUE(layer.statistics_given);
  for (std::uint64_t c = 0; c < 5; ++c) {
    double sum = 0, squares = 0;
    for (std::uint64_t k = 0; k < layer.elements; ++k) {
      const double x = static_cast<double>(layer.file_x[c * layer.elements + k]);
      sum += x;
      squares += x * x;
    }
    const double n = static_cast<double>(layer.elements), mean = sum / n;
    EXPECT_FLOAT_EQ(layer.mean[c], static_cast<float>(mean));
    EXPECT_FLOAT_EQ(layer.inv_std[c], static_cast<float>(1 / std::sqrt(squares / n - mean * mean + 1e-5)));
  }
  layer::LayerOptions options;
  options.device_statistics = true;
  EXPECT_FALSE(workload::make_layer(two_layers(1, "fp32"), 1, options).statistics_given);
}

}  // namespace
}  // namespace tensors_test
}  // namespace dve::workload_test
