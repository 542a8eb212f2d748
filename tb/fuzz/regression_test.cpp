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

struct Target {
  const char* name;
  void (*run)(const std::uint8_t*, std::size_t);
};

class Inputs : public testing::TestWithParam<Target> {};

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

TEST_P(Inputs, BreakNothing) {
  const fs::path here = fs::path(DVE_SOURCE_DIR) / "tb/fuzz";
  std::vector<fs::path> files = files_in(here / "corpus" / GetParam().name);
  ASSERT_FALSE(files.empty()) << "no seeds";
  for (const fs::path& file : files_in(here / "found" / GetParam().name)) files.push_back(file);
  for (const fs::path& file : files) {
    const std::vector<std::uint8_t> bytes = bytes_of(file);
    EXPECT_NO_THROW(GetParam().run(bytes.data(), bytes.size())) << file;
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Inputs,
                         testing::Values(Target{"word", word}, Target{"assembly", assembly}, Target{"npy", npy},
                                         Target{"config", config}, Target{"program_json", program_json}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace dve::fuzz
