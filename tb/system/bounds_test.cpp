// --bounds: every point is what a run of its own with --set gives, and nothing else of the run changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "support/process.h"

namespace dve {
namespace bounds_test {
namespace {

using nlohmann::json;
using namespace testing_support;

// A dependent pair and a short word on the DVE; both sources in SBUF.
const std::string kProgram =
    "tensor_tensor_arith_op src0=sbuf[0]+0x0:fp32{512} src1=sbuf[0]+0x800:fp32{512} dst=sbuf[0]+0x1000:fp32{512} "
    "op=mult channels=64\n"
    "tensor_tensor_arith_op src0=sbuf[0]+0x1000:fp32{512} src1=sbuf[0]+0x800:fp32{512} dst=sbuf[0]+0x1800:fp32{512} "
    "op=add channels=64\n"
    "copy src=sbuf[0]+0x2000:fp32{4} dst=sbuf[0]+0x3000:fp32{4} channels=64\n"
    "copy src=sbuf[0]+0x2000:fp32{4} dst=sbuf[0]+0x4000:fp32{4} channels=64\n";
const std::string kPool =
    ".engine pool\n"
    "tensor_tensor_arith_op src0=sbuf[0]+0x6000:fp32{64} src1=sbuf[0]+0x6800:fp32{64} dst=sbuf[0]+0x7000:fp32{64} "
    "op=add channels=64\n";

json report_of(const std::string& folder) { return json::parse(read_text(folder + "/report.json")); }

// Cycles of a run of its own.
std::uint64_t cycles_with(const std::string& arguments, const std::string& sets, const ScratchFolder& folder) {
  const ProcessResult r = dve_sim(arguments + sets + " --quiet --out " + (folder / "own"));
  EXPECT_EQ(r.code, 0) << r.err;
  return report_of(folder / "own")["cycles"].get<std::uint64_t>();
}

void expect_points_are_runs(const std::string& arguments, const json& bounds, const ScratchFolder& folder) {
  for (const auto& [key, bound] : bounds.items()) {
    EXPECT_FALSE(bound["source"].get<std::string>().empty()) << key;
    for (const char* point : {"low", "default", "high"}) {
      const std::string set = " --set " + key + "=" + bound[point]["value"].dump();
      EXPECT_EQ(bound[point]["cycles"], cycles_with(arguments, set, folder)) << set;
    }
  }
}

std::set<std::string> names(const json& object) {
  std::set<std::string> all;
  for (const auto& [key, value] : object.items()) all.insert(key);
  return all;
}

const std::set<std::string> kDveKeys = {"timing.dve.min_ii", "timing.dve.issue_gap", "timing.dve.fill_drain",
                                        "timing.dve.two_source_cycles", "timing.sem_ns"};

TEST(Bounds, EachPointOfAProgramIsARunOfItsOwn) {
  const ScratchFolder folder;
  write_text(folder / "p.dasm", kProgram);
  for (const char* preset : {"sunda", "cayman"}) {
    const std::string arguments = "exec " + (folder / "p.dasm") + " --config " + preset;
    const ProcessResult r = dve_sim(arguments + " --bounds --out " + (folder / "out"));
    ASSERT_EQ(r.code, 0) << r.err;
    const json bounds = report_of(folder / "out")["bounds"];
    EXPECT_EQ(names(bounds), kDveKeys);
    expect_points_are_runs(arguments, bounds, folder);
  }
}

// By hand, cayman: S = 1024, 1024, 4, 4; the second word waits for the first, the copies start U apart.
TEST(Bounds, FiguresFollowTheEquations) {
  const ScratchFolder folder;
  write_text(folder / "p.dasm", kProgram);
  ASSERT_EQ(dve_sim("exec " + (folder / "p.dasm") + " --bounds --quiet --out " + (folder / "out")).code, 0);
  const json bounds = report_of(folder / "out")["bounds"];
  const auto end = [](std::uint64_t s, std::uint64_t u, std::uint64_t g, std::uint64_t l, std::uint64_t sem) {
    const std::uint64_t second = s + std::max(g, l + sem);
    const std::uint64_t last_copy = second + s + g + u;
    return std::max(second + s + l, last_copy + 4 + l);
  };
  EXPECT_EQ(bounds["timing.dve.fill_drain"]["default"]["cycles"], end(1024, 64, 70, 144, 29));
  EXPECT_EQ(bounds["timing.dve.fill_drain"]["low"]["cycles"], end(1024, 64, 70, 65, 29));
  EXPECT_EQ(bounds["timing.dve.fill_drain"]["high"]["cycles"], end(1024, 64, 70, 400, 29));
  EXPECT_EQ(bounds["timing.dve.min_ii"]["high"]["cycles"], end(1024, 100, 70, 144, 29));
  EXPECT_EQ(bounds["timing.dve.issue_gap"]["low"]["cycles"], end(1024, 64, 64, 144, 29));
  EXPECT_EQ(bounds["timing.dve.two_source_cycles"]["low"]["cycles"], end(512, 64, 70, 144, 29));
  EXPECT_EQ(bounds["timing.sem_ns"]["high"]["cycles"], end(1024, 64, 70, 144, 96));
}

TEST(Bounds, ALayersRunKeepsItsResults) {
  const ScratchFolder folder;
  const std::string arguments = "run " DVE_TEST_DATA_DIR "/digits_cnn/10 --device-stats";
  ASSERT_EQ(dve_sim(arguments + " --quiet --out " + (folder / "plain")).code, 0);
  const ProcessResult r = dve_sim(arguments + " --bounds --quiet --out " + (folder / "out"));
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out + r.err, "");
  json with = report_of(folder / "out");
  const json bounds = with["bounds"];
  with.erase("bounds");
  EXPECT_EQ(with, report_of(folder / "plain"));
  for (const char* file : {"dx.npy", "dgamma.npy", "program.bin", "config.json"})
    EXPECT_EQ(read_text(folder / std::string("out/") + file), read_text(folder / std::string("plain/") + file)) << file;
  EXPECT_EQ(names(bounds), kDveKeys);
  expect_points_are_runs(arguments, {{"timing.sem_ns", bounds["timing.sem_ns"]}}, folder);
}

TEST(Bounds, OtherEnginesCountWhenTheyHaveWords) {
  const ScratchFolder folder;
  write_text(folder / "p.dasm", kProgram + kPool);
  const std::string arguments = "exec " + (folder / "p.dasm");
  ASSERT_EQ(dve_sim(arguments + " --bounds --quiet --out " + (folder / "out")).code, 0);
  std::set<std::string> expected = kDveKeys;
  expected.insert({"timing.pool.min_ii", "timing.pool.issue_gap"});
  EXPECT_EQ(names(report_of(folder / "out")["bounds"]), expected);
}

TEST(Bounds, ADecidedNumberHasNone) {
  const ScratchFolder folder;
  write_text(folder / "p.dasm", kProgram);
  ASSERT_EQ(
      dve_sim("exec " + (folder / "p.dasm") + " --bounds --quiet --set timing.sem_ns=30 --out " + (folder / "out"))
          .code,
      0);
  std::set<std::string> expected = kDveKeys;
  expected.erase("timing.sem_ns");
  EXPECT_EQ(names(report_of(folder / "out")["bounds"]), expected);
}

TEST(Bounds, TheSummaryRanksByEffect) {
  const ScratchFolder folder;
  write_text(folder / "p.dasm", kProgram);
  const ProcessResult r = dve_sim("exec " + (folder / "p.dasm") + " --bounds --out " + (folder / "out"));
  const json bounds = report_of(folder / "out")["bounds"];
  std::istringstream lines(r.out.substr(r.out.find("bounds ")));
  std::string line;
  std::getline(lines, line);
  std::uint64_t before = ~std::uint64_t{0};
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    ASSERT_TRUE(std::getline(lines, line));
    std::istringstream row(line);
    std::string key, range;
    std::uint64_t low = 0, normal = 0, high = 0;
    row >> key >> range >> low >> normal >> high;
    ASSERT_TRUE(bounds.contains(key)) << line;
    EXPECT_EQ(low, bounds[key]["low"]["cycles"]) << line;
    EXPECT_EQ(normal, bounds[key]["default"]["cycles"]) << line;
    EXPECT_EQ(high, bounds[key]["high"]["cycles"]) << line;
    const auto [least, most] = std::minmax({low, normal, high});
    EXPECT_LE(most - least, before) << r.out;
    before = most - least;
  }
}

// The default ends at 2450 cycles; L = 400 at 2962.
TEST(Bounds, ARunThatFailsIsNamed) {
  const ScratchFolder folder;
  write_text(folder / "p.dasm", kProgram);
  const ProcessResult r =
      dve_sim("exec " + (folder / "p.dasm") + " --bounds --max-cycles 2600 --quiet --out " + (folder / "out"));
  EXPECT_EQ(r.code, 5);
  EXPECT_NE(r.err.find("--bounds: the run with timing.dve.fill_drain = 400 ended with timeout"), std::string::npos)
      << r.err;
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  const json report = report_of(folder / "out");
  EXPECT_EQ(report["status"], "ok");
  EXPECT_FALSE(report.contains("bounds"));
}

TEST(Bounds, AProgramThatFailsIsItsOwnError) {
  const ScratchFolder folder;
  write_text(folder / "p.dasm", "event_semaphore wait=sem[3]>=1\n");
  const ProcessResult r = dve_sim("exec " + (folder / "p.dasm") + " --bounds --quiet --out " + (folder / "out"));
  EXPECT_EQ(r.code, 5);
  EXPECT_NE(r.err.find("deadlock"), std::string::npos) << r.err;
  EXPECT_EQ(r.err.find("--bounds"), std::string::npos) << r.err;
  EXPECT_FALSE(report_of(folder / "out").contains("bounds"));
}

TEST(Bounds, NeedTime) {
  const ScratchFolder folder;
  write_text(folder / "p.dasm", kProgram);
  const ProcessResult r = dve_sim("exec " + (folder / "p.dasm") + " --bounds --abstraction functional");
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("--bounds needs time"), std::string::npos) << r.err;
}

TEST(Bounds, WithoutTheOptionThereAreNone) {
  const ScratchFolder folder;
  write_text(folder / "p.dasm", kProgram);
  ASSERT_EQ(dve_sim("exec " + (folder / "p.dasm") + " --quiet --out " + (folder / "out")).code, 0);
  EXPECT_FALSE(report_of(folder / "out").contains("bounds"));
}

}  // namespace
}  // namespace bounds_test
}  // namespace dve
