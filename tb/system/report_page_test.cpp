// dve-sim report: command line, exit codes, and the bandwidth that reports hold for it.
#include <gtest/gtest.h>

#include <numeric>

#include "sim_checks.h"

namespace dve {
namespace report_page_test {
namespace {

using namespace sim_checks;
using namespace testing_support;
using nlohmann::json;

class ReportPage : public testing::Test {
 protected:
  void run(const std::string& options, const std::string& folder) {
    const ProcessResult r =
        dve_sim("run " + layer_folder("7") + " --quiet " + options + " --out " + (scratch_ / folder));
    ASSERT_EQ(r.code, 0) << r.err;
  }
  ProcessResult report(const std::string& words) {
    return shell("cd " + scratch_.path() + " && " DVE_SIM_PROGRAM " report " + words);
  }

  ScratchFolder scratch_;
};

TEST_F(ReportPage, IsWrittenWhereItIsAskedForAndTheSameEachTime) {
  run("", "out");
  const ProcessResult r = report("out");
  ASSERT_EQ(r.code, 0) << r.err;
  const std::string page = read_text(scratch_ / "report.html");
  EXPECT_EQ(r.out, "page          report.html: " + std::to_string(page.size()) + " bytes\n");
  EXPECT_EQ(r.err, "");
  std::filesystem::rename(scratch_ / "out", scratch_ / "elsewhere");
  std::filesystem::create_directories(scratch_ / "deep/er");
  std::filesystem::rename(scratch_ / "elsewhere", scratch_ / "deep/er/out");
  EXPECT_EQ(report("deep/er/../er/out/ --quiet -o second.html").out, "");
  EXPECT_EQ(read_text(scratch_ / "second.html"), page) << "no path, no clock";
  EXPECT_EQ(page.find(scratch_.path()), std::string::npos);
}

TEST_F(ReportPage, ProgramsAndFailedRunsHavePages) {
  write_text(scratch_ / "stuck.dasm", "event_semaphore wait=sem[3]>=1\n");
  EXPECT_EQ(dve_sim("exec " + (scratch_ / "stuck.dasm") + " --quiet --out " + (scratch_ / "stuck")).code, 5);
  EXPECT_EQ(report("stuck").code, 0);
  expect_pieces(read_text(scratch_ / "report.html"), {"It came to a standstill: dve waits for sem[3] >= 1"});
}

TEST_F(ReportPage, InputsThatCannotBeUsedAreNamed) {
  expect_error(report("none"), 3, {"none: is no folder", "expected the one that --out named"});
  std::filesystem::create_directory(scratch_ / "empty");
  expect_error(report("empty"), 3, {"empty: holds neither report.json nor sweep.csv"});
  std::filesystem::create_directory(scratch_ / "old");
  write_text(scratch_ / "old/report.json", R"({"schema": 7, "status": "ok"})");
  expect_error(report("old"), 3, {"old/report.json: schema is 7, expected 1"});
  write_text(scratch_ / "old/report.json", "{\"schema\": 1,");
  expect_error(report("old"), 3, {"old/report.json: is not JSON"});
  write_text(scratch_ / "old/report.json",
             R"({"schema": 1, "status": "ok", "generation": "cayman", "abstraction": "lt"})");
  expect_error(report("old"), 3, {"old/report.json: the document is an object, expected key instructions in it"});
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "report.html"));
}

TEST_F(ReportPage, OutputsThatCannotBeWrittenAreNamed) {
  run("--no-data", "out");
  expect_error(report("out -o no/folder/x.html"), 6, {"no/folder/x.html"});
  expect_error(report("out -o out"), 6, {"out"});
  expect_error(report("out -o out/../out/report.json"), 2, {"is named twice"});
  expect_error(report("out --compare out -o out/config.json"), 2, {"is named twice"});
  EXPECT_EQ(report("out -o /dev/full").code, 6);
}

TEST_F(ReportPage, CommandLinesAreChecked) {
  expect_error(report(""), 2, {"DIR is missing"});
  expect_error(report("a b"), 2, {});
  expect_error(report("a --colour"), 2, {"colour"});
  const ProcessResult help = report("--help");
  EXPECT_EQ(help.code, 0);
  expect_pieces(help.out, {"usage: dve-sim report DIR [--compare DIR2] [-o report.html]", "--compare", "Examples:"});
}

TEST_F(ReportPage, ComparesOnlyWhatIsAlike) {
  run("--no-data", "out");
  ASSERT_EQ(dve_sim("run resnet_18 --no-data --quiet --out " + (scratch_ / "net")).code, 0);
  expect_error(report("out --compare net"), 3, {"net/report.json: is the report of a network, expected that of a run"});
  EXPECT_EQ(report("out --compare out").code, 0);
  EXPECT_EQ(report("net --compare net").code, 0);
}

std::uint64_t sum_of(const json& series) {
  return std::accumulate(series["bytes"].begin(), series["bytes"].end(), std::uint64_t{0},
                         [](std::uint64_t sum, const json& bytes) { return sum + bytes.get<std::uint64_t>(); });
}

// What a report says of bytes over time adds up to what it says of bytes, at ports, banks and DMA rings.
TEST_F(ReportPage, BandwidthOverTimeHoldsEveryByte) {
  run("--set place.x=hbm --set place.dy=hbm --set place.dx=hbm --set dma.tile_elements=100", "hbm");
  const json report = report_of(scratch_ / "hbm");
  std::size_t series = 0;
  for (const char* kind : {"ports", "banks"})
    for (const auto& [name, counted] : report[kind].items()) {
      const std::uint64_t bytes =
          counted["read_bytes"].get<std::uint64_t>() + counted["write_bytes"].get<std::uint64_t>();
      if (name == "seq.fetch" || name == "dve.param" || bytes == 0) continue;
      EXPECT_EQ(sum_of(report["bandwidth"][name]), bytes) << name;
      ++series;
    }
  EXPECT_EQ(series, report["bandwidth"].size());
  EXPECT_TRUE(report["bandwidth"].contains("dma0"));
  EXPECT_TRUE(report["bandwidth"].contains("sbuf.0"));
}

// x and dy are 128 x 512 fp32 each, loaded by 8 engines, each at a sixteenth of HBM's 362.5 bytes a ns, after a start
// cost of 1300 ns.
TEST_F(ReportPage, LoadsBeginBehindTheStartCost) {
  run("--no-data --set place.x=hbm --set place.dy=hbm --set place.dx=hbm", "hbm");
  const json loads = report_of(scratch_ / "hbm")["bandwidth"]["dma0"];
  const double window = loads["window_ns"];
  const auto& bytes = loads["bytes"];
  ASSERT_EQ(sum_of(loads), 2u * 128 * 512 * 4);
  std::size_t first = 0;
  while (bytes[first] == 0) ++first;
  EXPECT_LE(static_cast<double>(first) * window, 1300 + 1);
  EXPECT_GE(static_cast<double>(first + 1) * window, 1300 - 1);
  EXPECT_NEAR(bytes[first + 2].get<double>() / window, 8 * 362.5 / 16, 0.001 * 8 * 362.5 / 16)
      << "GB/s while the first load streams";
}

}  // namespace
}  // namespace report_page_test
}  // namespace dve
