// The lanes that this program has been built with (DVE_COSIM).
#include <verilated.h>
#include <verilated_fst_c.h>

#include <stdexcept>

#include "PlatformLanesRtl.h"
#include "lane_model.h"

namespace dve::rtl {
namespace {

class PlatformLanes : public LaneModel {
 public:
  explicit PlatformLanes(std::uint32_t seed) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed % 0x7FFFFFFF) + 1);
    context_.traceEverOn(true);
    model_ = std::make_unique<PlatformLanesRtl>(&context_);
    pins = pins_of(*model_);
  }
  ~PlatformLanes() override {
    close_waves();
    model_->final();
  }
  void eval() override { model_->eval(); }
  void open_waves(const std::string& file) override {
    waves_ = std::make_unique<VerilatedFstC>();
    waves_->set_time_unit("1fs");
    waves_->set_time_resolution("1fs");
    model_->trace(waves_.get(), 99);
    waves_->open(file.c_str());
    if (!waves_->isOpen()) throw std::runtime_error(file + ": cannot be written");
  }
  void dump_waves(std::uint64_t femtoseconds) override {
    if (waves_) waves_->dump(femtoseconds);
  }
  void close_waves() override {
    if (waves_) waves_->close();
    waves_.reset();
  }

 private:
  VerilatedContext context_;
  std::unique_ptr<PlatformLanesRtl> model_;
  std::unique_ptr<VerilatedFstC> waves_;
};

}  // namespace

LaneShape built_shape() { return {DVE_RTL_LANES, DVE_RTL_STAGES, DVE_RTL_ACC_STAGES, DVE_RTL_INTERLEAVE}; }

MakeLaneModel built_lanes() {
  return [](std::uint32_t seed) -> std::unique_ptr<LaneModel> { return std::make_unique<PlatformLanes>(seed); };
}

}  // namespace dve::rtl
