// The seeds and every input that once broke something, through the targets, without libFuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "targets.h"

namespace dve::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::uint8_t> bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void expect_nothing_breaks(const std::string& target, void (*run)(const std::uint8_t*, std::size_t)) {
  const fs::path here = fs::path(DVE_SOURCE_DIR) / "tb/fuzz";
  std::vector<fs::path> files = files_in(here / "corpus" / target);
  ASSERT_FALSE(files.empty()) << "no seeds";
  for (const fs::path& file : files_in(here / "found" / target)) files.push_back(file);
  for (const fs::path& file : files) {
    const std::vector<std::uint8_t> bytes = bytes_of(file);
    EXPECT_NO_THROW(run(bytes.data(), bytes.size())) << file;
  }
}

TEST(FuzzInputs, Word) { expect_nothing_breaks("word", word); }
TEST(FuzzInputs, Golden) { expect_nothing_breaks("golden", golden); }
TEST(FuzzInputs, Assembly) { expect_nothing_breaks("assembly", assembly); }
TEST(FuzzInputs, Npy) { expect_nothing_breaks("npy", npy); }
TEST(FuzzInputs, Config) { expect_nothing_breaks("config", config); }
TEST(FuzzInputs, ProgramJson) { expect_nothing_breaks("program_json", program_json); }
TEST(FuzzInputs, Workload) { expect_nothing_breaks("workload", workload); }
TEST(FuzzInputs, Page) { expect_nothing_breaks("page", page); }
TEST(FuzzInputs, Sweep) { expect_nothing_breaks("sweep", sweep); }

}  // namespace
}  // namespace dve::fuzz
