// Element formats (isa.md 4), converted through exact values instead of bit manipulation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "options.h"

namespace golden {

// The dtypes with arithmetic meaning; values are the codes of isa.md 4.1.
enum class Dtype : std::uint8_t {
  uint64 = 0x01,
  int8 = 0x02,
  uint8 = 0x03,
  int16 = 0x04,
  uint16 = 0x05,
  bf16 = 0x06,
  fp16 = 0x07,
  int32 = 0x08,
  uint32 = 0x09,
  fp32 = 0x0A,
  fp32r = 0x0B,
  int64 = 0x0C,
  fp8_e3m4 = 0x0D,
  fp8_e4m3 = 0x0E,
  fp8_e5m2 = 0x0F
};

// A binary floating-point format: sign, exponent, mantissa. Without infinities ("FN") the top exponent holds finite
// values too and only the all-ones mantissa there is NaN.
struct FloatFormat {
  int exponent_bits = 8;
  int mantissa_bits = 23;
  bool infinities = true;
};

// The value of a bit pattern of the format.
double decode(std::uint32_t bits, FloatFormat format);
// The bit pattern nearest to the value (ties to even, subnormals kept). Every NaN gives the canonical quiet NaN. Past
// the largest finite value, infinity included: infinity (NaN in a format without), or with `saturate` that largest
// value.
std::uint32_t encode(double value, FloatFormat format, bool saturate);

bool is_float(Dtype dtype);
// The format of a floating-point dtype as it is stored; FP32R is stored as binary32.
FloatFormat format_of(Dtype dtype, const Options& options);
int bytes_of(Dtype dtype);

// One little-endian element to binary32 and back (isa.md 4.3): integers that binary32 cannot hold round to nearest
// even; to integers truncation toward zero, saturation, NaN gives 0. NaN in any float format becomes canonical.
float load_element(const std::uint8_t* bytes, Dtype dtype, const Options& options);
void store_element(float value, std::uint8_t* bytes, Dtype dtype, const Options& options);

// The same for a row of elements.
std::vector<float> load_elements(const std::uint8_t* bytes, std::size_t count, Dtype dtype, const Options& options);
std::vector<std::uint8_t> store_elements(const std::vector<float>& values, Dtype dtype, const Options& options);

float float_of_bits(std::uint32_t bits);
std::uint32_t bits_of_float(float value);
// The value, or the canonical NaN 0x7FC00000 for any NaN.
float canonical(float value);

}  // namespace golden
