// Reciprocals: the Parameter-RAM's table and the divider beyond it (isa.md 11).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "switches.h"

namespace dve::numerics {

// What one instruction sees of the Parameter-RAM: the 256 entries as they stand.
using ParamTable = std::array<float, 256>;

// The table the header demands (isa.md 11): entry i = 1/(i+1), or with ParamRamIndex::i entry 0 = 1 and entry i = 1/i;
// each correctly rounded.
ParamTable reciprocal_table(ParamRamIndex index);

// Entry that holds 1/k, or -1 when the table does not cover k (k == 0, k > 256, or k > 255 with ParamRamIndex::i).
int table_entry(std::uint64_t k, ParamRamIndex index);

// 1/d by the divider. exact: correctly rounded. newton: with d = s * 2^e, 1 <= |s| < 2, the seed x is 1/s rounded to
// binary16, then twice x = x*(2 - s*x) in binary32, then x * 2^-e; within 2 ulp. The exponent is set apart because a
// binary16 seed of 1/d itself would lose its digits from d = 2^14 on and be 0 from 2^25 on. Zeros, infinities and NaN
// give what exact gives.
float divide_reciprocal(float d, Divide divide);

// 1/k as the engine has it: from the Parameter-RAM while that covers k, from the divider beyond.
float reciprocal(std::uint64_t k, const ParamTable& table, const Switches& switches);

}  // namespace dve::numerics
