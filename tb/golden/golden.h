// The independent golden: what the batch-norm words, the operations around them and a whole layer must compute, written
// a second time.
//
// Nothing here includes or links a model: tests compare the models with this code, so the two must share no line. Where
// the models would work on bit patterns, this code works on exact values in binary64; where they keep a fixed-point
// register, it keeps integers per exponent. Arithmetic of the engine is binary32, one rounding an operation.
#pragma once

#include "arithmetic.h"
#include "device.h"
#include "exact_sum.h"
#include "formats.h"
#include "layer.h"
#include "memory.h"
#include "npy_file.h"
#include "options.h"
#include "tensor_ops.h"
#include "tensor_words.h"
#include "textbook.h"
