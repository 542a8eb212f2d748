// dve-sim sweep after a kill, an interrupt, killed workers and a full disk: --resume ends where an undisturbed sweep
// does.
#include <gtest/gtest.h>

#include "sweep_checks.h"

namespace dve {
namespace sweep_resume_test {
namespace {

using namespace sim_checks;
using namespace sweep_checks;
using namespace testing_support;

class SweepResume : public Sweep {};

// Starts a sweep in the background, waits for the report of a point and does `then` ($pid: the sweep).
std::string in_the_middle(const std::string& sweep, const std::string& folder, std::size_t point,
                          const std::string& then) {
  const std::string report = folder + "/points/00000" + std::to_string(point) + "/report.json";
  return sweep + " & pid=$!\nfor i in $(seq 10000); do [ -e " + report + " ] && break; sleep 0.002; done\n" + then +
         "\nwait $pid\n";
}

TEST_F(SweepResume, KilledInTheMiddleItGoesOnWhereItWas) {
  write(many_points());
  ASSERT_EQ(sweep("undisturbed").code, 1);
  const std::string folder = scratch_ / "killed";
  const ProcessResult killed = shell(in_the_middle(command(folder, 1), folder, 4, "kill -9 $pid"));
  EXPECT_EQ(killed.code, 137);
  const std::size_t kept = reports_in(folder);
  ASSERT_GE(kept, 4u);
  ASSERT_LT(kept, 40u);
  EXPECT_FALSE(fs::exists(folder + "/sweep.csv"));
  const fs::file_time_type before = fs::last_write_time(folder + "/points/000000/report.json");
  expect_error(sweep("killed"), 3, {"holds a sweep, expected --resume"});
  const ProcessResult resumed = dve_sim("sweep " + file_ + " --resume --out " + folder);
  EXPECT_EQ(resumed.code, 1) << resumed.err;
  expect_pieces(resumed.out, {std::to_string(kept) + " of them from before"});
  EXPECT_EQ(fs::last_write_time(folder + "/points/000000/report.json"), before) << "it was run again";
  EXPECT_EQ(table("killed"), table("undisturbed"));
}

TEST_F(SweepResume, InterruptedItSaysSoAndGoesOn) {
  write(many_points());
  ASSERT_EQ(sweep("undisturbed").code, 1);
  const std::string folder = scratch_ / "stopped";
  const ProcessResult stopped = shell(in_the_middle(command(folder, 2), folder, 4, "kill -TERM $pid"));
  expect_error(stopped, 130, {"interrupted after", "of 40 points; --resume goes on"});
  const auto rows = rows_of(table("stopped"));
  EXPECT_GE(rows.size(), 4u);
  EXPECT_LT(rows.size(), 41u);
  EXPECT_EQ(sweep("stopped", "--resume").code, 1);
  EXPECT_EQ(table("stopped"), table("undisturbed"));
}

// Kills what the sweep has forked.
const char* const kKillWorkers = "for w in $(cat /proc/$pid/task/$pid/children); do kill -9 $w && echo killed; done";

TEST_F(SweepResume, AKilledWorkerGetsASecondChance) {
  write(slow_points());
  ASSERT_EQ(sweep("undisturbed").code, 0);
  const std::string folder = scratch_ / "worker";
  const ProcessResult r = shell(in_the_middle(command(folder), folder, 0, std::string("sleep 0.05\n") + kKillWorkers));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, "killed\n");
  EXPECT_EQ(table("worker"), table("undisturbed"));
}

// A worker that is asked to end answers that it was interrupted: no result of its layer.
TEST_F(SweepResume, AnInterruptedWorkerOfANetworkGetsASecondChance) {
  json document = slow_points();
  write_text(scratch_ / "w.json", R"({"schema": 1, "name": "w", "batch": 8, "layers": [
    {"name": "a", "nchw": [8, 128, 40, 40]}, {"name": "b", "nchw": [8, 256, 30, 30]}, {"name": "c", "nchw": [8, 64, 9, 9]}]})");
  document["axes"] = {{"timing.dve.fill_drain", {60, 70}}};
  write(document);
  ASSERT_EQ(sweep("undisturbed").code, 0);
  const std::string folder = scratch_ / "worker";
  const std::string terminate = "sleep 0.1\nfor w in $(cat /proc/$pid/task/$pid/children); do kill -TERM $w; done";
  EXPECT_EQ(shell(in_the_middle(command(folder), folder, 0, terminate)).code, 0);
  EXPECT_EQ(table("worker"), table("undisturbed"));
}

TEST_F(SweepResume, WorkersThatAreKilledAgainAndAgainAreRecordedAndRunAgainOnResume) {
  write(slow_points());
  ASSERT_EQ(sweep("undisturbed").code, 0);
  const std::string folder = scratch_ / "crashed";
  const std::string kill = std::string("while kill -0 $pid; do ") + kKillWorkers + "; done 2>/dev/null";
  const ProcessResult r = shell(in_the_middle(command(folder), folder, 0, kill));
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_NE(table("crashed").find(",crashed,its process was ended by signal 9,"), std::string::npos)
      << table("crashed");
  EXPECT_EQ(sweep("crashed", "--resume").code, 0);
  EXPECT_EQ(table("crashed"), table("undisturbed"));
}

// A file-size limit, in blocks of 512 bytes, between the sizes of the smallest and the largest report.
TEST_F(SweepResume, AFullDiskEndsItAndItGoesOn) {
  json document = many_points();
  document["mode"] = "product";
  document.erase("points");
  document["axes"] = {{"timing.dve.fill_drain", {60, 70, 80, 90}}, {"step", {"backward", "full"}}};
  write(document);
  ASSERT_EQ(sweep("undisturbed").code, 0);
  const auto size = [&](const char* point) {
    return fs::file_size(scratch_ / "undisturbed" + "/points/" + point + "/report.json");
  };
  const std::uintmax_t small = size("000000"), large = size("000004");
  ASSERT_LT(small + 512, large);
  const std::string folder = scratch_ / "full";
  const ProcessResult full = shell("ulimit -f " + std::to_string(small / 512 + 1) + "; " DVE_SIM_PROGRAM " sweep " +
                                   file_ + " --quiet --jobs 1 --out " + folder);
  expect_error(full, 6, {"points/000004/report.json: cannot be written: File too large"});
  EXPECT_EQ(reports_in(folder), 4u);
  EXPECT_EQ(sweep("full", "--resume").code, 0);
  EXPECT_EQ(table("full"), table("undisturbed"));
}

TEST_F(SweepResume, ResumedWhenDoneItRunsNothing) {
  json document = many_points();
  document["points"] = 4;
  write(document);
  sweep("out");
  const std::string before = table("out");
  fs::remove(scratch_ / "out" + "/sweep.csv");
  write_text(scratch_ / "out" + "/points/000002/report.json", "{\"status\": \"ok\"");  // damaged: run again
  const ProcessResult r = dve_sim("sweep " + file_ + " --resume --out " + (scratch_ / "out"));
  expect_pieces(r.out, {"3 of them from before"});
  EXPECT_EQ(table("out"), before);
}

}  // namespace
}  // namespace sweep_resume_test
}  // namespace dve
