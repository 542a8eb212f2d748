// The door of the golden library: the C interface (dve_golden.h). Other blocks have no use for it; programs outside of
// the project, and tests, do.
#pragma once

#include "dve_golden.h"
