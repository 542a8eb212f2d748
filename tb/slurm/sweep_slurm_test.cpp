// dve-sim sweep --executor slurm: the same table and reports as the local executor, and clear errors.
#include <gtest/gtest.h>

#include "slurm_checks.h"

namespace dve {
namespace sweep_slurm_test {
namespace {

using namespace sim_checks;
using namespace slurm_checks;
using namespace sweep_checks;
using namespace testing_support;

TEST_F(SlurmSweep, TheFolderIsThatOfTheLocalExecutorWhateverTheTasksAre) {
  write(many_points());
  ASSERT_EQ(sweep("undisturbed").code, 1);
  for (const char* options : {"", "--chunk 7", "--chunk 11 --jobs 1"}) {
    const ProcessResult r = slurm("out", options);
    EXPECT_EQ(r.code, 1) << r.err;
    expect_pieces(r.out, {"points        40: "});
    EXPECT_EQ(shell("diff -r " + (scratch_ / "undisturbed") + " " + (scratch_ / "out")).out, "") << options;
    fs::remove_all(scratch_ / "out");
  }
}

// What Slurm has run, by the name of the job: the last line of each has its number of tasks.
std::size_t jobs_of_slurm() { return std::stoul(shell("wc -l <$DVE_SLURM_FOLDER/log/jobs").out); }

// The commands of docs/exploration.md, on the Slurm that is there already.
TEST_F(SlurmSweep, CommandsOfTheDocumentRun) {
  fs::create_directory_symlink(DVE_SOURCE_DIR "/configs", scratch_ / "configs");
  const std::string start = "scripts/slurm_private.sh run dve-sim ";
  std::istringstream lines(read_text(DVE_SOURCE_DIR "/docs/exploration.md"));
  std::size_t commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(start, 0) != 0) continue;
    ++commands;
    const ProcessResult r = shell("cd " + scratch_.path() + " && " DVE_SIM_PROGRAM " " + line.substr(start.size()));
    EXPECT_EQ(r.code, 0) << line << "\n" << r.err;
  }
  EXPECT_GE(commands, 2u);
}

class SlurmTasks : public SlowSlurmSweep {};

// Each point takes some tenths of a second.
TEST_F(SlurmTasks, OneTaskMeasuresAndTheOthersHaveWorkForTheTimeOfATask) {
  const std::size_t before = jobs_of_slurm();
  const ProcessResult r = slurm("out", "--task-seconds 1 --progress");
  EXPECT_EQ(r.code, 0) << r.err;
  expect_pieces(r.err, {"6/6 points", " s left"});
  expect_undisturbed("out");
  const std::size_t tasks = jobs_of_slurm() - before;
  EXPECT_GE(tasks, 2u);
  EXPECT_LE(tasks, 6u);
}

TEST_F(SlurmSweep, WithoutSlurmItSaysWhatIsExpected) {
  write(many_points());
  const ProcessResult r = shell("PATH=/none " + slurm_command("out", "--quiet"));
  expect_error(r, 69,
               {"sbatch cannot be started: No such file or directory, expected Slurm's commands in PATH",
                "0 of 40 points are done, --resume goes on"});
  EXPECT_FALSE(fs::exists(scratch_ / "out" + "/slurm"));
}

TEST_F(SlurmSweep, WhatSbatchRefusesIsSaid) {
  write(many_points());
  expect_error(slurm("out", "--partition none --time-limit 10 --sbatch=--mem=1M"), 69,
               {"`sbatch --partition=none --time=10 --mem=1M ",
                "was refused with code 1: ", "Invalid partition name specified; expected the number of a job"});
  EXPECT_FALSE(fs::exists(scratch_ / "out" + "/slurm"));
  EXPECT_EQ(slurm("out", "--resume --quiet --partition all --time-limit 10").code, 1);
}

// A folder in a file system that is mounted for the submitting program alone.
TEST_F(SlurmSweep, AFolderThatTheNodesDoNotSeeIsNamed) {
  write(many_points());
  fs::create_directory(scratch_ / "own");
  const ProcessResult r = shell("unshare --mount sh -c 'mount -t tmpfs none " + (scratch_ / "own") + " && " +
                                slurm_command("own/out", "--quiet --retries 1 --chunk 40") + "'");
  expect_error(r, 69, {"task slurm/00", "on node n", "does not see the folder, expected one that all nodes share"});
}

TEST_F(SlurmSweep, AProgramThatTheNodesDoNotSeeIsNamed) {
  write(many_points());
  const std::string own = scratch_ / "own";
  fs::create_directory(own);
  const ProcessResult r = shell("unshare --mount sh -c 'mount -t tmpfs none " + own + " && cp " DVE_SIM_PROGRAM " " +
                                own + "/dve-sim && " + own + "/dve-sim sweep " + file_ +
                                " --executor slurm --quiet --retries 0 --out " + (scratch_ / "out") + "'");
  expect_error(r, 69, {"does not see this dve-sim, expected it at the same path on all nodes"});
  EXPECT_EQ(reports_in(scratch_ / "out"), 0u);
}

TEST_F(SlurmTasks, SomebodyWhoCancelsThemEndsTheSweep) {
  const ProcessResult r = in_the_middle("--quiet --chunk 3", "scancel --user=root");
  expect_error(r, 69, {"was cancelled, expected its tasks to run", "of 6 points are done, --resume goes on"});
  EXPECT_EQ(slurm("out", "--quiet --resume --chunk 6").code, 0);
  expect_undisturbed("out");
}

}  // namespace
}  // namespace sweep_slurm_test
}  // namespace dve
