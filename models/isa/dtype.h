// Element data types (isa.md 4).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "generation.h"
#include "quantities.h"

namespace dve::isa {

// DTYPE codes as they stand in instruction words (isa.md 4.1). Any other byte value can be held too: decode never
// fails.
// clang-format off
enum class Dtype : std::uint8_t {
  invalid = 0x00, uint64 = 0x01, int8 = 0x02, uint8 = 0x03, int16 = 0x04, uint16 = 0x05, bf16 = 0x06, fp16 = 0x07,
  int32 = 0x08, uint32 = 0x09, fp32 = 0x0A, fp32r = 0x0B, int64 = 0x0C, fp8_e3m4 = 0x0D, fp8_e4m3 = 0x0E,
  fp8_e5m2 = 0x0F, fp4_e2m1 = 0x10, fp8_e2m5 = 0x11, int4 = 0x12, sfp8_e8 = 0x13, sfp8_e7 = 0x14, sfp8_e6 = 0x15,
  sfp8_e5 = 0x16, cptc1 = 0x19, cptc2 = 0x1A, cptc3 = 0x1B, cptc4 = 0x1C, cptc5 = 0x1D, cptc6 = 0x1E, cptc7 = 0x1F
};
// clang-format on

constexpr std::uint8_t code(Dtype d) { return static_cast<std::uint8_t>(d); }

// Name as written in assembly text and messages: "fp32", "bf16", ...; "0x2a" style for codes without a name.
std::string_view name(Dtype d);
// Inverse of name(), hexadecimal forms included. Empty for any other text.
std::optional<Dtype> dtype_from_string(std::string_view text);

// Storage bytes of one element: 1, 2, 4 or 8 for the sixteen dtypes every generation has and the one-byte dtypes of v5;
// 0 for half-byte, transport and undefined codes, which no tensor of the batch-norm path may have.
Bytes storage_size(Dtype d);

// Member of the generation's DTYPE enumeration: 16 on v2 and v3, 24 on v4, 30 on v5 (isa.md 4.1). INVALID counts.
bool is_dtype_member(Dtype d, Generation generation);

// Byte alignment that a start address needs for elements of this dtype, 0 when no address will do (isa.md 4.1). Only
// the sixteen common dtypes have one, and FP4_EXP2 from v4 on.
Bytes dtype_alignment(Dtype d, Generation generation);

// DTYPE_PAIR: two codes in one byte, low nibble first (isa.md 4.1).
struct DtypePair {
  Dtype lo = Dtype::invalid;
  Dtype hi = Dtype::invalid;
  constexpr std::uint8_t byte() const { return static_cast<std::uint8_t>((code(hi) << 4) | (code(lo) & 0xF)); }
  static constexpr DtypePair from_byte(std::uint8_t b) {
    return {static_cast<Dtype>(b & 0xF), static_cast<Dtype>(b >> 4)};
  }
  friend constexpr bool operator==(DtypePair a, DtypePair b) { return a.byte() == b.byte(); }
};

}  // namespace dve::isa
