// dve-sim run on a workload.
#include <gtest/gtest.h>

#include <regex>

#include "dve/layer/layer.h"
#include "sim_checks.h"

namespace dve {
namespace workload_run_test {
namespace {

using namespace sim_checks;
using namespace testing_support;
using nlohmann::json;

const char* const kSmall = R"({"schema": 1, "name": "small", "batch": 2, "dtype": "bf16", "layers": [
  {"name": "a", "nchw": [2, 64, 20, 20]},
  {"name": "b", "nchw": [2, 200, 30, 30], "repeat": 3, "place": "hbm", "tile_elements": 300},
  {"name": "c", "nchw": [2, 20, 9, 9], "statistics": "given", "place": "psum", "dtype": "fp32"}]})";

// A layer folder of zeros, with these or without statistics.
void write_layer(const std::string& folder, const json& nchw, layer::NpyType type, bool statistics) {
  std::filesystem::create_directory(folder);
  const auto array = [&](const char* name, layer::NpyType t, const std::vector<std::uint64_t>& shape) {
    layer::NpyArray a{t, shape, {}};
    a.data.resize(a.count() * layer::element_bytes(t));
    layer::write_npy(folder + "/" + name + ".npy", a);
  };
  array("x", type, nchw);
  array("dy", type, nchw);
  array("gamma", layer::NpyType::f4, {nchw[1]});
  if (!statistics) return;
  array("mean", layer::NpyType::f4, {nchw[1]});
  array("inv_std", layer::NpyType::f4, {nchw[1]});
}

class WorkloadRun : public testing::Test {
 protected:
  WorkloadRun() { write_text(file_, kSmall); }
  json network(const std::string& options) {
    const ProcessResult r = dve_sim("run " + file_ + " --quiet --out " + (scratch_ / "out") + options);
    EXPECT_EQ(r.code, 0) << r.err;
    return report_of(scratch_ / "out");
  }
  ScratchFolder scratch_;
  std::string file_ = scratch_ / "small.json";
};

TEST_F(WorkloadRun, LayersAreThoseOfRunOnALayerFolder) {
  const json report = network(" --no-data --config mariana");
  const char* options[] = {"", " --set place.x=hbm --set place.dy=hbm --set place.dx=hbm --set dma.tile_elements=300",
                           " --set place.x=psum"};
  std::uint64_t cycles = 0, instructions = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const json& layer = report["layers"][k];
    const std::string folder = scratch_ / "layer", out = scratch_ / "single";
    write_layer(folder, layer["nchw"], k == 2 ? layer::NpyType::f4 : layer::NpyType::u2, k == 2);
    const ProcessResult r = dve_sim("run " + folder + " --no-data --config mariana --quiet --out " + out + options[k]);
    ASSERT_EQ(r.code, 0) << r.err;
    const json single = report_of(out);
    EXPECT_EQ(layer["report"], single) << layer["name"];
    cycles += layer["repeat"].get<std::uint64_t>() * single["cycles"].get<std::uint64_t>();
    instructions += layer["repeat"].get<std::uint64_t>() * single["instructions"].get<std::uint64_t>();
    std::filesystem::remove_all(folder);
  }
  EXPECT_EQ(report["cycles"], cycles);
  EXPECT_EQ(report["instructions"], instructions);
  EXPECT_EQ(report["status"], "ok");
}

TEST_F(WorkloadRun, WithDataItComparesAndTakesTheSameTime) {
  const json with = network(""), without = network(" --no-data");
  EXPECT_EQ(with["cycles"], without["cycles"]);
  EXPECT_EQ(with["time_ns"], without["time_ns"]);
  EXPECT_TRUE(without["compare"].empty());
  for (const char* name : {"dx_device64", "dgamma_device64", "dbeta_device64", "mean_device64", "var_device64"}) {
    ASSERT_TRUE(with["compare"].contains(name)) << name;
    EXPECT_EQ(with["compare"][name]["mismatches"], 0) << name;
    EXPECT_GT(with["compare"][name]["max_abs"].get<double>(), 0) << name;
  }
}

TEST_F(WorkloadRun, TheSameTwiceAndOtherwiseWithAnotherSeed) {
  const json first = network("");
  EXPECT_EQ(first, network(""));
  json other = json::parse(kSmall);
  other["seed"] = 2;
  write_text(file_, other.dump());
  EXPECT_NE(first["compare"], network("")["compare"]);
}

TEST_F(WorkloadRun, OptionsReplaceWhatTheFileSays) {
  const json report =
      network(" --no-data --dtype fp16 --set place.x=hbm --set place.dy=hbm --set place.dx=hbm --abstraction at");
  for (const json& layer : report["layers"]) {
    EXPECT_EQ(layer["dtype"], "fp16");
    EXPECT_TRUE(layer["report"]["engines"].contains("dma0")) << layer["name"];
    EXPECT_EQ(layer["report"]["abstraction"], "at");
  }
  EXPECT_EQ(report["cycles"],
            network(" --no-data --dtype fp16 --set place.x=hbm --set place.dy=hbm --set place.dx=hbm")["cycles"]);
}

TEST_F(WorkloadRun, TensorsCanComeFromAFolder) {
  const layer::NpyArray x = layer::read_npy(layer_folder("7") + "/x.npy");
  ASSERT_EQ(x.shape.size(), 2u);  // [C, n], as [1, C, 1, n] here
  const std::string folder = scratch_ / "layer";
  std::filesystem::copy(layer_folder("7"), folder);
  for (const char* name : {"x", "dy"}) {
    layer::NpyArray array = layer::read_npy(layer_folder("7") + "/" + name + ".npy");
    array.shape = {1, x.shape[0], 1, x.shape[1]};
    layer::write_npy(folder + "/" + name + ".npy", array);
  }
  for (const char* reference : {"dx.npy", "dx64.npy", "y.npy", "y64.npy"})
    std::filesystem::remove(folder + "/" + reference);
  json workload = {{"schema", 1}, {"name", "w"}, {"batch", 1}, {"dtype", "fp32"}};
  workload["layers"] = {{{"name", "a"}, {"nchw", {1, x.shape[0], 1, x.shape[1]}}, {"data", "layer"}}};
  write_text(file_, workload.dump());
  const json report = network("");
  const ProcessResult r = dve_sim("run " + folder + " --device-stats --quiet --out " + (scratch_ / "single"));
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(report["layers"][0]["report"], report_of(scratch_ / "single"));
  workload["layers"][0]["nchw"][1] = x.shape[0] + 1;
  write_text(file_, workload.dump());
  expect_error(dve_sim("run " + file_ + " --quiet"), 3, {"x.npy: shape [", "nchw of layer a"});
}

TEST_F(WorkloadRun, PrintsALineALayerTheSumAndTheWallTime) {
  const ProcessResult r = dve_sim("run " + file_ + " --no-data");
  EXPECT_EQ(r.code, 0) << r.err;
  expect_pieces(r.out,
                {"workload      small: 5 layers of 3 shapes, batch 2", "2x200x30x30", "\nsum ", "result        ok"});
  EXPECT_TRUE(std::regex_match(r.err, std::regex("wall time     [0-9.]+ s\n"))) << r.err;
}

TEST_F(WorkloadRun, EndsWithTheStatusOfItsLayers) {
  const ProcessResult r = dve_sim("run " + file_ + " --no-data --quiet --max-cycles 2000 --out " + (scratch_ / "out"));
  expect_error(r, 5, {"small: timeout"});
  EXPECT_EQ(report_of(scratch_ / "out")["status"], "timeout");
}

TEST_F(WorkloadRun, ErrorsAreOneLineAndNameTheLayer) {
  expect_error(dve_sim("run " + file_ + " --quiet --step full"), 3, {"layer b: place.x is hbm, expected sbuf or psum"});
  expect_error(dve_sim("run " + file_ + " --quiet --set place.dy=psum"), 3,
               {"layer c: place.x = psum (file workload, layer c) contradicts"});
  expect_error(dve_sim("run " + file_ + " --bounds"), 2, {"--bounds goes with a layer folder"});
  expect_error(dve_sim("run " + file_ + " --trace " + (scratch_ / "t.json")), 2, {"--trace goes with a layer folder"});
  expect_error(dve_sim("run " + (scratch_ / "none.json")), 3, {"none.json: does not exist", "resnet_50"});
  expect_error(dve_sim("run resnet_51"), 3, {"resnet_51: does not exist", "resnet_50"});
  expect_error(dve_sim("run " + file_ + " --no-data --quiet --out /proc/none"), 6, {"/proc/none"});
  write_text(file_, "{\"schema\": 1,");
  expect_error(dve_sim("run " + file_), 3, {"small.json: is not JSON"});
}

TEST(Networks, RunByName) {
  const ScratchFolder scratch;
  for (const char* name : {"resnet_50", "densenet_121", "inception_v3", "vgg16_bn", "mobilenet_v2", "efficientnet_b0",
                           "resnet_18", "unet", "dcgan"}) {
    const ProcessResult r = dve_sim(std::string("run ") + name + " --no-data --quiet --out " + (scratch / name));
    ASSERT_EQ(r.code, 0) << r.err;
    const json report = report_of(scratch / name);
    EXPECT_EQ(report["workload"]["name"], name);
    EXPECT_GT(report["cycles"].get<std::uint64_t>(), 1'000'000u) << name;
  }
}

}  // namespace
}  // namespace workload_run_test
}  // namespace dve
