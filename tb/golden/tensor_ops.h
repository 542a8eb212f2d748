// The operations of TensorTensor, TensorScalar, TensorReduce, CrossLaneReduce and Activate words (isa.md 6,
// isa-neighbours.md 2, 4, 5, 6, 8), by the raw code bytes of those documents.
//
// Binary32 results come from binary64 or wider values rounded once, integers from 128-bit arithmetic, bit patterns from
// lists of digits. Codes that a function does not list: std::out_of_range. Where the documents leave a choice, it is
// the one that the comments here name.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace golden {

// ALU_OP 0x00, 0x04..0x09, 0x0D..0x0F, 0x12..0x1B, 0x1D, 0x20..0x24 in binary32. NaN results are canonical. Maxima and
// minima ignore a NaN beside a number and give a when equal; NaN is true in logicals; 0x22 keeps NaN and -0; 0x24 keeps
// a zero a; 0x1D of either zero is +infinity.
float fp32_op(std::uint8_t op, float a, float b);
// (x op0 s0) op1 s1, operands exchanged by the bits of `reverse` (1: first operation, 2: second); op1 = 0 ends after
// op0. `fused`: 0x06 followed by 0x04 or 0x05 rounds once.
float tensor_scalar(float x, std::uint8_t op0, float s0, std::uint8_t op1, float s1, unsigned reverse, bool fused);

// ALU_OP 0x00, 0x1B, 0xC4..0xDD on `bits`-bit numbers, modulo 2^bits, extended to 64 bits; `is_signed` where the code
// leaves that open. Empty: division by zero.
std::optional<std::uint64_t> int_op(std::uint8_t op, std::uint64_t a, std::uint64_t b, int bits, bool is_signed);

// ALU_OP 0x00..0x03, 0x0A..0x0C, 0x10, 0x11 on patterns of `bits` bits.
std::uint64_t bit_op(std::uint8_t op, std::uint64_t a, std::uint64_t b, int bits);

// ((x0 op x1) op x2).. ; nothing: 0.
float fold(std::uint8_t op, const std::vector<float>& x);
std::optional<std::uint64_t> fold_int(std::uint8_t op, const std::vector<std::uint64_t>& x, int bits, bool is_signed);

// reduce_op 0..2 and 3..5 of CrossLaneReduce over one value a lane; `tree`: by halves of the next power of two.
float cross_lane(std::uint8_t reduce_op, const std::vector<float>& lanes, float scale, bool tree);
std::uint64_t cross_lane_bits(std::uint8_t reduce_op, const std::vector<std::uint64_t>& lanes);

// Function codes of Activate that have a known formula: all of isa-neighbours.md 5.2 but Lrelu, Gelu sigmoid and the
// derivatives. `relative_error` multiplies what a table would give by 1 + itself.
float activation(std::uint8_t func, float x, float alpha, double relative_error);
// `result` is a correct rounding of the value above: activation()'s bits, or the neighbour where the value lies so near
// to the middle of the two (2^-20 of their distance) that the evaluation in binary64 may have come out on either side.
bool activation_matches(float result, std::uint8_t func, float x, float alpha, double relative_error);
float affine(float x, float scale, float bias, bool fused);

}  // namespace golden
