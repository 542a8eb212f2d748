// report.json (interfaces.md 5).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dve/config/config.h"
#include "dve/core/core.h"
#include "dve/layer/layer.h"

namespace dve::app {

struct ReportInput {
  std::string status;  // ok, compare_failed, fault, deadlock, timeout, interrupted
  const config::Effective* effective = nullptr;
  const RunOutcome* outcome = nullptr;
  const Statistics* statistics = nullptr;
  const std::vector<WordFinding>* faults = nullptr;
  std::uint64_t warnings = 0;
  std::vector<layer::TensorComparison> comparisons;  // empty for exec
  PortTraffic fetched;                               // by the sequencer
};

// The report as JSON: no wall-clock time, host name or pointer; non-finite numbers as the strings nan, inf, -inf.
nlohmann::ordered_json report(const ReportInput& input);

std::string status_name(RunStatus status, bool compare_failed);

}  // namespace dve::app
