// The door of the record block: one run as a text file that a test bench reads with $readmemh (docs/stimulus.md).
// Plain C++: no SystemC.
#pragma once

#include "format.h"
#include "recorder.h"
