// The published examples of other projects, through SEQ, DVE and the host runtime.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "system/cases_data.h"
#include "system/layer_bench.h"

namespace dve {
namespace {

using namespace testing_support;
using cases::PublishedCase;

std::vector<float> to_float(const std::vector<double>& values) { return {values.begin(), values.end()}; }

std::vector<std::uint8_t> bytes_of(const std::vector<float>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(float));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

layer::Layer layer_of(const PublishedCase& example) {
  layer::Layer layer;
  layer.shape = {example.channels, example.elements};
  layer.channels = static_cast<std::uint32_t>(example.channels);
  layer.elements = example.elements;
  layer.file_x = to_float(example.x);
  layer.file_dy = example.dy.empty() ? std::vector<float>(example.x.size()) : to_float(example.dy);
  layer.x = bytes_of(layer.file_x);
  layer.dy = bytes_of(layer.file_dy);
  layer.gamma = to_float(example.gamma);
  layer.statistics_given = example.given_mean.has_value();
  if (layer.statistics_given) {
    layer.mean = to_float(*example.given_mean);
    for (double var : *example.given_var)
      layer.inv_std.push_back(
          static_cast<float>(1 / std::sqrt(static_cast<double>(static_cast<float>(var)) + example.eps)));
  }
  return layer;
}

// Published numbers are rounded, and some come from another library's binary32: the example's own tolerance. On top of
// it what binary32 here may differ: the rounding of sums and products, relative to the largest value of the tensor
// (1e-6 is 8 units of 2^-23: short streams, well-conditioned statistics).
constexpr double kBinary32 = 1e-6;

void compare(const PublishedCase& example, const std::string& output, const std::vector<float>& found) {
  const auto expected = example.expected.find(output);
  if (expected == example.expected.end() || found.empty()) return;
  ASSERT_EQ(found.size(), expected->second.size()) << output;
  double largest = 0;
  for (double value : expected->second) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected->second[i], example.tolerance(output).of(expected->second[i]) + kBinary32 * largest)
        << example.id << " " << output << "[" << i << "]";
}

// Against float64 of the same inputs: no library's rounding in between, so only our own.
void compare_float64(const PublishedCase& example, const std::string& output, const std::vector<float>& found) {
  const auto expected = example.float64.find(output);
  if (expected == example.float64.end() || found.empty()) return;
  double scale = 1;
  for (double value : expected->second) scale = std::max(scale, std::abs(value));
  for (double value : example.dy) scale = std::max(scale, std::abs(value));
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected->second[i], 2e-5 * scale) << example.id << " float64 " << output << "[" << i << "]";
}

TEST(PublishedCases, AllAgreeThroughThePlatform) {
  const auto examples = cases::read_published_cases(DVE_TEST_DATA_DIR "/cases");
  ASSERT_GE(examples.size(), 17u);
  const config::Config settings = preset(isa::Generation::cayman);
  CoreBench bench(settings);
  std::set<std::string> seen;
  const auto end = bench.run([&](Host& host) {
    for (const PublishedCase& example : examples) {
      SCOPED_TRACE(example.file + " " + example.id);
      const layer::Layer layer = layer_of(example);
      const LayerOutcome outcome = run_layer(bench, host, layer, settings, example.eps);
      std::vector<float> dx(layer.channels * layer.elements);
      std::memcpy(dx.data(), outcome.results.dx.data(), outcome.results.dx.size());
      const bool backward = !example.dy.empty();
      const std::map<std::string, std::vector<float>> found = {
          {"mean", outcome.results.mean},
          {"var", outcome.results.var},
          {"invstd", layer.statistics_given ? std::vector<float>() : outcome.results.inv_std},
          {"dgamma", backward ? outcome.results.dgamma : std::vector<float>()},
          {"dbeta", backward ? outcome.results.dbeta : std::vector<float>()},
          {"dx", backward ? dx : std::vector<float>()}};
      for (const auto& [name, values] : found) {
        compare(example, name, values);
        compare_float64(example, name, values);
        if (example.expected.count(name) && !values.empty()) seen.insert(name);
      }
    }
  });
  EXPECT_EQ(end.status, RunStatus::ok);
  EXPECT_EQ(seen, (std::set<std::string>{"dbeta", "dgamma", "dx", "invstd", "mean", "var"}));
}

}  // namespace
}  // namespace dve
