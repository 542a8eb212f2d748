// A workload layer as the layer that a run takes.
#pragma once

#include "description.h"
#include "dve/layer/layer.h"

namespace dve::workload {

// Layer `index` of a workload: from its folder, or seeded. Options that say a dtype or device statistics replace those
// of the layer; without contents there are only shapes and parameters.
//
// Seeded tensors depend on seed, layer index, tensor and position alone: x = c/4 + u of channel c modulo 4, dy = u,
// beta = u, gamma = 1 + u/2, each u uniform in [-1, 1), rounded to the dtype; given statistics are mean and inv_std
// (eps 1e-5) of those in float64, rounded to fp32. layer::InputError: as load_layer(), and a folder with another shape
// than nchw.
layer::Layer make_layer(const Workload& workload, std::size_t index, const layer::LayerOptions& options);

}  // namespace dve::workload
