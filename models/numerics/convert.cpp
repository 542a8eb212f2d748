#include "convert.h"

#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "float_format.h"

namespace dve::numerics {

namespace {

using isa::Dtype;

constexpr FloatFormat kBf16{8, 7};
constexpr FloatFormat kFp16{5, 10};

[[noreturn]] void reject(const char* function, Dtype dtype, const char* expected) {
  constexpr const char* kHex = "0123456789abcdef";
  const unsigned code = isa::code(dtype);
  throw std::invalid_argument(std::string(function) + ": dtype code 0x" + kHex[code >> 4U] + kHex[code & 0xFU] +
                              ", expected " + expected);
}

FloatFormat fp8_format(const char* function, Dtype dtype, E4m3Variant variant) {
  switch (dtype) {
    case Dtype::fp8_e3m4:
      return {3, 4};
    case Dtype::fp8_e4m3:
      return {4, 3, variant == E4m3Variant::ieee};
    case Dtype::fp8_e5m2:
      return {5, 2};
    default:
      reject(function, dtype, "fp8_e3m4, fp8_e4m3 or fp8_e5m2");
  }
}

// Tensors are little-endian; elements are put together byte by byte, so the host's byte order and alignment do not
// matter.
template <typename Bits>
Bits load(const std::uint8_t* source) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Bits); ++i) value |= std::uint64_t{source[i]} << (8U * i);
  return static_cast<Bits>(value);
}

template <typename Bits>
void store(Bits bits, std::uint8_t* destination) {
  const std::uint64_t value = static_cast<std::uint64_t>(bits);
  for (std::size_t i = 0; i < sizeof(Bits); ++i) destination[i] = static_cast<std::uint8_t>(value >> (8U * i));
}

template <typename Bits, typename Convert>
void widen_each(const std::uint8_t* source, std::size_t count, float* destination, Convert convert) {
  for (std::size_t i = 0; i < count; ++i) destination[i] = convert(load<Bits>(source + i * sizeof(Bits)));
}

template <typename Bits, typename Convert>
void narrow_each(const float* source, std::size_t count, std::uint8_t* destination, Convert convert) {
  for (std::size_t i = 0; i < count; ++i) store<Bits>(convert(source[i]), destination + i * sizeof(Bits));
}

// The language's integer-to-float conversion rounds to nearest even in the default rounding mode.
template <typename Int>
float from_int(Int value) {
  return static_cast<float>(value);
}

// Truncation toward zero, saturating; NaN gives 0.
template <typename Int>
Int to_int(float value) {
  using Limits = std::numeric_limits<Int>;
  if (value != value) return 0;
  if (value <= static_cast<float>(Limits::min())) return Limits::min();  // 0 or a power of two: exact
  // 2^digits is the first value past the largest, and exact, unlike the largest itself.
  const float past = 2.0F * static_cast<float>(Int{1} << (Limits::digits - 1));
  return value >= past ? Limits::max() : static_cast<Int>(value);
}

}  // namespace

float float_from_bits(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float canonical(float value) { return value != value ? float_from_bits(kCanonicalNan32) : value; }

float bf16_to_fp32(std::uint16_t bits) { return canonical(float_from_bits(std::uint32_t{bits} << 16U)); }

float fp16_to_fp32(std::uint16_t bits) { return widen(bits, kFp16); }

std::uint16_t fp32_to_bf16(float value, NarrowOverflow overflow) {
  return static_cast<std::uint16_t>(narrow(value, kBf16, overflow));
}

std::uint16_t fp32_to_fp16(float value, NarrowOverflow overflow) {
  return static_cast<std::uint16_t>(narrow(value, kFp16, overflow));
}

float fp8_to_fp32(std::uint8_t bits, Dtype format, E4m3Variant variant) {
  return widen(bits, fp8_format("fp8_to_fp32", format, variant));
}

std::uint8_t fp32_to_fp8(float value, Dtype format, NarrowOverflow overflow, E4m3Variant variant) {
  return static_cast<std::uint8_t>(narrow(value, fp8_format("fp32_to_fp8", format, variant), overflow));
}

std::uint32_t fp32_to_fp32r(float value, unsigned mantissa_bits, NarrowOverflow overflow) {
  if (mantissa_bits < 1 || mantissa_bits > 23) {
    throw std::invalid_argument("fp32_to_fp32r: mantissa_bits " + std::to_string(mantissa_bits) + ", expected 1 to 23");
  }
  return narrow(value, {8, mantissa_bits}, overflow) << (23U - mantissa_bits);
}

bool is_arithmetic(Dtype dtype) {
  switch (dtype) {
    case Dtype::int8:
    case Dtype::uint8:
    case Dtype::int16:
    case Dtype::uint16:
    case Dtype::int32:
    case Dtype::uint32:
    case Dtype::int64:
    case Dtype::uint64:
    case Dtype::fp32:
    case Dtype::fp32r:
    case Dtype::fp16:
    case Dtype::bf16:
    case Dtype::fp8_e3m4:
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
      return true;
    default:
      return false;
  }
}

void to_fp32(const std::uint8_t* source, Dtype dtype, std::size_t count, float* destination, const Switches& switches) {
  switch (dtype) {
    case Dtype::int8:
      return widen_each<std::int8_t>(source, count, destination, from_int<std::int8_t>);
    case Dtype::uint8:
      return widen_each<std::uint8_t>(source, count, destination, from_int<std::uint8_t>);
    case Dtype::int16:
      return widen_each<std::int16_t>(source, count, destination, from_int<std::int16_t>);
    case Dtype::uint16:
      return widen_each<std::uint16_t>(source, count, destination, from_int<std::uint16_t>);
    case Dtype::int32:
      return widen_each<std::int32_t>(source, count, destination, from_int<std::int32_t>);
    case Dtype::uint32:
      return widen_each<std::uint32_t>(source, count, destination, from_int<std::uint32_t>);
    case Dtype::int64:
      return widen_each<std::int64_t>(source, count, destination, from_int<std::int64_t>);
    case Dtype::uint64:
      return widen_each<std::uint64_t>(source, count, destination, from_int<std::uint64_t>);
    case Dtype::fp32:
    case Dtype::fp32r:
      return widen_each<std::uint32_t>(source, count, destination,
                                       [](std::uint32_t bits) { return canonical(float_from_bits(bits)); });
    case Dtype::bf16:
      return widen_each<std::uint16_t>(source, count, destination, bf16_to_fp32);
    case Dtype::fp16:
      return widen_each<std::uint16_t>(source, count, destination, fp16_to_fp32);
    default:
      break;
  }
  if (!is_arithmetic(dtype)) reject("to_fp32", dtype, "an arithmetic dtype");
  const FloatFormat format = fp8_format("to_fp32", dtype, switches.e4m3_variant);
  widen_each<std::uint8_t>(source, count, destination, [&](std::uint8_t bits) { return widen(bits, format); });
}

void from_fp32(const float* source, Dtype dtype, std::size_t count, std::uint8_t* destination,
               const Switches& switches) {
  const NarrowOverflow overflow = switches.narrow_overflow;
  switch (dtype) {
    case Dtype::int8:
      return narrow_each<std::int8_t>(source, count, destination, to_int<std::int8_t>);
    case Dtype::uint8:
      return narrow_each<std::uint8_t>(source, count, destination, to_int<std::uint8_t>);
    case Dtype::int16:
      return narrow_each<std::int16_t>(source, count, destination, to_int<std::int16_t>);
    case Dtype::uint16:
      return narrow_each<std::uint16_t>(source, count, destination, to_int<std::uint16_t>);
    case Dtype::int32:
      return narrow_each<std::int32_t>(source, count, destination, to_int<std::int32_t>);
    case Dtype::uint32:
      return narrow_each<std::uint32_t>(source, count, destination, to_int<std::uint32_t>);
    case Dtype::int64:
      return narrow_each<std::int64_t>(source, count, destination, to_int<std::int64_t>);
    case Dtype::uint64:
      return narrow_each<std::uint64_t>(source, count, destination, to_int<std::uint64_t>);
    case Dtype::fp32:
      return narrow_each<std::uint32_t>(source, count, destination, [](float v) { return bits_of(canonical(v)); });
    case Dtype::fp32r:
      return narrow_each<std::uint32_t>(source, count, destination,
                                        [&](float v) { return fp32_to_fp32r(v, switches.fp32r_mantissa, overflow); });
    case Dtype::bf16:
      return narrow_each<std::uint16_t>(source, count, destination, [&](float v) { return fp32_to_bf16(v, overflow); });
    case Dtype::fp16:
      return narrow_each<std::uint16_t>(source, count, destination, [&](float v) { return fp32_to_fp16(v, overflow); });
    default:
      break;
  }
  if (!is_arithmetic(dtype)) reject("from_fp32", dtype, "an arithmetic dtype");
  const FloatFormat format = fp8_format("from_fp32", dtype, switches.e4m3_variant);
  narrow_each<std::uint8_t>(source, count, destination,
                            [&](float v) { return static_cast<std::uint8_t>(narrow(v, format, overflow)); });
}

}  // namespace dve::numerics
