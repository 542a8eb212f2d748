// Sweeps on the private Slurm that scripts/slurm_private.sh has started around these tests.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>

#include "system/sweep_checks.h"

namespace dve::slurm_checks {

class SlurmSweep : public sweep_checks::Sweep {
 protected:
  void SetUp() override { ASSERT_NE(std::getenv("DVE_SLURM_FOLDER"), nullptr) << "run by scripts/slurm_private.sh"; }

  // After every case: no job, and no process of a task.
  void TearDown() override {
    EXPECT_EQ(testing_support::shell("squeue --noheader").out, "");
    EXPECT_EQ(testing_support::shell(kTasks + ("; tasks " + scratch_.path())).out, "");
  }

  testing_support::ProcessResult slurm(const std::string& folder, const std::string& options = "") {
    return testing_support::shell(slurm_command(folder, options));
  }
  std::string slurm_command(const std::string& folder, const std::string& options) const {
    return DVE_SIM_PROGRAM " sweep " + file_ + " --executor slurm --out " + (scratch_ / folder) + " " + options;
  }

  // Starts a sweep into `out`, one task at a time, waits for the first report and does `then` ($pid: the sweep;
  // kill_tasks).
  testing_support::ProcessResult in_the_middle(const std::string& options, const std::string& then) const {
    return testing_support::shell(
        std::string(kTasks) + "\nkill_tasks() { kill -9 $(tasks " + scratch_.path() + ") 2>/dev/null; }\n" +
        slurm_command("out", "--jobs 1 " + options) + " & pid=$!\nuntil set -- " + (scratch_ / "out") +
        "/points/*/report.json && [ -e $1 ]; do kill -0 $pid || exit 99; sleep 0.02; done\n" + then + "\nwait $pid\n");
  }

  // Process ids of tasks, whose command lines name files in a folder.
  static constexpr const char* kTasks =
      R"(tasks() { grep -lsz "[@]$1/" /proc/[0-9]*/cmdline | sed 's|/proc/||; s|/cmdline||'; })";
};

// Six points that can be caught half-way, and what a local sweep makes of them.
class SlowSlurmSweep : public SlurmSweep {
 protected:
  static void SetUpTestSuite() {
    reference() = std::make_unique<Reference>();
    Reference& r = *reference();
    testing_support::write_text(r.folder / "w.json", R"({"schema": 1, "name": "w", "batch": 8,
      "layers": [{"name": "a", "nchw": [8, 128, 50, 50]}]})");
    testing_support::write_text(r.folder / "sweep.json", R"({"schema": 1, "base": {"workload": "w.json"},
      "mode": "product", "axes": {"timing.dve.fill_drain": [60, 70, 80, 90, 100, 110]}})");
    r.sweep = testing_support::dve_sim("sweep " + (r.folder / "sweep.json") + " --out " + (r.folder / "undisturbed"));
  }
  static void TearDownTestSuite() { reference().reset(); }

  void SetUp() override {
    SlurmSweep::SetUp();
    ASSERT_EQ(reference()->sweep.code, 0) << reference()->sweep.err;
    for (const char* file : {"w.json", "sweep.json"})
      std::filesystem::copy(reference()->folder / file, scratch_ / file);
  }

  void expect_undisturbed(const std::string& folder) {
    for (const char* part : {"/points", "/sweep.csv"})
      EXPECT_EQ(testing_support::shell("diff -r " + (reference()->folder / "undisturbed") + part + " " +
                                       (scratch_ / folder) + part)
                    .out,
                "");
  }
  static std::string reference_report() { return reference()->folder / "undisturbed" + "/points/000000/report.json"; }

 private:
  struct Reference {
    testing_support::ScratchFolder folder;
    testing_support::ProcessResult sweep;
  };
  static std::unique_ptr<Reference>& reference() {
    static std::unique_ptr<Reference> one;
    return one;
  }
};

}  // namespace dve::slurm_checks
