// A backward step whose tensors, or some of them, stay in HBM.
#pragma once

#include "program.h"

namespace dve::runtime {

// Plans Step::backward with place.hbm. Every tensor in HBM has two buffers of a tile in SBUF; the others lie whole in
// their memory, loaded before the start. The load ring fetches tiles in the order in which the DVE uses them, a tile
// into the buffer whose words have counted in kTilesUsed; the words wait until kLoadsDone has counted their tiles. So
// the loads of a tile overlap the words on the one before. BackProp writes dx into the buffer whose last store
// kStoresDone has counted, and the store ring waits for kTilesUsed to count that word. The last word waits for all
// stores. A tile that is still in a buffer is not loaded again.
//
// Host steps are left only for inv_std and A (computed statistics) and for the sum of several tiles: one each a pass.
// Tiles are as long as fit, at most request.tile_elements unless that is 0. The request has been checked. PlanError
// when nothing fits, the tensors exceed the core's HBM, or request.tile_elements does not fit.
Program plan_hbm_step(const PlanRequest& request);

}  // namespace dve::runtime
