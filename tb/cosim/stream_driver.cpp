#include "stream_driver.h"

namespace dve::cosim {

const char* name(StallPattern pattern) {
  constexpr const char* kNames[kStallPatterns] = {"never", "light", "half", "heavy", "bursts", "lockstep"};
  return kNames[static_cast<std::size_t>(pattern)];
}

bool Stalls::next() {
  switch (pattern_) {
    case StallPattern::never:
      return false;
    case StallPattern::light:
      return (*random_)() % 8 == 0;
    case StallPattern::half:
      return (*random_)() % 2 == 0;
    case StallPattern::heavy:
      return (*random_)() % 8 != 0;
    case StallPattern::lockstep:
      return stalling_ = !stalling_;
    case StallPattern::sequence:
      return (sequence_.bits >> (cycle_++ % sequence_.length) & 1) != 0;
    case StallPattern::bursts:
      break;
  }
  if (left_ == 0) {
    stalling_ = !stalling_;
    left_ = 1 + static_cast<std::uint32_t>((*random_)() % 16);
  }
  --left_;
  return stalling_;
}

bool Sender::offers() {
  if (!offering_ && !done()) offering_ = !stalls_.next();
  return offering_;
}

}  // namespace dve::cosim
