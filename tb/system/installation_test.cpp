// What `cmake --install` leaves behind: a program that needs nothing else, its manual page, completion in bash.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "sim_checks.h"

namespace dve {
namespace {

using namespace sim_checks;
using namespace testing_support;

using Words = std::set<std::string>;

const std::vector<std::string> kCommands = {"run", "exec", "asm", "disasm", "sweep", "report", "check", "config"};
const char* const kCompletion = DVE_BUILD_DIR "/share/bash-completion/completions/dve-sim";

TEST(Installation, RunsTheDefaultLayerAndNetworksFromItsOwnFiles) {
  const ScratchFolder folder;
  const std::string prefix = folder / "prefix";
  const ProcessResult install = shell("cmake --install " DVE_BUILD_DIR " --prefix " + prefix);
  ASSERT_EQ(install.code, 0) << install.err;
  const std::string sim = "cd / && env -i " + prefix + "/bin/dve-sim ";

  const ProcessResult run = shell(sim + "run");
  EXPECT_EQ(run.code, 0) << run.err;
  expect_pieces(run.out, {"layer         " + prefix + "/share/dve-tlm/data/digits_cnn/7: ", "dx_device64"});

  const ProcessResult network = shell(sim + "run no_such_network");
  expect_error(network, 3, {"resnet_50"});
  EXPECT_EQ(shell(sim + "run dcgan --no-data --config sunda").code, 0);
  for (const char* file : {"/share/man/man1/dve-sim.1.gz", "/share/bash-completion/completions/dve-sim"})
    EXPECT_FALSE(read_text(prefix + file).empty()) << file;
}

// --- The manual page ---

std::string unescaped(std::string page) {
  for (const auto& [escape, text] : std::vector<std::pair<std::string, std::string>>{
           {"\\\\-", "-"}, {"\\\\\\(ga", "`"}, {"\\\\\\(aq", "'"}, {"\\\\f[BIR]", ""}, {"\n", " "}})
    page = std::regex_replace(page, std::regex(escape), text);
  return page;
}

std::string page_text() {
  const ProcessResult page = shell("gzip -dc " DVE_BUILD_DIR "/share/man/man1/dve-sim.1.gz");
  EXPECT_EQ(page.code, 0) << page.err;
  return page.out;
}

TEST(ManualPage, HasNoFormattingErrors) {
  const ScratchFolder folder;
  write_text(folder / "dve-sim.1", page_text());
  const ProcessResult lint = shell("mandoc -Tlint " + (folder / "dve-sim.1"));
  EXPECT_EQ(lint.code, 0);
  EXPECT_EQ(lint.out + lint.err, "");
}

TEST(ManualPage, SaysWhatHelpSays) {
  const std::string page = unescaped(page_text());
  std::size_t options = 0;
  for (const std::string& command : kCommands) {
    const std::string help = dve_sim(command + " --help").out;
    EXPECT_NE(page.find(help.substr(sizeof "usage: " - 1, help.find('\n') - sizeof "usage: " + 1)), std::string::npos);
    const std::regex option("\n  (?:-[a-z] \\[ )?(--[a-z0-9-]+)");
    for (std::sregex_iterator match(help.begin(), help.end(), option), end; match != end; ++match, ++options)
      EXPECT_NE(page.find(match->str(1)), std::string::npos) << command << " " << match->str(1);
  }
  EXPECT_GE(options, 60u);
  expect_pieces(page, {"EXIT STATUS", "130 interrupted", "DVE_CONFIG_DIR", "the bundled layer on cayman"});
}

// --- Completion ---

// What readline would offer for a line with the cursor at its end.
Words completed(const std::string& line, const std::string& folder = "/") {
  const ProcessResult r =
      shell("cd " + folder + " && bash --norc -c 'source " + kCompletion + "; COMP_LINE=$1; " +
            "COMP_POINT=${#1}; _dve_sim; printf \"%s\\n\" \"${COMPREPLY[@]}\"' bash '" + line + "'");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  std::istringstream lines(r.out);
  Words words;
  for (std::string word; std::getline(lines, word);)
    if (!word.empty()) words.insert(word);
  return words;
}

TEST(Completion, OffersCommandsAndTheOptionsOfEach) {
  Words commands(kCommands.begin(), kCommands.end());
  commands.insert({"--help", "--version"});
  EXPECT_EQ(completed("dve-sim "), commands);
  EXPECT_EQ(completed("dve-sim di"), Words{"disasm"});
  for (const std::string& command : kCommands) {
    const std::string help = dve_sim(command + " --help").out;
    const Words offered = completed("dve-sim " + command + " --");
    EXPECT_GE(offered.size(), 4u) << command;
    for (const std::string& option : offered) EXPECT_NE(help.find(option), std::string::npos) << command << option;
  }
  EXPECT_EQ(completed("dve-sim run --micro"), Words{"--microbatches"});
  EXPECT_EQ(completed("dve-sim check --micro"), Words{});
}

TEST(Completion, OffersPresetsChoicesAndNetworks) {
  EXPECT_EQ(completed("dve-sim run --config mar"), (Words{"mariana", "mariana_plus"}));
  EXPECT_EQ(completed("dve-sim run --config=sun"), Words{"sunda"});
  EXPECT_EQ(completed("dve-sim asm --generation "), (Words{"sunda", "cayman", "mariana", "mariana_plus", "maverick"}));
  EXPECT_EQ(completed("dve-sim exec p.bin --abstraction "), (Words{"functional", "lt", "at"}));
  EXPECT_EQ(completed("dve-sim run --dtype b"), Words{"bf16"});
  EXPECT_EQ(completed("dve-sim run resnet"), (Words{"resnet_18", "resnet_50"}));
  EXPECT_EQ(completed("dve-sim run --microbatches "), Words{}) << "a number";
}

// readline replaces what stands behind the last = only.
TEST(Completion, OffersKeysAndTheirValues) {
  EXPECT_EQ(completed("dve-sim run --set place."),
            (Words{"place.x=", "place.dy=", "place.dx=", "place.y=", "place.sums="}));
  EXPECT_EQ(completed("dve-sim run --set place.x="), (Words{"sbuf", "psum", "hbm"}));
  EXPECT_EQ(completed("dve-sim run --set numerics.accumulator=w"), Words{"wide"});
  EXPECT_EQ(completed("dve-sim run --set dmi="), (Words{"true", "false"}));
  EXPECT_EQ(completed("dve-sim run --set quantum_ns="), Words{}) << "a number";
}

TEST(Completion, OffersFilesWhereThereAreFiles) {
  const ScratchFolder folder;
  write_text(folder / "kernel.dasm", "");
  std::filesystem::create_directory(folder / "layer");
  write_text(folder / "layer/x.npy", "");
  EXPECT_EQ(completed("dve-sim check ker", folder.path()), Words{"kernel.dasm"});
  EXPECT_EQ(completed("dve-sim run lay", folder.path()), Words{"layer"});
  EXPECT_EQ(completed("dve-sim run --out ", folder.path()), Words{"layer"}) << "folders only";
  EXPECT_EQ(completed("dve-sim exec kernel.dasm --load sbuf[0]+0x0=layer/", folder.path()), Words{"layer/x.npy"});
  EXPECT_EQ(completed("dve-sim asm -o ker", folder.path()), Words{"kernel.dasm"});
}

TEST(Completion, IsThereForTheProgramsName) {
  const ProcessResult r = shell(std::string("bash --norc -c 'source ") + kCompletion + "; complete -p dve-sim'");
  EXPECT_EQ(r.out, "complete -F _dve_sim dve-sim\n");
}

}  // namespace
}  // namespace dve
