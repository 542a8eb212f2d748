// Conversions between stored elements and binary32, the arithmetic format of the engine (isa.md 4.3).
#pragma once

#include <cstddef>
#include <cstdint>

#include "dve/isa/isa.h"
#include "switches.h"

namespace dve::numerics {

// Canonical quiet NaNs: what arithmetic and conversions write (design: so that results compare by bytes).
inline constexpr std::uint32_t kCanonicalNan32 = 0x7FC00000;
inline constexpr std::uint16_t kCanonicalNanBf16 = 0x7FC0;
inline constexpr std::uint16_t kCanonicalNanFp16 = 0x7E00;

float float_from_bits(std::uint32_t bits);
std::uint32_t bits_of(float value);
// `value`, or the canonical NaN when it is any NaN.
float canonical(float value);

// Single-format conversions on bit patterns. Widening is exact (NaN becomes canonical); narrowing rounds to nearest,
// ties to even, keeps subnormals, and past the largest finite value (infinities included) does as the switch says:
// infinity (NaN where the format has none, FP8_EXP4 fn), or the largest finite value of the same sign. The fp8
// functions throw std::invalid_argument for any other format.
float bf16_to_fp32(std::uint16_t bits);
float fp16_to_fp32(std::uint16_t bits);
std::uint16_t fp32_to_bf16(float value, NarrowOverflow overflow = NarrowOverflow::inf);
std::uint16_t fp32_to_fp16(float value, NarrowOverflow overflow = NarrowOverflow::inf);
float fp8_to_fp32(std::uint8_t bits, isa::Dtype format, E4m3Variant variant = E4m3Variant::ieee);
std::uint8_t fp32_to_fp8(float value, isa::Dtype format, NarrowOverflow overflow = NarrowOverflow::inf,
                         E4m3Variant variant = E4m3Variant::ieee);
// FP32R: binary32 with the mantissa rounded (nearest-even) to `mantissa_bits`, the rest zero. Throws
// std::invalid_argument unless mantissa_bits is 1 to 23.
std::uint32_t fp32_to_fp32r(float value, unsigned mantissa_bits, NarrowOverflow overflow = NarrowOverflow::inf);

// dtypes that have an arithmetic meaning: the integers of 1 to 8 bytes, fp32, fp32r, fp16, bf16 and the three fp8.
bool is_arithmetic(isa::Dtype dtype);

// `count` little-endian elements of `dtype` at `source` (any alignment) to binary32. Integers that binary32 cannot
// hold round to nearest even. FP32R is read as binary32. Throws std::invalid_argument unless is_arithmetic(dtype).
void to_fp32(const std::uint8_t* source, isa::Dtype dtype, std::size_t count, float* destination,
             const Switches& switches);

// `count` binary32 values to little-endian elements of `dtype`: floats round to nearest even, integers truncate toward
// zero and saturate, NaN becomes 0 (isa.md 4.3). Throws std::invalid_argument unless is_arithmetic(dtype).
void from_fp32(const float* source, isa::Dtype dtype, std::size_t count, std::uint8_t* destination,
               const Switches& switches);

}  // namespace dve::numerics
