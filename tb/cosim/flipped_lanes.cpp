#include "cosim/flipped_lanes.h"

#include <algorithm>
#include <array>

namespace dve::cosim {
namespace {

using rtl::LaneModel;

class FlippedLanes : public LaneModel {
 public:
  FlippedLanes(std::unique_ptr<LaneModel> lanes, const PinFault& fault) : lanes_(std::move(lanes)), fault_(fault) {
    pins = lanes_->pins;
    pins.result_values = values_.data();
    pins.result_keep = &keep_;
    pins.result_valid = &valid_;
    pins.trace_sums = sums_.data();
  }

  void eval() override {
    lanes_->eval();
    const rtl::LanePins& p = lanes_->pins;
    const bool rises = *p.clk != 0 && !clock_was_;
    clock_was_ = *p.clk != 0;
    if (rises) count();
    std::copy_n(p.result_values, values_.size(), values_.begin());
    std::copy_n(p.trace_sums, sums_.size(), sums_.begin());
    keep_ = *p.result_keep;
    valid_ = *p.result_valid;
    using Kind = PinFault::Kind;
    if (fault_.kind == Kind::result_bit && results_ == fault_.beat) values_[fault_.lane] ^= 1U << fault_.bit;
    if (fault_.kind == Kind::sum_bit && sums_seen_ == fault_.beat) sums_[3 * fault_.lane + 1] ^= 1U << fault_.bit;
    if (fault_.kind == Kind::keep_bit && results_ == fault_.beat)
      keep_ = static_cast<std::uint16_t>(keep_ ^ 1U << fault_.lane);
    if (fault_.kind == Kind::never_valid && results_ >= fault_.beat) valid_ = 0;
    if (fault_.kind == Kind::dropped_beat && results_ == fault_.beat) valid_ = 0;
    before_valid_ = *p.result_valid != 0;
    before_ready_ = *p.result_ready != 0;
    before_trace_ = *p.trace_valid != 0;
  }
  void open_waves(const std::string& file) override { lanes_->open_waves(file); }
  void dump_waves(std::uint64_t femtoseconds) override { lanes_->dump_waves(femtoseconds); }
  void close_waves() override { lanes_->close_waves(); }

 private:
  // With the pins as they were before the edge.
  void count() {
    if (*lanes_->pins.reset != 0) return;
    if (before_valid_ && before_ready_) ++results_;
    if (before_trace_) ++sums_seen_;
  }

  std::unique_ptr<LaneModel> lanes_;
  PinFault fault_;
  std::array<std::uint32_t, 16> values_{};
  std::array<std::uint32_t, 48> sums_{};
  std::uint16_t keep_ = 0;
  std::uint8_t valid_ = 0;
  std::uint64_t results_ = 0, sums_seen_ = 0;
  bool clock_was_ = false, before_valid_ = false, before_ready_ = false, before_trace_ = false;
};

}  // namespace

rtl::MakeLaneModel flipped_lanes(const PinFault& fault) {
  return [fault](std::uint32_t seed) -> std::unique_ptr<LaneModel> {
    return std::make_unique<FlippedLanes>(rtl::built_lanes()(seed), fault);
  };
}

}  // namespace dve::cosim
