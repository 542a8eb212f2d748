#include "lane_streams_rtl.h"

#include <stdexcept>

#include "Lanes1x2Streams.h"
#include "Lanes3x4Streams.h"
#include "Lanes4Streams.h"

namespace dve::cosim {

namespace {

template <class Verilated>
std::unique_ptr<sc_core::sc_module> make(sc_core::sc_clock& clk, LaneSignals& signals) {
  auto model = std::make_unique<Verilated>("lanes");
  model->clk(clk);
  model->reset(signals.reset);
  model->parameter_valid(signals.parameter.valid);
  model->parameter_ready(signals.parameter.ready);
  model->parameter_data(signals.parameter.data);
  model->command_valid(signals.command.valid);
  model->command_ready(signals.command.ready);
  model->command_data(signals.command.data);
  model->operand_valid(signals.operand.valid);
  model->operand_ready(signals.operand.ready);
  model->operand_data(signals.operand.data);
  model->result_valid(signals.result.valid);
  model->result_ready(signals.result.ready);
  model->result_data(signals.result.data);
  model->result_last(signals.result.last);
  model->result_beats(signals.result_beats);
  model->fault(signals.fault);
  model->trace_valid(signals.trace_valid);
  model->trace_slot(signals.trace_slot);
  model->trace_sums(signals.trace_sums);
  model->failed(signals.failed);
  model->failed_rule(signals.failed_rule);
  model->failed_beat(signals.failed_beat);
  return model;
}

}  // namespace

std::unique_ptr<sc_core::sc_module> make_lane_streams(LaneBuild build, std::uint32_t seed, sc_core::sc_clock& clk,
                                                      LaneSignals& signals) {
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed % 0x7FFFFFFF) + 1);
  switch (build) {
    case LaneBuild::lanes4:
      return make<Lanes4Streams>(clk, signals);
    case LaneBuild::lanes3x4:
      return make<Lanes3x4Streams>(clk, signals);
    case LaneBuild::lanes1x2:
      return make<Lanes1x2Streams>(clk, signals);
    case LaneBuild::planted:
      break;
  }
  throw std::invalid_argument("LaneBuild::planted has no streams");
}

}  // namespace dve::cosim
