#include "output_folder.h"

#include <fmt/format.h>

#include "report.h"
#include "say.h"

namespace dve::app {
namespace {

constexpr const char* kPartial = "partial";

}  // namespace

OutputFolder::OutputFolder(const std::string& folder) : folder_(folder) {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  std::error_code unreachable;
  if (!std::filesystem::is_directory(folder_, unreachable))
    throw layer::OutputError(
        fmt::format("{}: cannot create the output folder: {}", folder, error ? error.message() : "not a directory"));
  // What an earlier run left would be taken for this one's. Only a folder that a run has written is cleaned.
  if (!std::filesystem::is_regular_file(folder_ / "report.json", error)) return;
  for (const char* file : kResultFiles) std::filesystem::remove(folder_ / file, error);
  std::filesystem::remove_all(folder_ / kPartial, error);
}

void OutputFolder::write_program(const runtime::ProgramDescription& description) const {
  if (folder_.empty()) return;
  runtime::write_words(folder_ / "program.bin", description.program.words);
  runtime::write_description(folder_ / "program.json", description);
}

void OutputFolder::write_config(const config::Effective& effective) const {
  if (!folder_.empty()) layer::write_file(folder_ / "config.json", config::to_json(effective));
}

void OutputFolder::write_text(const char* file, std::string_view text) const {
  if (!folder_.empty()) layer::write_file(folder_ / file, text);
}

void OutputFolder::write_results(const layer::Layer& layer, const layer::Results& results) const {
  if (!folder_.empty()) layer::write_results(layer, results, folder_);
}

void OutputFolder::write_partial(const layer::Layer& layer, const layer::Results& results) const {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directory(folder_ / kPartial, error);
  layer::write_results(layer, results, folder_ / kPartial);
  say(stderr, "dve-sim: results stored before the end are in {}; what is missing is NaN\n",
      (folder_ / kPartial).string());
}

void OutputFolder::write_report(const config::Effective& effective, const RunOutcome& outcome, const Session& session,
                                const layer::Layer* layer, const std::vector<layer::TensorComparison>& comparisons,
                                bool compare_failed, const std::vector<Bound>& bounds) const {
  if (folder_.empty()) return;
  layer::write_file(folder_ / "report.json",
                    session_report(effective, outcome, session, layer, comparisons, compare_failed, bounds));
}

}  // namespace dve::app
