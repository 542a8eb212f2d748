// Every dve-sim command that stands in a code block of the documents runs, and every script they name is there.
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

TEST(Documents, EveryDveSimCommandRuns) {
  const ScratchFolder folder;
  std::filesystem::create_directory_symlink(DVE_SOURCE_DIR "/tb", folder / "tb");
  std::size_t commands = 0;
  for (const auto& document : documents()) {
    for (const std::string& line : code_lines(read_text(document))) {
      if (line.rfind("dve-sim ", 0) != 0 || line.rfind("dve-sim COMMAND", 0) == 0) continue;
      ++commands;
      const ProcessResult r = shell("cd " + folder.path() + " && " DVE_SIM_PROGRAM + line.substr(7));
      EXPECT_EQ(r.code, 0) << document << ": " << line << "\n" << r.err;
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

}  // namespace
}  // namespace dve
