// Folds: over the elements of one lane (TensorReduce, isa-neighbours.md 6) and over lanes (CrossLaneReduce,
// isa-neighbours.md 8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "alu.h"
#include "switches.h"

namespace dve::numerics {

// The running value starts as x[0] and takes in x[1], x[2].. from the left: value = value op x[i], by alu_fp32 or
// alu_int, which also say what they throw. No elements: +0, and 0.
float fold_fp32(isa::AluOp op, const float* x, std::size_t n);
// nullopt as soon as a division or modulo by zero occurs.
std::optional<std::uint64_t> fold_int(isa::AluOp op, const std::uint64_t* x, std::size_t n, IntFormat format);

// reduce_op of CrossLaneReduce words (isa-neighbours.md 8.1): an enumeration of its own, not ALU_OP.
enum class CrossLaneOp : std::uint8_t { add = 0, average = 1, max = 2, bit_or = 3, bit_and = 4, bit_xor = 5 };

// add, average or max of one value a lane in binary32 (isa-neighbours.md 8.2); no lanes: +0. average multiplies each
// value by `scale` and adds the products; nothing else reads scale. max ignores NaN unless every lane has one. Order:
// clr_order, where tree works on the next power of two of lanes and passes a lane on whose partner is absent. Throws
// std::invalid_argument for other operations.
float cross_lane_fp32(CrossLaneOp op, const float* values, std::size_t lanes, float scale, const Switches& switches);

// bit_or, bit_and or bit_xor of one pattern a lane; no lanes: 0. Throws std::invalid_argument for other operations.
std::uint64_t cross_lane_bits(CrossLaneOp op, const std::uint64_t* values, std::size_t lanes);

}  // namespace dve::numerics
