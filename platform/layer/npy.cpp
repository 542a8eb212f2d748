#include "npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstring>
#include <limits>
#include <string>

#include "dve/numerics/numerics.h"
#include "files.h"
#include "npy_header.h"

namespace dve::layer {
namespace {

struct TypeRow {
  NpyType type;
  std::string_view descr;
  std::size_t bytes;
};
constexpr std::array kTypes = {
    TypeRow{NpyType::f2, "<f2", 2}, TypeRow{NpyType::f4, "<f4", 4}, TypeRow{NpyType::f8, "<f8", 8},
    TypeRow{NpyType::i1, "|i1", 1}, TypeRow{NpyType::u1, "|u1", 1}, TypeRow{NpyType::i2, "<i2", 2},
    TypeRow{NpyType::u2, "<u2", 2}, TypeRow{NpyType::i4, "<i4", 4}, TypeRow{NpyType::u4, "<u4", 4},
    TypeRow{NpyType::i8, "<i8", 8}, TypeRow{NpyType::u8, "<u8", 8}};

const TypeRow& row(NpyType type) { return kTypes[static_cast<std::size_t>(type)]; }

constexpr std::string_view kMagic = "\x93NUMPY";

[[noreturn]] void fail(const InputFile& file, std::string_view problem) {
  throw InputError(fmt::format("{}: {}", file.path().string(), problem));
}

NpyType type_of(const InputFile& file, const std::string& text) {
  for (const TypeRow& r : kTypes) {
    if (r.descr == text) return r.type;
  }
  const std::string_view problem = text.empty()                          ? "structured dtype"
                                   : text[0] == '>'                      ? "big-endian dtype"
                                   : text.find('O') != std::string::npos ? "object dtype"
                                                                         : "unsupported dtype";
  fail(file, fmt::format("{} '{}', expected little-endian <f2 <f4 <f8 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8", problem, text));
}

// The header's text: after magic, version and length (2 bytes in version 1, 4 bytes in 2 and 3).
std::string read_header_text(InputFile& file) {
  if (file.size() < kMagic.size() + 2) fail(file, "too short for a .npy file, expected at least 10 bytes");
  const std::vector<std::uint8_t> start = file.read(kMagic.size() + 2);
  if (std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0) {
    fail(file, "not a .npy file, expected the magic bytes \\x93NUMPY");
  }
  const unsigned major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0) {
    fail(file, fmt::format(".npy version {}.{}, expected 1.0, 2.0 or 3.0", major, minor));
  }
  std::uint64_t length = 0;
  const std::vector<std::uint8_t> bytes = file.read(major == 1 ? 2 : 4);
  for (std::size_t i = bytes.size(); i-- > 0;) length = length << 8 | bytes[i];
  const std::vector<std::uint8_t> text = file.read(length);
  return std::string(text.begin(), text.end());
}

}  // namespace

std::string_view descr(NpyType type) { return row(type).descr; }
std::size_t element_bytes(NpyType type) { return row(type).bytes; }

std::optional<NpyType> npy_type(isa::Dtype dtype) {
  switch (dtype) {
    case isa::Dtype::fp32:
    case isa::Dtype::fp32r:
      return NpyType::f4;
    case isa::Dtype::fp16:
      return NpyType::f2;
    case isa::Dtype::bf16:
    case isa::Dtype::uint16:
      return NpyType::u2;
    case isa::Dtype::fp8_e3m4:
    case isa::Dtype::fp8_e4m3:
    case isa::Dtype::fp8_e5m2:
    case isa::Dtype::uint8:
      return NpyType::u1;
    case isa::Dtype::int8:
      return NpyType::i1;
    case isa::Dtype::int16:
      return NpyType::i2;
    case isa::Dtype::int32:
      return NpyType::i4;
    case isa::Dtype::uint32:
      return NpyType::u4;
    case isa::Dtype::int64:
      return NpyType::i8;
    case isa::Dtype::uint64:
      return NpyType::u8;
    default:
      return std::nullopt;
  }
}

std::optional<isa::Dtype> layer_dtype(NpyType type) {
  switch (type) {
    case NpyType::f4:
      return isa::Dtype::fp32;
    case NpyType::f2:
      return isa::Dtype::fp16;
    case NpyType::u2:
      return isa::Dtype::bf16;
    default:
      return std::nullopt;
  }
}

std::uint64_t NpyArray::count() const {
  std::uint64_t product = 1;
  for (const std::uint64_t n : shape) product *= n;
  return product;
}

namespace {

// Everything but the data, which are known to be there.
NpyArray read_shape(InputFile& file, const std::filesystem::path& path) {
  const std::string text = read_header_text(file);
  const NpyHeader header = parse_npy_header(text, path);
  NpyArray array;
  array.type = type_of(file, header.descr);
  if (header.fortran_order) fail(file, "Fortran order, expected C order ('fortran_order': False)");
  array.shape = header.shape;

  std::uint64_t bytes = element_bytes(array.type);
  for (const std::uint64_t n : array.shape) {
    if (__builtin_mul_overflow(bytes, n, &bytes)) {
      fail(file, fmt::format("shape ({}) has more bytes than 64 bits count", fmt::join(array.shape, ", ")));
    }
  }
  const std::uint64_t available = file.remaining();
  if (available != bytes) {
    fail(file, fmt::format("{} data: {} bytes after the header, expected {} for shape ({}) of {}",
                           available < bytes ? "short" : "trailing", available, bytes, fmt::join(array.shape, ", "),
                           header.descr));
  }
  return array;
}

}  // namespace

NpyArray read_npy(const std::filesystem::path& path) {
  InputFile file(path);
  NpyArray array = read_shape(file, path);
  array.data = file.read(array.count() * element_bytes(array.type));
  return array;
}

NpyArray read_npy_shape(const std::filesystem::path& path) {
  InputFile file(path);
  return read_shape(file, path);
}

void write_npy(const std::filesystem::path& path, const NpyArray& array) {
  const std::string shape = array.shape.size() == 1 ? fmt::format("({},)", array.shape[0])
                                                    : fmt::format("({})", fmt::join(array.shape, ", "));
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr(array.type), shape);
  const std::size_t start = kMagic.size() + 4;
  const std::size_t padded = (start + header.size() + 1 + 63) / 64 * 64;  // data begin on a 64-byte boundary
  header.append(padded - start - header.size() - 1, ' ');
  header += '\n';

  std::string bytes(kMagic);
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(array.data.data()), array.data.size());
  write_file(path, bytes);
}

std::vector<double> float_values(const NpyArray& array) {
  const std::size_t count = array.data.size() / element_bytes(array.type);
  std::vector<double> values(count);
  if (array.type == NpyType::f8) {
    if (count > 0) std::memcpy(values.data(), array.data.data(), array.data.size());
    return values;
  }
  std::vector<float> singles(count);
  numerics::to_fp32(array.data.data(), *layer_dtype(array.type), count, singles.data(), {});
  values.assign(singles.begin(), singles.end());
  return values;
}

NpyArray npy_vector(const std::vector<float>& values) {
  NpyArray array{NpyType::f4, {values.size()}, std::vector<std::uint8_t>(values.size() * sizeof(float))};
  if (!values.empty()) std::memcpy(array.data.data(), values.data(), array.data.size());
  return array;
}

}  // namespace dve::layer
