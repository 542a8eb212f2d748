// The bundled layers, all channels, through the lanes under stalls: sums and dx bit for bit those of the golden layer.
// BackProp runs on the sums that the lanes computed.
#include <gtest/gtest.h>

#include "cosim/lane_group_bench.h"
#include "cosim/scoreboard.h"
#include "golden/golden.h"

namespace dve::cosim {
namespace {

golden::LayerInput read_layer(const std::string& folder) {
  const auto floats = [&](const char* name) { return golden::read_npy(folder + "/" + name + ".npy").floats(); };
  golden::LayerInput layer;
  layer.mean = floats("mean");
  layer.inv_std = floats("inv_std");
  layer.gamma = floats("gamma");
  layer.x = golden::rows_of(floats("x"), layer.mean.size());
  layer.dy = golden::rows_of(floats("dy"), layer.mean.size());
  layer.tiles = {layer.x[0].size()};
  return layer;
}

constexpr StallPlan kStalls = {StallPattern::light, StallPattern::half, StallPattern::light, StallPattern::bursts};

class Lanes {
 public:
  Lanes(LaneBuild build, const golden::LayerInput& layer) : bench_(build, 1), layer_(layer) {}

  // Both words on the channels from `first` on, as many as the group has; results behind those of the channels before.
  void backward(std::size_t first) {
    LaneWord word;
    const std::size_t end = std::min(first + bench_.shape().channels(), layer_.x.size());
    for (std::size_t c = first; c < end; ++c) {
      word.x.push_back(layer_.x[c]);
      word.dy.push_back(layer_.dy[c]);
      word.parameters.push_back({layer_.mean[c], layer_.inv_std[c]});
    }
    const std::vector<std::vector<std::uint32_t>> sums = run(word);
    word.operation = LaneOperation::back_prop;
    word.opcode = 0x65;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::size_t c = first + i;
      const float n = static_cast<float>(layer_.x[c].size());
      dbeta.push_back(golden::float_of_bits(sums[i][0]));
      dgamma.push_back(golden::float_of_bits(sums[i][1]));
      coupling.push_back(golden::float_of_bits(sums[i][2]));
      const float a = golden::host_scale(layer_.gamma[c], layer_.inv_std[c], n, golden::Options{});
      word.parameters[i] = {layer_.mean[c], layer_.inv_std[c], n, layer_.mean[c], a, dbeta.back(), coupling.back()};
    }
    for (const std::vector<std::uint32_t>& row : run(word)) {
      dx.emplace_back();
      for (const std::uint32_t bits : row) dx.back().push_back(golden::float_of_bits(bits));
    }
  }

  std::vector<float> dbeta, dgamma, coupling;
  golden::Rows dx;

 private:
  // Results by channel: three sums, or dx.
  std::vector<std::vector<std::uint32_t>> run(const LaneWord& word) {
    const WordRun done = bench_.run(word, kStalls);
    const auto difference = compare(word, golden_results(word), done, bench_.shape(), word_++);
    EXPECT_FALSE(difference.has_value()) << difference->text;
    for (const Violation& violation : done.violations) ADD_FAILURE() << violation.text();
    const std::size_t turns = turns_of(word.channels(), bench_.shape());
    const bool sums = word.operation == LaneOperation::grad_accum;
    std::vector<std::vector<std::uint32_t>> rows(word.channels());
    for (std::size_t i = 0; i < done.results.size(); ++i) {
      const std::size_t first = (sums ? i / 3 : i % turns) * bench_.shape().lanes;
      for (std::size_t lane = 0; lane < bench_.shape().lanes && first + lane < rows.size(); ++lane) {
        rows[first + lane].push_back(done.results[i].values[lane]);
      }
    }
    return rows;
  }

  LaneGroupBench bench_;
  const golden::LayerInput& layer_;
  std::uint64_t word_ = 0;
};

void expect_layer(const char* name, LaneBuild build) {
  const golden::LayerInput layer = read_layer(std::string(DVE_TEST_DATA_DIR) + "/digits_cnn/" + name);
  const golden::LayerResult expected = golden::layer_backward(layer, golden::Options{});
  Lanes lanes(build, layer);
  for (std::size_t first = 0; first < layer.x.size(); first += shape_of(build).channels()) lanes.backward(first);
  EXPECT_EQ(lanes.dgamma, expected.dgamma);
  EXPECT_EQ(lanes.dbeta, expected.dbeta);
  EXPECT_EQ(lanes.coupling, expected.coupling);
  EXPECT_EQ(lanes.dx, expected.dx);
}

TEST(LaneLayers, Layer1) { expect_layer("1", LaneBuild::lanes4); }
TEST(LaneLayers, Layer4) { expect_layer("4", LaneBuild::lanes3x4); }
TEST(LaneLayers, Layer7) { expect_layer("7", LaneBuild::lanes4); }
TEST(LaneLayers, Layer10) { expect_layer("10", LaneBuild::lanes3x4); }

}  // namespace
}  // namespace dve::cosim
