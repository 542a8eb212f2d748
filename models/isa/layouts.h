// The typed instruction layouts (isa.md 8) and their conversion from and to raw words.
//
// decode(word) never fails and never loses a byte: reserved fields are members, so encode(decode(w)) == w for every
// word whose opcode has a layout. Field names are the ISA header's; byte offsets stand beside them.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "address.h"
#include "dtype.h"
#include "events.h"
#include "opcode.h"
#include "tensor.h"
#include "word.h"

namespace dve::isa {

// Where a pointer immediate comes from (isa.md 5.2). ParamLoad reads 0 as pointer too (isa.md 7.3).
enum class ImmSrc : std::uint8_t { instruction = 0, pointer = 1, register_pointer = 2 };

// IMM_SRC_PAIR: low nibble imm0, high nibble imm1.
struct ImmSrcPair {
  std::uint8_t imm0 = 0;
  std::uint8_t imm1 = 0;
  constexpr std::uint8_t byte() const { return static_cast<std::uint8_t>((imm1 << 4) | (imm0 & 0xF)); }
  static constexpr ImmSrcPair from_byte(std::uint8_t b) {
    return {static_cast<std::uint8_t>(b & 0xF), static_cast<std::uint8_t>(b >> 4)};
  }
};

// IMM_VAL_INST_FIELD: four bytes that hold a pointer (ADDR4 value: one value per partition, read at start partition +
// lane), or a register number with three reserved bytes (isa.md 5.1).
struct ImmField {
  std::uint32_t raw = 0;
  constexpr Addr4 pointer() const { return {raw}; }
  constexpr std::uint8_t register_number() const { return static_cast<std::uint8_t>(raw & 0xFF); }
  constexpr std::uint32_t register_reserved() const { return raw >> 8; }
  static constexpr ImmField in_register(RegisterIndex r) { return {number(r)}; }
};

// clang-format off
// 0x60 Stats, 0x61 Stats2, 0x62 Aggregate, 0x82 TransposeStats2 (isa.md 8.1).
struct S4D2Bn {
  Header header;                               //  0
  Events events;                               //  4
  Tensor4D src;                                // 12
  Dtype in_dtype = Dtype::invalid;             // 32
  Dtype out_dtype = Dtype::invalid;            // 33
  std::uint8_t num_active_channels = 0;        // 34
  std::array<std::uint8_t, 5> reserved0{};     // 35
  std::uint32_t even_count_bits = 0;           // 40  binary32 literal, kept as bits so that NaN payloads round-trip
  std::uint32_t odd_count_bits = 0;            // 44  binary32 literal
  Tensor2D dst;                                // 48
  std::array<std::uint8_t, 4> reserved1{};     // 60
};

// 0x63 GradAccumulate (isa.md 8.2): imm0 = pointer to mean, imm1 = pointer to inv_std.
struct S3S3D1Bn {
  Header header;                               //  0
  Events events;                               //  4
  ImmField imm0;                               // 12
  Tensor3D src0;                               // 16  ofmap x
  Tensor3D src1;                               // 32  gradient dy
  Tensor1D dst;                                // 48  three sums
  ImmField imm1;                               // 56
  DtypePair in0_in1_dtype;                     // 60
  Dtype immediate_dtype = Dtype::invalid;      // 61  0 (Invalid) means fp32
  Dtype out_dtype = Dtype::invalid;            // 62
  std::uint8_t num_active_channels = 0;        // 63
};

// 0x94 GradAccumulate2 (isa.md 8.2): as above, immediates by pointer or register pointer, dtypes packed.
struct S3S3D1Bn2 {
  Header header;                               //  0
  Events events;                               //  4
  ImmField imm0;                               // 12
  Tensor3D src0;                               // 16
  Tensor3D src1;                               // 32
  Tensor1D dst;                                // 48
  ImmField imm1;                               // 56
  DtypePair in0_in1_dtype;                     // 60
  DtypePair immediate_out_dtype;               // 61  lo: immediates, hi: output
  ImmSrcPair imm0_imm1_src;                    // 62
  std::uint8_t num_active_channels = 0;        // 63
};

// 0x64 ParamLoad (isa.md 8.3): src = A, B, C; imm1 = N literal; imm0 = pointer to mean (fp32).
struct S2Bn {
  Header header;                               //  0
  Events events;                               //  4
  std::array<std::uint8_t, 4> reserved0{};     // 12
  Tensor2D src;                                // 16
  std::uint32_t element_count_bits = 0;        // 28  binary32 literal N
  Dtype src_dtype = Dtype::invalid;            // 32
  std::uint8_t reserved1 = 0;                  // 33
  std::uint8_t num_active_channels = 0;        // 34
  std::array<std::uint8_t, 9> reserved2{};     // 35
  ImmField imm0;                               // 44
  std::uint8_t imm0_src = 0;                   // 48
  std::array<std::uint8_t, 15> reserved3{};    // 49
};

// 0x8E ParamLoad2 (isa.md 8.4): src = B, C; imm0 and imm1 = pointers to A and mean (order: numerics switch).
struct S2Bnpl2 {
  Header header;                               //  0
  Events events;                               //  4
  Tensor2D src;                                // 12
  std::array<std::uint8_t, 4> reserved0{};     // 24
  std::uint32_t element_count_bits = 0;        // 28
  Dtype src_dtype = Dtype::invalid;            // 32
  Dtype immediate_dtype = Dtype::invalid;      // 33
  std::uint8_t num_active_channels = 0;        // 34
  std::array<std::uint8_t, 5> reserved1{};     // 35
  ImmField imm0;                               // 40
  ImmField imm1;                               // 44
  std::uint8_t imm0_src = 0;                   // 48
  std::uint8_t imm1_src = 0;                   // 49
  std::array<std::uint8_t, 14> reserved2{};    // 50
};

// 0x65 BackProp (isa.md 8.5): src0 = x, src1 = dy, dst = dx.
struct S3S3D3Tt {
  Header header;                               //  0
  Events events;                               //  4
  DtypePair in0_in1_dtype;                     // 12
  Dtype out_dtype = Dtype::invalid;            // 13
  std::uint8_t op = kAluOpBypass;              // 14  must be Bypass for BackProp
  std::uint8_t num_active_channels = 0;        // 15
  Tensor3D src0;                               // 16
  Tensor3D src1;                               // 32
  Tensor3D dst;                                // 48
};

// 0x66 LoadParameterRam (isa.md 11.1): eight binary32 values.
struct CtrlIm {
  Header header;                               //  0
  Events events;                               //  4
  std::uint16_t param_ram_offset = 0;          // 12
  std::uint8_t imm_ptr_select = 0;             // 14
  std::array<std::uint8_t, 17> reserved0{};    // 15
  std::array<std::uint32_t, 8> immediate{};    // 32  bits of the values
};

// clang-format on
// A word whose opcode has no layout here.
struct RawWord {
  Word word;
};

using Instruction = std::variant<RawWord, S4D2Bn, S3S3D1Bn, S3S3D1Bn2, S2Bn, S2Bnpl2, S3S3D3Tt, CtrlIm>;

Instruction decode(const Word& word);
Word encode(const Instruction& instruction);

// The layout of one known type; the opcode byte is not looked at. For code that has already dispatched on it.
template <class Layout>
Layout decode_as(const Word& word);
template <>
S4D2Bn decode_as<S4D2Bn>(const Word& word);
template <>
S3S3D1Bn decode_as<S3S3D1Bn>(const Word& word);
template <>
S3S3D1Bn2 decode_as<S3S3D1Bn2>(const Word& word);
template <>
S2Bn decode_as<S2Bn>(const Word& word);
template <>
S2Bnpl2 decode_as<S2Bnpl2>(const Word& word);
template <>
S3S3D3Tt decode_as<S3S3D3Tt>(const Word& word);
template <>
CtrlIm decode_as<CtrlIm>(const Word& word);

Word encode(const S4D2Bn&);
Word encode(const S3S3D1Bn&);
Word encode(const S3S3D1Bn2&);
Word encode(const S2Bn&);
Word encode(const S2Bnpl2&);
Word encode(const S3S3D3Tt&);
Word encode(const CtrlIm&);

}  // namespace dve::isa
