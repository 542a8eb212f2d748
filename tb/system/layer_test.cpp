// Real layers and random shapes: device results against the golden by bits, against PyTorch and float64 by tolerance.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "system/layer_bench.h"

namespace dve {
namespace {

using namespace testing_support;
using isa::Dtype;

layer::CompareRequest request_for(const layer::Layer& layer, const runtime::Program& program) {
  layer::CompareRequest request;
  request.device_statistics = !layer.statistics_given;
  request.longest_stream = runtime::longest_stream(program);
  request.triples = runtime::triples_per_channel(program);
  return request;
}

class RealLayer : public testing::TestWithParam<std::tuple<const char*, const char*, bool>> {};

TEST_P(RealLayer, MatchesGoldenFloat64AndPyTorch) {
  const auto [name, dtype, device_statistics] = GetParam();
  layer::LayerOptions options;
  options.dtype = isa::dtype_from_string(dtype);
  options.device_statistics = device_statistics;
  const layer::Layer layer = layer::load_layer(std::string(DVE_TEST_DATA_DIR "/digits_cnn/") + name, options);
  const config::Config settings = preset(isa::Generation::cayman);
  CoreBench bench(settings);
  LayerOutcome outcome;
  const auto end = bench.run([&](Host& host) { outcome = run_layer(bench, host, layer, settings); });
  ASSERT_EQ(end.status, RunStatus::ok);
  expect_same_bits(outcome, golden_layer(layer, outcome.program, {}), layer);
  const auto comparisons = layer::compare(layer, outcome.results, request_for(layer, outcome.program));
  std::size_t references = 0;
  for (const auto& c : comparisons) {
    EXPECT_EQ(c.mismatches, 0u) << c.name << " max_abs " << c.max_abs << " tolerance " << c.tolerance;
    references += c.name.find("device64") == std::string::npos;
  }
  EXPECT_GE(references, device_statistics ? 8u : 6u)
      << "dx, dgamma, dbeta of PyTorch and in float64 must have been compared";
}

INSTANTIATE_TEST_SUITE_P(DigitsCnn, RealLayer,
                         testing::Combine(testing::Values("1", "4", "7", "10"), testing::Values("fp32", "bf16", "fp16"),
                                          testing::Bool()));

// Layers whose dx cancels: two elements a channel always do, a gradient linear in x does, and so do subnormal gradients
// where products underflow. What remains is rounding, and the comparison must know it.
TEST(CancellingLayers, CompareAsCorrect) {
  const config::Config settings = preset(isa::Generation::cayman);
  CoreBench bench(settings);
  const auto end = bench.run([&](Host& host) {
    for (unsigned seed = 0; seed < 24; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      layer::Layer layer = make_layer(6, seed % 3 == 0 ? 2 : 500, Dtype::fp32, false, seed);
      std::mt19937 random(seed);
      for (std::size_t i = 0; i < layer.file_x.size(); ++i) {
        layer.file_x[i] = static_cast<float>(random() % 100000) / 25000 - 2;
        const float noise = static_cast<float>(random() % 100000) / 25000 - 2;
        layer.file_dy[i] = seed % 3 == 0 ? noise : seed % 3 == 1 ? layer.file_x[i] * 1e-2F + 0.3F : noise * 1e-41F;
      }
      std::memcpy(layer.x.data(), layer.file_x.data(), layer.x.size());
      std::memcpy(layer.dy.data(), layer.file_dy.data(), layer.dy.size());
      const LayerOutcome outcome = run_layer(bench, host, layer, settings);
      for (const auto& c : layer::compare(layer, outcome.results, request_for(layer, outcome.program)))
        EXPECT_EQ(c.mismatches, 0u) << c.name << ": " << layer::to_string(c.first_mismatch);
    }
  });
  EXPECT_EQ(end.status, RunStatus::ok);
}

// The variance of such data overflows binary32 on the device; float64 knows better.
TEST(OverflowingLayers, AreNotCalledOk) {
  const config::Config settings = preset(isa::Generation::cayman);
  CoreBench bench(settings);
  bench.run([&](Host& host) {
    layer::Layer layer = make_layer(2, 64, Dtype::fp32, false, 1);
    for (float& x : layer.file_x) x *= 1e19F;
    std::memcpy(layer.x.data(), layer.file_x.data(), layer.x.size());
    const LayerOutcome outcome = run_layer(bench, host, layer, settings);
    bool found = false;
    for (const auto& c : layer::compare(layer, outcome.results, request_for(layer, outcome.program))) {
      if (c.name != "var_device64") continue;
      found = true;
      EXPECT_EQ(c.mismatches, 2u);
      EXPECT_EQ(c.non_finite, 2u);
    }
    EXPECT_TRUE(found);
  });
}

// Shapes of 1 to 300 channels and 1 to 70,000 elements; every layer twice on the same core, where the second run finds
// the first one's data in memory.
class RandomLayers : public testing::TestWithParam<int> {
 protected:
  golden::Options golden_options() const {
    golden::Options o;
    o.dst_order_interpreter = (GetParam() & 1) != 0;
    o.product_order_interpreter = (GetParam() & 2) != 0;
    o.textbook = (GetParam() & 4) != 0;
    return o;
  }
  std::vector<std::string> sets(std::mt19937& random) const {
    const golden::Options o = golden_options();
    std::vector<std::string> list = {
        std::string("numerics.dst_order=") + (o.dst_order_interpreter ? "interpreter" : "documented"),
        std::string("numerics.product_order=") + (o.product_order_interpreter ? "interpreter" : "documented"),
        std::string("numerics.backprop_form=") + (o.textbook ? "textbook" : "staged")};
    const char* places[] = {"place.x=psum", "place.dy=psum", "place.sums=psum"};
    if (random() % 2 == 0) list.push_back(places[random() % 3]);
    return list;
  }
};

TEST_P(RandomLayers, EqualTheGoldenBitForBit) {
  std::mt19937 random(static_cast<unsigned>(GetParam()) + 100);
  const config::Config settings = preset(isa::Generation::cayman, sets(random));
  struct Shape {
    std::uint32_t channels;
    std::uint64_t elements;
  };
  std::vector<Shape> shapes = {{1, 1}, {2, 3}, {129, 5}, {3, 513}, {1, 70000}, {5, 30011}};
  if (GetParam() == 0) shapes.push_back({300, 64});
  while (shapes.size() < 30) {
    const double size = static_cast<double>(random() % 1000) / 1000;
    const auto elements = static_cast<std::uint64_t>(std::pow(70000.0, size));
    const std::uint64_t room = std::max<std::uint64_t>(1, 200000 / elements);
    shapes.push_back({static_cast<std::uint32_t>(1 + random() % std::min<std::uint64_t>(300, room)),
                      std::max<std::uint64_t>(1, elements)});
  }
  CoreBench bench(settings);
  const auto end = bench.run([&](Host& host) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const Dtype dtypes[] = {Dtype::fp32, Dtype::bf16, Dtype::fp16};
      const Dtype dtype = dtypes[random() % 3];
      const bool given = random() % 2 != 0 || shapes[i].elements == 1;
      SCOPED_TRACE(std::to_string(shapes[i].channels) + " channels, " + std::to_string(shapes[i].elements) +
                   " elements, " + std::string(isa::name(dtype)) + (given ? ", statistics given" : ""));
      const layer::Layer layer =
          make_layer(shapes[i].channels, shapes[i].elements, dtype, given, static_cast<unsigned>(i));
      const LayerOutcome first = run_layer(bench, host, layer, settings);
      const GoldenOutcome golden = golden_layer(layer, first.program, golden_options());
      expect_same_bits(first, golden, layer);
      const LayerOutcome second = run_layer(bench, host, layer, settings);
      expect_same_bits(second, golden, layer);
      EXPECT_EQ(first.cycles, second.cycles);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
  EXPECT_EQ(end.status, RunStatus::ok);
}

INSTANTIATE_TEST_SUITE_P(EveryOrderAndForm, RandomLayers, testing::Range(0, 8));

}  // namespace
}  // namespace dve
