// Inside the execute block: whether a word's results may go straight to their place.
#pragma once

#include "core.h"

namespace dve::execute {

// Plan::in_place of a plan whose operands are resolved.
bool writes_in_place(const Plan& plan, const numerics::Switches& switches);

}  // namespace dve::execute
