// The verilated lane group (tb/cosim/bench/lane_group_top.sv) without Verilator's types: pins as plain integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace dve::rtl {

// The parameters of tb/cosim/rtl/dve_lane_group.sv.
struct LaneShape {
  std::size_t lanes = 0;
  std::size_t stages = 0;
  std::size_t acc_stages = 0;
  std::size_t interleave = 0;
  std::size_t channels() const { return lanes * interleave; }
};

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

class LaneModel {
 public:
  virtual ~LaneModel() = default;
  virtual void eval() = 0;
  // Waves of all signals from now on as FST. Throws std::runtime_error when the file cannot be written,
  // std::logic_error for a build without waves.
  virtual void open_waves(const std::string& file) = 0;
  // The signals as they stand, at this moment in femtoseconds; nothing without open waves.
  virtual void dump_waves(std::uint64_t femtoseconds) = 0;
  // Ends the file; nothing without open waves.
  virtual void close_waves() = 0;
  LanePins pins{};
};

// Name of a rule of tb/cosim/bench/dve_stream_checker.sv, by its number on `failed_rule`; "none" for 0.
const char* stream_rule_name(unsigned rule);

// The pins of a model made by Verilator.
template <class Verilated>
LanePins pins_of(Verilated& m) {
  return {&m.clk,
          &m.reset,
          &m.parameter_valid,
          &m.parameter_ready,
          &m.parameter_kind,
          &m.parameter_slot,
          m.parameter_values.data(),
          &m.command_valid,
          &m.command_ready,
          &m.command_opcode,
          &m.command_dst_interpreter,
          &m.command_product_interpreter,
          &m.command_channels,
          &m.command_elements,
          &m.fault,
          &m.operand_valid,
          &m.operand_ready,
          m.operand_x.data(),
          m.operand_dy.data(),
          &m.result_valid,
          &m.result_ready,
          m.result_values.data(),
          &m.result_keep,
          &m.result_last,
          &m.result_beats,
          &m.trace_valid,
          &m.trace_slot,
          m.trace_sums.data(),
          &m.failed,
          &m.failed_rule,
          m.failed_beat.data()};
}

// Makes a model whose registers start with random bits of the seed.
using MakeLaneModel = std::function<std::unique_ptr<LaneModel>(std::uint32_t seed)>;

// The lanes that `dve.engine: rtl` runs: 16 lanes of 8 channels each. Empty function: this program has been built
// without RTL.
LaneShape built_shape();
MakeLaneModel built_lanes();

}  // namespace dve::rtl
