// The header of a .npy file: a Python dictionary literal with three keys.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dve::layer {

struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

// InputError: anything but the three keys, each once, with a string, True or False, and a tuple of non-negative
// integers. A descr that is a list (structured dtype) is refused too.
NpyHeader parse_npy_header(std::string_view text, const std::filesystem::path& path);

}  // namespace dve::layer
