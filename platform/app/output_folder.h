// The folder of --out: what a run leaves behind (interfaces.md 2).
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bounds.h"
#include "dve/config/config.h"
#include "dve/layer/layer.h"
#include "dve/runtime/runtime.h"
#include "session.h"

namespace dve::app {

// What a run may write into it: its results, and what describes it.
inline constexpr std::array kResultFiles = {"report.json", "dx.npy",   "y.npy",   "dgamma.npy",
                                            "dbeta.npy",   "mean.npy", "var.npy", "inv_std.npy"};
inline constexpr std::array kDescribingFiles = {"config.json", "program.json", "program.bin"};

// Writes nothing when constructed from an empty name. layer::OutputError names what cannot be written.
class OutputFolder {
 public:
  // Creates the folder, and removes the results and the report of an earlier run from it.
  explicit OutputFolder(const std::string& folder);

  void write_program(const runtime::ProgramDescription& description) const;
  void write_config(const config::Effective& effective) const;
  void write_text(const char* file, std::string_view text) const;
  void write_results(const layer::Layer& layer, const layer::Results& results) const;
  // Results of a run that ended early, into the folder `partial` inside; says so on the error output.
  void write_partial(const layer::Layer& layer, const layer::Results& results) const;
  void write_report(const config::Effective& effective, const RunOutcome& outcome, const Session& session,
                    const layer::Layer* layer, const std::vector<layer::TensorComparison>& comparisons,
                    bool compare_failed, const std::vector<Bound>& bounds) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace dve::app
