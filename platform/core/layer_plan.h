// What a layer and a configuration ask the planner for.
#pragma once

#include "dve/config/config.h"
#include "dve/layer/layer.h"
#include "dve/runtime/runtime.h"

namespace dve {

// A backward step of one microbatch with the default eps; the caller changes what it wants otherwise.
runtime::PlanRequest plan_request(const layer::Layer& layer, const config::Config& settings);

}  // namespace dve
