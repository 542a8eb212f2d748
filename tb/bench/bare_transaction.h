// The yardstick of approximately timed models: one 4-phase TLM transaction with nothing around it.
#pragma once

#include <cstdint>
#include <memory>

namespace dve::bench {

// An initiator and a target with a payload event queue each. To be constructed before anything is simulated.
class BareTransaction {
 public:
  BareTransaction();
  ~BareTransaction();
  // Moves `count` transactions, one after the other: BEGIN_REQ, END_REQ, BEGIN_RESP a cycle later, END_RESP; a payload
  // from a pool each, no data.
  void move(std::uint64_t count);

 private:
  struct Top;
  std::unique_ptr<Top> top_;
};

}  // namespace dve::bench
