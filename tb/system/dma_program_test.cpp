// Layers in HBM through dve-sim: the same bytes as in SBUF, files that run again, a layer that exceeds SBUF.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "dve/layer/layer.h"
#include "support/process.h"

namespace dve {
namespace dma_program_test {
namespace {

using namespace testing_support;
using nlohmann::json;

const std::string kInHbm = " --set place.x=hbm --set place.dy=hbm --set place.dx=hbm";

std::string layer_folder(const std::string& name) { return std::string(DVE_TEST_DATA_DIR "/digits_cnn/") + name; }
json report_of(const ScratchFolder& folder) { return json::parse(read_text(folder / "report.json")); }

// Tiles cut by microbatches are the same with and without HBM.
TEST(HbmRun, GivesTheBytesOfTheRunInSbuf) {
  for (const std::string name : {"1", "10"}) {
    for (const std::string options : {"", " --device-stats", " --dtype bf16"}) {
      SCOPED_TRACE(name + options);
      const ScratchFolder near, far;
      const std::string run = "run " + layer_folder(name) + options + " --microbatches 4 --quiet --out ";
      ASSERT_EQ(dve_sim(run + near.path()).code, 0);
      const ProcessResult r = dve_sim(run + far.path() + kInHbm);
      ASSERT_EQ(r.code, 0) << r.err;
      for (const char* file : {"dx.npy", "dgamma.npy", "dbeta.npy"})
        EXPECT_EQ(read_text(near / file), read_text(far / file)) << file;
      EXPECT_NE(read_text(near / "program.bin"), read_text(far / "program.bin"));
      EXPECT_GT(report_of(far)["cycles"], report_of(near)["cycles"]) << "loads and stores take time";
    }
  }
}

TEST(HbmRun, TimeDoesNotDependOnTheQuantum) {
  const ScratchFolder one, other;
  const std::string run =
      "run " + layer_folder("4") + kInHbm + " --device-stats --set dma.tile_elements=100 --quiet --out ";
  ASSERT_EQ(dve_sim(run + one.path()).code, 0);
  ASSERT_EQ(dve_sim(run + other.path() + " --set quantum_ns=0").code, 0);
  EXPECT_EQ(report_of(one)["time_ns"], report_of(other)["time_ns"]);
  EXPECT_EQ(read_text(one / "dx.npy"), read_text(other / "dx.npy"));
}

TEST(HbmExec, ReproducesTheRunByteForByte) {
  for (const std::string options : {"", " --device-stats --set dma.tile_elements=50"}) {
    SCOPED_TRACE(options);
    const ScratchFolder run, again;
    ASSERT_EQ(dve_sim("run " + layer_folder("10") + kInHbm + options + " --quiet --out " + run.path()).code, 0);
    const ProcessResult r = dve_sim("exec " + (run / "program.bin") + " --host-steps " + (run / "program.json") +
                                    " --config " + (run / "config.json") + " --quiet --out " + again.path());
    ASSERT_EQ(r.code, 0) << r.err;
    for (const char* file : {"dx.npy", "dgamma.npy", "dbeta.npy"})
      EXPECT_EQ(read_text(run / file), read_text(again / file)) << file;
    EXPECT_EQ(report_of(run)["cycles"], report_of(again)["cycles"]);
  }
}

TEST(HbmExec, ARingThatWaitsForEverIsNamed) {
  const ScratchFolder run;
  ASSERT_EQ(
      dve_sim("run " + layer_folder("10") + kInHbm + " --set dma.tile_elements=50 --quiet --out " + run.path()).code,
      0);
  json program = json::parse(read_text(run / "program.json"));
  program["dma"]["rings"][0][4]["waits"] = json::array({json::array({200, 1})});
  write_text(run / "program.json", program.dump());
  const ProcessResult r = dve_sim("exec " + (run / "program.bin") + " --host-steps " + (run / "program.json") +
                                  " --config " + (run / "config.json") + " --quiet");
  EXPECT_EQ(r.code, 5) << r.err;
  EXPECT_NE(
      r.err.find("deadlock: dma ring 0 transfer 4 (x tile 2 of pass 0) waits for sem[200] >= 1, which is 0 (never "
                 "changed); no word of the program changes it"),
      std::string::npos)
      << r.err;
}

layer::NpyArray array(const std::vector<std::uint64_t>& shape, std::mt19937& random, float middle, float spread) {
  layer::NpyArray a;
  a.shape = shape;
  std::vector<float> values(a.count());
  for (float& v : values) v = middle + spread * (static_cast<float>(random() % 20001) / 10000 - 1);
  a.data.resize(values.size() * sizeof(float));
  std::memcpy(a.data.data(), values.data(), a.data.size());
  return a;
}

// 64 channels of 100,000 elements: x, dy and dx would be 1.2 MB a partition, which has 224 KiB.
TEST(HbmRun, ALayerThatExceedsSbufCompares) {
  const ScratchFolder folder, out;
  std::mt19937 random(4);
  layer::write_npy(folder / "x.npy", array({64, 100000}, random, 0.3F, 2));
  layer::write_npy(folder / "dy.npy", array({64, 100000}, random, 0, 0.01F));
  layer::write_npy(folder / "gamma.npy", array({64}, random, 1, 0.25F));
  const ProcessResult r = dve_sim("run " + folder.path() + kInHbm + " --no-progress --out " + out.path());
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_NE(r.out.find("tiles: 11"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("result        ok"), std::string::npos) << r.out;
  // Every element is read three times from x and twice from dy by 8 engines that share 362.5 B/ns with 8 others.
  const double loads_ns = 5 * 4.0 * 64 * 100000 / 8 / (362.5 / 16);
  EXPECT_GE(report_of(out)["time_ns"].get<double>(), loads_ns * 0.95) << "the last tiles of a phase are still there";
}

}  // namespace
}  // namespace dma_program_test
}  // namespace dve
