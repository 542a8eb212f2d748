// Every dve-sim command that stands in a code block of the documents runs, every script they name is there, and
// measured tables are what is measured.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <vector>

#include "support/process.h"

namespace dve {
namespace {

using namespace testing_support;

std::vector<std::filesystem::path> documents() {
  std::vector<std::filesystem::path> list = {DVE_SOURCE_DIR "/README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(DVE_SOURCE_DIR "/docs"))
    if (entry.path().extension() == ".md") list.push_back(entry.path());
  return list;
}

// Lines inside ``` blocks, without trailing comments.
std::vector<std::string> code_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("```", 0) == 0)
      inside = !inside;
    else if (inside)
      lines.push_back(line.substr(0, line.find(" #")));
  }
  return lines;
}

// The exit code of a documented command in this build.
int expected_code(const std::string& command) {
#ifdef DVE_BUILT_WITH_RTL
  constexpr bool kRtl = true;
#else
  constexpr bool kRtl = false;
#endif
  const bool needs_rtl = command.find("dve.engine=rtl") != std::string::npos;
  return needs_rtl && !kRtl ? 3 : 0;
}

TEST(Documents, EveryDveSimCommandRuns) {
  const ScratchFolder folder;
  for (const char* name : {"/tb", "/configs"})
    std::filesystem::create_directory_symlink(std::string(DVE_SOURCE_DIR) + name, folder.path() + name);
  std::size_t commands = 0;
  for (const auto& document : documents()) {
    for (const std::string& line : code_lines(read_text(document))) {
      if (line.rfind("dve-sim ", 0) != 0 || line.rfind("dve-sim COMMAND", 0) == 0) continue;
      ++commands;
      const ProcessResult r = shell("cd " + folder.path() + " && " DVE_SIM_PROGRAM + line.substr(7));
      EXPECT_EQ(r.code, expected_code(line)) << document << ": " << line << "\n" << r.err;
    }
  }
  EXPECT_GE(commands, 5u);
}

TEST(Documents, EveryScriptTheyNameExistsAndParses) {
  const std::regex script(R"(scripts/[a-z_]+\.sh)");
  for (const auto& document : documents()) {
    const std::string text = read_text(document);
    for (std::sregex_iterator match(text.begin(), text.end(), script), end; match != end; ++match)
      EXPECT_EQ(shell("bash -n " DVE_SOURCE_DIR "/" + match->str()).code, 0) << document << " names " << match->str();
  }
}

TEST(Documents, TheNumericStudyStandsInNumerics) {
  const ProcessResult study = shell(DVE_SOURCE_DIR "/scripts/numeric_study.sh " DVE_SIM_PROGRAM);
  ASSERT_EQ(study.code, 0) << study.err;
  const std::string document = "\n" + read_text(DVE_SOURCE_DIR "/docs/numerics.md");
  std::istringstream lines(study.out);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_NE(document.find("\n" + line + "\n"), std::string::npos) << "not in docs/numerics.md: " << line;
  EXPECT_GE(count, 30u);
}

TEST(Documents, TheTimingParametersStandInTiming) {
  const ProcessResult table = dve_sim("config --timing-table");
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_NE(read_text(DVE_SOURCE_DIR "/docs/timing.md")
                .find("<!-- parameters begin -->\n" + table.out + "<!-- parameters end -->\n"),
            std::string::npos)
      << "scripts/timing_doc.sh writes it anew:\n"
      << table.out;
}

// Rows behind an empty line, which no ruler makes a new table.
std::vector<std::string> orphaned_rows(const std::string& text) {
  std::vector<std::string> lines = {"", ""}, orphans;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  lines.emplace_back();
  const auto row = [&lines](std::size_t i) { return lines[i].rfind("|", 0) == 0; };
  for (std::size_t i = 2; i + 1 < lines.size(); ++i) {
    const bool first = row(i) && !row(i - 1);
    if (first && lines[i].rfind("|-", 0) != 0 && lines[i + 1].rfind("|-", 0) != 0) orphans.push_back(lines[i]);
  }
  return orphans;
}

TEST(Documents, EveryTableHasAHead) {
  EXPECT_TRUE(orphaned_rows("| a |\n|---|\n| b |\n\n| c |\n|---|\n| d |\n").empty());
  EXPECT_EQ(orphaned_rows("| a |\n|---|\n\n| b |\n| c |\n"), std::vector<std::string>{"| b |"});
  for (const auto& document : documents())
    EXPECT_EQ(orphaned_rows(read_text(document)), std::vector<std::string>{}) << document;
}

}  // namespace
}  // namespace dve
