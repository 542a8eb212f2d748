// The door of the warm block: many runs from one prepared process.
#pragma once

#include "child_pool.h"
