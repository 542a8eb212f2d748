// The yardstick of loosely timed models: one b_transport call with nothing around it.
#pragma once

#include <cstdint>
#include <memory>

namespace dve::bench {

// An initiator thread and a target that answers OK. To be constructed before anything is simulated.
class BareCall {
 public:
  BareCall();
  ~BareCall();
  // Makes `count` calls with the same 64-byte payload.
  void make(std::uint64_t count);

 private:
  struct Top;
  std::unique_ptr<Top> top_;
};

}  // namespace dve::bench
