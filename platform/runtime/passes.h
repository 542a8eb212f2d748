// How a layer is cut: passes of up to 128 channels, tiles of their streams, and buffers for them.
#pragma once

#include <cstdint>
#include <vector>

#include "planner.h"
#include "program.h"

namespace dve::runtime {

struct PassLayout {
  std::vector<Pass> passes;
  // Every pass has regions of its own and everything is loaded before the start. A full step then keeps whole streams
  // in its buffers and its tiles are parts of them; a backward step has one tile.
  bool resident = false;
};

// PlanError when nothing fits.
PassLayout place_passes(const PlanRequest& request);

// Passes of at most 128 channels that a request needs, and the channels of pass p.
std::uint32_t pass_count(const PlanRequest& request);
ChannelRange channels_of_pass(const PlanRequest& request, std::uint32_t p);
// Elements of the longest microbatch.
std::uint64_t longest_part(const PlanRequest& request);

// Any word of the step reads the Parameter-RAM: Stats2, or BackProp with a count that the table covers.
bool reads_parameter_ram(const PlanRequest& request);

// A range cut into parts of `length`, the last one shorter.
std::vector<ElementRange> parts_of(ElementRange range, std::uint64_t length);

// A stream cut into `microbatches` parts of equal length (the first ones one longer), and those into tiles of at most
// `length`.
std::vector<ElementRange> tiles_of(const PlanRequest& request, std::uint64_t length);

}  // namespace dve::runtime
