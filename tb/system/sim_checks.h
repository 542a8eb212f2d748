// What the tests of the dve-sim program look at again and again.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process.h"

namespace dve::sim_checks {

// The bundled layers (tb/data/digits_cnn).
inline const std::vector<std::string> kLayers = {"1", "4", "7", "10"};
inline std::string layer_folder(const std::string& name) {
  return std::string(DVE_TEST_DATA_DIR "/digits_cnn/") + name;
}

inline nlohmann::json report_of(const std::string& folder) {
  return nlohmann::json::parse(testing_support::read_text(folder + "/report.json"));
}

inline void expect_pieces(const std::string& text, const std::vector<std::string>& pieces) {
  for (const std::string& piece : pieces)
    EXPECT_NE(text.find(piece), std::string::npos) << "'" << piece << "' not in: " << text;
}

// Exit code, exactly one line on the error output, and the pieces it must contain.
inline void expect_error(const testing_support::ProcessResult& r, int code, const std::vector<std::string>& pieces) {
  EXPECT_EQ(r.code, code) << r.err << r.out;
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_EQ(r.err.rfind("dve-sim: ", 0), 0u) << r.err;
  expect_pieces(r.err, pieces);
}

}  // namespace dve::sim_checks
