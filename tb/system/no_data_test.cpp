// --no-data: the same cycles and the same report as with data, and clear words where contents would be needed.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim_checks.h"
#include "support/process.h"

namespace dve {
namespace no_data_test {
namespace {

using namespace sim_checks;
using namespace testing_support;
using nlohmann::json;

const std::string kHbm = " --set place.x=hbm --set place.dy=hbm --set place.dx=hbm --set dma.tile_elements=100";
const std::string kTraffic = " --traffic " DVE_TEST_DATA_DIR "/traffic/busy_neighbours.json";

// The whole report but for what is compared, and the note that there was no data.
void expect_same_report(const std::string& command) {
  SCOPED_TRACE(command);
  const ScratchFolder with, without;
  const ProcessResult a = dve_sim(command + " --quiet --out " + with.path());
  const ProcessResult b = dve_sim(command + " --quiet --no-data --out " + without.path());
  ASSERT_EQ(a.code, 0) << a.err;
  ASSERT_EQ(b.code, 0) << b.err;
  json expected = report_of(with.path()), found = report_of(without.path());
  EXPECT_EQ(found["no_data"], true);
  EXPECT_FALSE(expected.contains("no_data"));
  EXPECT_GT(found["cycles"], 0);
  EXPECT_TRUE(found["compare"].empty());
  found.erase("no_data");
  for (json* report : {&expected, &found}) report->erase("compare");
  EXPECT_EQ(found, expected) << json::diff(found, expected).dump(1).substr(0, 1000);
  for (const char* tensor : {"dx", "y", "dgamma", "dbeta", "mean", "var", "inv_std"})
    EXPECT_FALSE(std::filesystem::exists(without / (std::string(tensor) + ".npy"))) << tensor;
  EXPECT_EQ(read_text(without / "config.json"), read_text(with / "config.json"));
}

class NoDataLayer : public testing::TestWithParam<std::string> {};

TEST_P(NoDataLayer, HasTheSameReportInLt) {
  const std::string run = "run " + layer_folder(GetParam());
  for (const char* options :
       {"", " --step full", " --device-stats", " --microbatches 2", " --dtype bf16", " --step full --dtype fp16",
        " --set place.sums=psum --set host_step_ns=700", " --set numerics.backprop_form=textbook",
        " --set numerics.backprop_form=textbook --set numerics.src0_is=x_norm", " --config sunda --set place.x=psum",
        " --config maverick", " --set dmi=false"})
    expect_same_report(run + options);
  expect_same_report(run + kHbm);
  expect_same_report(run + kTraffic);
}

TEST_P(NoDataLayer, HasTheSameReportInAt) {
  const std::string run = "run " + layer_folder(GetParam()) + " --abstraction at";
  for (const std::string& options : {std::string(), std::string(" --step full --dtype bf16"), kHbm, kTraffic})
    expect_same_report(run + options);
}

INSTANTIATE_TEST_SUITE_P(Bundled, NoDataLayer, testing::ValuesIn(kLayers),
                         [](const auto& layer) { return "Layer" + layer.param; });

TEST(NoData, ProgramsTakeTheSameTime) {
  for (const char* name : {"v1", "v2", "v8", "v13"})
    expect_same_report(std::string("exec " DVE_TEST_DATA_DIR "/validation/") + name + ".dasm --config sunda");
}

TEST(NoData, HostStepsTakeTheirTime) {
  const ScratchFolder out;
  const std::string options = " --set host_step_ns=333 --device-stats" + kHbm;
  const ProcessResult planned = dve_sim("run --quiet --no-data --out " + out.path() + options);
  ASSERT_EQ(planned.code, 0) << planned.err;
  expect_same_report("exec " + (out / "program.bin") + " --host-steps " + (out / "program.json") + " --config " +
                     (out / "config.json"));
  const json planned_report = report_of(out.path());
  EXPECT_GT(planned_report["engines"]["dve"]["semaphore_wait"], 333);
}

TEST(NoData, FaultsOfTheProgramStay) {
  const ScratchFolder folder;
  write_text(folder / "unstaged.dasm",
             "batch_norm_back_prop src0=sbuf[0]+0x0:fp32{64} src1=sbuf[0]+0x1000:fp32{64} dst=sbuf[0]+0x2000:fp32{64} "
             "channels=32\n");
  for (const char* data : {"", " --no-data"})
    expect_error(dve_sim("exec --quiet " + (folder / "unstaged.dasm") + data), 4, {"param_load_missing"});
}

TEST(NoData, RegistersFromMemoryAreRefused) {
  const ScratchFolder folder;
  write_text(folder / "load.dasm", "tensor_load dst=r1 src=sbuf[2]+0x44:fp32{1}\n");
  EXPECT_EQ(dve_sim("exec --quiet " + (folder / "load.dasm")).code, 0);
  expect_error(dve_sim("exec --quiet --no-data " + (folder / "load.dasm")), 4, {"tensor_load", "memory_contents"});
}

TEST(NoData, LoadsAreCheckedAndLeftOut) {
  const ScratchFolder folder;
  write_text(folder / "p.dasm", "nop\n");
  write_text(folder / "row.bin", std::string(64, 'x'));
  const std::string exec = "exec --quiet --no-data " + (folder / "p.dasm") + " --load ";
  EXPECT_EQ(dve_sim(exec + "sbuf[0]+0x0=" + (folder / "row.bin")).code, 0);
  expect_error(dve_sim(exec + "host:0x0=" + (folder / "row.bin")), 3, {"lies in the program"});
  expect_error(dve_sim(exec + "sbuf[0]+0x3fff0=" + (folder / "row.bin")), 3, {"active bytes"});
  expect_error(dve_sim(exec + "sbuf[0]+0x0=" + (folder / "none.npy")), 3, {"none.npy"});
}

TEST(NoData, OutputsOfContentsAreRefused) {
  const ScratchFolder folder;
  write_text(folder / "p.dasm", "nop\n");
  const std::string exec = "exec --quiet --no-data " + (folder / "p.dasm");
  expect_error(dve_sim(exec + " --dump sbuf[0]+0x0:1x1:fp32=" + (folder / "d.npy")), 2, {"--dump", "--no-data"});
  expect_error(dve_sim(exec + " --notifications " + (folder / "n.json")), 2, {"--notifications", "--no-data"});
  expect_error(dve_sim(exec + " --abstraction functional"), 2, {"functional", "--no-data"});
  expect_error(dve_sim("run --quiet --no-data --abstraction functional"), 2, {"functional", "--no-data"});
}

// A layer folder with holes for tensors: their files take no room on the disk.
void write_sparse_layer(const ScratchFolder& folder, std::uint64_t channels, std::uint64_t elements) {
  for (const char* name : {"x", "dy"}) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(channels) + ", " +
                         std::to_string(elements) + "), }";
    header.append(118 - header.size() - 1, ' ');
    const std::string file = folder / (std::string(name) + ".npy");
    write_text(file, std::string("\x93NUMPY\x01\0\x76\0", 10) + header + "\n");
    std::filesystem::resize_file(file, 128 + channels * elements * 4);
  }
  for (const char* name : {"gamma", "mean", "inv_std"}) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(channels) + ",), }";
    header.append(118 - header.size() - 1, ' ');
    const std::string file = folder / (std::string(name) + ".npy");
    write_text(file, std::string("\x93NUMPY\x01\0\x76\0", 10) + header + "\n" + std::string(channels * 4, '\0'));
  }
}

// The largest resident size of any child so far; every case is a process of its own.
long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss;
}

TEST(NoData, MemoryDoesNotGrowWithTensors) {
  const ScratchFolder small, large;
  write_sparse_layer(small, 128, 1024);
  write_sparse_layer(large, 128, 2'000'000);  // 1 GB each of x, dy and dx
  const std::string options = " --quiet --no-data --set place.x=hbm --set place.dy=hbm --set place.dx=hbm";
  const ProcessResult a = dve_sim("run " + small.path() + options);
  ASSERT_EQ(a.code, 0) << a.err;
  const long before = peak_kib();
  const ProcessResult b = dve_sim("run " + large.path() + options);
  ASSERT_EQ(b.code, 0) << b.err;
  EXPECT_LT(peak_kib(), before + 8 * 1024);
}

}  // namespace
}  // namespace no_data_test
}  // namespace dve
