// What would shorten a run, and by how much at most.
#pragma once

#include <string>
#include <vector>

#include "run.h"

namespace dve::page {

// One change, everything else as it is. The gain is a bound, not a forecast: what is taken away can only give back the
// time that it took, and the run still needs the longest of its resources.
struct Measure {
  std::string change;   // "no semaphore wait of dve", "dma ring 0 twice as fast"
  std::string how;      // what could bring it about
  double saved_ns = 0;  // at most
};

// Largest gain first; without those that give less than a thousandth of the time. Empty without time.
//   a bucket of the main engine is gone: its share of that engine's cycles, as time, but not below the longest roofline
//   a resource that is needed for a fifth of the time or more is twice as fast: half of its time, but not below the
//   longest of half its time and the others'
std::vector<Measure> measures(const Run& run);

// The same of a network: each layer by itself, times its repeat count, added up by change.
std::vector<Measure> network_measures(const Run& network);

// "semaphore wait" for "semaphore_wait".
std::string bucket_text(std::string_view bucket);

}  // namespace dve::page
