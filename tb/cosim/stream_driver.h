// The two ends of a valid/ready stream in the bench, with stalls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "fp32_operands.h"

namespace dve::cosim {

// How often an end of a stream holds it up.
enum class StallPattern : std::uint8_t {
  never,
  light,     // one cycle in eight
  half,      // every other cycle, at random
  heavy,     // seven cycles in eight
  bursts,    // runs of up to 16 free and 16 stalled cycles
  lockstep,  // exactly every other cycle
  sequence   // by the bits of StallSequence, over and over
};
inline constexpr std::size_t kStallPatterns = 6;  // those that random tests draw from: all but `sequence`
const char* name(StallPattern pattern);

// Stalls of `length` cycles, one a bit, the first in the lowest.
struct StallSequence {
  std::uint32_t bits = 0;
  std::uint32_t length = 1;
};

// Tells cycle by cycle whether its end of the stream stalls.
class Stalls {
 public:
  Stalls(StallPattern pattern, Rng& random) : pattern_(pattern), random_(&random) {}
  explicit Stalls(const StallSequence& sequence) : pattern_(StallPattern::sequence), sequence_(sequence) {}
  bool next();

 private:
  StallPattern pattern_;
  Rng* random_ = nullptr;
  StallSequence sequence_;
  bool stalling_ = false;
  std::uint32_t left_ = 0;
  std::uint32_t cycle_ = 0;
};

// The sending end: which of its beats is offered. A beat that is offered stays until it has passed.
class Sender {
 public:
  Sender(std::size_t beats, const Stalls& stalls) : beats_(beats), stalls_(stalls) {}
  // At the start of a cycle: whether a beat is offered in it, number current().
  bool offers();
  std::size_t current() const { return sent_; }
  void pass() {
    offering_ = false;
    ++sent_;
  }
  bool at_last() const { return sent_ + 1 == beats_; }
  bool done() const { return sent_ == beats_; }

 private:
  std::size_t beats_;
  Stalls stalls_;
  std::size_t sent_ = 0;
  bool offering_ = false;
};

}  // namespace dve::cosim
