// The verilated builds of the lane group (bench/lane_group_top.sv) that the tests drive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "dve/rtl/rtl.h"
#include "planted_bug.h"

namespace dve::cosim {

using LaneShape = rtl::LaneShape;

// The verilated builds.
enum class LaneBuild : std::uint8_t {
  lanes4,    // one channel a lane, one element a cycle
  lanes3x4,  // four channels a lane and an accumulate loop of three cycles
  lanes1x2,  // a single lane, every unit one register deep
  planted    // small, with planted bugs
};
LaneShape shape_of(LaneBuild build);

// A model whose registers start with random bits of that seed. A bug other than `none` needs LaneBuild::planted;
// another build throws std::invalid_argument.
std::unique_ptr<rtl::LaneModel> make_lane_group(LaneBuild build, std::uint32_t seed, PlantedBug bug = PlantedBug::none);

}  // namespace dve::cosim
