// docs/isa.md is what isa_document() writes, and both documents name everything the assembler knows.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "texts.h"

namespace dve::assembly::test {
namespace document_test {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Document, OfTheTreeIsUpToDate) {
  const std::filesystem::path of_the_tree = std::filesystem::path(DVE_SOURCE_DIR) / "docs/isa.md";
  const std::string written = isa_document();
  if (read(of_the_tree) == written) return;
  const std::filesystem::path fresh = std::filesystem::temp_directory_path() / "isa.md";
  std::ofstream(fresh, std::ios::binary) << written;
  ADD_FAILURE() << "the tables have changed: cp " << fresh.string() << " " << of_the_tree.string();
}

TEST(Document, NamesEverything) {
  for (const std::string& text : {isa_document(), keys_help()}) {
    for (const isa::Opcode opcode : isa::all_opcodes()) {
      EXPECT_NE(text.find(std::string(mnemonic(opcode))), std::string::npos) << mnemonic(opcode);
    }
    for (const isa::AluOp op : isa::named_alu_ops()) EXPECT_NE(text.find(std::string(name(op))), std::string::npos);
    for (const isa::ActivationFunc f : isa::named_activation_funcs())
      EXPECT_NE(text.find(std::string(name(f))), std::string::npos);
    for (const std::string word : {"fp8_e4m3", "cptc7", "wait_mode", "semaphore_value", "compare_branch", "average",
                                   "xyzw", "even_count=ceil(n/2)", "imm_dtype=fp32", ".engine", ".word"})
      EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(Document, EveryKeyOfEveryFormatStandsInIt) {
  const std::string text = isa_document();
  for (const isa::Opcode opcode : isa::all_opcodes()) {
    EXPECT_NE(text.find("**" + std::string(format_of(opcode).name) + "**"), std::string::npos);
    for (const isa::FieldFormat& field : format_of(opcode).fields)
      EXPECT_NE(text.find("| " + std::string(field.name) + " |"), std::string::npos) << field.name;
  }
}

// The lines between fences are text for the assembler.
TEST(Document, ExamplesAssemble) {
  std::istringstream lines(isa_document());
  bool inside = false;
  int examples = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line == "```") {
      inside = !inside;
    } else if (inside) {
      ++examples;
      EXPECT_EQ(bytes_of(line).size(), 128u) << line << ": " << bytes_of(line);
    }
  }
  EXPECT_GE(examples, 3);
}

TEST(Help, IsPlainAndNarrow) {
  std::istringstream lines(keys_help());
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
    for (const char c : line) EXPECT_TRUE(c >= ' ' && c <= '~') << line;
  }
}

}  // namespace document_test
}  // namespace dve::assembly::test
