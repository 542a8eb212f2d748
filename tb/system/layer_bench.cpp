#include "layer_bench.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace dve::testing_support {
namespace {

golden::Dtype to_golden(isa::Dtype dtype) { return static_cast<golden::Dtype>(isa::code(dtype)); }

golden::Rows device_rows(const std::vector<std::uint8_t>& bytes, const layer::Layer& layer,
                         const golden::Options& options) {
  return golden::rows_of(
      golden::load_elements(bytes.data(), layer.channels * layer.elements, to_golden(layer.dtype), options),
      layer.channels);
}

// Every pass has the same tiles; the golden works on all channels at once.
std::vector<std::size_t> tiles_of(const runtime::Program& program) {
  std::vector<std::size_t> tiles;
  for (const runtime::ElementRange& tile : program.passes.front().tiles) tiles.push_back(tile.count);
  for (const runtime::Pass& pass : program.passes) {
    EXPECT_EQ(pass.tiles.size(), tiles.size());
    for (std::size_t t = 0; t < tiles.size(); ++t) EXPECT_EQ(pass.tiles[t].count, tiles[t]);
  }
  return tiles;
}

template <class T>
void expect_same(const std::vector<T>& found, const std::vector<T>& expected, const char* name) {
  ASSERT_EQ(found.size(), expected.size()) << name;
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(std::memcmp(&found[i], &expected[i], sizeof(T)), 0)
        << name << "[" << i << "]: " << +found[i] << " instead of " << +expected[i];
}

}  // namespace

LayerOutcome run_layer(CoreBench& bench, Host& host, const layer::Layer& layer, const config::Config& settings,
                       double eps) {
  return run_program(bench, host, layer, runtime::plan(plan_request(layer, settings)), eps);
}

LayerOutcome run_program(CoreBench& bench, Host& host, const layer::Layer& layer, runtime::Program program,
                         double eps) {
  LayerOutcome outcome;
  outcome.program = std::move(program);
  runtime::HostRuntime runtime(layer, outcome.program, {eps});
  HostTasks tasks;
  tasks.program = outcome.program.words;
  tasks.streams = outcome.program.streams;
  tasks.before = [&](Host& h) { runtime.perform_initial(h); };
  tasks.steps = runtime.steps();
  tasks.step = [&](std::size_t k, Host& h) { runtime.perform_step(k, h); };
  const std::size_t before = bench.retired.size();
  host.execute(tasks);
  for (const auto& fault : faults_of(bench.core()))
    ADD_FAILURE() << fault.engine << " " << fault.word << ": " << isa::to_string(fault.finding);
  runtime.perform_final(host);
  outcome.results = runtime.results();
  if (bench.retired.size() > before)
    outcome.cycles = bench.core().seq().cycles().value - bench.retired[before].schedule.start.value;
  return outcome;
}

GoldenOutcome golden_layer(const layer::Layer& layer, const runtime::Program& program, const golden::Options& options,
                           double eps) {
  golden::LayerInput input;
  input.x = device_rows(layer.x, layer, options);
  input.dy = device_rows(layer.dy, layer, options);
  input.gamma = layer.gamma;
  input.tiles = tiles_of(program);
  input.dx_dtype = to_golden(layer.dtype);
  const bool full = program.request.step == runtime::Step::full;
  GoldenOutcome outcome;
  if (layer.statistics_given) {
    input.mean = layer.mean;
    input.inv_std = layer.inv_std;
  } else {
    for (const auto& x : input.x) {
      const golden::MeanVariance moments = golden::device_statistics(x, input.tiles, options);
      input.mean.push_back(moments.mean);
      outcome.var.push_back(moments.variance);
      input.inv_std.push_back(full ? golden::device_inv_std(moments.variance, eps)
                                   : golden::host_inv_std(moments.variance, eps));
    }
  }
  for (std::size_t c = 0; full && c < layer.channels; ++c) {
    input.a.push_back(
        golden::device_scale(layer.gamma[c], input.inv_std[c], static_cast<float>(layer.elements), options));
    const auto y = golden::store_elements(
        golden::forward(input.x[c], input.mean[c], input.inv_std[c], layer.gamma[c], layer.beta[c]), input.dx_dtype,
        options);
    outcome.y.insert(outcome.y.end(), y.begin(), y.end());
  }
  const golden::LayerResult result = golden::layer_backward(input, options);
  outcome.dx = result.dx_bytes;
  outcome.dgamma = result.dgamma;
  outcome.dbeta = result.dbeta;
  outcome.mean = input.mean;
  outcome.inv_std = input.inv_std;
  return outcome;
}

void expect_same_bits(const LayerOutcome& outcome, const GoldenOutcome& golden, const layer::Layer& layer) {
  expect_same(outcome.results.dgamma, golden.dgamma, "dgamma");
  expect_same(outcome.results.dbeta, golden.dbeta, "dbeta");
  expect_same(outcome.results.dx, golden.dx, "dx byte");
  expect_same(outcome.results.y, golden.y, "y byte");
  if (layer.statistics_given) return;
  expect_same(outcome.results.mean, golden.mean, "mean");
  expect_same(outcome.results.var, golden.var, "var");
  expect_same(outcome.results.inv_std, golden.inv_std, "inv_std");
}

layer::Layer make_layer(std::uint32_t channels, std::uint64_t elements, isa::Dtype dtype, bool statistics_given,
                        unsigned seed) {
  std::mt19937 random(seed);
  const golden::Options options;
  layer::Layer layer;
  layer.shape = {channels, elements};
  layer.channels = channels;
  layer.elements = elements;
  layer.file_dtype = layer.dtype = dtype;
  layer.statistics_given = statistics_given;
  // Quarter steps around a mean that differs by channel: exact in every dtype, and no cancellation to zero variance.
  const auto tensor = [&](double scale, double spread) {
    std::vector<float> values;
    for (std::uint32_t c = 0; c < channels; ++c)
      for (std::uint64_t i = 0; i < elements; ++i)
        values.push_back(
            static_cast<float>(scale * ((static_cast<int>(random() % 257) - 128) / 32.0) + spread * (c % 5)));
    return values;
  };
  const std::vector<float> x = tensor(1, 0.25), dy = tensor(0.5, 0);
  layer.x = golden::store_elements(x, static_cast<golden::Dtype>(isa::code(dtype)), options);
  layer.dy = golden::store_elements(dy, static_cast<golden::Dtype>(isa::code(dtype)), options);
  layer.file_x = golden::load_elements(layer.x.data(), x.size(), static_cast<golden::Dtype>(isa::code(dtype)), options);
  layer.file_dy =
      golden::load_elements(layer.dy.data(), dy.size(), static_cast<golden::Dtype>(isa::code(dtype)), options);
  for (std::uint32_t c = 0; c < channels; ++c) {
    layer.gamma.push_back(0.5f + static_cast<float>(random() % 1000) / 1000.0f);
    if (!statistics_given) continue;
    layer.mean.push_back(static_cast<float>(random() % 1000) / 500.0f - 1);
    layer.inv_std.push_back(0.25f + static_cast<float>(random() % 1000) / 400.0f);
  }
  return layer;
}

}  // namespace dve::testing_support
