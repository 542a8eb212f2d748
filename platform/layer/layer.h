// The door of the layer block: batch-norm layers as files (interfaces.md 2).
//
// Reads a layer folder of .npy arrays, converts it to the device dtype, writes results, and compares results with
// float64 and with reference files. Plain C++; knows nothing of programs, memories or time.
#pragma once

#include "compare.h"
#include "files.h"
#include "layer_folder.h"
#include "npy.h"
#include "outputs.h"
#include "reference.h"
