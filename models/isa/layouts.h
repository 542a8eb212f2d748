// The typed instruction layouts (isa.md 8, 12, 13; isa-neighbours.md 2 to 8) and their conversion from and to raw
// words.
//
// decode(word) never fails and never loses a byte: reserved fields are members, so encode(decode(w)) == w for every
// word whose opcode has a layout. Field names are the ISA header's; byte offsets stand beside them.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "activation.h"
#include "address.h"
#include "alu_op.h"
#include "dtype.h"
#include "events.h"
#include "opcode.h"
#include "tensor.h"
#include "word.h"

namespace dve::isa {

// Where a pointer immediate comes from (isa.md 5.2). ParamLoad reads 0 as pointer too (isa.md 7.3).
enum class ImmSrc : std::uint8_t { instruction = 0, pointer = 1, register_pointer = 2 };
// The other encoding of the same, which Activate's bias has (isa-neighbours.md 5.1).
enum class ImmSrcN : std::uint8_t { pointer = 0, instruction = 1, register_pointer = 2 };

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

// 0x65 BackProp (isa.md 8.5): src0 = x, src1 = dy, dst = dx. 0x41, 0x51 TensorTensor; 0x72, 0x99 predicated copy and cast:
// src0 = predicate (isa.md 12).
struct S3S3D3Tt {
  Header header;                               //  0
  Events events;                               //  4
  DtypePair in0_in1_dtype;                     // 12
  Dtype out_dtype = Dtype::invalid;            // 13
  AluOp op = AluOp::bypass;                    // 14  must be Bypass except for TensorTensor
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

// 0x43, 0x53 TensorScalar (isa-neighbours.md 2).
struct S3D3Ts {
  Header header;                               //  0
  Events events;                               //  4
  std::uint8_t accumulator_cmd = 0;            // 12
  std::array<std::uint8_t, 3> reserved0{};     // 13
  Tensor3D src;                                // 16
  Dtype in_dtype = Dtype::invalid;             // 32
  Dtype out_dtype = Dtype::invalid;            // 33
  std::uint8_t num_active_channels = 0;        // 34
  std::uint8_t imm0_src = 0;                   // 35
  AluOp op0 = AluOp::bypass;                   // 36
  AluOp op1 = AluOp::bypass;                   // 37
  std::uint8_t reverse_operands = 0;           // 38  0 none, 1 first, 2 second, 3 both
  std::uint8_t imm1_src = 0;                   // 39
  ImmField imm0;                               // 40
  ImmField imm1;                               // 44
  Tensor3D dst;                                // 48
};

// 0x42 TensorReduce, 0x46 Copy, 0x47 Cast, 0x48 Reciprocal (isa-neighbours.md 6).
struct S4D4Tr {
  Header header;                               //  0
  Events events;                               //  4
  Tensor4D src;                                // 12
  Dtype in_dtype = Dtype::invalid;             // 32
  Dtype out_dtype = Dtype::invalid;            // 33
  std::uint8_t num_active_channels = 0;        // 34
  std::uint8_t negated = 0;                    // 35
  AluOp op = AluOp::bypass;                    // 36
  std::uint8_t op_dim = 0;                     // 37  2 X, 3 XY, 4 XYZ, 5 XYZW
  std::uint8_t mask_enable = 0;                // 38
  std::array<std::uint8_t, 5> reserved0{};     // 39
  Tensor4D dst;                                // 44
};

// 0x7C, 0x7D CrossLaneReduce (isa-neighbours.md 8.1). num_active_channels counts the partitions that are folded.
struct S4D4Cr {
  Header header;                               //  0
  Events events;                               //  4
  Tensor4D src;                                // 12
  Dtype in_dtype = Dtype::invalid;             // 32
  Dtype out_dtype = Dtype::invalid;            // 33
  std::uint8_t num_active_channels = 0;        // 34
  std::uint8_t reduce_op = 0;                  // 35  0 add, 1 average, 2 max, 3 or, 4 and, 5 xor
  std::uint8_t reduce_axis = 0;                // 36  0 all, 1 partitions
  std::array<std::uint8_t, 3> reserved0{};     // 37
  std::uint32_t scale_bits = 0;                // 40  binary32 literal
  Tensor4D dst;                                // 44
};

// 0x49 Memset (isa-neighbours.md 7).
struct D4Mr {
  Header header;                               //  0
  Events events;                               //  4
  std::array<std::uint8_t, 16> reserved0{};    // 12
  std::uint32_t element_count = 0;             // 28
  Dtype dtype = Dtype::invalid;                // 32
  std::uint8_t reserved1 = 0;                  // 33
  std::uint8_t num_active_channels = 0;        // 34
  std::uint8_t reserved2 = 0;                  // 35
  std::uint8_t serialization_mode = 0;         // 36
  std::array<std::uint8_t, 3> reserved3{};     // 37
  std::uint32_t set_value = 0;                 // 40  the low bytes are the element's bits
  Tensor4D dst;                                // 44
};

// 0x21 Activate (isa-neighbours.md 5.1): func(scale * x + bias).
struct S3D3Ac {
  Header header;                               //  0
  Events events;                               //  4
  std::uint8_t imm_src = 0;                    // 12
  std::uint8_t scale_src = 0;                  // 13
  std::uint8_t accumulator_cmd = 0;            // 14
  std::uint8_t bias_src_n = 0;                 // 15  ImmSrcN
  Tensor3D src;                                // 16
  DtypePair in_bias_dtype;                     // 32
  Dtype out_dtype = Dtype::invalid;            // 33
  std::uint8_t num_active_channels = 0;        // 34
  ActivationFunc activation_func{};            // 35
  ImmField scale;                              // 36
  ImmField bias;                               // 40
  ImmField imm;                                // 44  alpha
  Tensor3D dst;                                // 48
};

// 0x23 ActivationTableLoad (isa-neighbours.md 5.3).
struct CtrlTable {
  Header header;                               //  0
  Events events;                               //  4
  std::array<std::uint8_t, 23> reserved0{};    // 12
  std::uint8_t set_index = 0;                  // 35
  std::array<std::uint8_t, 28> reserved1{};    // 36
};

// 0x24 ActivationReadAccumulator (isa-neighbours.md 2, D1_RD).
struct D1Rd {
  Header header;                               //  0
  Events events;                               //  4
  std::array<std::uint8_t, 16> reserved0{};    // 12
  std::uint32_t element_count = 0;             // 28
  Dtype dtype = Dtype::invalid;                // 32
  std::uint8_t negated = 0;                    // 33
  std::uint8_t num_active_channels = 0;        // 34
  std::array<std::uint8_t, 9> reserved1{};     // 35
  Tensor1D dst;                                // 44
  std::array<std::uint8_t, 12> reserved2{};    // 52
};

// 0xA0 EventSemaphore (isa.md 13.1): a second wait and a second update.
struct CtrlEs {
  Header header;                               //  0
  Events events;                               //  4  first wait
  std::uint8_t setter_signature = 0;           // 12
  std::array<std::uint8_t, 19> reserved0{};    // 13
  WaitMode wait_mode1 = WaitMode::none;        // 32
  std::uint8_t wait_idx1 = 0;                  // 33
  UpdateMode update_mode1 = UpdateMode::none;  // 34
  std::uint8_t update_idx1 = 0;                // 35
  std::uint32_t sem_wait_value = 0;            // 36
  std::uint32_t sem_update_value = 0;          // 40
  std::array<std::uint8_t, 20> reserved1{};    // 44
};

// 0xA1 Halt, 0xA3 InstructionFlush, 0xA4 Nop: nothing but the preamble (isa.md 13.1).
struct CtrlEmpty {
  Header header;                               //  0
  Events events;                               //  4
  std::array<std::uint8_t, 52> reserved0{};    // 12
};

// 0xA2 Drain (isa.md 13.1).
struct CtrlDrain {
  Header header;                               //  0
  Events events;                               //  4
  std::array<std::uint8_t, 28> reserved0{};    // 12
  std::uint32_t count = 0;                     // 40
  std::array<std::uint8_t, 20> reserved1{};    // 44
};

// 0xB0 SemaphoreRangeClear (isa.md 13.1).
struct CtrlSr {
  Header header;                               //  0
  Events events;                               //  4
  std::uint8_t mode = 0;                       // 12  0 range, 1 bitmask: codes assumed, the source gives none
  std::uint8_t first = 0;                      // 13
  std::uint8_t last = 0;                       // 14
  std::array<std::uint8_t, 17> reserved0{};    // 15
  std::array<std::uint8_t, 32> bitmask{};      // 32  semaphore n is bit n % 8 of byte n / 8
};

// 0xA7 Move (isa.md 13.1).
struct CtrlMv {
  Header header;                               //  0
  Events events;                               //  4
  std::uint8_t num_mov = 0;                    // 12  1 to 8
  Dtype dtype = Dtype::invalid;                // 13
  std::uint8_t source = 0;                     // 14  0 registers, 1 immediates
  std::uint8_t reserved0 = 0;                  // 15
  std::array<std::uint8_t, 8> src_regs{};      // 16
  std::array<std::uint8_t, 8> dst_regs{};      // 24
  std::array<std::uint32_t, 8> immediate{};    // 32
};

// ADDR8: a Neuron address, or a register that holds its low 32 bits (isa.md 13.1).
struct Addr8 {
  std::uint64_t raw = 0;
  friend constexpr bool operator==(Addr8 a, Addr8 b) { return a.raw == b.raw; }
};

// 0xAA TensorLoad, 0xAB TensorStore (isa.md 13.1).
struct Mem2D {
  Header header;                               //  0
  Events events;                               //  4
  Dtype dtype = Dtype::invalid;                // 12
  std::uint8_t src_datasrc = 0;                // 13  store: 0 registers, 1 immediates; load: 0
  std::array<std::uint8_t, 2> num_elem{};      // 14
  Addr8 start_addr;                            // 16
  std::array<std::int32_t, 2> step_elem{};     // 24
  std::array<std::uint8_t, 32> data{};         // 32  register numbers, or immediate values
};

// clang-format on
// A word whose opcode has no layout here.
struct RawWord {
  Word word;
};

using Instruction =
    std::variant<RawWord, S4D2Bn, S3S3D1Bn, S3S3D1Bn2, S2Bn, S2Bnpl2, S3S3D3Tt, CtrlIm, S3D3Ts, S4D4Tr, S4D4Cr, D4Mr,
                 S3D3Ac, CtrlTable, D1Rd, CtrlEs, CtrlEmpty, CtrlDrain, CtrlSr, CtrlMv, Mem2D>;

Instruction decode(const Word& word);
Word encode(const Instruction& instruction);

// One known layout of Instruction; the opcode byte is not looked at. For code that has already dispatched on it.
template <class Layout>
Layout decode_as(const Word& word);
template <class Layout>
Word encode(const Layout& layout);

}  // namespace dve::isa
