// The door of the sweep block: which points a sweep has, what each of them runs, and what is kept of it (interfaces.md
// 6). Plain C++: it runs nothing.
#pragma once

#include "constraint.h"
#include "fingerprint.h"
#include "folder.h"
#include "options.h"
#include "point_list.h"
#include "points.h"
#include "random.h"
#include "rows.h"
#include "settings.h"
#include "spec.h"
