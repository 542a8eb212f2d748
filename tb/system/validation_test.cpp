// Published measurements: the single words within 3 %, and docs/timing.md's table is what scripts/validation.sh prints.
// The figures of the long programs are recomputed here from their mix of operations (microarchitecture.md 9).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "support/process.h"

namespace dve {
namespace validation_test {
namespace {

using namespace testing_support;

constexpr double kDveGhz = 1.12, kActGhz = 1.4, kTrn2Ghz = 0.96;  // microarchitecture.md 2
constexpr double kG = 70, kL = 144, kU = 64;                      // microarchitecture.md 8

double time_ns(const std::string& program) {
  const ScratchFolder folder;
  const ProcessResult r =
      dve_sim("exec " DVE_TEST_DATA_DIR "/validation/" + program + " --config sunda --quiet --out " + folder.path());
  EXPECT_EQ(r.code, 0) << r.err;
  return nlohmann::json::parse(read_text(folder / "report.json"))["time_ns"].get<double>();
}

TEST(Validation, SingleWordsAreWithinThreePercentOfTheMeasurement) {
  struct Case {
    const char* program;
    double published_ns, cycles;
  };
  const std::vector<Case> cases = {
      {"v1.dasm", 14987, 2 * 8192 + kL}, {"v2.dasm", 14968, 2 * 8192 + kL}, {"v8.dasm", 9, 10}};
  for (const Case& c : cases) {
    const double ns = time_ns(c.program);
    EXPECT_NEAR(ns, c.cycles / kDveGhz, 0.001) << c.program;
    EXPECT_NEAR(ns, c.published_ns, 0.03 * c.published_ns) << c.program;
  }
}

struct Row {
  std::string measurement, configuration, published, model, difference, status;
};

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Rows by id, without the head.
std::multimap<std::string, Row> rows_of(const std::string& table) {
  std::multimap<std::string, Row> rows;
  std::istringstream lines(table);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(trimmed(cell));
    EXPECT_EQ(cells.size(), 8u) << line;
    if (cells.size() == 8) rows.insert({cells[1], {cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]}});
  }
  return rows;
}

// The row of `id` whose measurement and configuration hold these texts.
Row find(const std::multimap<std::string, Row>& rows, const std::string& id, const std::string& measurement,
         const std::string& configuration) {
  for (auto [it, end] = rows.equal_range(id); it != end; ++it) {
    const Row& row = it->second;
    if (row.measurement.find(measurement) != std::string::npos &&
        row.configuration.find(configuration) != std::string::npos)
      return row;
  }
  ADD_FAILURE() << "no row " << id << " " << measurement << " " << configuration;
  return {};
}

double number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

// Words that overlap: each starts S + g after the one before, the last one ends with L.
double overlapped(double streaming, double words) { return streaming + words * kG - kG + kL; }

void expect_mixes(const std::multimap<std::string, Row>& rows) {
  const std::string two = "two tiles alternate", sum = "sum of durations";
  const auto near = [&](const char* id, const std::string& what, const char* with, double value, double tolerance) {
    EXPECT_NEAR(number(find(rows, id, what, with).model), value, tolerance) << id << " " << what;
  };
  const double ms = 1e-6;
  near("V4", two, "sunda", overlapped(32 * 8 * 512, 160) / kDveGhz * 1e-3, 0.006);
  near("V4", sum, "sunda", (32 * 8 * 512 + 160 * kL) / kDveGhz * 1e-3, 0.006);
  near("V5", two, "sunda", overlapped(512 * 6 * 512 + 32 * 1024, 2080) / kDveGhz * ms, 0.0006);
  near("V5", sum, "sunda", (512 * 6 * 512 + 32 * 1024 + 2080 * kL) / kDveGhz * ms, 0.0006);
  // The copies of one element start U apart and have no g; one of them ends the program.
  const double v6 = 8192 * 6 * 512 + 512 * 1024 + (8192 * 4 + 512) * kG + 8192 * kU;
  near("V6", two, "sunda", (v6 - kU + 1 + kL) / kDveGhz * ms, 0.0006);
  near("V7", two, "sunda", overlapped(512 * 8 * 512, 2560) / kDveGhz * ms, 0.0006);
  near("V9", "active", "c = 2", overlapped(768 * 4096, 768) / kTrn2Ghz * ms, 0.0006);
  near("V9", "active", "c = 1", overlapped(768 * 2048, 768) / kTrn2Ghz * ms, 0.0006);
  near("V9", "active", "c = 0.5", overlapped(768 * 2048, 768) / kTrn2Ghz * ms, 0.0006);  // writing takes N
  near("V9", "half", "c = 1", overlapped(384 * 2048, 384) / kTrn2Ghz * ms, 0.0006);
  near("V10", "active", "c = 2", overlapped(1024 * 1024 + 512 * 512, 1536) / kTrn2Ghz * ms, 0.0006);
  near("V10", "half", "c = 1", overlapped(768 * 512, 768) / kTrn2Ghz * ms, 0.0006);
}

void expect_single_words(const std::multimap<std::string, Row>& rows) {
  EXPECT_NEAR(number(find(rows, "V1", "", "sunda").model), (2 * 8192 + kL) / kDveGhz, 0.6);
  EXPECT_NEAR(number(find(rows, "V2", "", "sunda").model), (2 * 8192 + kL) / kDveGhz, 0.6);
  EXPECT_NEAR(number(find(rows, "V3", "duration", "sunda").model), (1 + kL) / kActGhz, 0.06);
  EXPECT_NEAR(number(find(rows, "V3", "interval", "sunda").model), (1 + kL + 42) / kActGhz, 0.06);  // 30 ns
  EXPECT_NEAR(number(find(rows, "V3", "interval", "222").model), (1 + 222 + 42) / kActGhz, 0.06);
  EXPECT_NEAR(number(find(rows, "V8", "", "sunda").model), 10 / kDveGhz, 0.06);
  EXPECT_NEAR(number(find(rows, "V13", "", "sunda").model), (516 + kL) / kActGhz, 0.06);  // 368 ns, rounded up
}

TEST(Validation, TheTableStandsInTimingAndFollowsTheEquations) {
  const ProcessResult study = shell(DVE_SOURCE_DIR "/scripts/validation.sh " DVE_SIM_PROGRAM);
  ASSERT_EQ(study.code, 0) << study.err;
  EXPECT_NE(read_text(DVE_SOURCE_DIR "/docs/timing.md")
                .find("<!-- validation begin -->\n" + study.out + "<!-- validation end -->\n"),
            std::string::npos)
      << "scripts/timing_doc.sh writes it anew:\n"
      << study.out;
  const auto rows = rows_of(study.out);
  for (int id = 1; id <= 16; ++id) EXPECT_GE(rows.count("V" + std::to_string(id)), 1u) << id;
  for (const auto& [id, row] : rows) {
    const bool known = row.status.rfind("predicted", 0) == 0 || row.status.rfind("fitted", 0) == 0 ||
                       row.status.rfind("op mix assumed", 0) == 0 || row.status.rfind("not modelled", 0) == 0;
    EXPECT_TRUE(known) << id << ": " << row.status;
    if (row.model == "-") continue;
    const double expected = 100 * (number(row.model) / number(row.published) - 1);
    EXPECT_NEAR(number(row.difference), expected, 0.06 + 100 * 0.06 / number(row.published)) << id;
  }
  expect_single_words(rows);
  expect_mixes(rows);
}

TEST(Validation, AMissingProgramIsAnError) {
  const ProcessResult r = shell(DVE_SOURCE_DIR "/scripts/validation.sh /nowhere/dve-sim");
  EXPECT_EQ(r.code, 1);
  EXPECT_NE(r.err.find("/nowhere/dve-sim is not there"), std::string::npos) << r.err;
}

}  // namespace
}  // namespace validation_test
}  // namespace dve
