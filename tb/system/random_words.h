// Random legal words through SEQ and DVE against the independent golden, bit for bit: random shapes and strides
// (negative, zero, large), a different immediate in every partition, destinations full of garbage, every word run
// twice.
#pragma once

#include "dve/execute/execute.h"

namespace dve::testing_support {

struct RandomWords {
  int variant = 0;  // bits: dst_order interpreter, product_order interpreter, backprop_form textbook
  int rounds = 0;   // each runs one GradAccum and two BackProp twice, with the words around them
  execute::LaneArray* lanes = nullptr;  // computes in place of the DVE's kernels; null: nobody
};

// Elaborates a core: once a process.
void compare_random_words(const RandomWords& choice);

}  // namespace dve::testing_support
