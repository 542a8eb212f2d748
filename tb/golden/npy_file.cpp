#include "npy_file.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "formats.h"

namespace golden {
namespace {

std::vector<std::size_t> shape_in(const std::string& header, const std::string& path) {
  const std::size_t open = header.find("'shape': (");
  const std::size_t close = header.find(')', open);
  if (open == std::string::npos || close == std::string::npos)
    throw std::runtime_error(path + ": no shape in the header");
  std::vector<std::size_t> shape;
  std::size_t at = open + 10;
  while (at < close) {
    const std::size_t end = std::min(header.find(',', at), close);
    const std::string number = header.substr(at, end - at);
    if (number.find_first_of("0123456789") != std::string::npos) shape.push_back(std::stoul(number));
    at = end + 1;
  }
  return shape;
}

double binary64(const std::uint8_t* bytes) {
  std::uint64_t bits = 0;
  for (int i = 7; i >= 0; --i) bits = bits << 8 | bytes[i];
  double value = 0;
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

std::vector<float> NpyArray::floats() const {
  std::vector<float> result;
  for (const double value : values) result.push_back(static_cast<float>(value));
  return result;
}

NpyArray read_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> raw{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::vector<std::uint8_t> bytes(raw.begin(), raw.end());
  if (bytes.size() < 10 || std::string(raw.begin() + 1, raw.begin() + 8) != std::string("NUMPY\x01\x00", 7)) {
    throw std::runtime_error(path + ": missing, or not a version 1 .npy file");
  }
  const std::size_t start = 10 + bytes[8] + std::size_t{256} * bytes[9];
  if (start > bytes.size()) throw std::runtime_error(path + ": the header is cut short");
  const std::string header(raw.begin() + 10, raw.begin() + static_cast<std::ptrdiff_t>(start));
  const bool wide = header.find("'<f8'") != std::string::npos;
  if ((!wide && header.find("'<f4'") == std::string::npos) ||
      header.find("'fortran_order': False") == std::string::npos) {
    throw std::runtime_error(path + ": expected '<f4' or '<f8' in C order, found " + header);
  }
  NpyArray array;
  array.shape = shape_in(header, path);
  std::size_t count = 1;
  for (const std::size_t axis : array.shape) count *= axis;
  const std::size_t size = wide ? 8 : 4;
  if (bytes.size() != start + count * size) throw std::runtime_error(path + ": the data does not fit the shape");
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* element = bytes.data() + start + i * size;
    array.values.push_back(wide ? binary64(element) : static_cast<double>(load_element(element, Dtype::fp32, {})));
  }
  return array;
}

}  // namespace golden
