// dve-sim sweep: rows, failed points, wrong files and command lines.
#include <gtest/gtest.h>

#include "sweep_checks.h"

namespace dve {
namespace sweep_test {
namespace {

using namespace sim_checks;
using namespace sweep_checks;
using namespace testing_support;

TEST_F(Sweep, ReportsOfPointsAreThoseOfRun) {
  write({{"schema", 1},
         {"base", {{"layer", layer_folder("10")}, {"device_stats", true}}},
         {"mode", "list"},
         {"points",
          {{{"generation", "cayman"}, {"dtype", "fp32"}, {"place.x", "sbuf"}, {"microbatches", 1}},
           {{"generation", "sunda"}, {"dtype", "bf16"}, {"place.x", "hbm"}, {"microbatches", 1}},
           {{"generation", "mariana"}, {"dtype", "fp16"}, {"place.x", "psum"}, {"microbatches", 3}}}}});
  const ProcessResult r = sweep("out");
  ASSERT_EQ(r.code, 0) << r.err;
  const char* options[] = {"--config cayman --dtype fp32", "--config sunda --dtype bf16 --set place.x=hbm",
                           "--config mariana --dtype fp16 --set place.x=psum --microbatches 3"};
  const auto rows = rows_of(table("out"));
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string single = scratch_ / "single";
    const ProcessResult run =
        dve_sim("run " + layer_folder("10") + " --device-stats --quiet --out " + single + " " + options[k]);
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(report("out", k), report_of(single)) << options[k];
    EXPECT_EQ(rows[k + 1][0], std::to_string(k));
    EXPECT_EQ(rows[k + 1][1], "ok");
    EXPECT_EQ(rows[k + 1][7], report_of(single)["cycles"].dump());
  }
}

TEST_F(Sweep, RowsDoNotDependOnJobs) {
  write(many_points());
  for (const char* jobs : {"1", "2", "5"}) EXPECT_EQ(sweep(jobs, std::string("--jobs ") + jobs).code, 1);
  EXPECT_EQ(table("1"), table("2"));
  EXPECT_EQ(table("1"), table("5"));
  EXPECT_EQ(rows_of(table("1")).size(), 41u);
}

TEST_F(Sweep, AFailedPointIsRecordedAndTheRestGoesOn) {
  write(
      {{"schema", 1},
       {"base", {{"layer", layer_folder("7")}, {"no_data", true}}},
       {"mode", "list"},
       {"points",
        {{{"place.x", "psum"}, {"place.dy", "psum"}, {"max_cycles", 9999999}, {"step", "backward"}, {"dtype", "fp32"}},
         {{"place.x", "sbuf"}, {"place.dy", "sbuf"}, {"max_cycles", 1000}, {"step", "backward"}, {"dtype", "fp32"}},
         {{"place.x", "hbm"}, {"place.dy", "sbuf"}, {"max_cycles", 9999999}, {"step", "full"}, {"dtype", "fp32"}},
         {{"place.x", "sbuf"},
          {"place.dy", "sbuf"},
          {"max_cycles", 9999999},
          {"step", "backward"},
          {"dtype", "fp32"}}}}});
  const ProcessResult r = sweep("out");
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_EQ(r.err, "");
  const auto rows = rows_of(table("out"));
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[1][1], "error");
  EXPECT_EQ(rows[1][2].rfind("place.x = psum (--set) contradicts place.dy = psum", 0), 0u) << rows[1][2];
  EXPECT_EQ(rows[2][1], "timeout");
  EXPECT_EQ(rows[2][2], "max_cycles reached");
  EXPECT_EQ(rows[3][1], "error");
  EXPECT_EQ(rows[3][2], "place.x is hbm, expected sbuf or psum: a full step cannot use HBM");
  EXPECT_EQ(rows[4][1], "ok");
  EXPECT_EQ(report("out", 0)["status"], "error");
  EXPECT_EQ(sweep("out", "--resume").code, 1) << "failures that a point decides stay";
}

TEST_F(Sweep, NetworksOnEveryGeneration) {
  write({{"schema", 1},
         {"base", {{"workload", "resnet_18"}, {"no_data", true}}},
         {"mode", "product"},
         {"axes",
          {{"generation", {"sunda", "cayman", "mariana", "mariana_plus", "maverick"}}, {"workload.batch", {2, 4}}}}});
  const ProcessResult r = sweep("out");
  ASSERT_EQ(r.code, 0) << r.err;
  const auto rows = rows_of(table("out"));
  ASSERT_EQ(rows.size(), 11u);
  for (std::size_t k = 1; k < rows.size(); k += 2)
    EXPECT_LT(std::stoull(rows[k][5]), std::stoull(rows[k + 1][5])) << "a larger batch takes longer: " << rows[k][3];
  const json first = report("out", 2);
  EXPECT_EQ(first["workload"]["layers"], 20);
  EXPECT_EQ(first["layers"][0]["nchw"], json({2, 64, 32, 32}));
}

TEST_F(Sweep, OtherInputsAreAnotherSweep) {
  const std::string workload = scratch_ / "w.json";
  write_text(workload, R"({"schema": 1, "name": "w", "batch": 1, "layers": [{"name": "a", "nchw": [1, 8, 4, 4]}]})");
  write({{"schema", 1},
         {"base", {{"workload", "w.json"}, {"no_data", true}}},
         {"mode", "zip"},
         {"axes", {{"quantum_ns", {5}}}}});
  EXPECT_EQ(sweep("out").code, 0);
  EXPECT_EQ(sweep("out", "--resume").code, 0);
  write_text(workload, R"({"schema": 1, "name": "w", "batch": 1, "layers": [{"name": "a", "nchw": [1, 8, 4, 5]}]})");
  expect_error(sweep("out", "--resume"), 3, {"sweep.json: another sweep, or one of other inputs"});
}

// A program that differs in one byte behind its last section, which no loader reads.
TEST_F(Sweep, AnotherProgramIsAnotherSweep) {
  json document = many_points();
  document["points"] = 2;
  write(document);
  sweep("out");
  const json there = json::parse(read_text(scratch_ / "out" + "/sweep.json"))["program"];
  const ProcessResult version = dve_sim("--version");
  EXPECT_EQ(version.out,
            "dve-sim " + there["version"].get<std::string>() + "\nbuild " + there["build"].get<std::string>() + "\n");
  EXPECT_EQ(there["version"], DVE_PROJECT_VERSION);
  const std::string other = scratch_ / "dve-sim";
  fs::copy(DVE_SIM_PROGRAM, other);
  ASSERT_EQ(shell("printf x >>" + other).code, 0);
  expect_error(shell(other + " sweep " + file_ + " --quiet --resume --out " + (scratch_ / "out")), 3,
               {"another dve-sim: program differs; expected the one to resume"});
}

// What a task of a batch system runs.
TEST_F(Sweep, SomePointsBesideTheProcessOfTheSweep) {
  json document = many_points();
  document["points"] = 6;
  write(document);
  expect_error(sweep("out", "--points 1:3"), 3, {"sweep.json: does not exist, expected the folder of a sweep"});
  sweep("undisturbed");
  sweep("out");
  for (const char* point : {"1", "2", "4"}) fs::remove_all(scratch_ / "out" + "/points/00000" + point);
  fs::remove(scratch_ / "out" + "/sweep.csv");
  EXPECT_LE(sweep("out", "--points 1:3").code, 1);
  EXPECT_TRUE(fs::exists(scratch_ / "out" + "/points/000002/report.json"));
  EXPECT_FALSE(fs::exists(scratch_ / "out" + "/points/000004"));
  EXPECT_FALSE(fs::exists(scratch_ / "out" + "/sweep.csv")) << "the sweep's process writes it";
  write_text(scratch_ / "list", "4\n0\n");
  EXPECT_LE(sweep("out", "--points @" + (scratch_ / "list")).code, 1);
  expect_error(sweep("out", "--points 6"), 3, {"--points has '6', expected points from 0 to 5"});
  expect_error(sweep("out", "--points @" + (scratch_ / "none")), 3, {"none", "does not exist"});
  EXPECT_LE(sweep("out", "--resume").code, 1);
  EXPECT_EQ(table("out"), table("undisturbed"));
}

// The first point at least, whatever the time is; all five take longer.
TEST_F(Sweep, SomePointsUntilTheTimeIsOver) {
  const json document = slow_points();
  write_text(scratch_ / "w.json",
             R"({"schema": 1, "name": "w", "batch": 32, "layers": [{"name": "a", "nchw": [32, 256, 40, 40]}]})");
  write(document);
  const std::string out = scratch_ / "out";
  shell(command(out) + " & until [ -e " + out + "/sweep.json ]; do sleep 0.002; done; kill -9 $!; wait");
  fs::remove_all(out + "/points");
  EXPECT_EQ(sweep("out", "--jobs 1 --points 3,1,2,4,5 --stop-after 1").code, 0);
  EXPECT_TRUE(fs::exists(out + "/points/000003/report.json"));
  EXPECT_LT(reports_in(out), 5u);
}

TEST_F(Sweep, MistakesInTheFileAreFoundBeforeAnythingRuns) {
  const json good = {{"schema", 1},
                     {"base", {{"workload", "dcgan"}, {"no_data", true}}},
                     {"mode", "product"},
                     {"axes", {{"workload.dtype", {"bf16", "fp16"}}}}};
  const auto wrong = [&](const char* pointer, const json& value, const std::vector<std::string>& pieces) {
    json document = good;
    document[json::json_pointer(pointer)] = value;
    write(document);
    expect_error(sweep("out"), 3, pieces);
    EXPECT_FALSE(fs::exists(scratch_ / "out"));
  };
  wrong("/axes/workload.dtype/1", "fp8",
        {"sweep.json: axes.workload.dtype[1]: ", "dcgan.json: dtype is \"fp8\", expected fp32 or bf16 or fp16"});
  wrong("/axes/workload.layers.x.repeat", {1},
        {"sweep.json: axes.workload.layers.x.repeat[0]: ", "expected layers.NAME.KEY"});
  wrong("/base/workload", "dcgam", {"dcgam: does not exist", "dcgan"});
  wrong("/base", json::object(), {"axes.workload.dtype is given, expected base.workload"});
  wrong("/axes/quantum", {1}, {"axes.quantum is a list of 1, expected a configuration key"});
  wrong("/base/layer", "none", {"base.layer is \"none\", expected workload or layer, not both"});
  write_text(file_, std::string(100000, '[') + std::string(100000, ']'));
  expect_error(sweep("out"), 3, {"sweep.json: nested deeper than 32 levels"});
  write_text(file_, "[");
  expect_error(sweep("out"), 3, {"sweep.json: is not JSON"});
  fs::remove(file_);
  expect_error(sweep("out"), 3, {"sweep.json: does not exist"});
}

TEST_F(Sweep, WorkloadsAndLayersCanBeAxes) {
  write_text(scratch_ / "w.json",
             R"({"schema": 1, "name": "w", "batch": 1, "layers": [{"name": "a", "nchw": [1, 8, 4, 4]}]})");
  write({{"schema", 1},
         {"base", json::object()},
         {"mode", "zip"},
         {"axes", {{"workload", {"dcgan", "w.json", "none", layer_folder("7")}}}}});
  EXPECT_EQ(sweep("out", "--no-data").code, 1);
  const auto rows = rows_of(table("out"));
  EXPECT_EQ(report("out", 0)["workload"]["layers"], 7);
  EXPECT_EQ(report("out", 1)["layers"][0]["nchw"], json({1, 8, 4, 4}));
  EXPECT_EQ(rows[3][1], "error");
  EXPECT_EQ(rows[3][2].rfind("none: does not exist, expected a file, or one of dcgan, ", 0), 0u) << rows[3][2];
  EXPECT_EQ(report("out", 3)["layer"]["channels"], 128);
  for (const std::size_t k : {0U, 1U, 3U}) EXPECT_EQ(rows[k + 1][1], "ok");
  expect_error(sweep("out", "--resume"), 3, {"another sweep"});  // with data
  fs::copy(file_, scratch_ / "copy.json");
  EXPECT_EQ(
      shell("cd " + scratch_.path() + " && " DVE_SIM_PROGRAM " sweep copy.json --no-data --quiet --resume --out out")
          .code,
      1);
}

TEST_F(Sweep, FilesAreLookedForBesideTheSweepAndInTheCurrentFolder) {
  write_text(scratch_ / "c.json", R"({"schema": 1, "base": "sunda"})");
  fs::create_directory(scratch_ / "elsewhere");
  for (const char* file : {"sweep.json", "elsewhere/sweep.json"}) {
    file_ = scratch_ / file;
    write({{"schema", 1},
           {"base", {{"config", "c.json"}, {"no_data", true}}},
           {"mode", "zip"},
           {"axes", {{"quantum_ns", {5}}}}});
    fs::remove_all(scratch_ / "out");
    const ProcessResult r =
        shell("cd " + scratch_.path() + " && " DVE_SIM_PROGRAM " sweep " + file_ + " --quiet --out out");
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(report("out", 0)["generation"], "sunda");
  }
}

TEST_F(Sweep, NoDataLeavesNothingOfAPointWithoutTime) {
  write({{"schema", 1},
         {"base", {{"no_data", true}}},
         {"mode", "zip"},
         {"axes", {{"abstraction", {"functional", "lt"}}}}});
  EXPECT_EQ(sweep("out").code, 1);
  EXPECT_EQ(report("out", 0)["status"], "error");
  EXPECT_EQ(report("out", 1)["status"], "ok");
}

TEST_F(Sweep, WrongCommandLines) {
  write(many_points());
  expect_error(dve_sim("sweep"), 2, {"SWEEP.json is missing"});
  expect_error(dve_sim("sweep " + file_), 2, {"--out DIR is missing"});
  expect_error(sweep("out", "--jobs 0"), 2, {"--jobs is '0', expected a positive whole number"});
  expect_error(sweep("out", "--executor pbs"), 2, {"--executor is 'pbs', expected local or slurm"});
  expect_error(sweep("out", "--chunk 4"), 2, {"--chunk goes with --executor slurm, expected both or none"});
  expect_error(sweep("out", "--sbatch=--mem=1G"), 2, {"--sbatch goes with --executor slurm"});
  expect_error(sweep("out", "--executor slurm --chunk 0"), 2, {"--chunk is '0', expected a positive whole number"});
  expect_error(sweep("out", "--executor slurm --points 1"), 2,
               {"--points is what a task runs, expected --executor local"});
  expect_error(sweep("out", "--resume --points 1"), 2, {"expected no --resume"});
  expect_error(sweep("out", "--stop-after 1"), 2, {"--stop-after goes with --points, expected both or none"});
  expect_error(sweep("out", "--config sunda"), 2, {"--config"});
  expect_error(dve_sim("sweep " + file_ + " --quiet --out /proc/none"), 6, {"/proc/none"});
  const ProcessResult help = dve_sim("sweep --help");
  EXPECT_EQ(help.code, 0);
  expect_pieces(help.out,
                {"--executor", "--partition", "--account", "--time-limit", "--sbatch", "--chunk", "--points"});
}

TEST_F(Sweep, TheBarCountsPointsAndTheTimeLeft) {
  write(many_points());
  const ProcessResult r = sweep("out", "--progress");
  expect_pieces(r.err, {"40/40 points", " s left"});
}

}  // namespace
}  // namespace sweep_test
}  // namespace dve
