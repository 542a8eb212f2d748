// The table of docs/timing.md: every number of every preset once, with how sure it is.
#include <algorithm>
#include <set>
#include <sstream>

#include "scratch.h"

namespace dve::config {
namespace timing_table_test {
namespace {

const std::vector<std::string> kPresets = {"sunda", "cayman", "mariana", "mariana_plus", "maverick"};

TEST(TimingTable, ConfidenceIsTheFirstWordOfTheSource) {
  EXPECT_EQ(confidence("documented for trn1 (x)"), "documented");
  EXPECT_EQ(confidence("documented: start-up"), "documented");
  EXPECT_EQ(confidence("observed on trn1"), "observed");
  EXPECT_EQ(confidence("inferred: fitted"), "inferred");
  EXPECT_EQ(confidence("assumed"), "assumed");
  EXPECT_EQ(confidence("carried from trn1: documented there"), "assumed");
  EXPECT_EQ(confidence("documentedly"), "");
  EXPECT_EQ(confidence("seen somewhere"), "");
  EXPECT_EQ(confidence(""), "");
}

TEST(TimingTable, EveryNumberOfAPresetSaysHowSureItIs) {
  for (const std::string& preset : kPresets) {
    const Effective effective = load(preset, {});
    for (const auto& [name, origin] : effective.origins) {
      if (origin.layer != Origin::Layer::preset || name == "generation") continue;
      EXPECT_NE(confidence(origin.source), "") << preset << " " << name << ": " << origin.source;
    }
  }
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, '|');) list.push_back(cell);
  for (std::string& cell : list) {
    const auto first = cell.find_first_not_of(' ');
    cell = first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1);
  }
  return list;
}

TEST(TimingTable, HoldsEachKeyOfThePresetsOnce) {
  std::set<std::string> names;
  std::istringstream lines(timing_table());
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "| key | unit | sunda | cayman | mariana | mariana_plus | maverick | source |");
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::vector<std::string> row = cells(line);
    ASSERT_EQ(row.size(), 9u) << line;
    const std::string name = row[1].substr(1, row[1].size() - 2);
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    const Key* key = find_key(name);
    ASSERT_NE(key, nullptr) << line;
    for (std::size_t g = 0; g < kPresets.size(); ++g) {
      const Effective effective = load(kPresets[g], {});
      const std::string& source = effective.origins.at(name).source;
      const auto range = effective.ranges.find(name);
      std::string expected = to_string(key->get(effective.config));
      if (range != effective.ranges.end()) expected += " (" + to_string(range->second) + ")";
      const std::map<std::string, std::string> letters = {
          {"documented", " D"}, {"observed", " O"}, {"inferred", " I"}, {"assumed", " A"}, {"", ""}};
      EXPECT_EQ(row[3 + g], expected + letters.at(confidence(source))) << line;
      EXPECT_NE(row[8].find(source), std::string::npos) << line;
    }
  }
  for (const Key& key : keys()) {
    if (key.name.rfind("timing.", 0) == 0) {
      EXPECT_EQ(names.count(key.name), 1u) << key.name;
    }
  }
}

TEST(TimingTable, NamesTheGenerationsOfASource) {
  const std::string table = timing_table();
  test::expect_contains(table,
                        {"| `timing.dve.fill_drain` | cycles | 144 (100..400) I | 144 (65..400) A | ",
                         "| **sunda**: inferred: chosen", "; **cayman, mariana, mariana_plus, maverick**: carried",
                         "| `timing.fetch_cycles` | cycles | 0 A | 0 A | 0 A | 0 A | 0 A | assumed: fetch is"});
}

}  // namespace
}  // namespace timing_table_test
}  // namespace dve::config
