// Sweeps under Slurm whose submitter, task or node is killed, that are interrupted, or whose disk is full: in the end
// the table and the reports are those of an undisturbed sweep.
#include <gtest/gtest.h>

#include "slurm_checks.h"

namespace dve {
namespace sweep_slurm_ends_test {
namespace {

using namespace sim_checks;
using namespace slurm_checks;
using namespace sweep_checks;
using namespace testing_support;

class SlurmSweepEnds : public SlowSlurmSweep {
 protected:
  std::string failures() { return read_text(scratch_ / "out" + "/slurm/failures.txt"); }
};

// Tasks go on without it. --resume ends those before it looks what is there.
TEST_F(SlurmSweepEnds, KilledSubmitter) {
  const std::string out = scratch_ / "out";
  const ProcessResult killed = in_the_middle("--quiet --chunk 3", "kill -9 $pid; squeue --noheader --format=%T");
  EXPECT_EQ(killed.code, 137);
  expect_pieces(killed.out, {"RUNNING"});
  EXPECT_TRUE(fs::exists(out + "/slurm/job"));
  expect_error(slurm("out", "--quiet"), 3, {"holds a sweep, expected --resume"});
  const ProcessResult resumed = slurm("out", "--resume");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  expect_pieces(resumed.out, {" of them from before"});
  EXPECT_FALSE(fs::exists(out + "/slurm"));
  expect_undisturbed("out");
}

TEST_F(SlurmSweepEnds, KilledSubmitterAndTheLocalExecutorGoesOn) {
  EXPECT_EQ(in_the_middle("--quiet --chunk 6", "kill -9 $pid").code, 137);
  EXPECT_EQ(sweep("out", "--resume").code, 0);
  EXPECT_FALSE(fs::exists(scratch_ / "out" + "/slurm"));
  expect_undisturbed("out");
}

TEST_F(SlurmSweepEnds, AKilledTaskIsRunAgain) {
  const ProcessResult r = in_the_middle("--chunk 6", "kill_tasks");
  EXPECT_EQ(r.code, 0) << r.err;
  expect_pieces(r.err, {"task slurm/001/0 on node n", " was ended by signal 9; ", " of 6 points done"});
  expect_pieces(r.err, {failures()});
  EXPECT_TRUE(fs::exists(scratch_ / "out" + "/slurm/001/0.points")) << "what failed is kept";
  expect_undisturbed("out");
}

TEST_F(SlurmSweepEnds, ATaskThatFailsTooOftenIsRecordedAndRunAgainOnResume) {
  const ProcessResult r = in_the_middle("--quiet --chunk 6 --retries 0", "kill_tasks");
  EXPECT_EQ(r.code, 1) << r.err;
  expect_pieces(table("out"), {",crashed,its task was ended by signal 9,"});
  EXPECT_EQ(slurm("out", "--quiet --resume").code, 0);
  expect_undisturbed("out");
}

// slurmd and all that it has started, as when a machine loses power.
TEST_F(SlurmSweepEnds, AKilledNodeIsReplacedByTheOther) {
  const std::string kill_node =
      "node=$(squeue --noheader --states=R --format=%N); kill -9 $(cat $DVE_SLURM_FOLDER/pids/$node)\n"
      "for p in /proc/[0-9]*; do case \"$(cat $p/comm 2>/dev/null)\" in slurmstepd) kill -9 ${p#/proc/};; esac; done\n"
      "kill -9 $(tasks $(dirname " +
      file_ + ")); echo $node";
  const ProcessResult r = in_the_middle("--chunk 6", kill_node);
  const std::string node = r.out.substr(0, 2);
  EXPECT_EQ(r.code, 0) << r.err;
  expect_pieces(failures(), {"task slurm/001/0 on node " + node, "NODE_FAIL"});
  expect_undisturbed("out");
  const ProcessResult back =
      shell("slurmd -N " + node + "; until sinfo -h -n " + node + " -o %T | grep -qx idle; do sleep 0.1; done");
  EXPECT_EQ(back.code, 0) << back.err;
}

TEST_F(SlurmSweepEnds, InterruptedItCancelsItsJobsAndGoesOn) {
  const ProcessResult r =
      in_the_middle("--quiet --chunk 2", "kill -INT $pid; sleep 0; wait $pid; code=$?; squeue --noheader; exit $code");
  expect_error(r, 130, {"interrupted after", "of 6 points; --resume goes on"});
  EXPECT_EQ(r.out, "") << "jobs are left";
  EXPECT_FALSE(fs::exists(scratch_ / "out" + "/slurm"));
  EXPECT_EQ(slurm("out", "--quiet --resume --chunk 6").code, 0);
  expect_undisturbed("out");
}

// A file system of so many bytes for the folder: room for some reports, and not for all.
TEST_F(SlurmSweepEnds, AFullDiskEndsIt) {
  const std::string out = scratch_ / "out";
  fs::create_directory(out);
  const std::uintmax_t report = fs::file_size(reference_report());
  const std::string size = std::to_string((report / 4096 + 1) * 4096 * 3 + 6 * 4096);
  ASSERT_EQ(shell("mount -t tmpfs -o size=" + size + " none " + out).code, 0);
  const ProcessResult full = slurm("out", "--quiet --chunk 6");
  const std::size_t kept = reports_in(out);
  EXPECT_EQ(shell("mount -o remount,size=10M " + out).code, 0);
  expect_error(full, 6, {"report.json: cannot be written: No space left on device"});
  EXPECT_GE(kept, 1u);
  EXPECT_LT(kept, 6u);
  EXPECT_EQ(slurm("out", "--quiet --resume --chunk 6").code, 0);
  expect_undisturbed("out");
  EXPECT_EQ(shell("umount " + out).code, 0);
}

}  // namespace
}  // namespace sweep_slurm_ends_test
}  // namespace dve
