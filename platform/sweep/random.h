// Numbers of random axes: the same on every machine.
#pragma once

#include <cstdint>

#include "dve/json/json.h"

namespace dve::sweep {

// Between which numbers a random axis lies.
struct Span {
  double low = 0, high = 0;  // low < high
  bool integers = false;     // both ends included; otherwise six significant digits
  bool logarithmic = false;  // uniform in the logarithm; low > 0
};

// SplitMix64 (Steele, Lea and Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  double uniform();                          // [0, 1), a multiple of 2^-53
  std::uint64_t below(std::uint64_t count);  // 0 to count - 1; count >= 1
  json::Json in(const Span& span);

 private:
  std::uint64_t state_;
};

}  // namespace dve::sweep
