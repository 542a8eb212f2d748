// Where everything lies in a step with tensors in HBM.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program.h"

namespace dve::runtime {

struct HbmLayout {
  std::vector<Pass> passes;  // regions: vectors and sums of their own, buffers, triples and tile sums in common
  // Tensors in HBM: their two buffers, and where they lie in HBM.
  std::array<isa::Place, 2> x{}, dy{}, dx{};
  std::uint64_t x_hbm = 0, dy_hbm = 0, dx_hbm = 0;
  std::uint64_t hbm_bytes = 0;
};

// PlanError as plan_hbm_step().
HbmLayout place_in_hbm(const PlanRequest& request);

}  // namespace dve::runtime
