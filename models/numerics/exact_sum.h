// Exact accumulation of binary32 values: the 1536-bit MAC file of the seed pages as a fixed-point register.
#pragma once

#include <array>
#include <cstdint>

namespace dve::numerics {

// Adds binary32 values without rounding and rounds once at the end (nearest-even). Infinities and NaN follow IEEE: any
// NaN, or infinities of both signs, give the canonical NaN. The empty sum is +0, and so is an exact zero result. Holds
// at least 2^32 terms without overflow of the register.
class ExactSum {
 public:
  void add(float value);
  float round() const;

 private:
  // Two's-complement fixed point: bit 0 of limb 0 weighs 2^-149.
  std::array<std::uint64_t, 6> limbs_{};
  bool positive_infinity_ = false;
  bool negative_infinity_ = false;
  bool nan_ = false;
};

}  // namespace dve::numerics
