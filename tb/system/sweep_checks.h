// A sweep in a scratch folder, and its table.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "sim_checks.h"

namespace dve::sweep_checks {

using nlohmann::json;
namespace fs = std::filesystem;

inline std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (c == ',' && !quoted)
        cells.emplace_back();
      else if (c != '"')
        cells.back() += c;
    }
    rows.push_back(cells);
  }
  return rows;
}

class Sweep : public testing::Test {
 protected:
  void write(const json& document) { testing_support::write_text(file_, document.dump()); }
  testing_support::ProcessResult sweep(const std::string& folder, const std::string& options = "") {
    return testing_support::dve_sim("sweep " + file_ + " --quiet --out " + (scratch_ / folder) + " " + options);
  }
  std::string command(const std::string& folder, int jobs = 1) const {
    return DVE_SIM_PROGRAM " sweep " + file_ + " --quiet --jobs " + std::to_string(jobs) + " --out " + folder;
  }
  // Six points of some tenths of a second.
  json slow_points() const {
    testing_support::write_text(
        scratch_ / "w.json",
        R"({"schema": 1, "name": "w", "batch": 8, "layers": [{"name": "a", "nchw": [8, 128, 40, 40]}]})");
    return {{"schema", 1},
            {"base", {{"workload", "w.json"}}},
            {"mode", "product"},
            {"axes", {{"timing.dve.fill_drain", {60, 70, 80, 90, 100, 110}}}}};
  }
  std::string table(const std::string& folder) { return testing_support::read_text(scratch_ / folder + "/sweep.csv"); }
  json report(const std::string& folder, std::size_t point) {
    return json::parse(
        testing_support::read_text(scratch_ / folder + "/points/00000" + std::to_string(point) + "/report.json"));
  }

  testing_support::ScratchFolder scratch_;
  std::string file_ = scratch_ / "sweep.json";
};

// Forty points of some milliseconds.
inline json many_points() {
  return {{"schema", 1},
          {"base", {{"layer", sim_checks::layer_folder("7")}, {"no_data", true}, {"set", {{"abstraction", "at"}}}}},
          {"mode", "random"},
          {"points", 40},
          {"seed", 3},
          {"axes",
           {{"timing.dve.fill_drain", {{"low", 60}, {"high", 400}}},
            {"place.x", {"sbuf", "psum", "hbm"}},
            {"place.dy", {"sbuf", "psum"}}}}};
}

inline std::size_t reports_in(const std::string& folder) {
  std::size_t count = 0;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error); !error && entry != fs::end(entry);
       entry.increment(error))
    count += entry->path().filename() == "report.json" ? 1 : 0;
  return count;
}

}  // namespace dve::sweep_checks
