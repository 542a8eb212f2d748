// The verilated lane group (bench/lane_group_top.sv) without Verilator's types: pins as plain integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "planted_bug.h"

namespace dve::cosim {

// The parameters of dve_lane_group.sv.
struct LaneShape {
  std::size_t lanes = 0;
  std::size_t stages = 0;
  std::size_t acc_stages = 0;
  std::size_t interleave = 0;
  std::size_t channels() const { return lanes * interleave; }
};

// The verilated builds.
enum class LaneBuild : std::uint8_t {
  lanes4,    // one channel a lane, one element a cycle
  lanes3x4,  // four channels a lane and an accumulate loop of three cycles
  lanes1x2,  // a single lane, every unit one register deep
  planted    // small, with planted bugs
};
LaneShape shape_of(LaneBuild build);

// Pins of lane_group_top.sv; wide ones as words, lowest bits first.
struct LanePins {
  std::uint8_t* clk;
  std::uint8_t* reset;
  std::uint8_t* parameter_valid;
  std::uint8_t* parameter_ready;
  std::uint8_t* parameter_kind;
  std::uint8_t* parameter_slot;
  std::uint32_t* parameter_values;
  std::uint8_t* command_valid;
  std::uint8_t* command_ready;
  std::uint8_t* command_opcode;
  std::uint8_t* command_dst_interpreter;
  std::uint8_t* command_product_interpreter;
  std::uint16_t* command_channels;
  std::uint32_t* command_elements;
  std::uint8_t* fault;
  std::uint8_t* operand_valid;
  std::uint8_t* operand_ready;
  std::uint32_t* operand_x;
  std::uint32_t* operand_dy;
  std::uint8_t* result_valid;
  std::uint8_t* result_ready;
  std::uint32_t* result_values;
  std::uint16_t* result_keep;
  std::uint8_t* result_last;
  std::uint32_t* result_beats;
  std::uint8_t* trace_valid;
  std::uint8_t* trace_slot;
  std::uint32_t* trace_sums;
  std::uint8_t* failed;
  std::uint16_t* failed_rule;
  std::uint32_t* failed_beat;
};

class LaneGroupRtl {
 public:
  virtual ~LaneGroupRtl() = default;
  virtual void eval() = 0;
  LanePins pins{};
};

// A model whose registers start with random bits of that seed. A bug other than `none` needs LaneBuild::planted;
// another build throws std::invalid_argument.
std::unique_ptr<LaneGroupRtl> make_lane_group(LaneBuild build, std::uint32_t seed, PlantedBug bug = PlantedBug::none);

}  // namespace dve::cosim
