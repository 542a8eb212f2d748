// Arrays in numpy's .npy files: formats 1.0, 2.0, 3.0 are read, 1.0 is written. Little-endian, C order only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "dve/isa/isa.h"

namespace dve::layer {

// Element types, by numpy's descr: kind and bytes.
enum class NpyType : std::uint8_t { f2, f4, f8, i1, u1, i2, u2, i4, u4, i8, u8 };

std::string_view descr(NpyType type);  // "<f4", "|u1", ...
std::size_t element_bytes(NpyType type);

// The array type that holds elements of a device dtype bit for bit (interfaces.md 2 and 3): fp32 and fp32r f4, fp16 f2,
// bf16 u2, fp8 u1, integers as named. Empty for dtypes without a whole number of bytes.
std::optional<NpyType> npy_type(isa::Dtype dtype);

// The device dtype that x.npy of this type has: f4 fp32, f2 fp16, u2 bf16. Empty for the others.
std::optional<isa::Dtype> layer_dtype(NpyType type);

struct NpyArray {
  NpyType type = NpyType::f4;
  std::vector<std::uint64_t> shape;  // C order, slowest axis first; empty: a scalar
  std::vector<std::uint8_t> data;    // little-endian elements, C order

  std::uint64_t count() const;  // product of the shape
};

// InputError: missing, not .npy, truncated or malformed header, unsupported version or dtype, big-endian, Fortran
// order, object arrays, a shape that is not made of non-negative integers or whose product overflows, short or trailing
// data. What the header claims is checked against the file's size before anything of that size is allocated.
NpyArray read_npy(const std::filesystem::path& path);

// The same checks, but the data stay in the file: data is empty.
NpyArray read_npy_shape(const std::filesystem::path& path);

// OutputError as write_file. Precondition: data holds count() elements.
void write_npy(const std::filesystem::path& path, const NpyArray& array);

// Float values of an f2, f4, f8 or u2 (bfloat16 bits) array, exactly. Precondition: one of these types.
std::vector<double> float_values(const NpyArray& array);

// An fp32 vector as a one-dimensional array.
NpyArray npy_vector(const std::vector<float>& values);

}  // namespace dve::layer
