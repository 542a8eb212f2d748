// Lanes in RTL with a fault at their pins: what a broken lane group would show.
#pragma once

#include <cstdint>

#include "dve/rtl/rtl.h"

namespace dve::cosim {

// What goes wrong, and in which beat of the result or trace stream, counted from 0.
struct PinFault {
  enum class Kind : std::uint8_t { result_bit, sum_bit, keep_bit, dropped_beat, never_valid };
  Kind kind = Kind::result_bit;
  std::uint64_t beat = 0;
  unsigned lane = 0;
  unsigned bit = 0;
};

// The platform's lanes behind that fault. Works with the waves of the real lanes.
rtl::MakeLaneModel flipped_lanes(const PinFault& fault);

}  // namespace dve::cosim
