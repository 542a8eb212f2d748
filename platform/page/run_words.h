// A run in words: what it took, what bounds it and by how much, what would help most.
#pragma once

#include <string>
#include <vector>

#include "run.h"

namespace dve::page {

// Sentences about a single run, or about a network and its layers; each stands by itself.
std::vector<std::string> sentences(const Run& run);

// What bounds a run, in one sentence: "dve stream bounds it: 4.9 of 8.44 µs, 58 % of the time.", or, when no resource
// was needed for half of the time, what its main engine did instead. Empty without time.
std::string bound_sentence(const Run& run);

// How a run ended, in one sentence; what went wrong first when it did not end well.
std::string end_sentence(const Run& run);

}  // namespace dve::page
