#include "lane_group_rtl.h"

#include <verilated.h>

#include <stdexcept>

#include "Lanes1x2Rtl.h"
#include "Lanes3x4Rtl.h"
#include "Lanes4Rtl.h"
#include "LanesPlanted.h"
#include "LanesPlanted_dve_planted_pkg.h"

namespace dve::cosim {

namespace {

template <class Verilated>
class VerilatedLanes : public LaneGroupRtl {
 public:
  explicit VerilatedLanes(std::uint32_t seed) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed % 0x7FFFFFFF) + 1);
    model_ = std::make_unique<Verilated>(&context_);
    Verilated& m = *model_;
    pins = {&m.clk,
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
  ~VerilatedLanes() override { model_->final(); }
  void eval() override { model_->eval(); }
  Verilated& model() { return *model_; }

 private:
  VerilatedContext context_;
  std::unique_ptr<Verilated> model_;
};

std::unique_ptr<LaneGroupRtl> make_planted(std::uint32_t seed, PlantedBug bug) {
  auto lanes = std::make_unique<VerilatedLanes<LanesPlanted>>(seed);
  lanes->eval();  // gives the choice its initial value
  lanes->model().__PVT__dve_planted_pkg->chosen = static_cast<std::uint8_t>(bug);
  return lanes;
}

}  // namespace

std::unique_ptr<LaneGroupRtl> make_lane_group(LaneBuild build, std::uint32_t seed, PlantedBug bug) {
  if (build == LaneBuild::planted) return make_planted(seed, bug);
  if (bug != PlantedBug::none) throw std::invalid_argument("only LaneBuild::planted has planted bugs");
  switch (build) {
    case LaneBuild::lanes4:
      return std::make_unique<VerilatedLanes<Lanes4Rtl>>(seed);
    case LaneBuild::lanes3x4:
      return std::make_unique<VerilatedLanes<Lanes3x4Rtl>>(seed);
    default:
      return std::make_unique<VerilatedLanes<Lanes1x2Rtl>>(seed);
  }
}

}  // namespace dve::cosim
