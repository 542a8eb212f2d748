#include "formats.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace golden {
namespace {

static_assert(FLT_EVAL_METHOD == 0, "binary32 expressions must be evaluated in binary32");

int top_exponent(FloatFormat f) { return (1 << f.exponent_bits) - 1; }
int bias(FloatFormat f) { return (1 << (f.exponent_bits - 1)) - 1; }
// Exponent of the smallest subnormal.
int smallest_exponent(FloatFormat f) { return 1 - bias(f) - f.mantissa_bits; }

double largest_finite(FloatFormat f) {
  const int mantissas = 1 << (f.mantissa_bits + 1);
  if (f.infinities) return std::ldexp(mantissas - 1, top_exponent(f) - 1 - bias(f) - f.mantissa_bits);
  return std::ldexp(mantissas - 2, top_exponent(f) - bias(f) - f.mantissa_bits);
}

// Exponent of the unit in the last place around a positive value.
int ulp_exponent(double positive, FloatFormat f) {
  int exponent = 0;
  std::frexp(positive, &exponent);
  return std::max(exponent - 1 - f.mantissa_bits, smallest_exponent(f));
}

std::uint32_t infinity_bits(FloatFormat f) { return static_cast<std::uint32_t>(top_exponent(f)) << f.mantissa_bits; }

std::uint32_t nan_bits(FloatFormat f) {
  if (!f.infinities) return infinity_bits(f) + (1U << f.mantissa_bits) - 1;
  return infinity_bits(f) + (1U << (f.mantissa_bits - 1));
}

// Pattern of a non-negative value that the format holds exactly.
std::uint32_t exact_bits(double value, FloatFormat f) {
  if (value == 0) return 0;
  const int ulp = ulp_exponent(value, f);
  const auto integer = static_cast<std::uint32_t>(std::ldexp(value, -ulp));
  // A normal integer carries the hidden bit, which adds one to the exponent field counted from the subnormals'
  // exponent.
  const auto steps = static_cast<std::uint32_t>(ulp - smallest_exponent(f));
  return (steps << f.mantissa_bits) + integer;
}

std::uint64_t little_endian(const std::uint8_t* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value * 256 + bytes[i];
  return value;
}

void put_little_endian(std::uint64_t value, std::uint8_t* bytes, int count) {
  for (int i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::uint8_t>(value % 256);
    value /= 256;
  }
}

bool is_signed(Dtype d) { return d == Dtype::int8 || d == Dtype::int16 || d == Dtype::int32 || d == Dtype::int64; }

// Nearest binary32 of a magnitude of up to 64 bits. The binary64 in between keeps 53 bits and, as its last bit, whether
// anything was lost: then the second rounding decides as if it saw everything.
float nearest_float(std::uint64_t magnitude) {
  if (magnitude < (std::uint64_t{1} << 53)) return static_cast<float>(static_cast<double>(magnitude));
  const std::uint64_t kept = magnitude / 2048;
  const std::uint64_t sticky = magnitude % 2048 == 0 ? 0 : 1;
  return static_cast<float>(std::ldexp(static_cast<double>(kept | sticky), 11));
}

float load_integer(std::uint64_t raw, int bytes, bool with_sign) {
  const std::uint64_t sign_bit = std::uint64_t{1} << (8 * bytes - 1);
  if (!with_sign || raw < sign_bit) return nearest_float(raw);
  const std::uint64_t magnitude = (bytes == 8 ? std::uint64_t{0} : sign_bit * 2) - raw;
  return -nearest_float(magnitude);
}

std::uint64_t store_integer(float value, int bytes, bool with_sign) {
  if (std::isnan(value)) return 0;
  const double whole = std::trunc(static_cast<double>(value));
  const double limit = std::ldexp(1.0, 8 * bytes - (with_sign ? 1 : 0));  // first value too large
  if (whole >= limit) return static_cast<std::uint64_t>(-1) >> (64 - 8 * bytes + (with_sign ? 1 : 0));
  if (whole >= 0) return static_cast<std::uint64_t>(whole);
  if (!with_sign) return 0;
  if (whole <= -limit) return std::uint64_t{1} << (8 * bytes - 1);
  return ~static_cast<std::uint64_t>(-whole) + 1;
}

}  // namespace

double decode(std::uint32_t bits, FloatFormat f) {
  const std::uint32_t mantissas = 1U << f.mantissa_bits;
  const std::uint32_t mantissa = bits % mantissas;
  const auto exponent = static_cast<int>(bits / mantissas) % (1 << f.exponent_bits);
  const bool negative = (bits >> (f.mantissa_bits + f.exponent_bits)) % 2 == 1;
  const double sign = negative ? -1.0 : 1.0;
  if (exponent == top_exponent(f)) {
    if (f.infinities && mantissa == 0) return sign * std::numeric_limits<double>::infinity();
    if (f.infinities || mantissa == mantissas - 1) return std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, smallest_exponent(f));
  return sign * std::ldexp(mantissas + mantissa, exponent - bias(f) - f.mantissa_bits);
}

std::uint32_t encode(double value, FloatFormat f, bool saturate) {
  if (std::isnan(value)) return nan_bits(f);
  const std::uint32_t sign = (std::signbit(value) ? 1U : 0U) << (f.mantissa_bits + f.exponent_bits);
  double magnitude = std::fabs(value);
  if (std::isfinite(magnitude) && magnitude != 0) {
    const int ulp = ulp_exponent(magnitude, f);
    magnitude = std::ldexp(std::nearbyint(std::ldexp(magnitude, -ulp)), ulp);
  }
  if (magnitude <= largest_finite(f)) return sign + exact_bits(magnitude, f);
  if (saturate) return sign + exact_bits(largest_finite(f), f);
  return f.infinities ? sign + infinity_bits(f) : nan_bits(f);
}

bool is_float(Dtype d) {
  switch (d) {
    case Dtype::bf16:
    case Dtype::fp16:
    case Dtype::fp32:
    case Dtype::fp32r:
    case Dtype::fp8_e3m4:
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
      return true;
    default:
      return false;
  }
}

FloatFormat format_of(Dtype d, const Options& options) {
  switch (d) {
    case Dtype::bf16:
      return {8, 7, true};
    case Dtype::fp16:
      return {5, 10, true};
    case Dtype::fp32:
    case Dtype::fp32r:
      return {8, 23, true};
    case Dtype::fp8_e3m4:
      return {3, 4, true};
    case Dtype::fp8_e4m3:
      return {4, 3, !options.e4m3_fn};
    case Dtype::fp8_e5m2:
      return {5, 2, true};
    default:
      throw std::invalid_argument("golden::format_of: not a floating-point dtype");
  }
}

int bytes_of(Dtype d) {
  switch (d) {
    case Dtype::int8:
    case Dtype::uint8:
    case Dtype::fp8_e3m4:
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
      return 1;
    case Dtype::int16:
    case Dtype::uint16:
    case Dtype::bf16:
    case Dtype::fp16:
      return 2;
    case Dtype::int32:
    case Dtype::uint32:
    case Dtype::fp32:
    case Dtype::fp32r:
      return 4;
    case Dtype::int64:
    case Dtype::uint64:
      return 8;
  }
  throw std::invalid_argument("golden::bytes_of: dtype without arithmetic meaning");
}

float load_element(const std::uint8_t* bytes, Dtype d, const Options& options) {
  const std::uint64_t raw = little_endian(bytes, bytes_of(d));
  if (!is_float(d)) return load_integer(raw, bytes_of(d), is_signed(d));
  return canonical(static_cast<float>(decode(static_cast<std::uint32_t>(raw), format_of(d, options))));
}

void store_element(float value, std::uint8_t* bytes, Dtype d, const Options& options) {
  if (!is_float(d)) return put_little_endian(store_integer(value, bytes_of(d), is_signed(d)), bytes, bytes_of(d));
  if (d == Dtype::fp32) return put_little_endian(bits_of_float(canonical(value)), bytes, 4);  // nothing to narrow
  FloatFormat format = format_of(d, options);
  int zero_bits = 0;
  if (d == Dtype::fp32r) {
    zero_bits = format.mantissa_bits - options.fp32r_mantissa;
    format.mantissa_bits = options.fp32r_mantissa;
  }
  const std::uint32_t bits = encode(static_cast<double>(value), format, options.narrow_saturate);
  put_little_endian(std::uint64_t{bits} << zero_bits, bytes, bytes_of(d));
}

std::vector<float> load_elements(const std::uint8_t* bytes, std::size_t count, Dtype d, const Options& options) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(load_element(bytes + i * static_cast<std::size_t>(bytes_of(d)), d, options));
  }
  return values;
}

std::vector<std::uint8_t> store_elements(const std::vector<float>& values, Dtype d, const Options& options) {
  const auto size = static_cast<std::size_t>(bytes_of(d));
  std::vector<std::uint8_t> bytes(values.size() * size);
  for (std::size_t i = 0; i < values.size(); ++i) store_element(values[i], bytes.data() + i * size, d, options);
  return bytes;
}

float float_of_bits(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint32_t bits_of_float(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float canonical(float value) { return std::isnan(value) ? float_of_bits(0x7FC00000) : value; }

}  // namespace golden
