// What --resume finds.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "dve/layer/layer.h"
#include "dve/sweep/sweep.h"

namespace dve::sweep {
namespace folder_test {
namespace {

namespace fs = std::filesystem;

class SweepFolder : public testing::Test {
 protected:
  SweepFolder() : path_(fs::temp_directory_path() / ("sweep_folder_" + std::to_string(getpid()))) {
    fs::remove_all(path_);
  }
  ~SweepFolder() override { fs::remove_all(path_); }

  static std::string text(const fs::path& file) {
    std::ostringstream all;
    all << std::ifstream(file).rdbuf();
    return all.str();
  }

  fs::path path_;
};

using Use = Folder::Use;
const char* const kIdentity = R"({"points": 2, "inputs": 1})";
const char* const kOk = R"({"status": "ok", "cycles": 1})";

TEST_F(SweepFolder, KeepsReportsAndFindsThemAgain) {
  {
    const Folder folder(path_, kIdentity, Use::start);
    EXPECT_FALSE(folder.report(12));
    folder.keep(12, kOk);
    folder.keep_table("a,b\n");
  }
  EXPECT_EQ(text(path_ / "points/000012/report.json"), kOk);
  EXPECT_EQ(text(path_ / "sweep.csv"), "a,b\n");
  EXPECT_EQ(text(path_ / "sweep.json"), kIdentity);
  const Folder again(path_, kIdentity, Use::resume);
  EXPECT_EQ((*again.report(12))["cycles"], 1);
  EXPECT_FALSE(again.report(11));
}

TEST_F(SweepFolder, ReportsThatDecideNothingAreMissing) {
  const Folder folder(path_, kIdentity, Use::resume);  // nothing there yet: a new sweep
  folder.keep(0, R"({"status": "crashed", "reason": "x"})");
  folder.keep(1, R"({"status": "ok", "cyc)");
  folder.keep(2, "");
  folder.keep(3, R"({"status": "error", "reason": "x"})");
  EXPECT_FALSE(is_final(*folder.report(0)));
  for (const std::size_t k : {1U, 2U}) EXPECT_FALSE(folder.report(k)) << k;
  EXPECT_TRUE(is_final(*folder.report(3)));
  folder.remove_report(3);
  EXPECT_FALSE(folder.report(3));
  EXPECT_NO_THROW(folder.remove_report(3));
}

TEST_F(SweepFolder, TemporaryFilesOfAKilledProcessGo) {
  { const Folder folder(path_, kIdentity, Use::start); }
  fs::create_directories(path_ / "points/000001");
  std::ofstream(path_ / "points/000001/report.json.77.part") << "half";
  const Folder folder(path_, kIdentity, Use::resume);
  EXPECT_FALSE(fs::exists(path_ / "points/000001/report.json.77.part"));
}

TEST_F(SweepFolder, ASweepIsNotOverwrittenNorMixedWithAnother) {
  { const Folder folder(path_, kIdentity, Use::start); }
  EXPECT_THROW(Folder(path_, kIdentity, Use::start), layer::InputError);
  EXPECT_THROW(Folder(path_, R"({"points": 3, "inputs": 1})", Use::resume), layer::InputError);
  EXPECT_NO_THROW(Folder(path_, kIdentity, Use::resume));
}

TEST_F(SweepFolder, WhatDiffersIsNamed) {
  { const Folder folder(path_, kIdentity, Use::start); }
  try {
    const Folder folder(path_, R"({"points": 3, "inputs": 1})", Use::resume);
    FAIL();
  } catch (const layer::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("another dve-sim: points differs; expected the one to resume"),
              std::string::npos)
        << error.what();
  }
}

// As the tasks of a batch system do.
TEST_F(SweepFolder, OthersOfTheSameSweepJoinButDoNotStartIt) {
  EXPECT_THROW(Folder(path_, kIdentity, Use::join), layer::InputError);
  EXPECT_FALSE(fs::exists(path_));
  const Folder folder(path_, kIdentity, Use::start);
  std::ofstream(path_ / "a.part") << "half";
  const Folder beside(path_, kIdentity, Use::join);
  EXPECT_TRUE(fs::exists(path_ / "a.part")) << "somebody may be writing it";
  beside.keep(1, kOk);
  EXPECT_TRUE(folder.report(1));
  EXPECT_THROW(Folder(path_, R"({"points": 3, "inputs": 1})", Use::join), layer::InputError);
}

TEST_F(SweepFolder, TwoProcessesDoNotShareOne) {
  const Folder folder(path_, kIdentity, Use::start);
  const pid_t child = fork();
  if (child == 0) {
    try {
      const Folder second(path_, kIdentity, Use::resume);
    } catch (const layer::InputError&) {
      _exit(7);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_F(SweepFolder, WhatCannotBeMadeIsAnOutputError) {
  std::ofstream(path_) << "a file";
  EXPECT_THROW(Folder(path_, kIdentity, Use::start), layer::OutputError);
}

TEST_F(SweepFolder, FingerprintsFollowNamesAndBytes) {
  fs::create_directories(path_);
  EXPECT_EQ(fingerprint(path_ / "none"), "absent");
  std::ofstream(path_ / "a") << "a";
  EXPECT_EQ(fingerprint(path_ / "a"), "af63dc4c8601ec8c");  // FNV-1a of "a", from its authors' test vectors
  const std::string before = fingerprint(path_);
  EXPECT_EQ(fingerprint(path_), before);
  std::ofstream(path_ / "b") << "";
  const std::string with_b = fingerprint(path_);
  EXPECT_NE(with_b, before);
  std::ofstream(path_ / "a") << "b";
  EXPECT_NE(fingerprint(path_), with_b);
}

}  // namespace
}  // namespace folder_test
}  // namespace dve::sweep
