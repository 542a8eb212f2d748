#include "fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <vector>

namespace dve::sweep {
namespace {

namespace fs = std::filesystem;

class Fnv1a {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  }
  void add_file(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::vector<char> block(1 << 16);
    while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0)
      add({block.data(), static_cast<std::size_t>(in.gcount())});
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325;
};

}  // namespace

std::string fingerprint(const fs::path& path) {
  std::error_code error;
  Fnv1a hash;
  if (fs::is_regular_file(path, error)) {
    hash.add_file(path);
  } else if (fs::is_directory(path, error)) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path, error))
      if (entry.is_regular_file(error)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      hash.add(file.filename().string());
      hash.add_file(file);
    }
  } else {
    return "absent";
  }
  return hash.text();
}

}  // namespace dve::sweep
