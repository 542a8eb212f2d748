// The arbitration policies, one small class each: plain state that changes once a memory cycle (microarchitecture.md
// 3.1, 4). Header only: they are stepped in the innermost loop.
#pragma once

#include <cstdint>

#include "parameters.h"
#include "users.h"

namespace dve::contention {

// Which side a cycle belongs to.
class TdmWheel {
 public:
  explicit TdmWheel(const TdmParameters& p) : p_(p) {}
  bool dma_slot(std::int64_t cycle) const {
    return static_cast<std::uint32_t>(cycle % static_cast<std::int64_t>(p_.slots)) >= p_.slots - p_.dma_slots;
  }
  // Those of `requests` that may win a bank in this cycle.
  UserMask eligible(std::int64_t cycle, UserMask requests) const {
    const bool both = (requests & kDmaMask) != 0 && (requests & ~kDmaMask) != 0;
    if (p_.policy == TdmPolicy::none || (p_.policy == TdmPolicy::work_conserving && !both)) return requests;
    const UserMask own = dma_slot(cycle) ? requests & kDmaMask : requests & ~kDmaMask;
    return own != 0 || p_.policy == TdmPolicy::strict ? own : requests;
  }
  bool active() const { return p_.policy != TdmPolicy::none; }
  bool strict() const { return p_.policy == TdmPolicy::strict; }
  // Patterns of grants can only repeat after a multiple of this.
  std::int64_t period() const { return p_.policy == TdmPolicy::none ? 1 : static_cast<std::int64_t>(p_.slots); }

 private:
  TdmParameters p_;
};

// Weighted round robin: the winner keeps its turn for `weight` grants as long as it goes on requesting; then the next
// requesting user in the order of User has its turn.
struct RoundRobin {
  std::uint16_t last = kUsers - 1;
  std::uint16_t credits = 0;

  // `requests` is not empty. `weights[u]` at least 1.
  template <class Weights>
  std::uint32_t choose(UserMask requests, const Weights& weights) {
    if (credits != 0 && ((requests >> last) & 1) != 0) {
      --credits;
      return last;
    }
    const UserMask above = requests & (~UserMask{0} << (last + 1U));  // last + 1 <= kUsers < 32
    last = static_cast<std::uint16_t>(__builtin_ctz(above != 0 ? above : requests));
    credits = static_cast<std::uint16_t>(weights(last) - 1);
    return last;
  }
};

// At most `beats` grants a window; windows are aligned to cycle 0. Refilled when it is looked at, so idle users need no
// attention.
class TokenBucket {
 public:
  // What future grants depend on: tokens, and cycles to the end of the window.
  struct State {
    std::uint32_t tokens = 0;
    std::int64_t ends_in = 0;
    friend bool operator==(const State& a, const State& b) { return a.tokens == b.tokens && a.ends_in == b.ends_in; }
  };

  TokenBucket() = default;
  explicit TokenBucket(const ThrottleParameters& p) : p_(p) {}
  bool active() const { return p_.active(); }
  std::uint32_t tokens(std::int64_t cycle) {
    if (!active()) return ~std::uint32_t{0};
    if (cycle >= window_end_) {
      const auto window = static_cast<std::int64_t>(p_.window);
      window_end_ = (cycle / window + 1) * window;
      tokens_ = p_.beats;
    }
    return tokens_;
  }
  void spend() { tokens_ -= active() && tokens_ != 0 ? 1 : 0; }
  // Of the window that was looked at last: the first cycle after it.
  std::int64_t window_end() const { return window_end_; }
  // `cycles` have passed, a multiple of the window, at whose end the bucket is as full as at their beginning.
  void pass(std::int64_t cycles) { window_end_ += active() ? cycles : 0; }
  State state(std::int64_t cycle) { return active() ? State{tokens(cycle), window_end_ - cycle} : State{}; }

 private:
  ThrottleParameters p_;
  std::uint32_t tokens_ = 0;
  std::int64_t window_end_ = 0;
};

// A path that one user has at a time.
struct SharedPath {
  static constexpr std::uint16_t kNobody = 0xFF;
  std::uint16_t holder = kNobody;
  std::uint16_t last = kUsers - 1;  // who had it last: round robin goes on from there

  // Who may compete for a bank through this path in this cycle; `requests` is not empty.
  std::uint32_t choose(UserMask requests, SharedPort policy) {
    if (holder != kNobody && (policy == SharedPort::exclusive || ((requests >> holder) & 1) != 0)) return holder;
    const UserMask above = requests & (~UserMask{0} << (last + 1U));
    last = static_cast<std::uint16_t>(__builtin_ctz(above != 0 ? above : requests));
    holder = policy == SharedPort::rotate ? kNobody : last;
    return last;
  }
  void granted(SharedPort policy) {
    if (policy == SharedPort::hold) holder = kNobody;
  }
  void ended(std::uint32_t user) {
    if (holder == user) holder = kNobody;
  }
};

}  // namespace dve::contention
