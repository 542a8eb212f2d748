// The door of the timing block: what each word costs and when it starts and ends on one engine (microarchitecture.md
// 8). Plain C++: no SystemC.
#pragma once

#include "clock.h"
#include "cost.h"
#include "parameters.h"
#include "pipeline.h"
#include "word_job.h"
