// Commands run to their end.
#include <gtest/gtest.h>

#include "dve/slurm/slurm.h"

namespace dve::slurm {
namespace tool_test {
namespace {

TEST(Tool, BothOutputsAndTheCodeCome) {
  const ToolEnd end = run_tool({"sh", "-c", "echo out; echo error >&2; exit 7"});
  EXPECT_EQ(end.code, 7);
  EXPECT_EQ(end.output, "out\nerror\n");
}

TEST(Tool, WordsAreNotSplitAndNothingIsRead) {
  EXPECT_EQ(run_tool({"printf", "%s|", "a b", "", "'"}).output, "a b||'|");
  EXPECT_EQ(run_tool({"cat"}).output, "");
}

TEST(Tool, ASignalIsACodeAsInAShell) { EXPECT_EQ(run_tool({"sh", "-c", "kill -9 $$"}).code, 137); }

TEST(Tool, WhatIsNotThereIsNamed) {
  try {
    run_tool({"no-such-command"});
    FAIL();
  } catch (const Unavailable& error) {
    EXPECT_STREQ(error.what(),
                 "no-such-command cannot be started: No such file or directory, expected Slurm's commands in PATH");
  }
}

TEST(Tool, TheLastLineThatSaysSomething) {
  EXPECT_EQ(last_line("one\ntwo\n\n  \n"), "two");
  EXPECT_EQ(last_line("one"), "one");
  EXPECT_EQ(last_line("\n"), "");
}

}  // namespace
}  // namespace tool_test
}  // namespace dve::slurm
