// The door of the execute block: what one word does. Operands, arithmetic, results, lane flops, faults.
//
// A word is executed in three steps, so that whoever moves the data (a TLM engine, a C library, a test) stays in charge
// of it: plan() resolves the operands, the caller reads them, compute() turns them into the result, the caller writes
// it. Plain C++: no SystemC, no time.
#pragma once

#include "banks.h"
#include "core.h"
#include "findings.h"
#include "lane_array.h"
#include "lane_words.h"
#include "observer.h"
#include "stream.h"
