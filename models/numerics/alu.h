// ALU_OP on one pair of elements: in binary32, on integers, on bit patterns (isa.md 6, isa-neighbours.md 2 and 4).
#pragma once

#include <cstdint>
#include <optional>

#include "dve/isa/isa.h"
#include "switches.h"

namespace dve::numerics {

// ---- Binary32 -----------------------------------------------------------------------------------------------------

// alu_fp32 knows the operation: the general arithmetic ones of every generation (isa.md 6, is_general_arith_op on
// maverick), Divide, Pow, Mod and Rsqrt. Bypass is one of them; no integer, bit, argmax or undefined code is.
bool has_fp32_meaning(isa::AluOp op);

// a op b, rounded once; unary operations ignore b. Throws std::invalid_argument unless has_fp32_meaning(op).
//
// Compares and logicals give 0 or 1 (isa.md 6). What that table leaves open is the project's choice:
// - compares with NaN are false, is_ne true; NaN counts as true in logicals.
// - max and min prefer a number to NaN (isa-neighbours.md 8.2) and give a when the operands compare equal, zeros of
//   both signs included. abs_max and abs_min are the same of the magnitudes.
// - re_lu(-0) = -0; re_lu(NaN) = NaN.
// - symmetric_clamp: max(|a|, |b|) with the sign of a; a NaN in b is ignored; a zero or NaN in a stays itself.
// - divide is the IEEE division; mod is C's fmod: exact, sign of a, NaN for b = 0 or infinite a.
// - pow and rsqrt are evaluated in binary64 and rounded once. pow has the special cases of C: pow(a, +-0) and
//   pow(1, b) are 1 even for NaN. rsqrt(+-0) = +inf (isa-neighbours.md 5.3), rsqrt of a negative is NaN.
float alu_fp32(isa::AluOp op, float a, float b);

// One element of TensorScalar (isa-neighbours.md 2), each operation rounded by itself:
//   reverse_operands 0: (x op0 s0) op1 s1   1: (s0 op0 x) op1 s1   2: s1 op1 (x op0 s0)   3: s1 op1 (s0 op0 x)
// op1 = bypass ends after op0, whatever reverse_operands. tensor_scalar_contraction = fused concerns op0 = mult with
// op1 = add or subtract only: one rounding of the exact value. Throws std::invalid_argument for an operation without
// binary32 meaning and for reverse_operands above 3.
float tensor_scalar(float x, isa::AluOp op0, float s0, isa::AluOp op1, float s1, unsigned reverse_operands,
                    const Switches& switches);

// ---- Integers -----------------------------------------------------------------------------------------------------

// What the integer engine works in (isa-neighbours.md 4): 32-bit or 64-bit numbers.
struct IntFormat {
  unsigned bits = 32;
  bool is_signed = true;
};

// alu_int knows the operation: is_valid_int_aluop of isa.md 6, AbsValueInt, and Bypass, which maverick counts among its
// integer operations (isa.md 12).
bool has_int_meaning(isa::AluOp op);

// a op b modulo 2^bits (isa-neighbours.md 4), on operands extended to 64 bits by their own sign; the result is extended
// likewise. Bits of the operands above the format's are ignored. The sign is the operation's where it is for signed or
// for unsigned operands only (isa-neighbours.md 4; AbsValueInt is signed, isa.md 6), else the format's. Compares give 0
// or 1. Quotients truncate toward zero and remainders have the sign of a. The smallest value divided by -1 is itself,
// and so is its magnitude; abs_max and abs_min compare magnitudes before they wrap. nullopt: division or modulo by
// zero, a device error (isa.md 15.1). Throws std::invalid_argument unless has_int_meaning(op) and bits is 32 or 64.
std::optional<std::uint64_t> alu_int(isa::AluOp op, std::uint64_t a, std::uint64_t b, IntFormat format);

// ---- Bit patterns -------------------------------------------------------------------------------------------------

// a op b on patterns of `bits` = 8, 16, 32 or 64 bits (isa.md 6, is_general_bitvec_op). Bits above are ignored in the
// operands and 0 in the result. b is the shift count, unsigned; from `bits` on nothing of a is left: 0, or copies of
// the sign for arith_shift_right. Throws std::invalid_argument for other widths and other operations, CRC32 among them:
// no source gives its polynomial.
std::uint64_t alu_bitvec(isa::AluOp op, std::uint64_t a, std::uint64_t b, unsigned bits);

// ---- Elements -----------------------------------------------------------------------------------------------------

// The little-endian integer element, any alignment, extended to 64 bits by its sign. Throws std::invalid_argument
// unless isa::is_valid_int_dtype(dtype).
std::uint64_t integer_at(const std::uint8_t* element, isa::Dtype dtype);
// The low bytes of `value` to an element, little-endian; same dtypes.
void store_integer(std::uint64_t value, isa::Dtype dtype, std::uint8_t* element);

}  // namespace dve::numerics
