// Reading the bundled .npy files without the reader under test.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace golden {

// A C-order little-endian array of binary32 or binary64, its values widened to binary64 (exact for both).
struct NpyArray {
  std::vector<std::size_t> shape;
  std::vector<double> values;
  std::vector<float> floats() const;
};

// Throws std::runtime_error naming the file when it is missing or not "<f4"/"<f8" in C order, version 1.
NpyArray read_npy(const std::string& path);

}  // namespace golden
