// What a point runs, beside its configuration: the options of `dve-sim run` under the names of a sweep file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dve/isa/isa.h"
#include "dve/json/json.h"
#include "dve/runtime/runtime.h"

namespace dve::sweep {

struct Options {
  std::string config;    // preset or file; empty: cayman
  std::string workload;  // file, or name in configs/workloads
  std::string layer;     // folder; both empty: the bundled layer
  std::optional<isa::Dtype> dtype;
  runtime::Step step = runtime::Step::backward;
  double eps = 1e-5;
  float loss_scale = 1;
  std::uint64_t microbatches = 1;
  bool device_stats = false;
  bool no_data = false;
  std::uint64_t max_cycles = 0;  // 0: no limit
};

const std::vector<std::string>& option_names();

// Sets the option `name`, one of option_names(). layer::InputError when the value is not allowed.
void set_option(Options& options, const std::string& name, const json::JsonNode& value);

}  // namespace dve::sweep
