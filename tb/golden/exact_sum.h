// Sum of binary32 values without rounding, rounded once at the end.
#pragma once

#include <array>
#include <cstdint>

namespace golden {

// One integer counter per binary32 exponent: a term adds its signed 24-bit mantissa to the counter of its exponent, so
// 2^38 terms fit. Only result() joins the counters, bit by bit.
class ExactSum {
 public:
  void add(float value);
  // Nearest binary32, ties to even; +0 for no terms and for an exact zero; infinities and NaN as IEEE addition would.
  float result() const;

 private:
  std::array<std::int64_t, 254> mantissas_{};  // entry e counts units of 2^(e - 149), up to binary32's 2^104
  bool plus_infinity_ = false;
  bool minus_infinity_ = false;
  bool nan_ = false;
};

}  // namespace golden
