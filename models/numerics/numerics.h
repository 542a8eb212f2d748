// The door of the numerics block: conversions between element dtypes and binary32, the batch-norm arithmetic, and the
// operations of the instructions around it (ALU_OP, folds over elements and lanes, activation functions).
//
// This is the executable specification: a scalar reference that reads like the formulas of isa.md section 9. All
// arithmetic is IEEE binary32, separate multiply and add, in element order, accumulators starting at +0, unless a
// switch or a function's comment says otherwise; sources are converted first, results rounded once (nearest-even) to
// the output dtype. Every NaN that arithmetic or a conversion writes is canonical. Plain C++: no SystemC, no memory.
#pragma once

#include "activation.h"
#include "alu.h"
#include "batch_norm.h"
#include "convert.h"
#include "environment.h"
#include "exact_sum.h"
#include "fold.h"
#include "reciprocal.h"
#include "switches.h"
