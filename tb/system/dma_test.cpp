// Layers in HBM on a whole core: data, time, faults and standstill.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "dve/workload/workload.h"
#include "support/core_bench.h"
#include "system/layer_bench.h"

namespace dve {
namespace dma_test {
namespace {

using namespace testing_support;

// A core with HBM that runs one program of a layer.
class HbmBench {
 public:
  HbmBench(const config::Config& settings, const layer::Layer& layer, runtime::Program program)
      : layer_(layer), program_(std::move(program)), runtime_(layer_, program_, {}) {
    NeuronCoreConfig c;
    c.settings = settings;
    c.host_memory_bytes = kHostMemoryBytes;
    c.hbm_bytes = program_.hbm_bytes;
    core_ = std::make_unique<NeuronCore>("core", c);
    for (std::size_t r = 0; r < runtime::kRings; ++r)
      core_->dma.rings[r]->on_transfer = [this, r](const TransferRecord& record) { records[r].push_back(record); };
    tasks_.program = program_.words;
    tasks_.transfers = program_.transfers;
    tasks_.before = [this](Host& h) { runtime_.perform_initial(h); };
    tasks_.steps = runtime_.steps();
    tasks_.step = [this](std::size_t k, Host& h) { runtime_.perform_step(k, h); };
    host_ = std::make_unique<Host>("host", *core_, [this](Host& h) { h.execute(tasks_); });
  }
  RunOutcome run() { return simulate(*core_, *host_); }
  layer::Results results() {
    runtime_.perform_final(*host_);
    return runtime_.results();
  }
  HbmBench(const HbmBench&) = delete;
  NeuronCore& core() { return *core_; }
  const runtime::Program& program() const { return program_; }

  std::array<std::vector<TransferRecord>, runtime::kRings> records;

 private:
  layer::Layer layer_;
  runtime::Program program_;
  runtime::HostRuntime runtime_;
  HostTasks tasks_;
  std::unique_ptr<NeuronCore> core_;
  std::unique_ptr<Host> host_;
};

const std::vector<std::string> kInHbm = {"place.x=hbm", "place.dy=hbm", "place.dx=hbm"};

config::Config settings_with(std::vector<std::string> sets) {
  sets.insert(sets.end(), kInHbm.begin(), kInHbm.end());
  return preset(isa::Generation::cayman, sets);
}
HbmBench bench_for(const layer::Layer& layer, const config::Config& settings) {
  return {settings, layer, runtime::plan(plan_request(layer, settings))};
}

struct Shape {
  std::uint32_t channels;
  std::uint64_t elements;
  isa::Dtype dtype;
  bool given;
  const char* set;
};
class HbmLayers : public testing::TestWithParam<Shape> {};

TEST_P(HbmLayers, EqualTheGoldenBitForBit) {
  const Shape shape = GetParam();
  const layer::Layer layer = make_layer(shape.channels, shape.elements, shape.dtype, shape.given, 5);
  HbmBench bench = bench_for(layer, settings_with({shape.set, "dma.tile_elements=300"}));
  ASSERT_EQ(bench.run().status, RunStatus::ok);
  LayerOutcome outcome;
  outcome.results = bench.results();
  outcome.program = bench.program();
  ASSERT_GT(outcome.program.passes[0].tiles.size(), 2u);
  expect_same_bits(outcome, golden_layer(layer, outcome.program, {}), layer);
}
INSTANTIATE_TEST_SUITE_P(Dma, HbmLayers,
                         testing::Values(Shape{8, 2000, isa::Dtype::fp32, true, "abstraction=lt"},
                                         Shape{8, 2000, isa::Dtype::fp32, false, "abstraction=lt"},
                                         Shape{130, 1001, isa::Dtype::bf16, false, "abstraction=lt"},
                                         Shape{130, 1001, isa::Dtype::fp16, true, "quantum_ns=0"},
                                         Shape{130, 1001, isa::Dtype::fp32, false, "abstraction=functional"},
                                         Shape{3, 1200, isa::Dtype::fp32, false, "dma.load_engines=15"}));

// A layer of every kind of the networks in configs/workloads, with a batch of 1 and seeded tensors.
struct Kind {
  const char* network;
  const char* layer;
  const char* place;
};
void PrintTo(const Kind& k, std::ostream* out) { *out << k.network << " " << k.layer << " " << k.place; }
class NetworkLayers : public testing::TestWithParam<Kind> {};

TEST_P(NetworkLayers, EqualTheGoldenBitForBit) {
  const std::string file = std::string(DVE_SOURCE_DIR "/configs/workloads/") + GetParam().network + ".json";
  json::Json document = json::parse_json(file);
  workload::replace(document, "batch", 1, file);
  workload::replace(document, "place", GetParam().place, file);
  const workload::Workload network = workload::workload_of(document, file);
  const auto found = std::find_if(network.layers.begin(), network.layers.end(),
                                  [](const workload::Layer& l) { return l.name == GetParam().layer; });
  ASSERT_NE(found, network.layers.end());
  const auto index = static_cast<std::size_t>(found - network.layers.begin());
  const layer::Layer layer = workload::make_layer(network, index, {});
  HbmBench bench = bench_for(layer, workload::settings_for(*found, config::load("", {})).config);
  ASSERT_EQ(bench.run().status, RunStatus::ok);
  LayerOutcome outcome;
  outcome.results = bench.results();
  outcome.program = bench.program();
  expect_same_bits(outcome, golden_layer(layer, outcome.program, {}), layer);
}
INSTANTIATE_TEST_SUITE_P(Dma, NetworkLayers,
                         testing::Values(Kind{"resnet_50", "bn_conv1", "hbm"}, Kind{"resnet_50", "bn2a_branch1", "hbm"},
                                         Kind{"resnet_50", "bn4a_branch2a", "psum"},
                                         Kind{"resnet_50", "bn5a_branch1", "hbm"},
                                         Kind{"resnet_50", "bn5a_branch2a", "sbuf"},
                                         Kind{"densenet_121", "conv2_4_x1_bn", "hbm"},
                                         Kind{"inception_v3", "mixed_9_tower_1_conv_batchnorm", "hbm"},
                                         Kind{"mobilenet_v2", "head", "hbm"}, Kind{"dcgan", "generator_512", "psum"}));

double ns(std::uint64_t femtoseconds) { return static_cast<double>(femtoseconds) / 1e6; }

// Rows of one engine x bytes / rate, for 128 channels on 8 engines of 22.65625 B/ns (HBM is the limit on cayman).
double stream_ns(const TransferRecord& record) { return static_cast<double>(record.bytes) / 8 / (362.5 / 16); }

TEST(HbmTime, ALoadTakesItsStartAndItsBytes) {
  const layer::Layer layer = make_layer(128, 4000, isa::Dtype::fp32, true, 1);
  HbmBench bench = bench_for(layer, settings_with({}));
  ASSERT_EQ(bench.run().status, RunStatus::ok);
  const TransferRecord& load = bench.records[runtime::kLoadRing].at(0);
  EXPECT_EQ(load.bytes, 128u * 16000);
  EXPECT_NEAR(ns(load.start_fs), 1300, 1) << "rounded up to the memories' clock";
  EXPECT_NEAR(ns(load.end_fs), 1300 + stream_ns(load), stream_ns(load) * 0.002 + 10);
  for (const std::size_t ring : {runtime::kLoadRing, runtime::kStoreRing}) {
    const DmaCounters& counters = bench.core().dma.rings[ring]->counters();
    EXPECT_EQ(counters.transfers, bench.program().transfers[ring].size());
    EXPECT_EQ(counters.bytes, 128u * 16000 * counters.transfers);
  }
}

// Eight tiles: loads of one overlap the words on the one before.
TEST(HbmTime, LoadsOverlapTheWords) {
  const layer::Layer layer = make_layer(128, 16000, isa::Dtype::fp32, true, 2);
  HbmBench bench = bench_for(layer, settings_with({"dma.tile_elements=2000"}));
  const RunOutcome outcome = bench.run();
  ASSERT_EQ(outcome.status, RunStatus::ok);
  double loads = 0, stores = 0;
  for (const TransferRecord& record : bench.records[runtime::kLoadRing]) loads += stream_ns(record);
  for (const TransferRecord& record : bench.records[runtime::kStoreRing]) stores += stream_ns(record);
  // Two passes over the stream, c = 2 cycles an element (microarchitecture.md 8).
  const double words = 2 * 2 * 16000 / 0.96;
  const double total = ns(outcome.femtoseconds);
  EXPECT_GE(total, std::max(words, loads * 0.998));
  EXPECT_LT(total, (words + loads + stores) * 0.75) << "words " << words << " loads " << loads << " stores " << stores;
}

TEST(HbmTime, TheProgramEndsWhenAllOfDxIsInHbm) {
  const layer::Layer layer = make_layer(128, 3000, isa::Dtype::fp32, true, 2);
  HbmBench bench = bench_for(layer, settings_with({"dma.tile_elements=1000"}));
  const RunOutcome outcome = bench.run();
  const TransferRecord& last = bench.records[runtime::kStoreRing].back();
  EXPECT_GE(outcome.femtoseconds, last.end_fs);
  EXPECT_LT(outcome.femtoseconds, last.end_fs + 200'000'000) << "the last word waits for it";
}

// A store that waits for a word too many: DMA and DVE wait for each other, and the report names both.
TEST(HbmDeadlock, NamesTheRingThatWaits) {
  const layer::Layer layer = make_layer(4, 400, isa::Dtype::fp32, true, 3);
  const config::Config settings = settings_with({"dma.tile_elements=100"});
  runtime::Program program = runtime::plan(plan_request(layer, settings));
  program.transfers[runtime::kStoreRing][1].waits[0].at_least = 99;
  HbmBench bench(settings, layer, std::move(program));
  const RunOutcome outcome = bench.run();
  ASSERT_EQ(outcome.status, RunStatus::deadlock);
  const auto ring = std::find_if(outcome.deadlock.waits.begin(), outcome.deadlock.waits.end(),
                                 [](const Waiting& w) { return w.who == "dma ring 1"; });
  ASSERT_NE(ring, outcome.deadlock.waits.end());
  EXPECT_EQ(ring->word, 1u);
  EXPECT_EQ(ring->label, "dx tile 1 of pass 0");
  EXPECT_EQ(ring->condition, "sem[23] >= 99");
  EXPECT_EQ(ring->value, "7") << "four sums, three gradients";
  EXPECT_EQ(to_string(*ring).find("dma ring 1 transfer 1 (dx tile 1 of pass 0) waits for sem[23] >= 99"), 0u);
  const auto dve = std::find_if(outcome.deadlock.waits.begin(), outcome.deadlock.waits.end(),
                                [](const Waiting& w) { return w.who == "dve"; });
  ASSERT_NE(dve, outcome.deadlock.waits.end());
  EXPECT_EQ(dve->condition, "sem[22] >= 16") << "the second dx buffer is never free again";
  EXPECT_NE(dve->updated_by.find("dma ring 1 transfer 0 (executed), dma ring 1 transfer 1 (not reached)"),
            std::string::npos)
      << dve->updated_by;
  EXPECT_TRUE(outcome.deadlock.unawaited.empty());
}

void expect_fault(void (*spoil)(dma::Transfer&), const std::string& reason) {
  const layer::Layer layer = make_layer(4, 400, isa::Dtype::fp32, true, 3);
  const config::Config settings = settings_with({"dma.tile_elements=100"});
  runtime::Program program = runtime::plan(plan_request(layer, settings));
  spoil(program.transfers[runtime::kLoadRing][2]);
  HbmBench bench(settings, layer, std::move(program));
  EXPECT_EQ(bench.run().status, RunStatus::fault);
  ASSERT_EQ(bench.core().dma.faults().size(), 1u);
  EXPECT_NE(bench.core().dma.faults()[0].find("dma ring 0 transfer 2 (x tile 1 of pass 0): " + reason),
            std::string::npos)
      << bench.core().dma.faults()[0];
}
TEST(HbmFaults, AnAddressPastTheHbm) {
  expect_fault([](dma::Transfer& t) { t.hbm = 1 << 20; }, "no memory at 0x100000 + 400 bytes of HBM");
}
TEST(HbmFaults, RowsPastAPartition) {
  expect_fault([](dma::Transfer& t) { t.place.offset = 0x38000 - 4; },
               "400 bytes from offset 0x37ffc go past the 229376 active bytes of a partition of sbuf");
}
TEST(HbmFaults, RingsThatShareAnEngine) {
  const layer::Layer layer = make_layer(4, 400, isa::Dtype::fp32, true, 3);
  const config::Config settings = settings_with({});
  runtime::Program program = runtime::plan(plan_request(layer, settings));
  program.transfers[runtime::kStoreRing][0].first_engine = 7;
  HbmBench bench(settings, layer, std::move(program));
  EXPECT_THROW(bench.run(), std::invalid_argument);
}

}  // namespace
}  // namespace dma_test
}  // namespace dve
