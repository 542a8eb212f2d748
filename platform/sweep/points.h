// The points of a sweep.
#pragma once

#include <vector>

#include "settings.h"
#include "spec.h"

namespace dve::sweep {

// All of them in order, the same ones every time; those that break a constraint are left out and take no number. A
// point whose configuration contradicts itself breaks none: it is run, and fails with that reason. layer::InputError:
// more than kMostPoints, none left, a constraint that does not fit its values.
std::vector<Point> points_of(const Spec& spec, Settings& settings);

}  // namespace dve::sweep
