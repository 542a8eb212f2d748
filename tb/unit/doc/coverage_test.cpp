// The documents against the tree: docs/coverage.md names only tests and switches that exist, every row of it says what
// holds the fact, and relative links of all documents lead somewhere. Plain text scanning.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

const fs::path kSource = DVE_SOURCE_DIR;

std::string read(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << "cannot read " << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::smatch> matches(const std::string& text, const std::regex& pattern) {
  return {std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()};
}
std::vector<std::smatch> matches(std::string&&, const std::regex&) = delete;  // matches point into the text

// Names of the cases in a source, as ctest lists them: "Suite.Case", or "Prefix/Suite.Case/*" of parameterised ones.
Names cases_of(const std::string& source) {
  static const std::regex comment("//[^\n]*");
  static const std::regex test(R"(\bTEST(_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\))");
  static const std::regex instance(R"(\bINSTANTIATE_TEST_SUITE_P\(\s*(\w+)\s*,\s*(\w+)\s*,)");
  const std::string code = std::regex_replace(source, comment, "");
  const auto instances = matches(code, instance);
  Names names;
  for (const auto& found : matches(code, test)) {
    const std::string name = found.str(2) + "." + found.str(3);
    if (found.str(1) != "_P") names.insert(name);
    for (const auto& i : instances)
      if (found.str(1) == "_P" && i.str(2) == found.str(2)) names.insert(i.str(1) + "/" + name + "/*");
  }
  return names;
}

// "program.Suite.Case" for every dve_test(program SOURCES ...) in a CMakeLists.txt under tb.
Names all_cases() {
  static const std::regex declaration(R"(dve_test\(\s*(\w+)([^)]*)\))");
  static const std::regex source_file(R"(([\w/]+\.cpp))");
  Names names;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "tb")) {
    if (entry.path().filename() != "CMakeLists.txt") continue;
    const std::string lists = read(entry.path());
    for (const auto& program : matches(lists, declaration)) {
      const std::string arguments = program.str(2);
      for (const auto& file : matches(arguments, source_file))
        for (const std::string& name : cases_of(read(entry.path().parent_path() / file.str())))
          names.insert(program.str(1) + "." + name);
    }
  }
  return names;
}

// The configuration keys, as quoted text of the key table.
Names all_switches() {
  static const std::regex key("\"([a-z0-9_]+(\\.[a-z0-9_]+)+)\"");
  const std::string table = read(kSource / "platform/config/keys.cpp");
  Names names;
  for (const auto& found : matches(table, key)) names.insert(found.str(1));
  return names;
}

bool is_test(const std::string& span) { return std::regex_search(span, std::regex(R"(^\w+_test\.)")); }
bool is_switch(const std::string& span) {
  return std::regex_search(span, std::regex(R"(^(numerics|seq|timing|place)\.)"));
}

std::vector<std::string> code_spans(const std::string& text) {
  static const std::regex span("`([^`\n]+)`");
  std::vector<std::string> spans;
  for (const auto& found : matches(text, span)) spans.push_back(found.str(1));
  return spans;
}

// Test and switch names in a document that are not among the known ones.
std::vector<std::string> unknown_names(const std::string& document, const Names& cases, const Names& switches) {
  std::vector<std::string> unknown;
  for (const std::string& span : code_spans(document)) {
    const bool missing_test = is_test(span) && cases.count(span) == 0;
    const bool missing_switch = is_switch(span) && switches.count(span.substr(0, span.find('='))) == 0;
    if (missing_test || missing_switch) unknown.push_back(span);
  }
  return unknown;
}

// Rows of the document's tables, without heads and rulers: the text between the outer bars.
std::vector<std::string> rows(const std::string& document) {
  std::vector<std::string> list;
  std::istringstream lines(document);
  for (std::string line; std::getline(lines, line);) {
    const bool head = line.rfind("| fact |", 0) == 0 || line.rfind("|---", 0) == 0;
    if (!line.empty() && line[0] == '|' && !head) list.push_back(line.substr(1, line.rfind('|') - 1));
  }
  return list;
}

bool says_what_holds_it(const std::string& row) {
  const std::string held_by = row.substr(row.rfind('|') + 1);
  if (held_by.find("not modelled") != std::string::npos) return held_by.find(": ") != std::string::npos;
  for (const std::string& span : code_spans(held_by))
    if (is_test(span) || is_switch(span)) return true;
  return false;
}

// Relative link targets of a document that do not exist, seen from its folder.
std::vector<std::string> dead_links(const std::string& document, const fs::path& folder) {
  static const std::regex link(R"(\]\(([^)\s]+)[^)]*\))");
  static const std::regex code("`[^`\n]*`");
  const std::string text = std::regex_replace(document, code, "");
  std::vector<std::string> dead;
  for (const auto& found : matches(text, link)) {
    const std::string target = found.str(1).substr(0, found.str(1).find('#'));
    const bool elsewhere = target.find("://") != std::string::npos || target.rfind("mailto:", 0) == 0;
    if (!target.empty() && !elsewhere && !fs::exists(folder / target)) dead.push_back(target);
  }
  return dead;
}

TEST(Coverage, NamesOnlyTestsAndSwitchesThatExist) {
  const std::string document = read(kSource / "docs/coverage.md");
  for (const std::string& name : unknown_names(document, all_cases(), all_switches()))
    ADD_FAILURE() << "docs/coverage.md names " << name << ", which no test program or key table has";
}

TEST(Coverage, EveryRowSaysWhatHoldsTheFact) {
  const auto list = rows(read(kSource / "docs/coverage.md"));
  EXPECT_GE(list.size(), 60u) << "the document has lost rows";
  for (const std::string& row : list) EXPECT_TRUE(says_what_holds_it(row)) << row;
}

// docs/numerics.md has a row for every numeric switch, and no row for another.
TEST(Numerics, EverySwitchHasARow) {
  static const std::string prefix = "numerics.";
  static const std::regex row(R"(\n\| `([a-z0-9_]+)` \| [^\n]+\|)");
  Names switches, documented;
  for (const std::string& key : all_switches())
    if (key.rfind(prefix, 0) == 0) switches.insert(key.substr(prefix.size()));
  const std::string document = read(kSource / "docs/numerics.md");
  for (const auto& found : matches(document, row)) documented.insert(found.str(1));
  EXPECT_EQ(documented, switches);
}

TEST(Documents, HaveNoDeadLinks) {
  std::vector<fs::path> documents = {kSource / "README.md"};
  for (const auto& entry : fs::directory_iterator(kSource / "docs"))
    if (entry.path().extension() == ".md") documents.push_back(entry.path());
  EXPECT_GE(documents.size(), 4u);
  for (const fs::path& document : documents)
    for (const std::string& target : dead_links(read(document), document.parent_path()))
      ADD_FAILURE() << document << " links to " << target << ", which does not exist";
}

// The scanning itself: what it must find, on texts that are wrong on purpose.
TEST(Scan, FindsCasesAsCtestListsThem) {
  const std::string source =
      "TEST(A, One) {}\n// TEST(A, Gone) {}\nTEST_F(B,\n       Two) {}\nTEST_P(C, Three) {}\nTEST_P(D, Never) {}\n"
      "INSTANTIATE_TEST_SUITE_P(All, C, testing::Range(0, 8));\n";
  EXPECT_EQ(cases_of(source), (Names{"A.One", "B.Two", "All/C.Three/*"}));
}

TEST(Scan, FindsUnknownNames) {
  const Names cases = {"x_test.A.One", "x_test.All/C.Three/*"}, switches = {"seq.build"};
  EXPECT_TRUE(unknown_names("`x_test.A.One` `x_test.All/C.Three/*` `seq.build=perf` `other`", cases, switches).empty());
  EXPECT_EQ(unknown_names("`x_test.A.Two` `y_test.A.One` `x_test.C.Three` `seq.builds` `numerics.x`", cases, switches),
            (std::vector<std::string>{"x_test.A.Two", "y_test.A.One", "x_test.C.Three", "seq.builds", "numerics.x"}));
}

TEST(Scan, FindsRowsWithoutAHolder) {
  const auto list = rows("| fact | held by |\n|---|---|\n| a | `x_test.A.One` |\n| b | |\n| c | not modelled |\n");
  ASSERT_EQ(list.size(), 3u);
  EXPECT_TRUE(says_what_holds_it(list[0]));
  EXPECT_FALSE(says_what_holds_it(list[1]));
  EXPECT_FALSE(says_what_holds_it(list[2])) << "no reason given";
  EXPECT_TRUE(says_what_holds_it(" d | not modelled yet: the reason "));
  EXPECT_TRUE(says_what_holds_it(" `x_test.A.One` | `seq.build` "));
  EXPECT_FALSE(says_what_holds_it(" `x_test.A.One` | nothing "));
}

TEST(Scan, FindsDeadLinks) {
  EXPECT_TRUE(dead_links("[a](https://x/y) [b](#c) [`d`](README.md#e) `[f](g)`", kSource).empty());
  EXPECT_EQ(dead_links("[a](docs/none.md) [b](README.md)", kSource), (std::vector<std::string>{"docs/none.md"}));
}

}  // namespace
