// The door of the kernels block: the arithmetic of the numerics block on vectors of the host's processor.
//
// Every function gives the bits of the scalar specification in dve/numerics (a NaN result is the canonical one there
// and here), on every target: a lane is a channel where elements are summed, so nothing is re-associated; multiply and
// add round apart. One binary holds code for several vector targets and takes the best that the processor has. Plain
// C++.
#pragma once

#include "rows.h"
#include "target.h"
#include "vector.h"
