// Files and environment of one test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "dve/config/config.h"

namespace dve::config::test {

// A folder of this test's own, removed at its end.
class Scratch {
 public:
  Scratch() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("dve_config_" + std::string(info->name()) + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~Scratch() { std::filesystem::remove_all(folder_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

// DVE_CONFIG_DIR for the life of the object.
class ConfigDir {
 public:
  explicit ConfigDir(const std::string& path) { setenv("DVE_CONFIG_DIR", path.c_str(), 1); }
  ~ConfigDir() { unsetenv("DVE_CONFIG_DIR"); }
  ConfigDir(const ConfigDir&) = delete;
  ConfigDir& operator=(const ConfigDir&) = delete;
};

// Every key's value as text.
inline std::map<std::string, std::string> values(const Config& config) {
  std::map<std::string, std::string> all;
  for (const Key& key : keys()) all[key.name] = to_string(key.get(config));
  return all;
}

// what() of the Error that loading must end with; it must be one line.
inline std::string error_of(const std::string& name_or_file, const std::vector<std::string>& sets) {
  try {
    load(name_or_file, sets);
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    EXPECT_LT(what.size(), 700u);
    return what;
  }
  ADD_FAILURE() << "loaded without an error";
  return {};
}

inline void expect_contains(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in: " << text;
}

}  // namespace dve::config::test
