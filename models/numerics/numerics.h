// The door of the numerics block: conversions between element dtypes and binary32, and the batch-norm arithmetic.
//
// This is the executable specification: a scalar reference that reads like the formulas of isa.md section 9. All
// arithmetic is IEEE binary32, separate multiply and add, in element order, accumulators starting at +0; sources are
// converted first, results rounded once (nearest-even) to the output dtype. Every NaN that arithmetic or a conversion
// writes is canonical. Plain C++: no SystemC, no memory.
#pragma once

#include "batch_norm.h"
#include "convert.h"
#include "exact_sum.h"
#include "reciprocal.h"
#include "switches.h"
