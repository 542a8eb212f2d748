// The verilated lane group as a SystemC module (bench/lane_group_streams.sv), without Verilator's types.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

#include "dve/pins/pins.h"
#include "lane_group_rtl.h"

namespace dve::cosim {

// Bytes of the streams' beats, laid out as lane_group_streams.sv says.
inline constexpr std::size_t kParameterBytes = 66, kCommandBytes = 8, kOperandBytes = 128, kResultBytes = 66;

// The signals on its pins.
struct LaneSignals {
  template <std::size_t Bytes>
  using Stream = pins::StreamPins<pins::Signal, pins::Signal, 8 * Bytes>;
  sc_core::sc_signal<bool> reset{"reset"};
  Stream<kParameterBytes> parameter{"parameter_"};
  Stream<kCommandBytes> command{"command_"};
  Stream<kOperandBytes> operand{"operand_"};
  Stream<kResultBytes> result{"result_"};
  sc_core::sc_signal<std::uint32_t> result_beats{"result_beats"};
  sc_core::sc_signal<bool> fault{"fault"};
  sc_core::sc_signal<bool> trace_valid{"trace_valid"};
  sc_core::sc_signal<std::uint32_t> trace_slot{"trace_slot"};
  sc_core::sc_signal<sc_dt::sc_bv<1536>> trace_sums{"trace_sums"};
  // Of the checkers in SystemVerilog: see LanePins.
  sc_core::sc_signal<std::uint32_t> failed{"failed"};
  sc_core::sc_signal<std::uint32_t> failed_rule{"failed_rule"};
  sc_core::sc_signal<sc_dt::sc_bv<128>> failed_beat{"failed_beat"};
};

// A model whose registers start with random bits of that seed, on these signals. Not of LaneBuild::planted
// (std::invalid_argument).
std::unique_ptr<sc_core::sc_module> make_lane_streams(LaneBuild build, std::uint32_t seed, sc_core::sc_clock& clk,
                                                      LaneSignals& signals);

}  // namespace dve::cosim
