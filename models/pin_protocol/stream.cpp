#include "stream.h"

namespace dve::pins {

void StreamSource::step(bool reset, bool ready) {
  if (reset) {
    beats_.clear();
    valid_ = false;
    edge_ = 0;
    return;
  }
  if (valid_ && ready) {
    beats_.pop_front();
    valid_ = false;
  }
  const bool stalled = stalls(stall_, edge_++);
  if (valid_ || beats_.empty() || stalled) return;
  valid_ = true;
  beat_ = beats_.front();
}

bool StreamSink::step(bool reset, bool valid, std::size_t freed) {
  if (reset) {
    held_ = 0;
    ready_ = false;
    edge_ = 0;
    return false;
  }
  const bool passed = valid && ready_;
  held_ = held_ - freed + (passed ? 1 : 0);
  ready_ = !stalls(stall_, edge_++) && held_ < places_;
  return passed;
}

}  // namespace dve::pins
