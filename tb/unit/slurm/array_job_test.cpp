// What squeue says of the tasks of an array.
#include <gtest/gtest.h>

#include "dve/slurm/slurm.h"

namespace dve::slurm {
namespace array_job_test {
namespace {

// Exit codes are wait statuses: code times 256, or the signal (wait(2)).
TEST(ArrayJob, TasksByNumber) {
  const auto tasks = parse_tasks(
      "0|COMPLETED|None|0|n1|\n"
      "1|FAILED|NonZeroExitCode|1536|n2|\n"
      "2|FAILED|RaisedSignal:9|9|n1|\n"
      "slurm_load_jobs error: something\n"
      "\n"
      "30|RUNNING|None|0|n[1-2]|\n"
      "4|PENDING|JobArrayTaskLimit|0||\n");
  ASSERT_EQ(tasks.size(), 5u);
  EXPECT_TRUE(tasks.at(0).ended());
  EXPECT_TRUE(tasks.at(0).well());
  EXPECT_EQ(tasks.at(1).code, 6);
  EXPECT_EQ(tasks.at(1).signal, 0);
  EXPECT_FALSE(tasks.at(1).well());
  EXPECT_EQ(tasks.at(2).code, 0);
  EXPECT_EQ(tasks.at(2).signal, 9);
  EXPECT_TRUE(tasks.at(30).runs());
  EXPECT_FALSE(tasks.at(30).ended());
  EXPECT_EQ(tasks.at(30).nodes, "n[1-2]");
  EXPECT_FALSE(tasks.at(4).ended());
  EXPECT_FALSE(tasks.at(4).runs());
  EXPECT_EQ(tasks.at(4).reason, "JobArrayTaskLimit");
}

TEST(ArrayJob, CodeAndSignalWithAColon) {
  const auto tasks = parse_tasks("0|FAILED|None|6:0|n1|\n1|FAILED|None|0:15|n1|\n");
  EXPECT_EQ(tasks.at(0).code, 6);
  EXPECT_EQ(tasks.at(1).signal, 15);
}

// Code 1 of dve-sim sweep: points failed, and are recorded.
TEST(ArrayJob, FailedPointsAreNoFailureOfTheTask) {
  EXPECT_TRUE(parse_tasks("0|FAILED|NonZeroExitCode|256|n1|\n").at(0).well());
  EXPECT_FALSE(parse_tasks("0|TIMEOUT|TimeLimit|256|n1|\n").at(0).well());
}

TEST(ArrayJob, EveryStateThatIsAnEnd) {
  for (const char* state : {"BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY",
                            "PREEMPTED", "REVOKED", "TIMEOUT"})
    EXPECT_TRUE((TaskState{state, "", "", 0, 0}.ended())) << state;
  for (const char* state :
       {"CONFIGURING", "COMPLETING", "PENDING", "REQUEUED", "RESIZING", "RUNNING", "STOPPED", "SUSPENDED"})
    EXPECT_FALSE((TaskState{state, "", "", 0, 0}.ended())) << state;
}

}  // namespace
}  // namespace array_job_test
}  // namespace dve::slurm
