#include "fst_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace dve::rtl {

namespace fs = std::filesystem;

void require_fst_target(const std::string& file) {
  std::error_code error;
  const bool exists = fs::exists(file, error);
  if (exists && !fs::is_regular_file(file, error))
    throw std::runtime_error(file + ": waves need a regular file, and this is something else");
  if (!std::ofstream(file, std::ios::app)) throw std::runtime_error(file + ": cannot be written");
  if (!exists) fs::remove(file, error);
}

// An FST is a row of blocks: a byte for the kind, eight for the length behind it, the highest first. A header (kind 0)
// comes first once the file has been closed.
void require_whole_fst(const std::string& file) {
  const auto truncated = [&] { return std::runtime_error(file + ": the waves are not whole, the disk may be full"); };
  std::error_code error;
  const std::uint64_t size = fs::file_size(file, error);
  if (error) throw truncated();
  std::ifstream in(file, std::ios::binary);
  std::uint64_t at = 0;
  for (bool first = true; at < size; first = false) {
    unsigned char start[9];
    in.seekg(static_cast<std::streamoff>(at));
    if (!in.read(reinterpret_cast<char*>(start), sizeof start)) throw truncated();
    std::uint64_t length = 0;
    for (int k = 1; k < 9; ++k) length = length << 8 | start[k];
    if ((first && start[0] != 0) || length < 8 || length > size - at - 1) throw truncated();
    at += 1 + length;
  }
  if (size == 0) throw truncated();
}

}  // namespace dve::rtl
