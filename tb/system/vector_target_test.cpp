// The vector target changes no byte of a run; its name is checked.
#include <gtest/gtest.h>

#include "dve/kernels/kernels.h"
#include "support/process.h"

namespace dve {
namespace {

using namespace testing_support;

ProcessResult run_with(const std::string& target, const std::string& arguments) {
  return shell("DVE_SIMD='" + target + "' " DVE_SIM_PROGRAM " " + arguments);
}

TEST(VectorTarget, EveryOneGivesTheSameBytes) {
  ScratchFolder folder;
  const std::string layer = DVE_TEST_DATA_DIR "/digits_cnn/10";
  for (const std::string options : {"--step full --device-stats", "--device-stats --dtype bf16", "--dtype fp16",
                                    "--set abstraction=functional --set dmi=false"}) {
    SCOPED_TRACE(options);
    std::string expected;
    for (const std::string& target : kernels::targets()) {
      SCOPED_TRACE(target);
      const std::string out = folder / target;
      const ProcessResult run = run_with(target, "run " + layer + " " + options + " --quiet --out " + out);
      ASSERT_EQ(run.code, 0) << run.err;
      const std::string files = shell("cd " + out + " && md5sum *.npy").out;
      ASSERT_NE(files.find("dx.npy"), std::string::npos) << files;
      if (expected.empty()) expected = files;
      EXPECT_EQ(files, expected);
    }
  }
}

TEST(VectorTarget, UnknownNamesAreOneClearError) {
  const std::string layer = DVE_TEST_DATA_DIR "/digits_cnn/10";
  for (const char* name : {"", "avx9", "best1"}) {
    const ProcessResult run = run_with(name, "run " + layer + " --quiet");
    EXPECT_EQ(run.code, 3);
    EXPECT_EQ(run.err.find("dve-sim: environment variable DVE_SIMD: vector target \"" + std::string(name) +
                           "\", expected best or one that this processor has: scalar"),
              0u)
        << run.err;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
  }
  EXPECT_EQ(run_with("best", "run " + layer + " --quiet").code, 0);
}

}  // namespace
}  // namespace dve
