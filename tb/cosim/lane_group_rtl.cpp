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
class VerilatedLanes : public rtl::LaneModel {
 public:
  explicit VerilatedLanes(std::uint32_t seed) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed % 0x7FFFFFFF) + 1);
    model_ = std::make_unique<Verilated>(&context_);
    pins = rtl::pins_of(*model_);
  }
  ~VerilatedLanes() override { model_->final(); }
  void eval() override { model_->eval(); }
  void open_waves(const std::string&) override { throw std::logic_error("built without waves"); }
  void dump_waves(std::uint64_t) override {}
  void close_waves() override {}
  Verilated& model() { return *model_; }

 private:
  VerilatedContext context_;
  std::unique_ptr<Verilated> model_;
};

std::unique_ptr<rtl::LaneModel> make_planted(std::uint32_t seed, PlantedBug bug) {
  auto lanes = std::make_unique<VerilatedLanes<LanesPlanted>>(seed);
  lanes->eval();  // gives the choice its initial value
  lanes->model().__PVT__dve_planted_pkg->chosen = static_cast<std::uint8_t>(bug);
  return lanes;
}

}  // namespace

std::unique_ptr<rtl::LaneModel> make_lane_group(LaneBuild build, std::uint32_t seed, PlantedBug bug) {
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
