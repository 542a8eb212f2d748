// The bugs of rtl/dve_planted_pkg.sv, with its numbers.
#pragma once

#include <cstdint>

namespace dve::cosim {

enum class PlantedBug : std::uint8_t {
  none = 0,
  multiply_ties_away = 1,
  multiply_flushes = 2,
  add_loses_sticky = 3,
  lane_swaps_sums = 4,
  lane_forgets_bypass = 5,
  group_ignores_hazard = 6,
  group_keeps_tail = 7,
  slice_drops_beat = 8,
  slice_late_valid = 9,
  slice_withdraws = 10,
  slice_ready_waits = 11,
  pipe_ignores_enable = 12
};

}  // namespace dve::cosim
