// A layer's backward step on a core, and what the golden says about it.
#pragma once

#include <string>
#include <vector>

#include "dve/layer/layer.h"
#include "dve/runtime/runtime.h"
#include "golden/golden.h"
#include "support/core_bench.h"

namespace dve::testing_support {

struct LayerOutcome {
  layer::Results results;
  runtime::Program program;
  std::uint64_t cycles = 0;  // from the start of this run's first word to its last completion
};

// Plans the layer for the settings and runs it on the bench's core, from within the host's body.
LayerOutcome run_layer(CoreBench& bench, Host& host, const layer::Layer& layer, const config::Config& settings,
                       double eps = 1e-5);

// The same with a planned program.
LayerOutcome run_program(CoreBench& bench, Host& host, const layer::Layer& layer, runtime::Program program,
                         double eps = 1e-5);

// Results that the golden computes from the layer's device inputs and the program's tiles: bit for bit.
struct GoldenOutcome {
  std::vector<std::uint8_t> dx, y;
  std::vector<float> dgamma, dbeta, mean, var, inv_std;
};
GoldenOutcome golden_layer(const layer::Layer& layer, const runtime::Program& program, const golden::Options& options,
                           double eps = 1e-5);

// Asserts equality by bits, naming the first difference.
void expect_same_bits(const LayerOutcome& outcome, const GoldenOutcome& golden, const layer::Layer& layer);

// A layer made of numbers, for shapes that no file has.
layer::Layer make_layer(std::uint32_t channels, std::uint64_t elements, isa::Dtype dtype, bool statistics_given,
                        unsigned seed);

}  // namespace dve::testing_support
